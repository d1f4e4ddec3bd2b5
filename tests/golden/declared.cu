// exists (main:r = 5)
#include <thread>
int main()
{
    int h = 0, k = 3;
    std::thread t([&] { h = k; });
    k = 5;
    t.join();
    int r = h;
    return 0;
}
