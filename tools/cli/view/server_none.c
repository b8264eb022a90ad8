/* Replacement of server.c in builds without libmicrohttpd. */
#include "view/server.h"

#include "cli.h"

int view_server_start(view_server *server, const char *command) {
  (void)server;
  return cli_fail(CLI_FAILED, command,
      "this build has no HTTP server: install libmicrohttpd (Debian: apt-get install libmicrohttpd-dev) and "
      "build again, or write a page that needs none: scree export RUN --format html -o run.html");
}

void view_server_end(view_server *server) { (void)server; }
