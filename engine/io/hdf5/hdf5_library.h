/* Functions and variables of the HDF5 library that the engine uses. The engine opens the library when it
 * reads or writes an HDF5 file, because a linked HDF5 would make every start of a program slower. */
#ifndef SC_HDF5_LIBRARY_H
#define SC_HDF5_LIBRARY_H

#include <hdf5.h>
#include "base/base.h"

/* Functions of HDF5, without the prefix H5. */
#define SC_HDF5_FUNCTIONS(F) \
  F(dont_atexit) \
  F(open) \
  F(Eset_auto2) \
  F(Fopen) \
  F(Fcreate) \
  F(Fflush) \
  F(Fclose) \
  F(Lexists) \
  F(Gcreate2) \
  F(Gclose) \
  F(Dopen2) \
  F(Dcreate2) \
  F(Dget_space) \
  F(Dset_extent) \
  F(Dread) \
  F(Dwrite) \
  F(Dclose) \
  F(Screate) \
  F(Screate_simple) \
  F(Sget_simple_extent_npoints) \
  F(Sselect_hyperslab) \
  F(Sclose) \
  F(Pcreate) \
  F(Pset_chunk) \
  F(Pset_shuffle) \
  F(Pset_deflate) \
  F(Pclose) \
  F(Tcopy) \
  F(Tset_size) \
  F(Tget_size) \
  F(Tclose) \
  F(Acreate2) \
  F(Awrite) \
  F(Aclose)

/* Variables of HDF5 with the ids of types and property classes. Each row has the member of sc_hdf5 and the
 * name of the variable. HDF5 sets these variables when it starts. */
#define SC_HDF5_IDS(F) \
  F(native_int, H5T_NATIVE_INT_g) \
  F(native_int64, H5T_NATIVE_INT64_g) \
  F(native_uint8, H5T_NATIVE_UINT8_g) \
  F(native_float, H5T_NATIVE_FLOAT_g) \
  F(native_double, H5T_NATIVE_DOUBLE_g) \
  F(u8le, H5T_STD_U8LE_g) \
  F(i32le, H5T_STD_I32LE_g) \
  F(i64le, H5T_STD_I64LE_g) \
  F(f32le, H5T_IEEE_F32LE_g) \
  F(f64le, H5T_IEEE_F64LE_g) \
  F(text, H5T_C_S1_g) \
  F(dataset_create, H5P_CLS_DATASET_CREATE_ID_g)

/* Functions of the open library, and the ids of types and property classes. */
typedef struct sc_hdf5 {
#define SC_HDF5_MEMBER(name) __typeof__(H5##name) *name;
  SC_HDF5_FUNCTIONS(SC_HDF5_MEMBER)
#undef SC_HDF5_MEMBER
#define SC_HDF5_MEMBER(name, variable) hid_t name;
  SC_HDF5_IDS(SC_HDF5_MEMBER)
#undef SC_HDF5_MEMBER
} sc_hdf5;

/* Modes of Fopen and Fcreate. HDF5's own macros H5F_ACC_RDONLY and H5F_ACC_TRUNC have these values. The
 * engine cannot use the macros, because they call a function of HDF5. */
enum { SC_HDF5_READ = 0, SC_HDF5_TRUNCATE = 2 };

/* Opens HDF5, sets *out, and switches the messages of HDF5 off. Returns SCREE_E_MISSING if HDF5 cannot be
 * opened. user: first words of the error, such as "FCLib files". */
scree_status sc_hdf5_open(sc_hdf5 *out, const char *user, scree_error *error);

#endif
