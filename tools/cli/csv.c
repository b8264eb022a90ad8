/* Reads tables and writes cells. Cells may be quoted; a doubled quote inside is one quote. */
#include "csv.h"
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 }; /* bytes read at once from a large file */

/* Cuts off one cell and moves *at past it. *last: the cell ended its line. */
static char *cut_cell(char **at, int *last) {
  char *start = *at, *to = start, *from = start;
  int quoted = *from == '"';
  if (quoted) from++;
  while (*from && (quoted || (*from != ',' && *from != '\n' && *from != '\r'))) {
    if (quoted && *from == '"') {
      if (from[1] != '"') {
        quoted = 0;
        from++;
        continue;
      }
      from++;
    }
    *to++ = *from++;
  }
  *last = *from != ',';
  if (*from == '\r') from++;
  *at = *from ? from + 1 : from;
  *to = 0;
  return start;
}

/* Reports why a table cannot be read, and frees the table. */
static csv *give_up(csv *t, const char *command, const char *path, int reason) {
  cli_fail(CLI_IO, command, "cannot read %s: %s", path, strerror(reason));
  csv_close(t);
  return NULL;
}

/* Makes room for one more row of `each` elements. Returns false if out of memory. */
static int add_row(csv *t, int *capacity, char ***list, int each) {
  if (t->rows < *capacity) return 1;
  const int more = *capacity ? 2 * *capacity : 1024;
  char **larger = realloc(*list, (size_t)more * (size_t)each * sizeof *larger);
  if (larger) *list = larger, *capacity = more;
  return larger != NULL;
}

/* Cuts all rows from `at` on into cells. Returns false if out of memory. */
static int cut_cells(csv *t, char *at) {
  int capacity = 0;
  for (t->rows = 0; *at; t->rows++) {
    if (!add_row(t, &capacity, &t->cell, t->columns)) return 0;
    char **row = t->cell + (size_t)t->rows * (size_t)t->columns;
    for (int c = 0; c < t->columns; c++) row[c] = t->empty;
    int last = 0;
    for (int c = 0; *at && !last; c++) {
      char *cell = cut_cell(&at, &last);
      if (c < t->columns) row[c] = cell;
    }
  }
  return 1;
}

/* Finds the start of each line from `at` to `end`. Returns false if out of memory. */
static int find_lines(csv *t, char *at, const char *end) {
  int capacity = 0;
  for (t->rows = 0; at < end; t->rows++) {
    if (!add_row(t, &capacity, &t->line, 1)) return 0;
    t->line[t->rows] = at;
    char *stop = memchr(at, '\n', (size_t)(end - at));
    at = stop ? stop + 1 : t->text + (end - t->text);
  }
  return 1;
}

/* ---- large files ---- */

/* Reads `wanted` bytes of the file. Returns their number, which is smaller at the end; -1 and errno. */
static ssize_t read_block(int file, char *to, size_t wanted, int64_t from) {
  size_t count = 0;
  for (ssize_t got; count < wanted; count += (size_t)got) {
    got = pread(file, to + count, wanted - count, from + (int64_t)count);
    if (got < 0 && errno != EINTR) return -1;
    if (got < 0) got = 0;
    else if (!got) break;
  }
  return (ssize_t)count;
}

/* Calls visit with the start and the end of each row of a file, from an offset on. Returns false and errno if
 * the file cannot be read, or EFBIG if a row is longer than a block. */
static bool visit_rows(
    int file, int64_t from, bool (*visit)(void *context, const char *row, const char *end), void *context) {
  char *block = malloc(BLOCK + 1);
  bool good = block != NULL, more = true;
  while (good && more) {
    const ssize_t count = read_block(file, block, BLOCK, from);
    const char *at = block, *stop;
    if (count <= 0) {
      good = !count;
      break;
    }
    block[count] = 0;
    while (more && (stop = memchr(at, '\n', (size_t)(block + count - at)))) {
      more = visit(context, at, stop);
      at = stop + 1;
    }
    if (count < BLOCK) { /* the last row may lack its end */
      if (more && at < block + count) visit(context, at, block + count);
      break;
    }
    if (at == block) good = false, errno = EFBIG;
    from += at - block;
  }
  const int reason = block ? errno : ENOMEM;
  free(block);
  errno = reason;
  return good;
}

typedef struct row_count {
  int64_t rows;
  bool has_quotes;
} row_count;

static bool count_row(void *context, const char *row, const char *end) {
  row_count *c = context;
  c->rows++;
  c->has_quotes = memchr(row, '"', (size_t)(end - row)) != NULL;
  return !c->has_quotes && c->rows < INT_MAX;
}

/* Returns the first `size` bytes of a file as a text; NULL and errno. */
static char *read_start(int file, int64_t size) {
  char *text = malloc((size_t)size + 1);
  const ssize_t count = text ? read_block(file, text, (size_t)size, 0) : 0;
  if (text && count < 0) free(text), text = NULL;
  if (text) text[count] = 0;
  return text;
}

/* Opens a regular file. Returns -1 and errno for others, because pipes and devices have no size. */
static int open_table(const char *path, int64_t *size) {
  struct stat info;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  int reason = 0;
  if (file < 0) return -1;
  if (fstat(file, &info)) reason = errno;
  else if (!S_ISREG(info.st_mode)) reason = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
  if (!reason) return *size = info.st_size, file;
  close(file);
  errno = reason;
  return -1;
}

/* Cuts the names of the columns off the text. Returns the start of the first row. */
static char *cut_names(csv *t) {
  char *at = t->text;
  int last = 0;
  while (*at && !last) {
    const char *name = cut_cell(&at, &last);
    if (t->columns < CSV_COLUMNS) t->name[t->columns++] = name;
  }
  return at;
}

/* Opens a table whose text is in memory. */
static bool open_whole(csv *t) {
  char *end = t->text + strlen(t->text), *at = cut_names(t);
  const bool quoted = memchr(at, '"', (size_t)(end - at)) != NULL;
  return quoted ? cut_cells(t, at) : find_lines(t, at, end);
}

/* Opens a large file whose first block is in the text. Returns false and errno. *quoted: its rows have
 * quotes. */
static bool open_large(csv *t, bool *quoted) {
  row_count c = {0, false};
  const char *end = strchr(t->text, '\n');
  if (!end) return errno = EFBIG, false;
  t->body = end + 1 - t->text;
  if (!visit_rows(t->file, t->body, count_row, &c)) return false;
  if (c.rows == INT_MAX) return errno = EFBIG, false;
  *quoted = c.has_quotes;
  t->rows = (int)c.rows;
  cut_names(t);
  return true;
}

/* Reads the whole file into memory and closes it. Returns false and errno. */
static bool load_rows(csv *t) {
  struct stat info;
  char *text = fstat(t->file, &info) ? NULL : read_start(t->file, info.st_size);
  if (!text) return false;
  free(t->text);
  t->text = text, t->columns = 0;
  close(t->file);
  t->file = -1;
  return open_whole(t) || (errno = ENOMEM, false);
}

csv *csv_open(const char *command, const char *path) {
  int64_t size = 0;
  bool quoted = false;
  csv *t = calloc(1, sizeof *t);
  if (!t) return cli_fail(CLI_IO, command, "cannot read %s: %s", path, strerror(ENOMEM)), NULL;
  if ((t->file = open_table(path, &size)) < 0) return give_up(t, command, path, errno);
  if (size > CSV_WHOLE) {
    if (!(t->text = read_start(t->file, BLOCK)) || !open_large(t, &quoted))
      return give_up(t, command, path, errno);
    if (!quoted) return t;
  }
  return load_rows(t) ? t : give_up(t, command, path, errno);
}

void csv_close(csv *t) {
  if (!t) return;
  if (t->file >= 0) close(t->file);
  free(t->cell);
  free(t->line);
  free(t->text);
  free(t);
}

int csv_column(const csv *t, const char *name) {
  for (int c = 0; c < t->columns; c++)
    if (!strcmp(t->name[c], name)) return c;
  const size_t length = strlen(name);
  for (int c = 0; c < t->columns; c++) {
    const char *own = t->name[c];
    if (!strncmp(own, name, length) && !strncmp(own + length, " [", 2) && own[strlen(own) - 1] == ']')
      return c;
  }
  return -1;
}

int csv_cut_cells(csv *t) {
  if (t->file >= 0 && !load_rows(t)) return 0;
  return t->cell || !t->rows || cut_cells(t, t->line[0]);
}

/* Returns the number in the text from `cell` to `end`; NaN if the text is not a number. */
static double read_cell_number(const char *cell, const char *end) {
  char *stop;
  const double value = strtod(cell, &stop);
  return stop == end && end > cell ? value : NAN;
}

/* Returns the number in a column of a line without quotes. */
static double number_in_line(const char *at, int column) {
  for (; column > 0; column--) {
    at += strcspn(at, ",\r\n");
    if (*at != ',') return NAN;
    at++;
  }
  return read_cell_number(at, at + strcspn(at, ",\r\n"));
}

typedef struct column_reader {
  double *out;
  int column, row, rows;
} column_reader;

static bool read_row(void *context, const char *row, const char *end) {
  column_reader *c = context;
  (void)end;
  c->out[c->row++] = number_in_line(row, c->column);
  return c->row < c->rows;
}

/* Reads a column of a large file. Rows that no longer exist in the file become NaN. */
static double *read_column(const csv *t, int column) {
  column_reader c = {malloc(((size_t)t->rows + 1) * sizeof *c.out), column, 0, t->rows};
  if (!c.out) return NULL;
  if (t->rows && !visit_rows(t->file, t->body, read_row, &c)) return free(c.out), NULL;
  while (c.row < t->rows) c.out[c.row++] = NAN;
  return c.out;
}

double *csv_numbers(const csv *t, int column) {
  if (t->file >= 0) return read_column(t, column);
  double *out = malloc(((size_t)t->rows + 1) * sizeof *out);
  for (int r = 0; out && r < t->rows; r++) {
    const char *cell = t->cell ? t->cell[(size_t)r * (size_t)t->columns + (size_t)column] : NULL;
    out[r] = cell ? read_cell_number(cell, cell + strlen(cell)) : number_in_line(t->line[r], column);
  }
  return out;
}

void csv_put_cell(FILE *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) fputs(*text == '"' ? "\"\"" : (char[]){*text, 0}, out);
  fputc('"', out);
}
