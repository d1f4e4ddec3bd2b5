// SPDX-License-Identifier: MIT
// Stands for helper_cuda.h and the other headers of CUDA's samples where they are not installed: what the
// host code of a sample names, so that nvcc compiles its kernels. What the functions mean to a host program,
// litmus/host knows.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(text) __getLastCudaError(text, __FILE__, __LINE__)
#define printLastCudaError(text) __getLastCudaError(text, __FILE__, __LINE__)

template <typename T> void check(T result, const char *, const char *, int)
{
    if (result)
        exit(EXIT_FAILURE);
}
inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
inline void __getLastCudaError(const char *, const char *, int) { check(cudaGetLastError(), "", "", 0); }
inline int ftoi(float value) { return int(value >= 0 ? value + 0.5 : value - 0.5); }
inline int _ConvertSMVer2Cores(int, int) { return 128; }
inline const char *_ConvertSMVer2ArchName(int, int) { return ""; }
inline int gpuDeviceInit(int device) { return device; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char **) { return 0; }
inline int findIntegratedGPU() { return 0; }
inline bool checkCudaCapabilities(int, int) { return true; }

inline int stringRemoveDelimiter(char, const char *) { return 0; }
inline int getFileExtension(char *, char **) { return 0; }
inline bool checkCmdLineFlag(int, const char **, const char *) { return false; }
inline int getCmdLineArgumentInt(int, const char **, const char *) { return 0; }
inline float getCmdLineArgumentFloat(int, const char **, const char *) { return 0; }
template <typename T> bool getCmdLineArgumentValue(int, const char **, const char *, T *) { return false; }
inline bool getCmdLineArgumentString(int, const char **, const char *, char **) { return false; }
inline char *sdkFindFilePath(const char *, const char *) { return nullptr; }

class StopWatchInterface {
public:
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    virtual float getTime() = 0;
    virtual float getAverageTime() = 0;
};
inline bool sdkCreateTimer(StopWatchInterface **) { return true; }
inline bool sdkDeleteTimer(StopWatchInterface **) { return true; }
inline bool sdkStartTimer(StopWatchInterface **) { return true; }
inline bool sdkStopTimer(StopWatchInterface **) { return true; }
inline bool sdkResetTimer(StopWatchInterface **) { return true; }
inline float sdkGetAverageTimerValue(StopWatchInterface **) { return 0; }
inline float sdkGetTimerValue(StopWatchInterface **) { return 0; }
template <class T> bool sdkReadFile(const char *, T **, unsigned int *, bool) { return false; }
template <class T> bool sdkWriteFile(const char *, const T *, unsigned int, T, bool, bool = false) { return false; }
inline bool sdkCompareL2fe(const float *, const float *, unsigned int, float) { return true; }
template <class T, class S> bool compareData(const T *, const T *, unsigned int, S, float) { return true; }
