/* Fuzzing experiments: any bytes as a YAML experiment, from the text to the points of its sweep. Nothing
 * may crash, hang or leak, whatever the text says; what is accepted is written and read back to the same
 * text.
 *
 * clang -fsanitize=fuzzer,address,undefined ... (target fuzz.experiment of a clang build with
 * -DSCREE_FUZZ=ON), corpus in fuzz/corpus/experiment. The same corpus is replayed by the test
 * unit/bind/fuzz_replay. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "bind/experiment/experiment.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Writing and reading give the same text. */
static void round_trip(sl_experiment *e) {
  char *first = sl_yaml_write(e->yaml.root);
  sl_yaml again = {0};
  sl_yaml_node *root = first ? sl_yaml_parse(&again, "again", first, strlen(first)) : NULL;
  char *second = root ? sl_yaml_write(root) : NULL;
  if (first && (!second || strcmp(first, second))) abort();
  free(first);
  free(second);
  sl_yaml_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  sl_experiment e = {0};
  e.yaml.root = sl_yaml_parse(&e.yaml, "fuzz.yaml", (const char *)bytes, size);
  if (e.yaml.root) {
    if (e.yaml.root->size < 10000) round_trip(&e);
    sl_experiment_check(&e);
    sl_sweep sweep;
    if (e.yaml.root->size < 10000) sl_sweep_make(&e, &sweep);
  }
  char *text = sl_yaml_problems(&e.yaml);
  free(text);
  sl_experiment_close(&e);
  return 0;
}
