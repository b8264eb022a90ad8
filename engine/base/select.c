/* Selection by rank (sc_select_rank) by quickselect (Hoare 1961), with the middle item as pivot. */
#include "base/base.h"

typedef struct sorter {
  sc_select_key *key;
  const void *context;
} sorter;

static bool is_before(const sorter *by, int32_t a, int32_t b) {
  double x = by->key(by->context, a), y = by->key(by->context, b);
  return x < y || (x == y && a < b);
}

void sc_select_rank(int32_t *item, int32_t count, int32_t rank, sc_select_key *key, const void *context) {
  SC_ASSERT(key && (item || !count) && rank >= 0);
  const sorter by = {key, context};
  int32_t low = 0, high = count - 1;
  while (low < high) {
    int32_t pivot = item[low + (high - low) / 2], i = low, j = high;
    while (i <= j) {
      while (is_before(&by, item[i], pivot)) i++;
      while (is_before(&by, pivot, item[j])) j--;
      if (i > j) break;
      int32_t swap = item[i];
      item[i++] = item[j], item[j--] = swap;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else return;
  }
}
