/* Raising errors with the place in the script, and hints at the nearest name. */
#ifndef SL_ERRORS_H
#define SL_ERRORS_H

#include <lua.h>
#include <lauxlib.h>
#include "bind/sandbox/runtime.h"
#include "scree/scree.h"

/* Raises the error "FILE:LINE: text" with the innermost line of the script outside the bundled library. Never
 * returns. */
int sl_raise(lua_State *L, scree_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises the error of a wrong argument. */
#define sl_refuse(L, ...) sl_raise((L), SCREE_E_ARGUMENT, __VA_ARGS__)
/* Raises an error of the engine. */
int sl_raise_error(lua_State *L, const scree_error *error);
/* Evaluates the expression `failed`, which passes `&error` to the engine, and raises the error if the
 * value is not 0: a status, or !pointer. */
#define SL_TRY(L, failed) \
  do { \
    scree_error error = {SCREE_OK, ""}; \
    if (failed) sl_raise_error(L, &error); \
  } while (0)
/* Returns "; did you mean 'near'?" if a known name is near `name`, else "". The text is valid until the next
 * call. The known names are get(context, 0..count-1), as for scree_nearest_name. */
const char *sl_hint(lua_State *L, const char *name, int count, const char *(*get)(const void *context, int i),
    const void *context);
/* Returns the hint of sl_hint. The known names are the string keys of the table at stack index `table`.
 * Leaves a value on the stack. */
const char *sl_hint_table(lua_State *L, const char *name, int table);
/* Pushes the names get(context, 0..count-1) as "a, b, c" and returns the text. */
const char *sl_names(
    lua_State *L, int count, const char *(*get)(const void *context, int i), const void *context);
/* Returns the hint of sl_hint_table; if no name is near, returns "; known are " and all names. */
const char *sl_hint_or_all(lua_State *L, const char *name, int table);

/* Raises an error if the running method has an argument besides its object. The message proposes set_NAME if
 * `methods`, the methods of the object, has this setter. */
void sl_take_none(lua_State *L, const luaL_Reg *methods);

/* While the table of a scene is read: makes errors show the line of their key in `text`, the text of the file
   `path`. text NULL: ends this. */
void sl_locate_in(sl_runtime *runtime, const char *path, const char *text);

#endif
