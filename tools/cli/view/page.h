/* The page as one document: its own parts are in the program, three.js is installed on the machine. */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "view/bytes.h"

/* Returns the path of three.min.js (SCREE_THREE_JS, else the usual folders), or NULL. */
const char *view_three_path(void);
/* Like view_three_path; NULL after a message that says how to install three.js. */
const char *view_page_three(const char *command);
/* Appends the whole page. `data` becomes the text of the element #data: "" for a page that requests frames
 * from its server, else the output of view_html_write. Returns 0 if three.js cannot be read (sets errno) or
 * if out of memory. */
int view_page(const char *three, const char *data, size_t length, view_bytes *out);

#endif
