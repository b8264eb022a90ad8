/* Lua patterns according to section 6.4.1 of the reference manual.
 *
 * A pattern is compiled into items: single characters and classes (sets of 256 bits) with a repetition,
 * and items that match no text or a fixed text: captures, %b, %f, back references, the final $. Patterns
 * have no alternation. Therefore the numbers of captures are known at compilation, and matching backtracks
 * only over repetitions, with one level of recursion per repetition. The loop polls the script's budget at
 * every item. */
#include "bind/sandbox/pattern.h"
#include "bind/sandbox/inside.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <lauxlib.h>

typedef enum item_kind {
  CHARACTER,
  SET,
  OPEN,
  OPEN_POSITION,
  CLOSE,
  BALANCE,
  FRONTIER,
  REFERENCE,
  FINAL
} item_kind;
typedef struct item {
  unsigned char kind;
  char repeat;        /* repetition: '?', '*', '+', '-'; 0: none */
  unsigned char a, b; /* character, number of the capture, or the two characters of %b */
  int set;            /* index of the item's class in `sets` */
} item;
typedef struct set {
  unsigned char bit[32];
} set;

enum { REPEATS_MOST = 200 };
struct sl_pattern {
  int items, sets, captures, anchored;
  item *item;
  set *set_at;
};

/* ---- compiling ---- */

typedef struct compiler {
  lua_State *L;
  const unsigned char *at, *end;
  sl_pattern *out;
  int open[SL_CAPTURES], open_count, repeats;
  bool closed[SL_CAPTURES];
} compiler;

static void put_character(set *s, int c) { s->bit[c >> 3] |= (unsigned char)(1 << (c & 7)); }
static bool has_character(const set *s, unsigned char c) { return s->bit[c >> 3] >> (c & 7) & 1; }

/* Adds the class of a letter, such as %d, to a set. An upper-case letter adds the complement; any other
 * character adds itself. */
static void put_class(set *s, unsigned char letter) {
  static const struct {
    char letter;
    int (*is)(int);
  } classes[] = {{'a', isalpha}, {'c', iscntrl}, {'d', isdigit}, {'g', isgraph}, {'l', islower},
      {'p', ispunct}, {'s', isspace}, {'u', isupper}, {'w', isalnum}, {'x', isxdigit}};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    if (tolower(letter) != classes[i].letter) continue;
    for (int c = 0; c < 256; c++)
      if (!classes[i].is(c) == (isupper(letter) != 0)) put_character(s, c);
    return;
  }
  put_character(s, letter);
}

static unsigned char next_character(compiler *c, const char *trouble) {
  if (c->at == c->end) luaL_error(c->L, "malformed pattern (%s)", trouble);
  return *c->at++;
}

/* Reads a set between [ and ], after the opening bracket. */
static void read_set(compiler *c, set *s) {
  bool complement = c->at < c->end && *c->at == '^', first = true;
  c->at += complement;
  for (;; first = false) {
    unsigned char now = next_character(c, "missing ']'");
    if (now == ']' && !first) break;
    if (now == '%') {
      put_class(s, next_character(c, "missing ']'"));
    } else if (c->at + 1 < c->end && c->at[0] == '-' && c->at[1] != ']') {
      for (int k = now; k <= c->at[1]; k++) put_character(s, k);
      c->at += 2;
    } else {
      put_character(s, now);
    }
  }
  for (int i = 0; complement && i < 32; i++) s->bit[i] = (unsigned char)~s->bit[i];
}

static item *add_item(compiler *c, item_kind kind) {
  item *added = c->out->item + c->out->items++;
  *added = (item){.kind = (unsigned char)kind};
  return added;
}

static set *add_set(compiler *c, item *owner) {
  owner->set = c->out->sets++;
  memset(c->out->set_at + owner->set, 0, sizeof(set));
  return c->out->set_at + owner->set;
}

/* Reads the repetition after a single character or class, if there is one. */
static void read_repeat(compiler *c, item *single) {
  if (c->at == c->end || !strchr("?*+-", *c->at) || !*c->at) return;
  single->repeat = (char)*c->at++;
  if (++c->repeats > REPEATS_MOST) luaL_error(c->L, "pattern too complex");
}

static void open_capture(compiler *c) {
  bool position = c->at < c->end && *c->at == ')';
  if (c->out->captures == SL_CAPTURES) luaL_error(c->L, "too many captures");
  int number = c->out->captures++;
  add_item(c, position ? OPEN_POSITION : OPEN)->a = (unsigned char)number;
  c->closed[number] = position;
  if (position) c->at++;
  else c->open[c->open_count++] = number;
}

static void close_capture(compiler *c) {
  if (!c->open_count) luaL_error(c->L, "invalid pattern capture");
  int number = c->open[--c->open_count];
  c->closed[number] = true;
  add_item(c, CLOSE)->a = (unsigned char)number;
}

/* Reads the item after a percent sign outside of a set. */
static void read_escape(compiler *c) {
  unsigned char letter = next_character(c, "ends with '%'");
  if (letter == 'b') {
    item *balance = add_item(c, BALANCE);
    balance->a = next_character(c, "missing arguments to '%b'");
    balance->b = next_character(c, "missing arguments to '%b'");
  } else if (letter == 'f') {
    if (c->at == c->end || *c->at++ != '[') luaL_error(c->L, "missing '[' after '%%f' in pattern");
    read_set(c, add_set(c, add_item(c, FRONTIER)));
  } else if (isdigit(letter)) {
    int number = letter - '1';
    if (number < 0 || number >= c->out->captures || !c->closed[number])
      luaL_error(c->L, "invalid capture index %%%d", number + 1);
    add_item(c, REFERENCE)->a = (unsigned char)number;
  } else {
    item *single = add_item(c, SET);
    put_class(add_set(c, single), letter);
    read_repeat(c, single);
  }
}

static void read_single(compiler *c, unsigned char now) {
  item *single = add_item(c, now == '.' || now == '[' ? SET : CHARACTER);
  single->a = now;
  if (now == '.') memset(add_set(c, single), 0xff, sizeof(set));
  if (now == '[') read_set(c, add_set(c, single));
  read_repeat(c, single);
}

sl_pattern *sl_pattern_compile(lua_State *L, const char *text, size_t size, int anchor) {
  // every item and every set needs at least one character of the pattern
  size_t sets = 1;
  for (size_t i = 0; i < size; i++) sets += text[i] == '%' || text[i] == '[' || text[i] == '.';
  sl_pattern *out = lua_newuserdatauv(L, sizeof *out + size * sizeof(item) + sets * sizeof(set), 0);
  *out = (sl_pattern){.item = (item *)(out + 1), .set_at = (set *)((item *)(out + 1) + size)};
  compiler c = {
      .L = L, .at = (const unsigned char *)text, .end = (const unsigned char *)text + size, .out = out};
  if (anchor && size && *text == '^') out->anchored = 1, c.at++;
  while (c.at < c.end) {
    unsigned char now = *c.at++;
    if (now == '(') open_capture(&c);
    else if (now == ')') close_capture(&c);
    else if (now == '$' && c.at == c.end) add_item(&c, FINAL);
    else if (now == '%') read_escape(&c);
    else read_single(&c, now);
  }
  if (c.open_count) luaL_error(L, "unfinished capture");
  return out;
}

int sl_pattern_anchored(const sl_pattern *pattern) { return pattern->anchored; }

/* ---- matching ---- */

typedef struct matcher {
  lua_State *L;
  const sl_pattern *pattern;
  const char *subject, *end;
  sl_match *match;
} matcher;

static bool single_matches(const matcher *m, const item *it, const char *s) {
  if (s >= m->end) return false;
  return it->kind == CHARACTER ? (unsigned char)*s == it->a
                               : has_character(m->pattern->set_at + it->set, (unsigned char)*s);
}

/* Returns the end of the balanced text that starts at s, NULL if there is none. */
static const char *match_balanced(const matcher *m, const item *it, const char *s) {
  if (s >= m->end || (unsigned char)*s != it->a) return NULL;
  for (int depth = 1; ++s < m->end;) {
    if ((unsigned char)*s == it->b) {
      if (!--depth) return s + 1;
    } else if ((unsigned char)*s == it->a) {
      depth++;
    }
  }
  return NULL;
}

static bool on_frontier(const matcher *m, const item *it, const char *s) {
  const set *wanted = m->pattern->set_at + it->set;
  unsigned char before = s == m->subject ? 0 : (unsigned char)s[-1], now = s < m->end ? (unsigned char)*s : 0;
  return !has_character(wanted, before) && has_character(wanted, now);
}

/* Returns the end of the text at s that equals a capture, NULL if it differs. A position capture never
 * matches. */
static const char *match_reference(const matcher *m, const item *it, const char *s) {
  const char *start = m->match->capture[it->a].start, *end = m->match->capture[it->a].end;
  if (!end) return NULL;
  size_t length = (size_t)(end - start);
  return (size_t)(m->end - s) >= length && !memcmp(start, s, length) ? s + length : NULL;
}

/* Matches an item without repetition at s. Returns the end of the match, or NULL. */
static const char *match_plain(matcher *m, const item *it, const char *s) {
  switch ((item_kind)it->kind) {
  case CHARACTER:
  case SET: return single_matches(m, it, s) ? s + 1 : NULL;
  case OPEN: m->match->capture[it->a].start = s; return s;
  case OPEN_POSITION:
    m->match->capture[it->a].start = s;
    m->match->capture[it->a].end = NULL;
    return s;
  case CLOSE: m->match->capture[it->a].end = s; return s;
  case BALANCE: return match_balanced(m, it, s);
  case FRONTIER: return on_frontier(m, it, s) ? s : NULL;
  case REFERENCE: return match_reference(m, it, s);
  case FINAL: return s == m->end ? s : NULL;
  }
  return NULL;
}

static const char *match_from(matcher *m, int index, const char *s);

/* Matches a repetition as often as possible, then fewer times until the rest of the pattern matches. */
static const char *match_longest(matcher *m, int index, const char *s, int least) {
  const item *it = m->pattern->item + index;
  const char *at = s;
  while (single_matches(m, it, at)) at++;
  for (; at - s >= least; at--) {
    const char *end = match_from(m, index + 1, at);
    if (end) return end;
  }
  return NULL;
}

static const char *match_shortest(matcher *m, int index, const char *s) {
  const item *it = m->pattern->item + index;
  for (;; s++) {
    const char *end = match_from(m, index + 1, s);
    if (end || !single_matches(m, it, s)) return end;
  }
}

static const char *match_optional(matcher *m, int index, const char *s) {
  const char *end = single_matches(m, m->pattern->item + index, s) ? match_from(m, index + 1, s + 1) : NULL;
  return end ? end : match_from(m, index + 1, s);
}

static const char *match_from(matcher *m, int index, const char *s) {
  for (; index < m->pattern->items && s; index++) {
    const item *it = m->pattern->item + index;
    sl_guard_poll(m->L);
    switch (it->repeat) {
    case 0: s = match_plain(m, it, s); break;
    case '?': return match_optional(m, index, s);
    case '-': return match_shortest(m, index, s);
    default: return match_longest(m, index, s, it->repeat == '+');
    }
  }
  return s;
}

int sl_pattern_match(lua_State *L, const sl_pattern *pattern, const char *subject, const char *end,
    const char *at, sl_match *match) {
  matcher m = {L, pattern, subject, end, match};
  sl_guard_poll(L);
  match->captures = pattern->captures;
  match->from = at;
  match->to = match_from(&m, 0, at);
  return match->to != NULL;
}
