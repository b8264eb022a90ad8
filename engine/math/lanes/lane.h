/* Lanes: SC_LANES items, for example contacts, are computed together with SIMD instructions. An sc_lane has
 * one number of each item. */
#ifndef SC_LANE_H
#define SC_LANE_H

enum { SC_LANES = 8 };
typedef double sc_lane[SC_LANES];

#endif
