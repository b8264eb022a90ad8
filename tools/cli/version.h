/* The version of the program, and the optional libraries that this build has. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* Optional libraries that are linked: 1 if this build has them. */
enum {
#ifdef SCREE_MPI
  CLI_HAS_MPI = 1,
#else
  CLI_HAS_MPI = 0,
#endif
#ifdef SCREE_EXPAT
  CLI_HAS_XML = 1
#else
  CLI_HAS_XML = 0
#endif
};

/* File names of optional libraries that are opened at their first use. NULL: this build does not use the
 * library. */
#ifndef SCREE_HDF5
#define SCREE_HDF5 NULL
#endif
#ifndef SCREE_ASSIMP
#define SCREE_ASSIMP NULL
#endif
#ifndef SCREE_HTTP
#define SCREE_HTTP NULL
#endif

/* Prints the version on stdout, as one line of text or as JSON. */
void cli_print_version(int json);

#endif
