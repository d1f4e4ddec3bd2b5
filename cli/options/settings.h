/* SPDX-License-Identifier: MIT */
#ifndef CLI_OPTIONS_SETTINGS_H
#define CLI_OPTIONS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* What answers see of the command line: the rows of options.def that are settings. */

/* An option that may be given several times. */
struct text_list {
    const char **at;
    uint32_t len, cap;
};

/* The type of an option's field, by its kind. */
#define OPTION_FIELD_FLAG(name)    bool name;
#define OPTION_FIELD_NUMBER(name)  uint32_t name;
#define OPTION_FIELD_SECONDS(name) double name;
#define OPTION_FIELD_TEXT(name)    const char *name;
#define OPTION_FIELD_LIST(name)    struct text_list name;
#define OPTION_FIELD_WORDS(name)   const char *name;

enum { SETTINGS_USUAL_TIMEOUT = 60 }; /* seconds; what --timeout is where it is not given */

/* How a test is asked about: all that its answer depends on besides the test and the model's text. */
struct settings {
#define SETTING(kind, field, ...) OPTION_FIELD_##kind(field)
#define OPTION(...)
#include "cli/options/options.def"
#undef SETTING
#undef OPTION
    double work;      /* of repair: the seconds that say how much work it does; 0: no limit */
    bool compiled;    /* tests in C++ are made PTX by 'mapping', or by MAPPING_DEFAULT */
    bool model_named; /* a model was asked for, so it is not chosen by the language of the test */
};

#endif
