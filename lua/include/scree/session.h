/* Calling scripts' functions from another language: a host program can do what a Lua script can do.
 *
 * A session is a Lua state with the module `scree` in it. The host calls functions of the module, methods of
 * worlds, bodies and other objects, and functions of scripts. All arguments of a call are packed into one
 * block of bytes, and so are its results. The package for Python uses these functions.
 *
 * A packed value is a letter and its bytes, in the byte order of the machine:
 *
 * - n: nil
 * - t, f: true, false
 * - i INT64: a whole number
 * - d DOUBLE: a number
 * - s SIZE BYTES: a text; SIZE is an INT64
 * - v COUNT DOUBLES: a list of numbers; COUNT is an INT64
 * - T KEY VALUE ... n: a table
 * - o NUMBER s SIZE NAME: an object that the session holds: its number (INT64), and the name of its
 *   type, such as "world", "body" or ""; the host sends the name "" back
 * - h NUMBER: a function of the host (INT64); only from the host to the session
 *
 * One thread at a time may use a session. Several sessions may work at the same time. These functions print
 * nothing and never exit; functions of scripts may print. */
#ifndef SCREE_SESSION_H
#define SCREE_SESSION_H

#include "scree/scene.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_session scree_session;

/* Callback that calls a function of the host. function: its number. arguments: packed values. The host sets
 * *result and *result_size to packed values, which must stay unchanged until the next call of a function of
 * the host. A return value other than 0 raises an error in Lua, whose text is the result. */
typedef int scree_session_host(void *context, int64_t function, const void *arguments, size_t size,
    const void **result, size_t *result_size);

typedef struct scree_session_def {
  const char *library; /* folder of the bundled Lua modules, which contains the folder `scree`; NULL: none */
  const char *directory;    /* folder of files that have a relative path; NULL: the folder of the process */
  uint64_t seed;            /* seed of fills and math.random */
  scree_session_host *call; /* NULL: the host has no functions */
  /* called when Lua no longer refers to a function of the host; may be NULL */
  void (*release)(void *context, int64_t function);
  /* Receives each warning, a line without its end; NULL: warnings go to stderr. */
  void (*warn)(void *context, const char *text);
  void *context;
} scree_session_def;

/* Returns a def without folders and functions, with seed 1. */
scree_session_def scree_session_defaults(void);
/* Opens a session. Its scripts may read and write files. Returns NULL with an error. The caller closes it. */
scree_session *scree_session_open(const scree_session_def *def, scree_error *error);
/* Opens a session over the Lua state of a scene. The caller closes the session before the scene. */
scree_session *scree_scene_session(scree_scene *scene, const scree_session_def *def, scree_error *error);
/* Closes a session. Frees its worlds and other objects, except those of a scene. NULL is allowed. */
void scree_session_close(scree_session *session);

/* Operations of scree_session_call on its packed values. */
typedef enum scree_session_verb {
  SCREE_CALL,  /* object, name, arguments: calls object:name(...); object nil: scree.name(...), where name may
                * have dots; name "": calls the object itself */
  SCREE_GET,   /* object, key: returns object[key]; object nil: scree.key */
  SCREE_SET,   /* object, key, value: sets object[key] */
  SCREE_COUNT, /* object: returns #object */
  SCREE_RUN,   /* text, name, arguments: runs the text as a chunk of that name */
  SCREE_SCENE  /* no values: returns the world and the parameters of the scene */
} scree_session_verb;

/* Executes the operation `verb` with the packed values. Sets *result and *result_size to packed values. They
 * belong to the session and are valid until its next call. Returns SCREE_E_ARGUMENT for wrong values and
 * errors of scripts, or the status of the engine's error. */
scree_status scree_session_call(scree_session *session, scree_session_verb verb, const void *values,
    size_t size, const void **result, size_t *result_size, scree_error *error);
/* Calls the method step of a world. It does the same as scree_session_call, without packed values, and costs
 * what a call in Lua costs. world: number of the object. */
scree_status scree_session_step(scree_session *session, int64_t world, int64_t steps, scree_error *error);
/* Calls the method save of a world. Returns the number of the state, which the session holds; 0 with an
 * error. */
int64_t scree_session_save(scree_session *session, int64_t world, scree_error *error);
/* Calls the method restore of a world. state: number of the state. */
scree_status scree_session_restore(scree_session *session, int64_t world, int64_t state, scree_error *error);
/* Starts the random numbers of fills and math.random anew. */
void scree_session_seed(scree_session *session, uint64_t seed);
/* Releases an object: the session then no longer keeps it alive. Ignores unknown numbers. */
void scree_session_release(scree_session *session, int64_t object);
/* Returns the world behind an object, which the session owns; NULL if the object is not a world. */
scree_world *scree_session_world(scree_session *session, int64_t object);
/* Sets two numbers that are equal for two objects that Lua compares as equal, such as two handles of a body.
 * Both objects must be held. The numbers are 0 if the object does not exist. */
void scree_session_identify(scree_session *session, int64_t object, uint64_t identity[2]);
/* Returns whether the object is a world that is making a step. */
bool scree_session_is_stepping(scree_session *session, int64_t object);
/* Sets the world's own seed of fills and starts its own generator of w:random anew. Clones have copies of
 * both. Ignores an object that is not a world. */
void scree_session_seed_world(scree_session *session, int64_t object, uint64_t seed);
/* Returns the id of the first body of a world whose motion a function or a table of times prescribes; 0
 * without such a body. */
scree_id scree_session_motion(scree_session *session, int64_t object);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
