/* SPDX-License-Identifier: MIT */
#include "litmus/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *file_drain(struct arena *arena, FILE *stream, size_t most, size_t *length)
{
    struct tie *owned = ARENA_NEW(arena, struct tie);
    size_t size = MIN(64 * 1024, most + 1), used = 0;
    char *text = g_malloc(size + 1);
    for (size_t got; (got = fread(text + used, 1, size - used, stream)) > 0;) {
        used += got;
        if (used > most)
            break;
        if (used == size) {
            size = MIN(size * 2, most + 1);
            text = g_realloc(text, size + 1);
        }
    }
    text[used] = '\0';
    arena_tie(arena, owned, g_free, text);
    *length = used;
    return text;
}

const char *file_read(struct arena *arena, const char *path, size_t most, size_t *length)
{
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return NULL;
    const char *bytes = file_drain(arena, stream, most, length);
    int error = ferror(stream) ? errno : *length > most ? EFBIG : 0;
    fclose(stream);
    errno = error;
    return error ? NULL : bytes;
}

const char *file_with_suffix(struct arena *arena, const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    return arena_printf(arena, "%.*s%s", (int)(dot ? dot - path : (ptrdiff_t)strlen(path)), path,
                        suffix);
}

bool file_kept_is_older(const char *ptx, const char *cu)
{
    struct stat kept, source;
    return stat(ptx, &kept) == 0 && stat(cu, &source) == 0 && kept.st_mtime + 1 < source.st_mtime;
}

struct source_file file_read_kept(struct arena *arena, const char *path)
{
    bool cuda = g_str_has_suffix(path, ".cu"), ptx = cuda || g_str_has_suffix(path, ".ptx");
    const char *kept = cuda ? file_with_suffix(arena, path, ".ptx") : path;
    struct source_file file = {.name = kept};
    struct stat stat_of;
    bool regular = stat(kept, &stat_of) == 0 && (errno = EINVAL, S_ISREG(stat_of.st_mode));
    file.text = regular ? file_read(arena, kept, SOURCE_MAX_BYTES, &file.length) : NULL;
    if (!file.text)
        file.fault = arena_strdup(arena, g_strerror(errno));
    else if (ptx && file_kept_is_older(kept, file_with_suffix(arena, path, ".cu"))) {
        file.fault = arena_printf(arena, "'%s' is older than the .cu file beside it", kept);
        file.hint = "compile it again";
    }
    return file;
}

size_t file_write_all(int file, const void *bytes, size_t length)
{
    size_t done = 0;
    for (ssize_t written; done < length; done += (size_t)MAX(written, 0)) {
        written = write(file, (const char *)bytes + done, length - done);
        if (written == 0 || (written < 0 && errno != EINTR))
            break;
    }
    return done;
}

static const char *write_through(const char *path, const void *bytes, size_t length)
{
    int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file < 0)
        return g_strerror(errno);
    int error = file_write_all(file, bytes, length) < length ? errno : 0;
    if (close(file) != 0 && !error)
        error = errno;
    return error ? g_strerror(error) : NULL;
}

const char *file_write(struct arena *arena, const char *path, const void *bytes, size_t length)
{
    struct stat stat;
    if (lstat(path, &stat) == 0 && !S_ISREG(stat.st_mode))
        return write_through(path, bytes, length);
    g_autoptr(GError) error = NULL;
    if (g_file_set_contents(path, length ? bytes : "", (gssize)length, &error))
        return NULL;
    return arena_strdup(arena, error->message);
}

struct source_file file_read_text(const struct source_files *files, struct arena *arena,
                                  const char *path)
{
    struct source_file file = {.name = path};
    if (files && files->read_text)
        return files->read_text(files, arena, path);
    file.text = file_read(arena, path, SOURCE_MAX_BYTES, &file.length);
    if (!file.text)
        file.fault = strerror(errno);
    return file;
}
