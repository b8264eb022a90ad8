/* Texts of run and check about bodies and joints. */
#include "run/run.h"

#include <string.h>

enum { NAMED_MOST = 5 }; /* largest number of gears or bodies in a message */

void run_label_body(const scree_world *world, scree_id id, char label[RUN_LABEL]) {
  scree_body_state state;
  if (!id) snprintf(label, RUN_LABEL, "the ground");
  else if (!scree_world_get(world, id, &state, NULL) && state.name)
    snprintf(label, RUN_LABEL, "\"%s\"", state.name);
  else snprintf(label, RUN_LABEL, "body %llu", (unsigned long long)id);
}

static void tell_gear(const scree_world *world, const scree_stray_gear *g, char *text, size_t size) {
  char a[RUN_LABEL], b[RUN_LABEL], frame[RUN_LABEL];
  run_label_body(world, g->a, a), run_label_body(world, g->b, b), run_label_body(world, g->frame, frame);
  if (g->frame)
    snprintf(text, size, "the gear between %s and %s has the frame %s, which carries neither", a, b, frame);
  else
    snprintf(text, size,
        "the gear between %s and %s counts absolute motion, though its wheels turn in a body that moves: its "
        "reaction comes from the ground; name the housing with `frame`, or \"ground\"",
        a, b);
}

bool run_tell_gears(const scree_world *world, char *text, size_t size) {
  scree_stray_gear gear[NAMED_MOST];
  const int64_t count = scree_world_stray_gears(world, gear, NAMED_MOST);
  size_t used = 0;
  for (int k = 0; k < count && k < NAMED_MOST && used < size; k++) {
    if (k) used += (size_t)snprintf(text + used, size - used, "; ");
    if (used < size) tell_gear(world, gear + k, text + used, size - used), used += strlen(text + used);
  }
  if (count > NAMED_MOST && used < size)
    snprintf(text + used, size - used, "; and %lld more", (long long)count - NAMED_MOST);
  return count > 0;
}

bool run_tell_joined(const scree_world *world, char *text, size_t size) {
  scree_id body[NAMED_MOST];
  char label[RUN_LABEL];
  const int64_t count = scree_world_fast_joined(world, body, NAMED_MOST);
  if (!count) return false;
  size_t used = (size_t)snprintf(
      text, size, "%lld fast %s joints:", (long long)count, count == 1 ? "body has" : "bodies have");
  for (int k = 0; k < count && k < NAMED_MOST && used < size; k++) {
    run_label_body(world, body[k], label);
    used += (size_t)snprintf(text + used, size - used, "%s %s", k ? "," : "", label);
  }
  if (used < size)
    snprintf(text + used, size - used, "; a body that is moved back opens its joints (docs/fast.md)");
  return true;
}
