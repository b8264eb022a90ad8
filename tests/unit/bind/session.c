/* Tests sessions (scree/session.h) with packed values that are right, wrong and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scree/session.h"

typedef struct message {
  unsigned char bytes[1024];
  size_t size;
} message;

static void put_bytes(message *m, const void *bytes, size_t size) {
  memcpy(m->bytes + m->size, bytes, size);
  m->size += size;
}

static void put_integer(message *m, char letter, int64_t value) {
  put_bytes(m, &letter, 1);
  put_bytes(m, &value, sizeof value);
}

static void put_text(message *m, const char *text) {
  put_integer(m, 's', (int64_t)strlen(text));
  put_bytes(m, text, strlen(text));
}

static void put_number(message *m, double value) {
  put_bytes(m, "d", 1);
  put_bytes(m, &value, sizeof value);
}

static scree_status send_message(
    scree_session *s, scree_session_verb verb, const message *m, message *answer, scree_error *error) {
  const void *result;
  size_t size;
  const scree_status status = scree_session_call(s, verb, m->bytes, m->size, &result, &size, error);
  answer->size = size < sizeof answer->bytes ? size : sizeof answer->bytes;
  if (size) memcpy(answer->bytes, result, answer->size);
  return status;
}

/* Opens a session with a world. Returns the number of the world. */
static int64_t open_world(scree_session **session) {
  scree_error error = {SCREE_OK, ""};
  message call = {.size = 0}, answer;
  int64_t world;
  *session = scree_session_open(NULL, &error);
  assert_non_null(*session);
  put_bytes(&call, "n", 1);
  put_text(&call, "world");
  put_bytes(&call, "Tn", 2); // an empty table
  if (send_message(*session, SCREE_CALL, &call, &answer, &error)) fail_msg("%s", error.text);
  assert_int_equal(answer.bytes[0], 'o');
  memcpy(&world, answer.bytes + 1, sizeof world);
  return world;
}

static void put_object(message *m, int64_t object) {
  put_integer(m, 'o', object);
  put_text(m, "");
}

static void calls_methods(void **state) {
  (void)state;
  scree_session *s;
  scree_error error = {SCREE_OK, ""};
  const int64_t world = open_world(&s);
  message call = {.size = 0}, answer;
  assert_non_null(scree_session_world(s, world));
  assert_null(scree_session_world(s, world + 1));
  put_object(&call, world);
  put_text(&call, "set_dt");
  put_number(&call, 0.25);
  assert_int_equal(send_message(s, SCREE_CALL, &call, &answer, &error), SCREE_OK);
  assert_int_equal(answer.size, 0);
  assert_true(scree_world_get_def(scree_session_world(s, world))->dt == 0.25);
  scree_session_release(s, world);
  scree_session_release(s, world);
  assert_null(scree_session_world(s, world));
  assert_int_equal(send_message(s, SCREE_CALL, &call, &answer, &error), SCREE_E_STALE);
  assert_non_null(strstr(error.text, "holds no object"));
  scree_session_close(s);
}

static void refuses_wrong_calls(void **state) {
  (void)state;
  scree_session *s;
  scree_error error = {SCREE_OK, ""};
  const int64_t world = open_world(&s);
  message call = {.size = 0}, answer;
  put_object(&call, world);
  put_text(&call, "spere");
  assert_int_equal(send_message(s, SCREE_CALL, &call, &answer, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "sphere"));
  call.size = 0;
  put_bytes(&call, "n", 1);
  put_text(&call, "nothing.here");
  for (int i = 0; i < 2; i++) { // a failed name stays an ordinary name
    assert_int_equal(send_message(s, SCREE_CALL, &call, &answer, &error), SCREE_E_ARGUMENT);
    assert_non_null(strstr(error.text, "nothing"));
    assert_null(strstr(error.text, "requires itself"));
  }
  call.size = 0;
  put_text(&call, "return 1 + 1, 'two'");
  put_text(&call, "text");
  assert_int_equal(send_message(s, SCREE_RUN, &call, &answer, &error), SCREE_OK);
  assert_int_equal(answer.size, 9 + 9 + 3);
  assert_int_equal(answer.bytes[1], 2);
  call.size = 0;
  assert_int_equal(send_message(s, SCREE_SCENE, &call, &answer, &error), SCREE_E_ARGUMENT);
  assert_int_equal(send_message(s, (scree_session_verb)77, &call, &answer, &error), SCREE_E_ARGUMENT);
  scree_session_close(s);
}

/* Appends a chunk that returns `depth` tables, each in the next one. */
static void put_nested(message *m, int depth) {
  char text[128];
  snprintf(text, sizeof text, "local t = {a = true} for i = 2, %d do t = {a = t} end return t", depth);
  put_text(m, text);
  put_text(m, "nested");
}

/* Tables may be nested 64 deep, not 65. */
static void bounds_depth(void **state) {
  (void)state;
  scree_session *s;
  scree_error error = {SCREE_OK, ""};
  message call = {.size = 0}, answer;
  open_world(&s);
  put_nested(&call, 64);
  assert_int_equal(send_message(s, SCREE_RUN, &call, &answer, &error), SCREE_OK);
  assert_int_equal(answer.size, 64 * (1 + 10 + 1) + 1); // letters T and n and a key each, and the value
  call.size = 0;
  put_nested(&call, 65);
  assert_int_equal(send_message(s, SCREE_RUN, &call, &answer, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, "nested more than 64 deep"));
  scree_session_close(s);
}

/* A session survives any bytes: each call works or is an error, and a right call works afterwards. */
static void survives_damage(void **state) {
  (void)state;
  static const char letters[] = "ntfidsvToh";
  scree_session *s;
  scree_error error = {SCREE_OK, ""};
  const int64_t world = open_world(&s);
  int64_t failures = 0;
  srand(1);
  for (int i = 0; i < 20000; i++) {
    message call = {.size = 0}, answer;
    if (rand() % 2) put_object(&call, world);
    if (rand() % 2) put_text(&call, "random");
    for (int k = rand() % 40; k > 0; k--) {
      const unsigned char byte = rand() % 2 ? (unsigned char)letters[rand() % 10]
                                            : (unsigned char)(rand() % 4 ? 0 : rand());
      put_bytes(&call, &byte, 1);
    }
    // chunks of random bytes would run as scripts, which is what SCREE_RUN is for
    const scree_session_verb verb = (scree_session_verb)(rand() % 4);
    failures += send_message(s, verb, &call, &answer, &error) != SCREE_OK;
  }
  assert_true(failures > 10000);
  message call = {.size = 0}, answer;
  put_object(&call, world);
  put_text(&call, "time");
  assert_int_equal(send_message(s, SCREE_CALL, &call, &answer, &error), SCREE_OK);
  assert_int_equal(answer.bytes[0], 'd');
  scree_session_close(s);
}

static void steps_saves_and_restores(void **unused) {
  (void)unused;
  scree_session *s;
  scree_error error = {SCREE_OK, ""};
  const int64_t world = open_world(&s);
  assert_int_equal(scree_session_step(s, world, 3, &error), SCREE_OK);
  const int64_t state = scree_session_save(s, world, &error);
  assert_true(state > 0);
  assert_int_equal(scree_session_step(s, world, 4, &error), SCREE_OK);
  assert_int_equal(scree_world_steps(scree_session_world(s, world)), 7);
  assert_int_equal(scree_session_restore(s, world, state, &error), SCREE_OK);
  assert_int_equal(scree_world_steps(scree_session_world(s, world)), 3);
  assert_int_equal(scree_session_step(s, world, 0, &error), SCREE_OK);
  assert_int_equal(scree_world_steps(scree_session_world(s, world)), 3);
  assert_int_equal(scree_session_step(s, world, -1, &error), SCREE_E_ARGUMENT);
  assert_non_null(strstr(error.text, ">= 0"));
  assert_int_not_equal(scree_session_restore(s, world, world, &error), SCREE_OK);
  assert_non_null(strstr(error.text, "state"));
  assert_int_equal(scree_session_save(s, state, &error), 0);
  assert_int_equal(scree_session_save(s, state + 1, &error), 0);
  assert_non_null(strstr(error.text, "holds no object"));
  assert_int_equal(scree_session_step(NULL, world, 1, &error), SCREE_E_ARGUMENT);
  scree_session_close(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(calls_methods), cmocka_unit_test(refuses_wrong_calls),
      cmocka_unit_test(bounds_depth), cmocka_unit_test(survives_damage),
      cmocka_unit_test(steps_saves_and_restores)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
