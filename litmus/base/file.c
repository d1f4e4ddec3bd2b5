/* SPDX-License-Identifier: MIT */
#include "litmus/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
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
