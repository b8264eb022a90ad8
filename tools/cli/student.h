/* Student's t distribution. */
#ifndef CLI_STUDENT_H
#define CLI_STUDENT_H

#include <stdint.h>

/* Returns the t within which the mean of `values` values (at least 2) lies with 95 % probability, in standard
 * errors. */
double cli_student(int64_t values);

#endif
