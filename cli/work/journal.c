/* SPDX-License-Identifier: MIT */
#include "cli/work/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/answer/verdict.h"
#include "litmus/base/file.h"

/* The longest line, which holds a result, and the longest file of inputs or histograms. What is
 * longer is refused: it may be a device that has no end. */
enum { BLOCK_BYTES = 1 << 16, LINE_MOST_BYTES = 1 << 26, FILE_MOST_BYTES = 1 << 28 };

/* The line of a result, which is read again when it is asked for. */
struct kept {
    off_t at;
    size_t length;
};

struct journal {
    int file;
    const char *path;
    GHashTable *results; /* a key: where its line lies */
    off_t length;        /* of what was read */
    bool torn;           /* the file ends inside of a line */
    bool lacks;
};

/* ---- the file ------------------------------------------------------------------------------- */

/* A result as it was written: what a report can be made of. */
static bool is_result(const json_t *line)
{
    const char *out = json_string_value(json_object_get(line, "out"));
    json_int_t tally = json_integer_value(json_object_get(line, "tally"));
    json_t *object = out ? json_loads(out, 0, NULL) : NULL;
    bool good = json_is_object(object) && tally >= 0 && tally < VERDICT_COUNT &&
                json_is_string(json_object_get(line, "key")) &&
                json_is_string(json_object_get(line, "err"));
    json_decref(object);
    return good;
}

static void add_line(struct journal *journal, const char *text, size_t length)
{
    json_t *line = json_loadb(text, length, 0, NULL);
    if (is_result(line))
        g_hash_table_insert(
            journal->results, g_strdup(json_string_value(json_object_get(line, "key"))),
            g_memdup2(&(struct kept){journal->length, length}, sizeof(struct kept)));
    json_decref(line);
    journal->length += (off_t)length + 1;
}

/* Damage costs the line that has it: the test is run again. Read through the open descriptor, as
 * the lock goes when any other of the file is closed. */
static bool read_lines(struct journal *journal)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_autofree char *block = g_malloc(BLOCK_BYTES);
    ssize_t got = 0;
    while (line->len <= LINE_MOST_BYTES && (got = read(journal->file, block, BLOCK_BYTES)) > 0) {
        size_t start = 0, fresh = line->len;
        g_string_append_len(line, block, got);
        for (const char *end; (end = memchr(line->str + fresh, '\n', line->len - fresh));) {
            add_line(journal, line->str + start, (size_t)(end - line->str) - start);
            start = fresh = (size_t)(end + 1 - line->str);
        }
        g_string_erase(line, 0, (gssize)start);
    }
    if (got > 0)
        errno = EFBIG;
    else if (line->len)
        add_line(journal, line->str, line->len);
    journal->torn = line->len > 0;
    return got == 0;
}

/* Is the open file the one that the path names? A run that ended may have taken it away. */
static bool is_named(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/* Locked for this process, which workers do not inherit. Where the file system knows no locks there
 * is none. */
static int lock_file(const char *path)
{
    for (;;) {
        int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        bool taken =
            file >= 0 && fcntl(file, F_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES);
        if (file < 0 || (!taken && is_named(file, path)))
            return file;
        close(file);
        if (taken) {
            errno = EAGAIN;
            return -1;
        }
    }
}

struct journal *journal_open(const char *path, bool resume)
{
    int file = lock_file(path);
    if (file < 0)
        return NULL;
    struct journal *journal = g_new0(struct journal, 1);
    journal->file = file;
    journal->path = path;
    journal->results = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (resume ? read_lines(journal) : ftruncate(file, 0) == 0)
        return journal;
    int error = errno;
    journal_close(journal, true);
    errno = error;
    return NULL;
}

void journal_close(struct journal *journal, bool keep)
{
    if (!keep)
        unlink(journal->path);
    close(journal->file);
    g_hash_table_destroy(journal->results);
    g_free(journal);
}

bool journal_is_empty(const struct journal *journal)
{
    struct stat now;
    return fstat(journal->file, &now) == 0 && now.st_size == 0;
}

void journal_miss(struct journal *journal)
{
    journal->lacks = true;
}

bool journal_lacks(const struct journal *journal)
{
    return journal->lacks;
}

/* ---- keys ----------------------------------------------------------------------------------- */

static void feed(GChecksum *sum, const char *bytes, size_t length)
{
    uint64_t before = length; /* so that "ab" "c" is not "a" "bc" */
    g_checksum_update(sum, (const guchar *)&before, sizeof before);
    g_checksum_update(sum, (const guchar *)bytes, (gssize)length);
}

static void feed_text(GChecksum *sum, const char *text)
{
    feed(sum, text ? text : "", text ? strlen(text) : 0);
}

/* As much as is read of it elsewhere, and one byte, which tells the file that is refused. */
static void feed_file(GChecksum *sum, const char *path, size_t most)
{
    g_autoptr(GChecksum) content = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree guchar *block = g_malloc(BLOCK_BYTES);
    FILE *file = fopen(path, "rbe");
    size_t left = file ? most + 1 : 0;
    for (size_t got; (got = left ? fread(block, 1, MIN(left, BLOCK_BYTES), file) : 0) > 0;) {
        g_checksum_update(content, block, (gssize)got);
        left -= got;
    }
    if (file)
        fclose(file);
    feed_text(sum, g_checksum_get_string(content));
}

/* The model after its includes: its relations and what it asks of them. */
static void feed_model(GChecksum *sum, const struct cat_model *model)
{
    for (cat_id i = 0; i < model->node_count; i++) {
        const struct cat_node *node = &model->nodes[i];
        uint32_t shape[] = {node->op, node->base, node->a, node->b};
        feed(sum, (const char *)shape, sizeof shape);
        feed_text(sum, node->name);
        feed_text(sum, node->text);
    }
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        const struct cat_axiom *axiom = &model->axioms[i];
        uint32_t shape[] = {axiom->check, axiom->negated, axiom->flag, axiom->node};
        feed(sum, (const char *)shape, sizeof shape);
        feed_text(sum, axiom->name);
    }
    for (uint32_t i = 0; i < model->shown_count; i++)
        feed_text(sum, model->shown_names[i]);
}

/* What was given for an option, as the row says. */
static void feed_option(GChecksum *sum, const struct option_row *row, const void *field)
{
    const struct text_list one = {(const char **)field, 1, 1};
    const struct text_list *texts = row->kind == KIND_LIST ? field : &one;
    feed_text(sum, row->name);
    if (row->kind == KIND_TEXT || row->kind == KIND_WORDS || row->kind == KIND_LIST)
        for (uint32_t i = 0; i < texts->len; i++)
            feed_text(sum, texts->at[i]);
    else
        feed(sum, field,
             row->kind == KIND_FLAG     ? sizeof(bool)
             : row->kind == KIND_NUMBER ? sizeof(uint32_t)
                                        : sizeof(double));
    if (row->effect == EFFECT_FILE && one.at[0])
        feed_file(sum, one.at[0], FILE_MOST_BYTES);
}

/* What the system grants: a test that it gave too little memory may have a verdict with more. */
static void feed_limits(GChecksum *sum)
{
    static const int kinds[] = {RLIMIT_AS, RLIMIT_DATA};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        struct rlimit limit = {0, 0};
        getrlimit(kinds[i], &limit);
        feed(sum, (const char *)&limit.rlim_cur, sizeof limit.rlim_cur);
    }
}

const char *journal_run(struct arena *arena, const struct options *options,
                        const struct cat_model *model)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    feed_file(sum, "/proc/self/exe", FILE_MOST_BYTES);
    feed_model(sum, model);
    for (uint32_t i = 0; i < option_row_count; i++)
        if (option_rows[i].effect != EFFECT_NONE)
            feed_option(sum, &option_rows[i], (const char *)options + option_rows[i].offset);
    feed_limits(sum);
    return arena_strdup(arena, g_checksum_get_string(sum));
}

const char *journal_key(struct arena *arena, const char *run, const struct input *input)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    feed_text(sum, run);
    feed_text(sum, input->path);
    if (input->text)
        feed(sum, input->text, input->length);
    else
        feed_file(sum, input->path, SOURCE_MAX_BYTES);
    return arena_strdup(arena, g_checksum_get_string(sum));
}

/* ---- results -------------------------------------------------------------------------------- */

bool journal_recall(const struct journal *journal, const char *key, struct result *result)
{
    const struct kept *kept = g_hash_table_lookup(journal->results, key);
    g_autofree char *text = kept ? g_malloc(kept->length) : NULL;
    if (!kept || pread(journal->file, text, kept->length, kept->at) < (ssize_t)kept->length)
        return false;
    json_auto_t *line = json_loadb(text, kept->length, 0, NULL);
    if (!line)
        return false;
    *result = (struct result){
        .tally = (uint32_t)json_integer_value(json_object_get(line, "tally")),
        .out = g_string_new(json_string_value(json_object_get(line, "out"))),
        .err = g_string_new(json_string_value(json_object_get(line, "err"))),
    };
    return true;
}

bool journal_keep(struct journal *journal, const char *key, const struct result *result)
{
    g_autofree char *err = g_utf8_make_valid(result->err->str, (gssize)result->err->len);
    json_t *line = json_pack("{s:s, s:i, s:s%, s:s}", "key", key, "tally", (int)result->tally,
                             "out", result->out->str, result->out->len, "err", err);
    g_autofree char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    json_decref(line);
    if (!text)
        return false;
    g_autofree char *whole = g_strdup_printf("%s%s\n", journal->torn ? "\n" : "", text);
    size_t length = strlen(whole), done = file_write_all(journal->file, whole, length);
    journal->torn = done < length && (done || journal->torn);
    return done == length;
}
