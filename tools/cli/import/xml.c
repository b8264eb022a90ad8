#include "import/xml.h"

#include <stdio.h>

#ifdef SCREE_EXPAT
#include <expat.h>
#include <string.h>

/* State of the parser. The open element is on top of the stack of L, its ancestors are below it. */
typedef struct reader {
  lua_State *L;
  XML_Parser parser;
  int depth;
  long elements;
  lua_Integer line; /* number of line breaks before the document */
  const char *refused;
  char error[200];
} reader;

typedef struct element {
  const char *tag, **attributes;
  lua_Integer line;
} element;

static void refuse_text(reader *r, const char *what) {
  r->refused = what;
  XML_StopParser(r->parser, XML_FALSE);
}

/* Calls a Lua function with the values on top of the stack. The call is protected, because an error must not
 * jump over the frames of the XML parser. An error becomes the reason why the document is refused. */
static void call_parser(reader *r, int arguments, int results) {
  if (lua_pcall(r->L, arguments, results, 0) == LUA_OK) return;
  snprintf(r->error, sizeof r->error, "%s", lua_tostring(r->L, -1));
  refuse_text(r, r->error);
}

/* Lua function (element): returns the table of the element. */
static int new_element(lua_State *L) {
  const element *e = lua_touserdata(L, 1);
  lua_newtable(L);
  lua_pushstring(L, e->tag);
  lua_setfield(L, -2, "tag");
  lua_pushinteger(L, e->line);
  lua_setfield(L, -2, "line");
  lua_newtable(L);
  for (int i = 0; e->attributes[i]; i += 2) {
    lua_pushstring(L, e->attributes[i + 1]);
    lua_setfield(L, -2, e->attributes[i]);
  }
  lua_setfield(L, -2, "attr");
  return 1;
}

static void begin_element(void *user, const char *tag, const char **attributes) {
  reader *r = user;
  if (r->refused) return;
  if (r->depth == XML_DEPTH) return refuse_text(r, "elements are nested too deep");
  if (++r->elements > XML_ELEMENTS || !lua_checkstack(r->L, 8))
    return refuse_text(r, "there are too many elements");
  element e = {tag, attributes, r->line + (lua_Integer)XML_GetCurrentLineNumber(r->parser)};
  lua_pushcfunction(r->L, new_element);
  lua_pushlightuserdata(r->L, &e);
  call_parser(r, 1, 1);
  r->depth++;
}

/* Lua function (parent, child): appends the child to the parent. */
static int append_text(lua_State *L) {
  lua_rawseti(L, 1, (lua_Integer)lua_rawlen(L, 1) + 1);
  return 0;
}

static void end_element(void *user, const char *tag) {
  reader *r = user;
  (void)tag;
  if (r->refused || --r->depth == 0) return; /* the root element stays on the stack */
  lua_pushcfunction(r->L, append_text);
  lua_pushvalue(r->L, -3);
  lua_rotate(r->L, -3, -1); /* parent, append, parent, child */
  call_parser(r, 2, 0);
}

/* Refuses a document that declares entities. */
static void refuse_entity(void *user, const char *name, int parameter, const char *value, int length,
    const char *base, const char *system, const char *public, const char *notation) {
  (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public,
      (void)notation;
  refuse_text(user, "the document declares entities");
}

bool xml_push(lua_State *L, const char *text, size_t size, char *why, size_t room) {
  reader r = {.L = L, .parser = XML_ParserCreate(NULL)};
  if (!r.parser) return snprintf(why, room, "0: no memory"), false;
  lua_Integer skipped = 0;
  for (; size && strchr(" \t\r\n", *text); text++, size--) skipped += *text == '\n';
  r.line = skipped;
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, begin_element, end_element);
  XML_SetEntityDeclHandler(r.parser, refuse_entity);
  bool whole = XML_Parse(r.parser, text, (int)size, 1) == XML_STATUS_OK && !r.refused;
  if (!whole)
    snprintf(why, room, "%lu: %s", (unsigned long)skipped + XML_GetCurrentLineNumber(r.parser),
        r.refused ? r.refused : XML_ErrorString(XML_GetErrorCode(r.parser)));
  XML_ParserFree(r.parser);
  return whole;
}

bool xml_available(void) { return true; }

#else

bool xml_push(lua_State *L, const char *text, size_t size, char *why, size_t room) {
  (void)L, (void)text, (void)size;
  snprintf(why, room, "0: no XML library");
  return false;
}

bool xml_available(void) { return false; }

#endif
