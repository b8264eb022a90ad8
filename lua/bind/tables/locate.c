/* Finds a key in Lua source by its tokens: names, strings, punctuation. Comments and contents of strings are
 * skipped. */
#include "bind/tables/locate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct token {
  const char *at;
  int length, line;
} token; /* length 0: end of text */
typedef struct lexer {
  const char *at;
  int line;
} lexer;

/* Skips text up to the end of the mark and counts lines. */
static void skip_to(lexer *lex, const char *mark) {
  const char *end = strstr(lex->at, mark);
  end = end ? end + strlen(mark) : lex->at + strlen(lex->at);
  for (; lex->at < end; lex->at++) lex->line += *lex->at == '\n';
}

/* Skips a long bracket, such as [[...]] or [=[...]=]. Returns false if there is none at the present place. */
static bool skip_long_bracket(lexer *lex) {
  char close[64] = "]";
  int level = 0;
  if (*lex->at != '[') return false;
  while (lex->at[1 + level] == '=') level++;
  if (lex->at[1 + level] != '[' || level > 60) return false;
  memset(close + 1, '=', (size_t)level);
  strcpy(close + 1 + level, "]");
  skip_to(lex, close);
  return true;
}

static void skip_quoted(lexer *lex) {
  char quote = *lex->at++;
  for (; *lex->at && *lex->at != quote; lex->at++) {
    if (*lex->at == '\\' && lex->at[1]) lex->at++;
    lex->line += *lex->at == '\n';
  }
  if (*lex->at) lex->at++;
}

static void skip_blank(lexer *lex) {
  for (;;) {
    if (isspace((unsigned char)*lex->at)) {
      lex->line += *lex->at++ == '\n';
    } else if (lex->at[0] == '-' && lex->at[1] == '-') {
      lex->at += 2;
      if (!skip_long_bracket(lex)) skip_to(lex, "\n");
    } else {
      return;
    }
  }
}

static token next_token(lexer *lex) {
  skip_blank(lex);
  token found = {lex->at, 0, lex->line};
  if (!*lex->at) return found;
  if (isalpha((unsigned char)*lex->at) || *lex->at == '_') {
    while (isalnum((unsigned char)*lex->at) || *lex->at == '_') lex->at++;
  } else if (*lex->at == '"' || *lex->at == '\'') {
    skip_quoted(lex);
  } else if (!skip_long_bracket(lex)) {
    lex->at++;
  }
  found.length = (int)(lex->at - found.at);
  return found;
}

static bool is_word(token t, const char *word, int length) {
  return t.length == length && !memcmp(t.at, word, (size_t)length);
}
static bool is_quoted(token t, const char *word, int length) {
  return t.length == length + 2 && (*t.at == '"' || *t.at == '\'') && !memcmp(t.at + 1, word, (size_t)length);
}

/* Returns 1 if a token opens a bracket or a block, -1 if the token closes one, else 0. */
static int count_nesting(token t) {
  static const char *const opens[] = {"{", "(", "[", "function", "if", "do", "repeat"};
  static const char *const closes[] = {"}", ")", "]", "end", "until"};
  for (size_t i = 0; i < sizeof opens / sizeof *opens; i++)
    if (is_word(t, opens[i], (int)strlen(opens[i]))) return 1;
  for (size_t i = 0; i < sizeof closes / sizeof *closes; i++)
    if (is_word(t, closes[i], (int)strlen(closes[i]))) return -1;
  return 0;
}

/* Returns the line of the next `word =` or `["word"] =`, and moves lex past it; 0 if there is none. own:
 * searches the keys of the table that begins at lex, without nested tables. */
static int find_source_key(lexer *lex, const char *word, int length, bool own) {
  token before = {"", 0, 0}, now;
  int depth = 0;
  lexer at = *lex;
  while ((now = next_token(&at)).length) {
    bool bracket = is_word(before, "[", 1) && is_quoted(now, word, length);
    lexer look = at;
    token after = next_token(&look);
    if (bracket) after = next_token(&look);
    if ((bracket || is_word(now, word, length)) && is_word(after, "=", 1) && *look.at != '=' &&
        (!own || depth == 1 + bracket))
      return *lex = look, now.line;
    depth += count_nesting(now);
    if (own && depth <= 0) return 0;
    before = now;
  }
  return 0;
}

/* Moves lex to the entry `index`, from 1, of the table that begins at lex. Returns its line, 0 if there is no
 * such entry. */
static int find_entry(lexer *lex, int index) {
  lexer at = *lex;
  int depth = 0, count = 0;
  for (token now; (now = next_token(&at)).length;) {
    const bool begins = depth == 1 && (is_word(now, ",", 1) || is_word(now, ";", 1));
    if (!depth && !is_word(now, "{", 1)) return 0;
    depth += count_nesting(now);
    if (depth <= 0) return 0;
    if ((begins || (depth == 1 && !count)) && ++count == index) {
      lexer look = at;
      const token first = next_token(&look);
      return is_word(first, "}", 1) ? 0 : (*lex = at, first.line);
    }
  }
  return 0;
}

static bool is_table(lexer lex) { return is_word(next_token(&lex), "{", 1); }

static lexer last_return(const char *source) {
  lexer lex = {source, 1}, found = lex;
  for (token now; (now = next_token(&lex)).length;)
    if (is_word(now, "return", 6)) found = (lexer){now.at, now.line};
  return found;
}

/* Moves *place to the value of a key of the table that begins there. If no table begins there, searches for
 * the next key of this name. first: true for the first key of a path. If the table lacks this first key, the
 * function searches the whole text. Returns the line of the key; 0 if there is none. */
static int find_source_value(lexer *place, const char *source, const char *word, int length, bool first) {
  lexer look = *place;
  if (!length) return 0;
  if (is_table(look)) {
    const int line = find_source_key(&look, word, length, true);
    if (line || !first) return *place = look, line;
  }
  look = *place;
  int line = find_source_key(&look, word, length, false);
  if (!line && first) look = (lexer){source, 1}, line = find_source_key(&look, word, length, false);
  return line ? (*place = look, line) : 0;
}

/* Keys are searched after the last `return` first, then in the whole text. */
int sl_locate(const char *source, const char *path) {
  lexer place = last_return(source);
  int line = place.line;
  bool first = true;
  next_token(&place); /* the word return */
  if (!strncmp(path, "scene.", 6)) path += 6;
  while (*path) {
    const int length = (int)strcspn(path, ".[");
    int found = find_source_value(&place, source, path, length, first);
    if (found) line = found;
    path += length;
    for (; *path == '['; path += strcspn(path, ".[")) {
      found = find_entry(&place, (int)strtol(path + 1, NULL, 10));
      if (found) line = found;
      path++;
    }
    if (*path == '.') path++;
    first = false;
  }
  return line;
}
