/* One thread answers the requests in turn, so the reader of the trajectory needs no lock.
 *
 * Access: the socket listens only on 127.0.0.1. The Host header must name this address, which excludes
 * pages of other sites that make their name resolve to it. The path must begin with the token, which is
 * new at every start. A request that changes something must be a POST from the page's own origin. */
#include "view/server.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli.h"
#include "view/page.h"

/* ---- libmicrohttpd, opened when the server starts ---- */

/* Functions of libmicrohttpd, without the prefix MHD_. */
#define HTTP_FUNCTIONS(F) \
  F(create_response_from_buffer) \
  F(add_response_header) \
  F(queue_response) \
  F(destroy_response) \
  F(lookup_connection_value) \
  F(get_connection_info) \
  F(set_connection_option) \
  F(start_daemon) \
  F(get_daemon_info) \
  F(stop_daemon)

static struct {
#define MEMBER(name) __typeof__(MHD_##name) *name;
  HTTP_FUNCTIONS(MEMBER)
#undef MEMBER
} http;

/* Opens libmicrohttpd and sets `http`. Returns CLI_OK, or an exit code after printing a message. */
static int open_library(const char *command) {
  static const char *const names[] = {
#define NAME(name) "MHD_" #name,
      HTTP_FUNCTIONS(NAME)
#undef NAME
  };
  enum { NAMES = sizeof names / sizeof *names };
  void *found[NAMES], *library = dlopen(SCREE_HTTP, RTLD_NOW | RTLD_LOCAL);
  const char *why = library ? NULL : dlerror();
  for (int i = 0; !why && i < NAMES; i++)
    if (!(found[i] = dlsym(library, names[i]))) why = names[i];
  if (why)
    return cli_fail(
        CLI_FAILED, command, "needs libmicrohttpd (Debian: libmicrohttpd12), but %s: %s", SCREE_HTTP, why);
  memcpy(&http, found, sizeof http);
  return CLI_OK;
}

/* ---- answers ---- */

typedef struct answer {
  int status;
  const char *type;
  view_bytes body;
} answer;

static const char text_type[] = "text/plain; charset=utf-8";
static const char numbers_type[] = "application/octet-stream";

static void set_answer(answer *a, int status, const char *text) {
  a->status = status, a->type = text_type;
  a->body.count = 0;
  view_bytes_text(&a->body, text);
  view_bytes_text(&a->body, "\n");
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, answer *a) {
  static const char *const heads[][2] = {{"X-Content-Type-Options", "nosniff"}, {"Cache-Control", "no-store"},
      {"Referrer-Policy", "no-referrer"}, {"X-Frame-Options", "DENY"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Content-Security-Policy",
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data: "
          "blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}};
  if (a->body.failed) view_bytes_free(&a->body), set_answer(a, 500, "no memory");
  struct MHD_Response *response = http.create_response_from_buffer(
      a->body.count, a->body.at, MHD_RESPMEM_MUST_FREE);
  if (!response) return view_bytes_free(&a->body), MHD_NO;
  http.add_response_header(response, "Content-Type", a->type);
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    http.add_response_header(response, heads[i][0], heads[i][1]);
  if (a->status == 405) http.add_response_header(response, "Allow", "GET, HEAD, POST");
  enum MHD_Result result = http.queue_response(connection, (unsigned)a->status, response);
  http.destroy_response(response);
  return result;
}

/* ---- arguments ---- */

/* Returns a whole number of the query, or `missing` if it is absent. Clears *fine if it is not a number. */
static int64_t read_query_number(struct MHD_Connection *c, const char *name, int64_t missing, int *fine) {
  const char *text = http.lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
  char *end;
  if (!text) return missing;
  errno = 0;
  int64_t value = strtoll(text, &end, 10);
  if (!*text || *end || errno) *fine = 0;
  return value;
}

static uint64_t read_hexadecimal(struct MHD_Connection *c, const char *name, int *fine) {
  const char *text = http.lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
  char *end;
  if (!text) return 0;
  uint64_t value = strtoull(text, &end, 16);
  if (!*text || *end || *text == '-') *fine = 0;
  return value;
}

/* ---- handlers; each returns 0 or the status of a refusal ---- */

typedef struct request {
  view_server *server;
  struct MHD_Connection *connection;
  const char *rest; /* the path after the name of the route */
  answer *answer;
} request;

static int give_page(const request *q) {
  q->answer->type = "text/html; charset=utf-8";
  if (view_page(q->server->three, "", 0, &q->answer->body)) return 0;
  q->answer->body.count = 0;
  view_bytes_text(&q->answer->body, "three.js cannot be read");
  return 500;
}

static int give_about(const request *q) {
  q->answer->type = "application/json";
  return view_source_about(q->server->source, q->server->can_stop, &q->answer->body);
}

static int give_times(const request *q) {
  int fine = 1;
  int64_t from = read_query_number(q->connection, "from", 0, &fine);
  return fine ? view_source_times(q->server->source, from, &q->answer->body) : 400;
}

static int give_frame(const request *q) {
  int fine = 1;
  int64_t number = read_query_number(q->connection, "number", 0, &fine);
  int64_t fields = read_query_number(q->connection, "fields", SCREE_FIELD_DEFAULT, &fine);
  uint64_t roster = read_hexadecimal(q->connection, "roster", &fine);
  return fine ? view_source_frame(q->server->source, number, (int)(fields & 31), roster, &q->answer->body)
              : 400;
}

static int give_sample(const request *q) {
  int fine = 1;
  int64_t number = read_query_number(q->connection, "number", 0, &fine);
  int64_t fields = read_query_number(q->connection, "fields", SCREE_FIELD_DEFAULT, &fine);
  int64_t most = read_query_number(q->connection, "most", 50000, &fine);
  return fine ? view_source_sample(q->server->source, number, (int)(fields & 31), most, &q->answer->body)
              : 400;
}

static int give_geometry(const request *q) {
  int fine = 1;
  int64_t number = read_query_number(q->connection, "number", -1, &fine);
  return fine ? view_source_geometry(q->server->source, number, &q->answer->body) : 400;
}

static int give_history(const request *q) {
  int fine = 1;
  uint64_t body = read_hexadecimal(q->connection, "body", &fine);
  int64_t from = read_query_number(q->connection, "from", 0, &fine),
          count = read_query_number(q->connection, "count", 64, &fine);
  int64_t step = read_query_number(q->connection, "step", 1, &fine);
  return fine ? view_source_history(q->server->source, body, from, count, step, &q->answer->body) : 400;
}

static int give_table(const request *q) {
  enum { TABLE_MOST = 64 << 20 };
  int status = view_source_table(q->server->source, q->rest, TABLE_MOST, &q->answer->body);
  q->answer->type = text_type;
  return status;
}

/* Stops the run. Signals it only once, because a second signal would stop it without a checkpoint. */
static int stop_run(const request *q) {
  static pid_t parent;
  if (!q->server->can_stop) return view_bytes_text(&q->answer->body, "this page cannot stop a run"), 403;
  if (!parent) parent = getppid(), kill(parent, SIGTERM);
  view_bytes_text(&q->answer->body, "the run stops after its present step, with a checkpoint");
  return 0;
}

static const struct route {
  const char *name;
  const char *method;
  int (*give)(const request *q);
} routes[] = {{"", "GET", give_page}, {"about", "GET", give_about}, {"times", "GET", give_times},
    {"frame", "GET", give_frame}, {"sample", "GET", give_sample}, {"geometry", "GET", give_geometry},
    {"history", "GET", give_history}, {"table", "GET", give_table}, {"stop", "POST", stop_run}};

/* Returns the route that the next part of the path names; *rest: the path after it. NULL if there is none. */
static const struct route *find_route(const char *path, const char **rest) {
  size_t length = strcspn(path, "/");
  *rest = path[length] ? path + length + 1 : path + length;
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
    if (strlen(routes[i].name) == length && !memcmp(routes[i].name, path, length)) return routes + i;
  return NULL;
}

/* ---- access ---- */

static int names_us(const view_server *server, const char *text, const char *prefix) {
  static const char *const hosts[] = {"127.0.0.1", "localhost"};
  char wanted[64];
  for (int i = 0; text && i < 2; i++) {
    snprintf(wanted, sizeof wanted, "%s%s:%d", prefix, hosts[i], server->port);
    if (!strcmp(text, wanted)) return 1;
  }
  return 0;
}

/* Returns the path after /TOKEN: "" or a text that begins with a slash; NULL without the token. The time
 * does not depend on where the token is wrong. */
static const char *behind_token(const view_server *server, const char *path) {
  size_t length = strlen(server->token);
  if (strlen(path) < length + 1 || path[0] != '/') return NULL;
  unsigned char wrong = 0;
  for (size_t i = 0; i < length; i++) wrong |= (unsigned char)(path[1 + i] ^ server->token[i]);
  path += 1 + length;
  return wrong || (*path && *path != '/') ? NULL : path;
}

static int socket_of(struct MHD_Connection *c) {
  const union MHD_ConnectionInfo *info = http.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? (int)info->connect_fd : -1;
}

static void forget_waiting(view_server *server, int fd) {
  int count = 0;
  for (int i = 0; i < server->waiting_count; i++)
    if (server->waiting[i] != fd) server->waiting[count++] = server->waiting[i];
  server->waiting_count = count;
}

/* Records connections as they open and close. If too many have no token, closes the oldest of these. */
static void on_connection(
    void *context, struct MHD_Connection *c, void **own, enum MHD_ConnectionNotificationCode code) {
  view_server *server = context;
  int fd = socket_of(c);
  (void)own;
  forget_waiting(server, fd);
  if (code != MHD_CONNECTION_NOTIFY_STARTED) return;
  server->waiting[server->waiting_count++] = fd;
  if (server->waiting_count <= VIEW_WAITING) return;
  shutdown(server->waiting[0], SHUT_RDWR);
  forget_waiting(server, server->waiting[0]);
}

/* Lets a connection that has shown the token be idle for a minute. */
static void admit_connection(view_server *server, struct MHD_Connection *c) {
  forget_waiting(server, socket_of(c));
  http.set_connection_option(c, MHD_CONNECTION_OPTION_TIMEOUT, 60u);
}

static void answer_request(
    view_server *server, struct MHD_Connection *c, const char *path, const char *method, answer *a) {
  const char *host = http.lookup_connection_value(c, MHD_HEADER_KIND, "Host"), *rest;
  const char *origin = http.lookup_connection_value(c, MHD_HEADER_KIND, "Origin");
  if (!names_us(server, host, ""))
    return set_answer(a, 403, "this address answers to 127.0.0.1 and localhost only");
  if (!(path = behind_token(server, path))) return set_answer(a, 403, "the address needs its token");
  admit_connection(server, c);
  int get = !strcmp(method, "GET") || !strcmp(method, "HEAD"), post = !strcmp(method, "POST");
  if (!get && !post) return set_answer(a, 405, "only GET, HEAD and POST");
  if (post && origin && !names_us(server, origin, "http://")) return set_answer(a, 403, "another page asks");
  const struct route *route = find_route(*path ? path + 1 : path, &rest);
  if (!route || (*rest && route->give != give_table))
    return set_answer(a, 404, "there is no such thing here");
  if (strcmp(route->method, post ? "POST" : "GET")) return set_answer(a, 405, "the other method");
  a->status = 200, a->type = numbers_type;
  int refused = route->give(&(request){server, c, rest, a});
  if (refused) {
    a->status = refused, a->type = text_type;
    if (!a->body.count) view_bytes_text(&a->body, "a parameter is not a number");
  }
}

/* Handles a request. The first call has only the headers; a body is discarded. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *c, const char *path,
    const char *method, const char *version, const char *upload, size_t *upload_size, void **state) {
  (void)version, (void)upload;
  if (!*state) return *state = context, MHD_YES;
  if (*upload_size) return *upload_size = 0, MHD_YES;
  answer a = {0};
  answer_request(context, c, path, method, &a);
  return send_answer(c, &a);
}

/* ---- start and end ---- */

static int make_token(char token[33]) {
  unsigned char bits[16];
  if (getrandom(bits, sizeof bits, 0) != sizeof bits) return 0;
  for (int i = 0; i < 16; i++) snprintf(token + 2 * i, 3, "%02x", bits[i]);
  return 1;
}

static void be_silent(void *context, const char *format, va_list args) {
  (void)context, (void)format, (void)args;
}

int view_server_start(view_server *server, const char *command) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int code = open_library(command);
  if (code) return code;
  if (!make_token(server->token)) return cli_fail(CLI_FAILED, command, "the machine gives no random numbers");
  server->daemon = http.start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ERROR_LOG,
      (uint16_t)server->port, NULL, NULL, on_request, server, MHD_OPTION_EXTERNAL_LOGGER, be_silent, NULL,
      MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)VIEW_CONNECTIONS,
      MHD_OPTION_CONNECTION_TIMEOUT, 1u, MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768, MHD_OPTION_END);
  if (!server->daemon)
    return cli_fail(CLI_IO, command, "cannot serve on 127.0.0.1:%d: %s", server->port,
        errno ? strerror(errno) : "the port is taken");
  const union MHD_DaemonInfo *info = http.get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
  if (info) server->port = info->port;
  return CLI_OK;
}

void view_server_end(view_server *server) {
  if (server->daemon) http.stop_daemon(server->daemon);
  server->daemon = NULL;
}
