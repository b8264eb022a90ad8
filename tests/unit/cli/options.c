/* Tests the parser of the command line: every kind of option in every form, operands, ranges, messages with
 * the nearest name, and the help. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

typedef struct values {
  int flag, other;
  const char *text;
  double number, above, seconds;
  int64_t whole, count, cores;
  cli_list list;
} values;
static const cli_option table[] = {{"flag", 'f', CLI_FLAG, NULL, offsetof(values, flag), "a flag"},
    {"other", 0, CLI_FLAG, NULL, offsetof(values, other), "another"},
    {"text", 't', CLI_TEXT, "TEXT", offsetof(values, text), "a text"},
    {"number", 'n', CLI_NUMBER, "X", offsetof(values, number), "a number"},
    {"above", 'a', CLI_ABOVE, "X", offsetof(values, above), "above 0"},
    {"seconds", 's', CLI_ABOVE, "SECONDS", offsetof(values, seconds), "a time"},
    {"whole", 'w', CLI_WHOLE, "N", offsetof(values, whole), "whole"},
    {"count", 'c', CLI_COUNT, "N", offsetof(values, count), "at least 1"},
    {"cores", 'j', CLI_CORES, "N", offsetof(values, cores), "cores"},
    {"list-of-things", 'l', CLI_LIST, "K=V", offsetof(values, list), "a list"}};
enum { COUNT = sizeof table / sizeof *table };

/* Splits a line at blanks ("_" is an empty word) and parses it. words: receives the command and the
 * operands. */
static int parse(const char *line, values *v, char **words) {
  static char copy[4096];
  int count = 1;
  snprintf(copy, sizeof copy, "%s", line);
  words[0] = "test";
  for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
    words[count++] = strcmp(word, "_") ? word : "";
  words[count] = NULL;
  *v = (values){0};
  return cli_parse("test", NULL, table, COUNT, v, count, words);
}

static void every_kind_in_every_form(void **state) {
  (void)state;
  char *words[100];
  values v;
  assert_int_equal(parse("one -f --text=a=b two -n -2.5 --above 1e-3 - -s 2.5 -w-7 -c3 --cores=4 -l a=1 "
                         "--list-of-things b=2 -lc=3 three",
                       &v, words),
      4);
  assert_true(v.flag == 1 && v.other == 0 && v.number == -2.5 && v.above == 1e-3 && v.seconds == 2.5 &&
      v.whole == -7 && v.count == 3 && v.cores == 4);
  assert_string_equal(v.text, "a=b");
  assert_true(v.list.count == 3 && !strcmp(v.list.item[0], "a=1") && !strcmp(v.list.item[1], "b=2") &&
      !strcmp(v.list.item[2], "c=3"));
  static const char *const operands[] = {"one", "two", "-", "three"};
  for (int i = 0; i < 4; i++) assert_string_equal(words[1 + i], operands[i]);
  /* after -- all words are operands */
  assert_int_equal(parse("--other -- -f --text -- x", &v, words), 4);
  assert_true(v.other && !v.flag && !v.text && !strcmp(words[1], "-f") && !strcmp(words[2], "--text") &&
      !strcmp(words[3], "--") && !strcmp(words[4], "x"));
  assert_int_equal(parse("", &v, words), 0);
  assert_int_equal(parse("_ -t _", &v, words), 1);
  assert_string_equal(v.text, "");
  assert_int_equal(parse("--text=", &v, words), 0);
  assert_string_equal(v.text, "");
  /* times may have a unit; the last value counts */
  assert_int_equal(parse("--seconds 2min -s 3ms", &v, words), 0);
  assert_float_equal(v.seconds, 3e-3, 1e-18);
  assert_int_equal(parse("-t -f -w -3", &v, words), 0);
  assert_true(!strcmp(v.text, "-f") && v.whole == -3 && !v.flag);
  assert_int_equal(parse("-j 0", &v, words), 0);
  assert_true(v.cores == cli_cores() && v.cores >= 1);
  assert_int_equal(parse("-n inf", &v, words), 0);
  assert_true(isinf(v.number));
  assert_int_equal(parse("-j 1024 -c 1 -w 9223372036854775807", &v, words), 0);
  assert_true(v.cores == 1024 && v.count == 1 && v.whole == INT64_MAX);
  char many[1024] = "";
  for (int i = 0; i < CLI_LIST_MOST; i++) strcat(many, "-lx ");
  assert_int_equal(parse(many, &v, words), 0);
  assert_int_equal(v.list.count, CLI_LIST_MOST);
}

/* Parses a line. Returns the text that the parser prints to stderr, in a static buffer. *answer: result of
 * the parser. */
static const char *complain(const char *line, int *answer) {
  static char said[1024];
  char path[] = "/tmp/scree-options-XXXXXX", *words[100];
  values v;
  fflush(stderr);
  const int file = mkstemp(path), kept = dup(2);
  dup2(file, 2);
  *answer = parse(line, &v, words);
  fflush(stderr);
  dup2(kept, 2);
  close(kept);
  const ssize_t count = pread(file, said, sizeof said - 1, 0);
  said[count < 0 ? 0 : count] = 0;
  close(file);
  unlink(path);
  return said;
}

static void what_is_refused(void **state) {
  (void)state;
  static const char *const rows[][2] = {{"--flg", "unknown option --flg; did you mean --flag?"},
      {"--txet=3", "unknown option --txet=3; did you mean --text?"}, {"-z", "unknown option -z"},
      {"--zzzzzz", "unknown option --zzzzzz"}, {"--flag=1", "option --flag takes no value, not '1'"},
      {"-fx", "option --flag takes no value, not 'x'"}, {"--text", "option --text needs TEXT"},
      {"-n", "option -n needs X"}, {"--list-of-things", "option --list-of-things needs K=V"},
      {"-n x", "option --number takes X, not 'x'"}, {"-n 1x", "option --number takes X, not '1x'"},
      {"-n _", "option --number takes X, not ''"}, {"-n nan", "option --number takes X, not 'nan'"},
      {"--number 1s", "option --number takes X, not '1s'"},
      {"-s 2m", "option --seconds takes SECONDS, not '2m'"}, {"-w 1.5", "option --whole takes N, not '1.5'"},
      {"-w _", "option --whole takes N, not ''"},
      {"-w 9223372036854775808", "option --whole takes N, not '9223372036854775808'"},
      {"-a 0", "--above must be greater than 0, not 0"}, {"-a -1", "--above must be greater than 0, not -1"},
      {"-a inf", "--above must be finite, not inf"}, {"-c 0", "--count must be greater than 0, not 0"},
      {"-c -5", "--count must be greater than 0, not -5"},
      {"-s 0", "--seconds must be greater than 0, not 0"},
      {"-j -1", "--cores must lie in [1, 1024], or be 0 for all cores, not -1"},
      {"-j 1025", "--cores must lie in [1, 1024], or be 0 for all cores, not 1025"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int answer;
    char expected[256];
    snprintf(expected, sizeof expected, "scree test: %s\n", rows[i][1]);
    const char *said = complain(rows[i][0], &answer);
    if (strcmp(said, expected) || answer >= 0 || cli_parse_exit(answer) != CLI_USAGE)
      fail_msg("%s: %d, %s", rows[i][0], answer, said);
  }
  char many[1024] = "";
  int answer;
  for (int i = 0; i <= CLI_LIST_MOST; i++) strcat(many, "-lx ");
  assert_string_equal(complain(many, &answer), "scree test: option --list-of-things takes K=V, not 'x'\n");
}

static int written;
static void write_nothing(
    const cli_command *command, const char *more, const cli_option *options, int count) {
  assert_string_equal(command->name, "test");
  assert_true(!more && options == table && count == COUNT);
  written++;
}

static void help_ends_the_command(void **state) {
  (void)state;
  char *words[100];
  values v;
  cli_set_help_writer(write_nothing);
  assert_int_equal(cli_parse_exit(parse("--help", &v, words)), CLI_OK);
  assert_int_equal(cli_parse_exit(parse("-f -h --zzz", &v, words)), CLI_OK);
  assert_int_equal(parse("-- --help", &v, words), 1);
  assert_int_equal(written, 2);
  cli_set_help_writer(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_in_every_form),
      cmocka_unit_test(what_is_refused), cmocka_unit_test(help_ends_the_command)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
