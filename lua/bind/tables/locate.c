/* Finds a key in Lua source by its tokens: names, strings, punctuation. Comments and contents of strings are
 * skipped. */
#include "bind/tables/locate.h"

#include <ctype.h>
#include <stdbool.h>
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

/* Returns the line of the next `word =` or `["word"] =`, and moves lex past it; 0 if there is none. */
static int find_source_key(lexer *lex, const char *word, int length) {
  token before = {"", 0, 0}, now;
  while ((now = next_token(lex)).length) {
    bool bracket = is_word(before, "[", 1) && is_quoted(now, word, length);
    lexer look = *lex;
    token after = next_token(&look);
    if (bracket) after = next_token(&look);
    if ((bracket || is_word(now, word, length)) && is_word(after, "=", 1) && *look.at != '=')
      return *lex = look, now.line;
    before = now;
  }
  return 0;
}

static lexer last_return(const char *source) {
  lexer lex = {source, 1}, found = lex;
  for (token now; (now = next_token(&lex)).length;)
    if (is_word(now, "return", 6)) found = (lexer){now.at, now.line};
  return found;
}

/* Keys are searched after the last `return` first, then in the whole text. */
int sl_locate(const char *source, const char *path) {
  lexer start = last_return(source), place = start;
  int line = start.line;
  while (*path) {
    int length = (int)strcspn(path, ".[");
    lexer look = place;
    int found = length ? find_source_key(&look, path, length) : 0;
    if (!found && place.at == start.at) {
      look = (lexer){source, 1};
      found = length ? find_source_key(&look, path, length) : 0;
    }
    if (found) place = look, line = found;
    path += length;
    path += strcspn(path, ".");
    if (*path == '.') path++;
  }
  return line;
}
