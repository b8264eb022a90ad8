#include "student.h"

double cli_student(int64_t values) {
  static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
  const int64_t last = (int64_t)(sizeof t / sizeof *t) - 1, at = values < 2 ? 0 : values - 2;
  return at < last ? t[at] : 2;
}
