/* Lua patterns, compiled: a matcher of its own, because Lua's can run for hours inside one call where no
 * budget reaches it. */
#ifndef SL_PATTERN_H
#define SL_PATTERN_H

#include <stddef.h>
#include <lua.h>

enum { SL_CAPTURES = 32 };

typedef struct sl_pattern sl_pattern;

/* One match: the captures' places in the subject; end NULL marks a position capture. */
typedef struct sl_match {
  const char *from, *to; /* the whole match */
  int captures;
  struct {
    const char *start, *end;
  } capture[SL_CAPTURES];
} sl_match;

/* Compiles a pattern into a userdata on the stack; raises on malformed ones. With `anchor` a leading ^
 * ties the match to the start. */
sl_pattern *sl_pattern_compile(lua_State *L, const char *text, size_t size, int anchor);
int sl_pattern_anchored(const sl_pattern *pattern);
/* Tries to match at `at` within subject..end; 1 and *match filled, or 0. Raises when the script is over
 * budget. */
int sl_pattern_match(lua_State *L, const sl_pattern *pattern, const char *subject, const char *end,
    const char *at, sl_match *match);

#endif
