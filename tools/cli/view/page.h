/* The page as one document: its own parts are in the program, three.js comes from the machine. */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "view/bytes.h"

/* Where three.min.js lies (SCREE_THREE_JS, else the usual folders), or NULL. */
const char *view_three_path(void);
/* The same, or NULL after a message that says how to get it. */
const char *view_page_three(const char *command);
/* The whole page. `data` stands in it as the text of the element #data: "" for a page that asks its
 * server, else what view_html writes. false where three.js cannot be read (errno tells) or without
 * memory. */
int view_page(const char *three, const char *data, size_t length, view_bytes *out);

#endif
