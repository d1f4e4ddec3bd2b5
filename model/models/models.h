/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MODELS_MODELS_H
#define MODEL_MODELS_MODELS_H

#include "model/cat/cat.h"

/* The bundled memory models: the text files of this folder, built into the library. */
struct model_text {
    const char *name;    /* "ptx", "ptx+older-api", "ptx-6.0", … */
    const char *summary; /* one line for 'ptxlit models' */
    const char *text;
};

extern const struct model_text model_texts[];
extern const uint32_t model_text_count;

/* The base names of model/graph/base.def, in its order (sets first). */
extern const struct cat_base model_bases[];
extern const uint32_t model_base_count;

const struct model_text *model_find(const char *name);
/* Does an axiom or a definition of the model rest on the base relation? */
bool model_uses(const struct cat_model *model, const char *base);
/* A bundled model by name, or a .cat file by path; includes are looked up beside the file, then among
 * the bundled ones. "NAME+VARIANT" reads the text of NAME with that variant (docs/cat-language.md).
 * NULL after an error in 'diags'. */
struct cat_model *model_load(struct arena *arena, const char *name_or_path,
                             struct diag_list *diags);
/* A model from its text, which may include the bundled ones and, unless 'folder' is NULL, files of that folder.
 * NULL after an error in 'diags'. */
struct cat_model *model_parse(struct arena *arena, const struct source *source, const char *folder,
                              struct diag_list *diags);
/* What a text of that folder (or NULL) includes under a name: a file, or a text of the library or a bundled
 * one; NULL: there is none. */
const struct source *model_included(struct arena *arena, const char *folder, const char *name,
                                    bool *is_file);

#endif
