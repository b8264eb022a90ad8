/* The version of the program, and the optional libraries that this build has. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* Optional libraries: 1 if this build has them. */
enum {
#ifdef SCREE_HAS_MPI_C
  CLI_HAS_MPI = 1,
#else
  CLI_HAS_MPI = 0,
#endif
#ifdef SCREE_HAS_HDF5
  CLI_HAS_HDF5 = 1,
#else
  CLI_HAS_HDF5 = 0,
#endif
#ifdef SCREE_HAS_ASSIMP
  CLI_HAS_ASSIMP = 1,
#else
  CLI_HAS_ASSIMP = 0,
#endif
#ifdef SCREE_HTTP
  CLI_HAS_HTTP = 1,
#else
  CLI_HAS_HTTP = 0,
#endif
#ifdef SCREE_EXPAT
  CLI_HAS_XML = 1
#else
  CLI_HAS_XML = 0
#endif
};

/* Prints the version on stdout, as one line of text or as JSON. */
void cli_print_version(int json);

#endif
