/* XML files as Lua tables. */
#ifndef CLI_XML_H
#define CLI_XML_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum { XML_DEPTH = 200, XML_ELEMENTS = 1000000 };

/* Pushes the root element of an XML document: { tag =, line =, attr = { name = value }, children ... };
 * text between elements and blanks before the document are skipped. Deeper than XML_DEPTH and more than
 * XML_ELEMENTS are refused, entities of the document's own expand to nothing. False: nothing is pushed,
 * and why says "LINE: what is wrong". To be called in protected mode. */
bool xml_push(lua_State *L, const char *text, size_t size, char *why, size_t room);
/* Whether this program was built with an XML library. */
bool xml_available(void);

#endif
