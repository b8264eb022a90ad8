/* The sandbox's string functions against Lua's own: random subjects and patterns over a small alphabet,
 * results and refusals alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <lauxlib.h>
#include <lualib.h>
#include "bind/sandbox/runtime.h"

static uint64_t seed = 1;
static unsigned draw(unsigned below) {
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(seed >> 33) % below;
}

/* A random text of pieces. */
static void compose(char *out, const char *const *pieces, unsigned count, unsigned most) {
  out[0] = 0;
  for (unsigned i = draw(most + 1); i > 0; i--) strcat(out, pieces[draw(count)]);
}

/* Runs the chunk with two arguments in a state: its results joined into one text, or "error". */
static const char *script =
    "local s, p = ...\n"
    "local out = {}\n"
    "local function put(ok, ...)\n"
    "  out[#out + 1] = ok and 'ok' or 'error'\n"
    "  if ok then for i = 1, select('#', ...) do out[#out + 1] = tostring((select(i, ...))) end end\n"
    "end\n"
    "put(pcall(string.find, s, p))\n"
    "put(pcall(string.find, s, p, 3))\n"
    "put(pcall(string.find, s, p, -2, true))\n"
    "put(pcall(string.match, s, p))\n"
    "put(pcall(string.gsub, s, p, '<%0>'))\n"
    "put(pcall(string.gsub, s, p, '%1', 2))\n"
    "put(pcall(string.gsub, s, p, function(a, b) return b and (b .. a) end))\n"
    "put(pcall(function() local n = 0 for a, b in s:gmatch(p) do n = n + 1 out[#out + 1] = tostring(a) .. "
    "tostring(b) end return n end))\n"
    "return table.concat(out, '|')";

static void evaluate(lua_State *L, const char *subject, const char *pattern, char *out, size_t size) {
  lua_settop(L, 0);
  if (luaL_loadstring(L, script) != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
  lua_pushstring(L, subject);
  lua_pushstring(L, pattern);
  if (lua_pcall(L, 2, 1, 0) != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
  snprintf(out, size, "%s", lua_tostring(L, -1));
}

static const char *const letters[] = {"a", "b", "1", " ", "(", ")", "[", "]", ".", "-", "%"};
static const char *const sound[] = {"a", "b", "1", ".", "%a", "%d", "%s", "%w", "%A", "[ab]", "[^a]", "[a-b]",
    "[%d-]", "[]]", "%(", "%b()", "%f[%a]", "()", "*", "+", "-", "?", "^", "$", "(a*)", "(.-)", "((b)1?)",
    "%%", "(a)%1"};
static const char *const unsound[] = {
    "a", "(", ")", "[", "%", "%1", "%2", "*", "[a", "%f", "%b", "(.-)", "[^", "%d"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct pair {
  sl_runtime *ours;
  lua_State *theirs;
} pair;

static void compare(const pair *states, const char *const *pieces, unsigned count, char *expected, char *got,
    char *subject, char *pattern) {
  compose(subject, letters, COUNT(letters), 12);
  compose(pattern, pieces, count, 6);
  evaluate(states->theirs, subject, pattern, expected, 4096);
  evaluate(sl_runtime_lua(states->ours), subject, pattern, got, 4096);
}

static void sound_patterns_agree(void **state) {
  char subject[128], pattern[128], expected[4096], got[4096];
  for (int i = 0; i < 20000; i++) {
    compare(*state, sound, COUNT(sound), expected, got, subject, pattern);
    if (strcmp(expected, got))
      fail_msg("subject '%s', pattern '%s':\n  %s\n  %s", subject, pattern, expected, got);
  }
}

/* Lua finds a malformed part when matching gets there, the sandbox at once: what Lua refuses must be
 * refused. */
static void malformed_patterns_are_refused(void **state) {
  char subject[128], pattern[128], expected[4096], got[4096];
  int refused = 0;
  for (int i = 0; i < 20000; i++) {
    compare(*state, unsound, COUNT(unsound), expected, got, subject, pattern);
    bool theirs = strstr(expected, "error") != NULL, ours = strstr(got, "error") != NULL;
    if (theirs && !ours) fail_msg("subject '%s', pattern '%s':\n  %s\n  %s", subject, pattern, expected, got);
    if (!ours && strcmp(expected, got))
      fail_msg("subject '%s', pattern '%s':\n  %s\n  %s", subject, pattern, expected, got);
    refused += ours;
  }
  assert_true(refused > 5000 && refused < 19000);
}

static int open_states(void **state) {
  static pair states;
  scree_error error;
  sl_runtime_def def = sl_runtime_defaults();
  def.seconds = 0;
  states.ours = sl_runtime_open(&def, &error);
  states.theirs = luaL_newstate();
  if (!states.ours || !states.theirs) return -1;
  luaL_openlibs(states.theirs);
  *state = &states;
  return 0;
}

static int close_states(void **state) {
  pair *states = *state;
  lua_close(states->theirs);
  sl_runtime_close(states->ours);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sound_patterns_agree), cmocka_unit_test(malformed_patterns_are_refused)};
  return cmocka_run_group_tests(tests, open_states, close_states);
}
