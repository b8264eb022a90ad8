#include "view/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* The files of tools/cli/view/page, compiled into the program; a NULL name ends the list. */
typedef struct page_part {
  const char *name;
  const unsigned char *text;
  size_t count;
} page_part;
extern const page_part view_page_parts[];

const char *view_three_path(void) {
  static const char *const usual[] = {
      "/usr/share/javascript/three/three.min.js", "/usr/share/javascript/three/build/three.min.js"};
  const char *own = getenv("SCREE_THREE_JS");
  if (own && *own) return access(own, R_OK) ? NULL : own;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (!access(usual[i], R_OK)) return usual[i];
  return NULL;
}

const char *view_page_three(const char *command) {
  const char *path = view_three_path(), *own = getenv("SCREE_THREE_JS");
  if (!path && own && *own)
    cli_fail(CLI_FAILED, command, "SCREE_THREE_JS names %s, which cannot be read", own);
  else if (!path)
    cli_fail(CLI_FAILED, command,
        "three.js is not there, which draws the page: install it (Debian: apt-get install libjs-three), or "
        "name a three.min.js of release 111 in the environment variable SCREE_THREE_JS");
  return path;
}

static void put_part(view_bytes *out, const char *name) {
  for (const page_part *p = view_page_parts; p->name; p++)
    if (!strcmp(p->name, name)) view_bytes_add(out, p->text, p->count);
}

static int put_file(view_bytes *out, const char *path) {
  char block[65536];
  size_t got;
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  while ((got = fread(block, 1, sizeof block, file)) > 0) view_bytes_add(out, block, got);
  int fine = !ferror(file);
  fclose(file);
  return fine;
}

/* Appends what replaces the line {{NAME}} of page.html. Returns 0 if a file cannot be read. */
static int put_place(view_bytes *out, const char *name, const char *three, const char *data, size_t length) {
  if (!strcmp(name, "three")) return put_file(out, three);
  if (!strcmp(name, "data")) return view_bytes_add(out, data, length), 1;
  if (strcmp(name, "scripts")) return put_part(out, name), 1;
  for (const page_part *p = view_page_parts; p->name; p++) {
    size_t end = strlen(p->name);
    if (end > 3 && !strcmp(p->name + end - 3, ".js")) view_bytes_add(out, p->text, p->count);
  }
  return 1;
}

int view_page(const char *three, const char *data, size_t length, view_bytes *out) {
  view_bytes page = {0};
  put_part(&page, "page.html");
  view_bytes_add(&page, "", 1);
  const char *at = (const char *)page.at, *open, *close;
  int fine = !page.failed;
  while (fine && (open = strstr(at, "{{")) && (close = strstr(open, "}}")) && close - open < 64) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(close - open - 2), open + 2);
    view_bytes_add(out, at, (size_t)(open - at));
    fine = put_place(out, name, three, data, length);
    at = close + 2;
  }
  if (fine) view_bytes_text(out, at);
  view_bytes_free(&page);
  return fine && !out->failed;
}
