/* scree view: shows a run or a trajectory in the browser. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "view/page.h"
#include "view/server.h"

typedef struct options {
  int64_t port;
  int no_open, child;
} options;
static const cli_option table[] = {
    {"port", 'p', CLI_WHOLE, "N", offsetof(options, port), "of the address (default: any that is free)"},
    {"no-open", 0, CLI_FLAG, NULL, offsetof(options, no_open), "only prints the address, starts no browser"},
    {"child", 0, CLI_FLAG, NULL, offsetof(options, child),
        "started by scree run --view: ends with it, and the page may stop it"},
};
static const char more[] =
    "Serves a page on 127.0.0.1, for this machine alone, and prints its address: "
    "http://127.0.0.1:PORT/TOKEN. The "
    "token\nis new each time; without it nothing is shown. A run that goes on is followed as it writes. "
    "Ctrl-C "
    "ends the\nserver. docs/view.md tells what the page can do; ? in the page lists its keys.";

/* Starts the user's browser and does not wait for it. */
static void open_browser(const char *address) {
  pid_t first = fork();
  if (first < 0) return;
  if (first) return (void)waitpid(first, NULL, 0);
  if (fork()) _exit(0);
  int nowhere = open("/dev/null", O_RDWR);
  for (int i = 0; nowhere >= 0 && i < 3; i++) dup2(nowhere, i);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execlp("xdg-open", "xdg-open", address, (char *)NULL);
  _exit(127);
}

/* Serves until a signal arrives. All threads block these signals, so that this one receives them. */
static int serve_page(view_server *server, const options *o) {
  sigset_t ends;
  int signal_number;
  char address[96];
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT), sigaddset(&ends, SIGTERM), sigaddset(&ends, SIGHUP);
  if (o->child) {
    /* Ctrl-C in the terminal is meant for the run; this process ends when the run ends */
    signal(SIGINT, SIG_IGN);
    sigdelset(&ends, SIGINT);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  signal(SIGPIPE, SIG_IGN);
  sigprocmask(SIG_BLOCK, &ends, NULL);
  int code = view_server_start(server, "view");
  if (code) return code;
  snprintf(address, sizeof address, "http://127.0.0.1:%d/%s", server->port, server->token);
  puts(address);
  if (fflush(stdout))
    code = cli_fail(CLI_IO, "view", "cannot write to the standard output: %s", strerror(errno));
  if (!code && !o->no_open) open_browser(address);
  if (!code) sigwait(&ends, &signal_number);
  view_server_end(server);
  return code;
}

int cmd_view(int argc, char **argv) {
  options o = {0};
  int operands = CLI_PARSE("view", more, table, &o);
  if (operands < 0) return cli_parse_exit(operands);
  if (operands != 1) return cli_fail(CLI_USAGE, "view", "needs one RUN (its folder) or FILE (a trajectory)");
  if (o.port < 0 || o.port > 65535)
    return cli_fail(CLI_USAGE, "view", "--port must lie in [0, 65535], not %lld", (long long)o.port);
  view_source source;
  view_server server = {.source = &source, .can_stop = o.child, .port = (int)o.port};
  if (!(server.three = view_page_three("view"))) return CLI_FAILED;
  int code = view_source_open(&source, "view", argv[1]);
  if (!code) code = serve_page(&server, &o);
  if (source.reader) view_source_close(&source);
  return code;
}
