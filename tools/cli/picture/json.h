/* A minimal reader of the JSON that scree writes: members of objects, elements of lists, texts. */
#ifndef CLI_PICTURE_JSON_H
#define CLI_PICTURE_JSON_H

#include <stddef.h>

/* Returns the value of a member of the object at text, or NULL. */
const char *json_member(const char *text, const char *name);
/* Returns element `index` of the list at text, or NULL. */
const char *json_element(const char *text, int index);
/* Writes the value at text as a plain text: strings without quotes and escapes, numbers unchanged, lists as
 * elements separated by commas. Truncates it to size. Returns out. */
const char *json_text(const char *text, char *out, size_t size);

#endif
