/* Clips edges of a polygon by a rectangle about the origin, over vectors of lanes
 * (math/lanes/lane_vector.h).
 *
 * The rectangle has two sides perpendicular to each axis. An edge can only enter by one of the two and
 * leave by the other (Liang & Barsky 1984). The edge is inside from the later of its two entries to the
 * earlier of its two exits. */

/* The elements of sc_inside for one edge. */
typedef struct crossed {
  VEC from, to, in, out, inset;
} crossed;

/* Clips edges from p to q along one axis by the sides at -half and half. low, high: numbers of these
 * sides. */
static inline crossed clip_axis(VEC half, VEC p, VEC q, VEC low, VEC high) {
  const VEC zero = splat(0);
  const MASK back = (MASK)(q < p), turn = back & INT64_MIN;
  const VEC along_p = (VEC)((MASK)p ^ turn), along_q = (VEC)((MASK)q ^ turn);
  const VEC enter_p = half + along_p, enter_q = half + along_q, leave_p = half - along_p,
            leave_q = half - along_q,
            from = choose((MASK)(enter_q < zero), splat(3), enter_p / (enter_p - enter_q)),
            to = choose((MASK)(leave_p < zero), splat(-2), leave_p / (leave_p - leave_q));
  return (crossed){choose((MASK)(enter_p < zero), from, splat(-1)),
      choose((MASK)(leave_q < zero), to, splat(2)), choose(back, high, low), choose(back, low, high),
      smaller(enter_p, leave_p)};
}

static inline crossed clip_edge(const VEC half[2], VEC px, VEC py, VEC qx, VEC qy) {
  const crossed x = clip_axis(half[0], px, qx, splat(3), splat(1)),
                y = clip_axis(half[1], py, qy, splat(0), splat(2));
  return (crossed){larger(x.from, y.from), smaller(x.to, y.to), choose((MASK)(x.from > y.from), x.in, y.in),
      choose((MASK)(x.to < y.to), x.out, y.out), smaller(x.inset, y.inset)};
}
