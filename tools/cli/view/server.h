/* The page's server: HTTP on the loopback address, for whoever knows the token. */
#ifndef VIEW_SERVER_H
#define VIEW_SERVER_H

#include "view/source.h"

typedef struct view_server {
  view_source *source;
  const char *three; /* path of three.min.js */
  int can_stop;      /* the process that started this one is a run, which the page may stop */
  int port;          /* 0: any that is free */
  char token[33];    /* 128 random bits */
  void *daemon;
} view_server;

/* Starts serving in a thread of its own; port and token are filled. An exit code, after a message. */
int view_server_start(view_server *server, const char *command);
void view_server_end(view_server *server);

#endif
