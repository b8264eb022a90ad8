#include "import/xml.h"

#include <stdio.h>

#ifdef SCREE_EXPAT
#include <expat.h>

/* The element that is open lies on top of the stack of L, its ancestors below. */
typedef struct reader {
  lua_State *L;
  XML_Parser parser;
  int depth;
  long elements;
  const char *refused;
} reader;

static void refuse(reader *r, const char *what) {
  r->refused = what;
  XML_StopParser(r->parser, XML_FALSE);
}

static void begin(void *user, const char *tag, const char **attributes) {
  reader *r = user;
  lua_State *L = r->L;
  if (r->refused) return;
  if (r->depth == XML_DEPTH) return refuse(r, "elements are nested too deep");
  if (++r->elements > XML_ELEMENTS || !lua_checkstack(L, 8)) return refuse(r, "there are too many elements");
  lua_newtable(L);
  lua_pushstring(L, tag);
  lua_setfield(L, -2, "tag");
  lua_pushinteger(L, (lua_Integer)XML_GetCurrentLineNumber(r->parser));
  lua_setfield(L, -2, "line");
  lua_newtable(L);
  for (int i = 0; attributes[i]; i += 2) {
    lua_pushstring(L, attributes[i + 1]);
    lua_setfield(L, -2, attributes[i]);
  }
  lua_setfield(L, -2, "attr");
  r->depth++;
}

static void end(void *user, const char *tag) {
  reader *r = user;
  (void)tag;
  if (r->refused || --r->depth == 0) return; /* the root stays */
  lua_rawseti(r->L, -2, (lua_Integer)lua_rawlen(r->L, -2) + 1);
}

/* Documents with entities of their own have no business here. */
static void entity(void *user, const char *name, int parameter, const char *value, int length,
    const char *base, const char *system, const char *public, const char *notation) {
  (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public,
      (void)notation;
  refuse(user, "the document declares entities");
}

bool xml_push(lua_State *L, const char *text, size_t size, char *why, size_t room) {
  reader r = {.L = L, .parser = XML_ParserCreate(NULL)};
  int top = lua_gettop(L);
  if (!r.parser) return snprintf(why, room, "0: no memory"), false;
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, begin, end);
  XML_SetEntityDeclHandler(r.parser, entity);
  bool whole = XML_Parse(r.parser, text, (int)size, 1) == XML_STATUS_OK && !r.refused;
  if (!whole) {
    snprintf(why, room, "%lu: %s", (unsigned long)XML_GetCurrentLineNumber(r.parser),
        r.refused ? r.refused : XML_ErrorString(XML_GetErrorCode(r.parser)));
    lua_settop(L, top);
  }
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
