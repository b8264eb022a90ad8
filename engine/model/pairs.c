/* Table of the rules of pairs of materials, which is symmetric in both materials. */
#include "model/pairs.h"

#include <stdio.h>
#include <string.h>

void sc_pairs_free(sc_pairs *pairs) {
  sc_free(pairs->material);
  sc_free(pairs->rule);
  sc_free(pairs->table);
  sc_free(pairs->lost);
  memset(pairs, 0, sizeof *pairs);
}

int32_t sc_pairs_find(const sc_pairs *pairs, const char *name) {
  SC_ASSERT(pairs && name);
  for (int32_t m = 0; m < pairs->materials; m++)
    if (!strcmp(pairs->material[m].name, name)) return m;
  return -1;
}

/* Adds a row and a column for a new material to the square tables `table` and `lost`. Pairs with the new
 * material use rule 0. Returns false if out of memory. */
static bool widen_tables(sc_pairs *pairs) {
  int32_t n = pairs->materials, wide = n + 1;
  size_t cells = (size_t)wide * (size_t)wide;
  if (!SC_GROW(pairs->table, pairs->table_capacity, cells) ||
      !SC_GROW(pairs->lost, pairs->lost_capacity, cells))
    return false;
  for (int32_t i = n - 1; i >= 0; i--)
    for (int32_t j = n - 1; j >= 0; j--) {
      pairs->table[i * wide + j] = pairs->table[i * n + j];
      pairs->lost[i * wide + j] = pairs->lost[i * n + j];
    }
  for (int32_t i = 0; i < wide; i++) {
    pairs->table[i * wide + n] = pairs->table[n * wide + i] = 0;
    pairs->lost[i * wide + n] = pairs->lost[n * wide + i] = 0;
  }
  return true;
}

int32_t sc_pairs_add_material(sc_pairs *pairs, const char *name, double density) {
  SC_ASSERT(pairs && name);
  if (!SC_GROW(pairs->material, pairs->material_capacity, (size_t)pairs->materials + 1)) return -1;
  if (!widen_tables(pairs)) return -1;
  sc_material *material = pairs->material + pairs->materials;
  snprintf(material->name, sizeof material->name, "%s", name);
  material->density = density;
  return pairs->materials++;
}

sc_rule *sc_pairs_rule(sc_pairs *pairs, int32_t a, int32_t b, bool own) {
  SC_ASSERT(a >= 0 && a < pairs->materials && b >= 0 && b < pairs->materials);
  int32_t n = pairs->materials, *at = &pairs->table[a * n + b];
  if (own && *at == 0 && (a != 0 || b != 0 || pairs->rules == 0)) {
    if (!SC_GROW(pairs->rule, pairs->rule_capacity, (size_t)pairs->rules + 1)) return NULL;
    pairs->rule[pairs->rules] = pairs->rules ? pairs->rule[0] : (sc_rule){0};
    *at = pairs->table[b * n + a] = pairs->rules++;
  }
  return pairs->rule + *at;
}
