/* A table that shares equal rows, against a plain list: random users are added, removed and sorted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/alike.h"

enum { MOST = 400, KINDS = 60, ROUNDS = 4000 };
typedef struct entry {
  double a;
  int64_t b;
} entry;

static entry of_kind(int kind) { return (entry){1.0 / (kind + 1), kind % 7}; }

typedef struct list {
  sc_alike alike;
  int kind[MOST], count;
  int32_t number[MOST];
} list;

static void come(list *u, int kind) {
  entry e = of_kind(kind);
  u->kind[u->count] = kind;
  u->number[u->count] = sc_alike_take(&u->alike, sizeof e, &e);
  assert_true(u->number[u->count++] >= 0);
}

static void go(list *u, int which) {
  int left = 0;
  for (int k = 0; k < u->count; k++) left += k != which && u->kind[k] == u->kind[which];
  const entry e = of_kind(u->kind[which]);
  assert_int_equal(sc_alike_drop(&u->alike, u->number[which]), left == 0);
  assert_memory_equal(sc_alike_row(&u->alike, u->number[which]), &e, sizeof e);
  u->count--;
  u->kind[which] = u->kind[u->count], u->number[which] = u->number[u->count];
}

/* Every user finds its bytes, users of one kind share a row, which counts them. */
static void check(const list *u) {
  int32_t row[KINDS], users[KINDS] = {0};
  memset(row, -1, sizeof row);
  for (int k = 0; k < u->count; k++) {
    const entry e = of_kind(u->kind[k]);
    assert_memory_equal(sc_alike_row(&u->alike, u->number[k]), &e, sizeof e);
    if (row[u->kind[k]] < 0) row[u->kind[k]] = u->number[k];
    assert_int_equal(u->number[k], row[u->kind[k]]);
    users[u->kind[k]]++;
  }
  for (int kind = 0; kind < KINDS; kind++)
    if (users[kind]) assert_int_equal(sc_alike_users(&u->alike, row[kind]), users[kind]);
}

/* Rows then lie in the order of their first users, and there are no others. */
static void put_in_order(list *u) {
  void *scratch = malloc(sc_alike_scratch(&u->alike) + 1);
  int32_t next = 0;
  sc_alike_order(&u->alike, u->number, u->count, scratch);
  free(scratch);
  for (int k = 0; k < u->count; k++) {
    assert_true(u->number[k] <= next);
    if (u->number[k] == next) next++;
  }
  assert_int_equal(u->alike.rows, next);
}

static void as_a_plain_list(void **unused) {
  (void)unused;
  list u = {.count = 0};
  sc_rng rng;
  sc_rng_seed(&rng, 3);
  put_in_order(&u);
  for (int round = 0; round < ROUNDS; round++) {
    const bool grows = u.count == 0 ||
        (u.count < MOST && sc_rng_unit(&rng) < (round % 1000 < 600 ? 0.6 : 0.2));
    if (grows) come(&u, (int)(sc_rng_unit(&rng) * KINDS));
    else go(&u, (int)(sc_rng_unit(&rng) * u.count));
    if (round % 50 == 49) put_in_order(&u);
    if (round % 10 == 9) check(&u);
  }
  sc_alike_free(&u.alike);
}

/* Bytes grow with rows that differ, not with users. */
static void many_users_are_one_row(void **unused) {
  (void)unused;
  sc_alike same = {0}, other = {0};
  for (int k = 0; k < 10000; k++) {
    entry one = of_kind(0), another = {k, k};
    assert_int_equal(sc_alike_take(&same, sizeof one, &one), 0);
    assert_int_equal(sc_alike_take(&other, sizeof another, &another), k);
  }
  assert_true(sc_alike_bytes(&same) < 4096);
  assert_true(sc_alike_bytes(&other) < 10000 * (sizeof(entry) + 18));
  sc_alike_free(&same);
  sc_alike_free(&other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_a_plain_list), cmocka_unit_test(many_users_are_one_row)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
