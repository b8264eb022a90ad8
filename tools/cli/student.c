#include "student.h"

double cli_student(int64_t values) {
  static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201,
      2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
      2.052, 2.048, 2.045};
  const double z = 1.959964; /* 97.5th percentile of the normal distribution */
  const int64_t freedom = values < 2 ? 1 : values - 1;
  return freedom <= (int64_t)(sizeof t / sizeof *t) ? t[freedom - 1]
                                                    : z + (z * z * z + z) / (4 * (double)freedom);
}
