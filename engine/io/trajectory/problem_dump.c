/* Problem dump: one section per array. The head has the lengths of the arrays and the sizes of the structs. A
 * dump of a version with other sizes is refused. Moments of ball contacts, third bodies of joint rows and
 * springs of contacts have a section only if the problem has any. */
#include "io/trajectory/problem_dump.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include "io/trajectory/checkpoint.h"

typedef struct head {
  /* lengths of the arrays; of par, block and x as numbers of doubles */
  int32_t bodies, balls, generals, laws, joint_rows, par, block, x;
  uint32_t body_size, ball_size, general_size, joint_row_size, law_params, layout;
  double dt, gravity, plane[3];
  uint32_t planar, none;
} head;

/* One array: name of its section, address, size. */
typedef struct part {
  const char *name;
  void *at;
  size_t bytes;
} part;
enum { PARTS = 10 };
/* Versions of the order of law parameters, which only problems with general contacts contain. OLD_LAYOUT: the
 * parameter rolling_friction did not exist, and a parameter of the law polyhedral had another index. */
enum { OLD_LAYOUT = 1, LAYOUT = 2 };

/* Returns how many doubles of an array general contacts use. pool: 0 par, 1 block, 2 x. */
static int32_t count_used(const sc_problem *p, int pool) {
  int32_t most = 0;
  for (int32_t c = 0; c < p->generals; c++) {
    const sc_general_contact *g = p->general + c;
    int32_t end = pool == 0 ? g->par + SCREE_LAW_MAX_PARAMS
        : pool == 1         ? g->block + g->dim * g->dim
                            : g->x + g->dim;
    if (end > most) most = end;
  }
  return most;
}

/* Sizes of contacts in a file without their springs, which have a separate section [bytes]. */
enum { BALL_SIZE = offsetof(sc_ball_contact, spring), GENERAL_SIZE = offsetof(sc_general_contact, spring) };
_Static_assert(BALL_SIZE + sizeof(sc_contact_spring) == sizeof(sc_ball_contact) &&
        GENERAL_SIZE + sizeof(sc_contact_spring) == sizeof(sc_general_contact),
    "springs are the last members");

/* Copies of arrays as files have them: position and inverse inertia K of every body (a problem may lack
 * some), and contacts without their springs. */
typedef struct full {
  double (*position)[3], (*K)[6];
  char *ball, *general;
} full;

static void list_parts(const sc_problem *p, const full *f, const head *h, part parts[PARTS]) {
  part all[PARTS] = {{"problem.body", p->body, (size_t)h->bodies * sizeof *p->body},
      {"problem.position", f->position, (size_t)h->bodies * sizeof *f->position},
      {"problem.K", f->K, (size_t)h->bodies * sizeof *f->K},
      {"problem.ball", f->ball, (size_t)h->balls * BALL_SIZE},
      {"problem.ball_contact", p->ball_contact, (size_t)h->balls * sizeof *p->ball_contact},
      {"problem.general", f->general, (size_t)h->generals * GENERAL_SIZE},
      {"problem.par", p->par, (size_t)h->par * sizeof *p->par},
      {"problem.block", p->block, (size_t)h->block * sizeof *p->block},
      {"problem.x", p->x, (size_t)h->x * sizeof *p->x},
      {"problem.joint_row", p->joint_row, (size_t)h->joint_rows * sizeof *p->joint_row}};
  memcpy(parts, all, sizeof all);
}

/* ---- saving ---- */

/* Copies `rows` rows of `from_size` bytes to rows of `to_size` bytes. Copies only as many bytes of a row as
 * both sizes have. */
static void copy_rows(const void *from, size_t from_size, void *to, size_t to_size, int32_t rows) {
  const size_t size = from_size < to_size ? from_size : to_size;
  for (size_t r = 0; r < (size_t)rows; r++)
    memcpy((char *)to + r * to_size, (const char *)from + r * from_size, size);
}

/* Fills f with the data of p. Returns false if out of memory. */
static bool fill_copies(const sc_problem *p, sc_arena *arena, full *f) {
  size_t rows = (size_t)p->bodies;
  f->position = sc_arena_take(arena, rows * sizeof *f->position);
  f->K = sc_arena_take(arena, rows * sizeof *f->K);
  f->ball = SC_TAKE(arena, char, (size_t)p->balls *BALL_SIZE);
  f->general = SC_TAKE(arena, char, (size_t)p->generals *GENERAL_SIZE);
  if (!f->position || !f->K || !f->ball || !f->general) return false;
  copy_rows(p->ball, sizeof *p->ball, f->ball, BALL_SIZE, p->balls);
  copy_rows(p->general, sizeof *p->general, f->general, GENERAL_SIZE, p->generals);
  memset(f->position + (rows - 1), 0, sizeof *f->position);
  if (rows > 1) memcpy(f->position, p->position, (rows - 1) * sizeof *f->position);
  for (int32_t b = 0; b < p->bodies; b++) {
    double room[6];
    memcpy(f->K[b], sc_problem_inertia(p, b, room), sizeof f->K[b]);
  }
  return true;
}

static scree_status save_laws(const sc_problem *problem, sc_sections *sections, scree_error *error) {
  sc_bytes names = {0};
  bool ok = true;
  for (int32_t i = 0; i < problem->laws; i++)
    ok = ok && sc_bytes_add(&names, problem->law[i]->name, strlen(problem->law[i]->name) + 1);
  scree_status status = ok ? sc_section_write(sections, "problem.laws", names.at, names.count, error)
                           : sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  sc_bytes_free(&names);
  return status;
}

/* Saves the springs of ball contacts, then those of general contacts, if contacts have springs. */
static scree_status save_springs(
    const sc_problem *p, sc_sections *sections, sc_arena *arena, scree_error *error) {
  if (!p->springs) return SCREE_OK;
  const size_t count = (size_t)p->balls + (size_t)p->generals;
  sc_contact_spring *spring = SC_TAKE(arena, sc_contact_spring, count);
  if (!spring) return sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  for (int32_t c = 0; c < p->balls; c++) spring[c] = p->ball[c].spring;
  for (int32_t c = 0; c < p->generals; c++) spring[p->balls + c] = p->general[c].spring;
  return sc_section_write(sections, "problem.spring", spring, count * sizeof *spring, error);
}

scree_status sc_problem_save(const sc_problem *p, const char *path, scree_error *error) {
  SC_ASSERT(p && path);
  head h = {.bodies = p->bodies,
      .balls = p->balls,
      .generals = p->generals,
      .laws = p->laws,
      .joint_rows = p->joint_rows,
      .par = count_used(p, 0),
      .block = count_used(p, 1),
      .x = count_used(p, 2),
      .body_size = sizeof *p->body,
      .ball_size = BALL_SIZE,
      .general_size = GENERAL_SIZE,
      .joint_row_size = sizeof *p->joint_row,
      .law_params = SCREE_LAW_MAX_PARAMS,
      .layout = LAYOUT,
      .dt = p->dt,
      .gravity = p->gravity,
      .plane = {p->plane[0], p->plane[1], p->plane[2]},
      .planar = p->planar};
  part parts[PARTS];
  full f;
  sc_arena arena = {0};
  sc_sections sections = {0};
  scree_status status = fill_copies(p, &arena, &f) ? SCREE_OK
                                                   : sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  if (!status) status = sc_section_write(&sections, "problem.head", &h, sizeof h, error);
  if (!status) list_parts(p, &f, &h, parts);
  for (int i = 0; i < PARTS && !status; i++)
    status = sc_section_write(&sections, parts[i].name, parts[i].at, parts[i].bytes, error);
  if (!status && p->couple)
    status = sc_section_write(
        &sections, "problem.couple", p->couple, (size_t)p->balls * sizeof *p->couple, error);
  if (!status && p->thirds)
    status = sc_section_write(
        &sections, "problem.third", p->third, (size_t)p->thirds * sizeof *p->third, error);
  if (!status) status = save_springs(p, &sections, &arena, error);
  if (!status) status = save_laws(p, &sections, error);
  if (!status) status = sc_sections_store(&sections, path, SC_SCHEMA_PROBLEM, 1, error);
  sc_sections_free(&sections);
  sc_arena_free(&arena);
  return status;
}

/* ---- loading ---- */

static scree_status check_head(const head *h, const sc_problem *p, scree_error *error) {
  if (h->body_size != sizeof *p->body || h->ball_size != BALL_SIZE || h->general_size != GENERAL_SIZE ||
      h->joint_row_size != sizeof *p->joint_row || h->law_params != SCREE_LAW_MAX_PARAMS ||
      (h->generals && h->layout != LAYOUT && h->layout != OLD_LAYOUT))
    return sc_fail(error, SCREE_E_FORMAT, "the problem was saved by another version");
  if (h->bodies < 1 || h->balls < 0 || h->generals < 0 || h->laws < 0 || h->joint_rows < 0 || h->par < 0 ||
      h->block < 0 || h->x < 0)
    return sc_fail(error, SCREE_E_FORMAT, "the problem has a negative count");
  return SCREE_OK;
}

static scree_status load_laws(
    sc_problem *p, int32_t count, const sc_sections *sections, sc_arena *arena, scree_error *error) {
  size_t size = 0;
  const char *names = sc_section_find(sections, "problem.laws", &size, error);
  if (!names) return SCREE_E_FORMAT;
  if ((size_t)count > size) return sc_fail(error, SCREE_E_FORMAT, "the problem names too few laws");
  p->law = SC_TAKE(arena, const sc_law *, count);
  if (!p->law) return sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  for (int32_t i = 0; i < count; i++) {
    const char *end = memchr(names, 0, size);
    if (!end) return sc_fail(error, SCREE_E_FORMAT, "the problem names too few laws");
    p->law[i] = sc_law_find(names);
    if (!p->law[i])
      return sc_fail(
          error, SCREE_E_MISSING, "the problem uses the law '%.60s', which is not built in", names);
    size -= (size_t)(end + 1 - names);
    names = end + 1;
  }
  p->laws = count;
  return SCREE_OK;
}

/* Returns whether the byte of a flag from a file is 0 or 1. Other values of a bool are undefined. */
static bool is_flag(const bool *flag) {
  unsigned char byte;
  memcpy(&byte, flag, 1);
  return byte <= 1;
}

static bool in_range(int32_t at, int64_t need, int32_t count) { return at >= 0 && at + need <= count; }

/* Returns whether every index of every contact and row lies in its array, and every joint row has a body that
 * can move. */
static bool is_consistent(const sc_problem *p, const head *h) {
  for (int32_t c = 0; c < p->balls; c++)
    if (!in_range(p->ball[c].i, 1, p->bodies) || !in_range(p->ball[c].j, 1, p->bodies)) return false;
  for (int32_t c = 0; c < p->generals; c++) {
    const sc_general_contact *g = p->general + c;
    if (!is_flag(&g->drifts) || !in_range(g->i, 1, p->bodies) || !in_range(g->j, 1, p->bodies) ||
        !in_range(g->law, 1, p->laws) || g->dim < 3 || g->dim > SCREE_LAW_MAX_DIM ||
        !in_range(g->par, SCREE_LAW_MAX_PARAMS, h->par) ||
        !in_range(g->block, (int64_t)g->dim * g->dim, h->block) || !in_range(g->x, g->dim, h->x))
      return false;
  }
  for (int32_t t = 0; t < p->thirds; t++)
    if (!in_range(p->third[t].body, 1, p->bodies)) return false;
  for (int32_t r = 0; r < p->joint_rows; r++) {
    const int32_t i = p->joint_row[r].i, j = p->joint_row[r].j;
    if (!is_flag(&p->joint_row[r].motor) || !is_flag(&p->joint_row[r].unresolved) ||
        !in_range(i, 1, p->bodies) || !in_range(j, 1, p->bodies) ||
        !(sc_problem_moves(p, i) || sc_problem_moves(p, j)) || !in_range(p->joint_row[r].third, 0, p->thirds))
      return false;
  }
  return true;
}

static bool allocate_problem(sc_problem *p, full *f, const head *h, sc_arena *arena) {
  p->bodies = h->bodies;
  p->balls = h->balls;
  p->generals = h->generals;
  p->joint_rows = h->joint_rows;
  p->dt = h->dt;
  p->gravity = h->gravity;
  p->planar = h->planar != 0;
  memcpy(p->plane, h->plane, sizeof p->plane);
  p->body = SC_TAKE(arena, sc_solver_body, h->bodies);
  f->position = sc_arena_take(arena, (size_t)h->bodies * sizeof *f->position);
  f->K = sc_arena_take(arena, (size_t)h->bodies * sizeof *f->K);
  f->ball = SC_TAKE(arena, char, (size_t)h->balls *BALL_SIZE);
  f->general = SC_TAKE(arena, char, (size_t)h->generals *GENERAL_SIZE);
  p->position = (const double(*)[3])f->position;
  p->K = SC_TAKE(arena, sc_inertia_row, h->bodies);
  p->ball = SC_TAKE(arena, sc_ball_contact, h->balls);
  p->ball_contact = SC_TAKE(arena, int32_t, h->balls);
  p->general = SC_TAKE(arena, sc_general_contact, h->generals);
  p->par = SC_TAKE(arena, double, h->par);
  p->block = SC_TAKE(arena, double, h->block);
  p->x = SC_TAKE(arena, double, h->x);
  p->joint_row = SC_TAKE(arena, sc_joint_row, h->joint_rows);
  return p->body && p->position && f->K && f->ball && f->general && p->K && p->ball && p->ball_contact &&
      p->general && p->par && p->block && p->x && p->joint_row;
}

/* Loads the moments of ball contacts if the file has any. */
static scree_status load_couples(
    sc_problem *p, const sc_sections *sections, sc_arena *arena, scree_error *error) {
  size_t size = 0, want = (size_t)p->balls * sizeof *p->couple;
  if (!sc_section_find(sections, "problem.couple", &size, NULL)) return SCREE_OK;
  if (size != want) return sc_fail(error, SCREE_E_FORMAT, "section 'problem.couple' has the wrong size");
  p->couple = SC_TAKE(arena, sc_ball_couple, p->balls);
  if (!p->couple) return sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  return sc_section_read(sections, "problem.couple", p->couple, want, error);
}

/* Loads the third bodies of joint rows if the file has any. */
static scree_status load_thirds(
    sc_problem *p, const sc_sections *sections, sc_arena *arena, scree_error *error) {
  size_t size = 0;
  if (!sc_section_find(sections, "problem.third", &size, NULL)) return SCREE_OK;
  if (size % sizeof *p->third || size / sizeof *p->third > (size_t)p->joint_rows)
    return sc_fail(error, SCREE_E_FORMAT, "section 'problem.third' has the wrong size");
  p->thirds = (int32_t)(size / sizeof *p->third);
  p->third = SC_TAKE(arena, sc_joint_third, p->thirds);
  if (!p->third) return sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  return sc_section_read(sections, "problem.third", p->third, size, error);
}

static bool is_spring(const sc_contact_spring *s) {
  return s->normal >= 0 && s->tangent >= 0 && isfinite(s->normal + s->tangent);
}

/* Copies the contacts from f to p, and loads their springs if the file has any. */
static scree_status load_contacts(
    sc_problem *p, const full *f, const sc_sections *sections, sc_arena *arena, scree_error *error) {
  const size_t count = (size_t)p->balls + (size_t)p->generals, want = count * sizeof(sc_contact_spring);
  size_t size = 0;
  memset(p->ball, 0, (size_t)p->balls * sizeof *p->ball);
  memset(p->general, 0, (size_t)p->generals * sizeof *p->general);
  copy_rows(f->ball, BALL_SIZE, p->ball, sizeof *p->ball, p->balls);
  copy_rows(f->general, GENERAL_SIZE, p->general, sizeof *p->general, p->generals);
  if (!sc_section_find(sections, "problem.spring", &size, NULL)) return SCREE_OK;
  if (size != want) return sc_fail(error, SCREE_E_FORMAT, "section 'problem.spring' has the wrong size");
  sc_contact_spring *spring = SC_TAKE(arena, sc_contact_spring, count);
  if (!spring) return sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  scree_status status = sc_section_read(sections, "problem.spring", spring, want, error);
  for (size_t c = 0; c < count && !status; c++) {
    if (!is_spring(spring + c))
      status = sc_fail(error, SCREE_E_FORMAT, "contact %zu of the problem has a spring without stiffness", c);
    if (c < (size_t)p->balls) p->ball[c].spring = spring[c];
    else p->general[c - (size_t)p->balls].spring = spring[c];
  }
  p->springs = true;
  return status;
}

/* Refuses a dump of OLD_LAYOUT if it uses a law whose parameters had another order. */
static scree_status check_layout(const sc_problem *p, const head *h, scree_error *error) {
  for (int32_t c = 0; c < p->generals && h->layout == OLD_LAYOUT; c++)
    if (!strcmp(p->law[p->general[c].law]->name, "polyhedral"))
      return sc_fail(error, SCREE_E_FORMAT,
          "the problem was saved by another version, with other parameters of the law 'polyhedral'");
  return SCREE_OK;
}

static scree_status load_problem(
    sc_problem *p, const sc_sections *sections, sc_arena *arena, scree_error *error) {
  head h;
  full f = {0};
  part parts[PARTS];
  scree_status status = sc_section_read(sections, "problem.head", &h, sizeof h, error);
  if (!status) status = check_head(&h, p, error);
  /* checks the size of every section before memory is allocated for it */
  size_t size;
  list_parts(p, &f, &h, parts);
  for (int i = 0; i < PARTS && !status; i++) {
    const void *there = sc_section_find(sections, parts[i].name, &size, error);
    if (!there) status = SCREE_E_FORMAT;
    else if (size != parts[i].bytes)
      status = sc_fail(error, SCREE_E_FORMAT, "section '%s' has the wrong size", parts[i].name);
  }
  if (!status && !allocate_problem(p, &f, &h, arena))
    status = sc_fail(error, SCREE_E_MEMORY, "problem: out of memory");
  if (!status) list_parts(p, &f, &h, parts);
  for (int i = 0; i < PARTS && !status; i++)
    status = sc_section_read(sections, parts[i].name, parts[i].at, parts[i].bytes, error);
  for (int32_t b = 0; b < p->bodies && !status; b++) memcpy(p->K[b], f.K[b], sizeof f.K[b]);
  if (!status) status = load_contacts(p, &f, sections, arena, error);
  if (!status) status = load_couples(p, sections, arena, error);
  if (!status) status = load_thirds(p, sections, arena, error);
  if (!status) status = load_laws(p, h.laws, sections, arena, error);
  if (!status && !is_consistent(p, &h))
    status = sc_fail(
        error, SCREE_E_FORMAT, "the problem points outside of itself, or joins bodies that cannot move");
  return status ? status : check_layout(p, &h, error);
}

scree_status sc_problem_load(sc_problem *problem, const char *path, sc_arena *arena, scree_error *error) {
  SC_ASSERT(problem && path && arena);
  memset(problem, 0, sizeof *problem);
  sc_sections sections;
  scree_error why = {SCREE_OK, ""};
  scree_status status = sc_sections_load(&sections, path, SC_SCHEMA_PROBLEM, error);
  if (status) return status;
  status = load_problem(problem, &sections, arena, &why);
  sc_sections_free(&sections);
  return status ? sc_fail(error, status, "%s: %.400s", path, why.text) : SCREE_OK;
}
