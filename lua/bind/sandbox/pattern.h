/* Matcher for Lua patterns. It replaces Lua's matcher, which can run for hours inside one call that cannot be
 * interrupted. */
#ifndef SL_PATTERN_H
#define SL_PATTERN_H

#include <stddef.h>
#include <lua.h>

enum { SL_CAPTURES = 32 };

typedef struct sl_pattern sl_pattern;

/* One match: positions of the captures in the subject. end NULL: a position capture. */
typedef struct sl_match {
  const char *from, *to; /* start and end of the whole match */
  int captures;
  struct {
    const char *start, *end;
  } capture[SL_CAPTURES];
} sl_match;

/* Compiles a pattern into a userdata, which it pushes. Raises an error for a malformed pattern. anchor: a
 * leading ^ anchors the match at the start. */
sl_pattern *sl_pattern_compile(lua_State *L, const char *text, size_t size, int anchor);
/* Returns whether the pattern is anchored at the start. */
int sl_pattern_anchored(const sl_pattern *pattern);
/* Tries to match at `at` within subject..end. Returns 1 and fills *match, or returns 0. Raises an error if
 * the script is over budget. */
int sl_pattern_match(lua_State *L, const sl_pattern *pattern, const char *subject, const char *end,
    const char *at, sl_match *match);

#endif
