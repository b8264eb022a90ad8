/* Just enough JSON for what scree itself wrote: members of objects, elements of lists, texts. */
#ifndef CLI_PICTURE_JSON_H
#define CLI_PICTURE_JSON_H

#include <stddef.h>

/* The value of the member `name` of the object at text, or NULL. */
const char *json_member(const char *text, const char *name);
/* Element `index` of the list at text, or NULL. */
const char *json_element(const char *text, int index);
/* The value at text as a plain text: strings without quotes and escapes, numbers as they are, lists as their
 * elements with commas between. Cut to fit. Returns out. */
const char *json_text(const char *text, char *out, size_t size);

#endif
