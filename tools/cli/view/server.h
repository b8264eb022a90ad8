/* The server of the page: HTTP on the loopback address, for clients that know the token. */
#ifndef VIEW_SERVER_H
#define VIEW_SERVER_H

#include "view/source.h"

/* Connections without the token that may be open at a time. A further one closes the oldest of them, so that
 * silent connections cannot keep out the holder of the token. */
enum { VIEW_WAITING = 32, VIEW_CONNECTIONS = 2 * VIEW_WAITING };

/* A server. Set source, three, can_stop and port before the start. */
typedef struct view_server {
  view_source *source;
  const char *three; /* path of the file three.min.js */
  int can_stop;      /* 1: the parent process is a run, which the page may stop */
  int port;          /* port to listen on; 0: any free port */
  char token[33];    /* secret of the address: 128 random bits as text */
  void *daemon;
  int waiting[VIEW_WAITING + 1]; /* sockets of connections that have not shown the token, oldest first */
  int waiting_count;
} view_server;

/* Starts to serve in a new thread; sets port and token. Returns an exit code after a message. */
int view_server_start(view_server *server, const char *command);
/* Ends the thread and closes all connections. */
void view_server_end(view_server *server);

#endif
