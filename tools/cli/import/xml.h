/* XML files as Lua tables. */
#ifndef CLI_XML_H
#define CLI_XML_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum { XML_DEPTH = 200, XML_ELEMENTS = 1000000 };

/* Pushes the root element of an XML document as a table: { tag =, line =, attr = { name = value }, children
 * ... }. Skips text between elements, and blanks before the document. Refuses documents with more than
 * XML_DEPTH levels or XML_ELEMENTS elements, and documents that declare entities. On failure returns false,
 * leaves other values on the stack, and writes "LINE: what is wrong" to why. Call it in protected mode. */
bool xml_push(lua_State *L, const char *text, size_t size, char *why, size_t room);
/* Returns whether this program was built with an XML library. */
bool xml_available(void);

#endif
