/* Text tables with any columns of numbers: implements scree/table.h. */
#include "io/grains/grains.h"

struct scree_table {
  sc_grain_table of;
  int64_t *line; /* [rows] number of each row's line in the file, from 1 */
};

/* Sets the line number of every row in one pass over the file. */
static scree_status find_lines(scree_table *table, scree_error *error) {
  const sc_grain_table *t = &table->of;
  table->line = sc_alloc(((size_t)t->rows + 1) * sizeof *table->line);
  if (!table->line) return sc_grain_no_memory(t, error);
  int64_t line = 1;
  const char *at = t->bytes;
  for (int64_t row = 0; row < t->rows; row++) {
    for (const char *stop = t->bytes + t->place[row]; at < stop; at++)
      line += *at == '\n' || (*at == '\r' && at[1] != '\n');
    table->line[row] = line;
  }
  return SCREE_OK;
}

scree_table *sc_table_parse(const char *path, const char *separator, scree_grains_unit *unit,
    const char *bytes, size_t count, scree_error *error) {
  scree_table *table = sc_alloc(sizeof *table);
  if (!table) return sc_fail(error, SCREE_E_MEMORY, "%s: no memory to read it", path), NULL;
  scree_status status = SCREE_OK;
  scree_grains_def def = scree_grains_defaults();
  def.path = path, def.separator = separator, def.read_unit = unit;
  table->of = (sc_grain_table){
      .path = path, .bytes = bytes, .end = bytes + count, .split = {' ', '.'}, .is_plain = true};
  if (!count) status = sc_fail(error, SCREE_E_FORMAT, "%s: the file is empty", path);
  if (!status) status = sc_grain_text.read(&table->of, &def, error);
  if (!status) status = find_lines(table, error);
  table->of.path = NULL, table->of.bytes = table->of.end = NULL;
  if (!status) return table;
  return scree_table_destroy(table), NULL;
}

scree_table *scree_table_read(
    const char *path, const char *separator, scree_grains_unit *unit, scree_error *error) {
  SC_DEMAND(path, error, NULL);
  if (sc_grain_check_separator(separator, "read_table", error)) return NULL;
  char *bytes = NULL;
  size_t count = 0;
  scree_table *table = NULL;
  if (sc_grain_slurp(path, &bytes, &count, error) == SCREE_OK)
    table = sc_table_parse(path, separator, unit, bytes, count, error);
  sc_free(bytes);
  return table;
}

void scree_table_destroy(scree_table *table) {
  if (!table) return;
  sc_grain_clear(&table->of);
  sc_free(table->line);
  sc_free(table);
}

int64_t scree_table_rows(const scree_table *table) {
  SC_DEMAND(table, NULL, 0);
  return table->of.rows;
}

int scree_table_columns(const scree_table *table) {
  SC_DEMAND(table, NULL, 0);
  return table->of.columns;
}

const char *scree_table_name(const scree_table *table, int column) {
  SC_DEMAND(table && column >= 0 && column < table->of.columns, NULL, NULL);
  return table->of.column[column].name;
}

const char *scree_table_unit(const scree_table *table, int column) {
  SC_DEMAND(table && column >= 0 && column < table->of.columns, NULL, NULL);
  return table->of.column[column].unit;
}

const double *scree_table_values(const scree_table *table, int column) {
  SC_DEMAND(table && column >= 0 && column < table->of.columns, NULL, NULL);
  return table->of.column[column].value;
}

int64_t scree_table_line(const scree_table *table, int64_t row) {
  SC_DEMAND(table && row >= 0 && row < table->of.rows, NULL, 0);
  return table->line[row];
}
