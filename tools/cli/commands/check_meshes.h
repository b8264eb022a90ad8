/* Meshes and hulls of a scene in the output of scree check. */
#ifndef CLI_CHECK_MESHES_H
#define CLI_CHECK_MESHES_H

#include "run/run.h"

enum { CHECK_QUESTIONS = 20, CHECK_QUESTION = 500 }; /* largest number of questions; bytes of each */

/* Writes a question for each mesh or hull whose size does not suit the grains. Returns their number. */
int check_find_questions(const sl_world *world, char text[CHECK_QUESTIONS][CHECK_QUESTION]);
/* Prints a line for each mesh of a world. */
void check_print_meshes(const sl_world *world);
/* Prints the meshes as the member "meshes" of a JSON object, with a comma before it. */
void check_put_meshes(const sl_world *world);

#endif
