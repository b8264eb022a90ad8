/* JSON Schema (draft-07) of experiments, made from the tables. Unknown keys are errors in it, so that an
 * editor marks them. */
#include "bind/experiment/experiment.h"
#include "bind/tables/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

/* Writes the "description" of a key: doc and unit. */
static void put_doc(FILE *out, const scree_param *p) {
  char text[512];
  snprintf(text, sizeof text, "%s%s%s%s", p->doc, *p->unit ? " [" : "", p->unit, *p->unit ? "]" : "");
  fputs("\"description\": ", out);
  put_text(out, text);
}

static void put_bounds(FILE *out, const scree_param *p) {
  if (p->flags & SCREE_POSITIVE) fputs(", \"exclusiveMinimum\": 0", out);
  if (p->min == 0 && p->max == 0) return;
  if (!(p->flags & SCREE_POSITIVE)) fprintf(out, ", \"minimum\": %.17g", p->min);
  if (isfinite(p->max)) fprintf(out, ", \"maximum\": %.17g", p->max);
}

static void put_choices(FILE *out, const char *choices) {
  fputs("\"enum\": [", out);
  for (const char *at = choices; *at;) {
    size_t length = strcspn(at, "|");
    fprintf(out, "%s\"%.*s\"", at == choices ? "" : ", ", (int)length, at);
    at += length + (at[length] == '|');
  }
  fputs("]", out);
}

static void put_table(FILE *out, const sl_table *table, const char *type, int indent);

/* Writes the schema of a key whose value is not a plain number or word. */
static void put_part(FILE *out, const sl_table *table, const scree_param *p, int indent) {
  char path[128];
  snprintf(path, sizeof path, "%s%s%s", table->path, *table->path ? "." : "", p->name);
  const sl_table *inner = sl_experiment_find_table(path);
  if (inner) put_table(out, inner, NULL, indent);
  else if (!strcmp(path, "measure")) {
    fputs("{\"type\": \"array\", \"items\": {\"oneOf\": [", out);
    const sl_table *entry;
    for (int i = 0; (entry = sl_experiment_measure_table(i)); i++) {
      fprintf(out, "%s\n%*s", i ? "," : "", indent + 2, "");
      put_table(out, entry, entry->path, indent + 2);
    }
    fputs("]}}", out);
  } else {
    fputs("{", out);
    put_doc(out, p);
    if (!strcmp(p->name, "fields"))
      fprintf(out,
          ", \"type\": \"array\", \"items\": {\"enum\": [\"position\", \"orientation\", \"velocity\", "
          "\"spin\"%s]}",
          strcmp(table->path, "output.track") ? ", \"contacts\"" : "");
    if (!strcmp(p->name, "ids") || !strcmp(p->name, "groups"))
      fputs(", \"type\": \"array\", \"items\": {\"type\": \"integer\"}", out);
    if (!strcmp(p->name, "names")) fputs(", \"type\": \"array\", \"items\": {\"type\": \"string\"}", out);
    if (!strcmp(p->name, "params") || !strcmp(p->name, "grid") || !strcmp(p->name, "zip") ||
        !strcmp(p->name, "region") || !strcmp(p->name, "vary") || !strcmp(p->name, "targets"))
      fputs(", \"type\": \"object\"", out);
    if (!strcmp(p->name, "cells"))
      fputs(
          ", \"type\": \"array\", \"items\": {\"type\": \"integer\", \"minimum\": 1}, \"maxItems\": 3", out);
    fputs("}", out);
  }
}

static void put_value(FILE *out, const scree_param *p) {
  fputs("{", out);
  put_doc(out, p);
  switch (p->type) {
  case SCREE_REAL:
    fputs(*p->unit ? ", \"type\": [\"number\", \"string\"]" : ", \"type\": \"number\"", out);
    put_bounds(out, p);
    break;
  case SCREE_INTEGER: fputs(", \"type\": \"integer\"", out), put_bounds(out, p); break;
  case SCREE_BOOLEAN: fputs(", \"type\": \"boolean\"", out); break;
  case SCREE_STRING: fputs(", \"type\": \"string\", \"minLength\": 1", out); break;
  case SCREE_CHOICE: fputs(", ", out), put_choices(out, p->choices); break;
  case SCREE_VEC3: fputs(", \"type\": \"array\", \"minItems\": 3, \"maxItems\": 3", out); break;
  default: fputs(", \"type\": \"array\", \"minItems\": 4, \"maxItems\": 4", out); break;
  }
  fputs("}", out);
}

/* Writes the schema of a map that a parameter table describes. type: fixed value of its key `type`; NULL:
 * none. */
static void put_table(FILE *out, const sl_table *table, const char *type, int indent) {
  fprintf(out, "{\"type\": \"object\", \"additionalProperties\": false,\n%*s\"required\": [", indent, "");
  for (int i = 0, first = 1; i < table->count; i++)
    if (table->params[i].flags & SCREE_REQUIRED)
      fprintf(out, "%s\"%s\"", first ? "" : ", ", table->params[i].name), first = 0;
  fprintf(out, "],\n%*s\"properties\": {", indent, "");
  for (int i = 0; i < table->count; i++) {
    const scree_param *p = table->params + i;
    fprintf(out, "%s\n%*s\"%s\": ", i ? "," : "", indent + 2, "", p->name);
    if (type && !strcmp(p->name, "type")) fprintf(out, "{\"const\": \"%s\"}", type);
    else if (p->type == SCREE_OPAQUE) put_part(out, table, p, indent + 2);
    else put_value(out, p);
  }
  fputs("}}", out);
}

char *sl_experiment_schema(void) {
  sl_text text;
  FILE *out = sl_text_open(&text);
  if (!out) return NULL;
  fputs("{\"$schema\": \"http://json-schema.org/draft-07/schema#\", \"title\": \"scree experiment\", "
        "\"allOf\": [\n  ",
      out);
  put_table(out, sl_experiment_find_table(""), NULL, 2);
  fputs("\n]}\n", out);
  return sl_text_close(out, &text);
}
