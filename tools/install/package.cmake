# Debian packages by CPack: `scree` (program, scenes, documentation) and `libscree-dev` (static library, headers). tools/package builds
# them. SCREE_DEBIAN adds the files that Debian's policy asks for.
set(SCREE_PACKAGE_VERSION ${PROJECT_VERSION} CACHE STRING "version of the packages")
set(SCREE_PACKAGE_DATE "" CACHE STRING "date of the Debian changelog, in the form of date -R")
set(SCREE_PACKAGE_MAINTAINER "The scree authors <scree@example.org>" CACHE STRING "name and mail address of who makes the packages")

if(SCREE_DEBIAN)
  foreach(package scree libscree-dev)
    set(folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
    string(REPLACE - _ component ${package})
    set(SCREE_PACKAGE ${package})
    configure_file(tools/install/debian/changelog.in ${CMAKE_BINARY_DIR}/debian/${package}/changelog.Debian @ONLY)
    foreach(file ${CMAKE_BINARY_DIR}/debian/${package}/changelog.Debian ${CMAKE_SOURCE_DIR}/docs/changelog.md)
      get_filename_component(name ${file} NAME)
      string(REPLACE .md "" name ${name})
      set(packed ${CMAKE_BINARY_DIR}/debian/${package}/${name}.gz)
      execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${packed} COMMAND_ERROR_IS_FATAL ANY)
      install(FILES ${packed} DESTINATION ${folder} COMPONENT ${component})
    endforeach()
    install(FILES tools/install/debian/copyright DESTINATION ${folder} COMPONENT ${component})
  endforeach()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${SCREE_PACKAGE_VERSION})
set(CPACK_PACKAGE_VENDOR "The scree authors")
set(CPACK_PACKAGE_CONTACT ${SCREE_PACKAGE_MAINTAINER})
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL scree libscree_dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_SCREE_PACKAGE_NAME scree)
set(CPACK_DEBIAN_SCREE_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SCREE_PACKAGE_SHLIBDEPS ON)
# dpkg-shlibdeps does not find libraries that scree opens at their first use. SCREE_*_PACKAGE: the Debian package of such a library.
foreach(part HDF5 HTTP ASSIMP)
  if(SCREE_DEBIAN AND ${part}_NAME)
    get_filename_component(file ${${part}_FILE} REALPATH)
    execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE owner COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "[:,].*" "" SCREE_${part}_PACKAGE "${owner}")
  endif()
endforeach()
string(JOIN ", " CPACK_DEBIAN_SCREE_PACKAGE_DEPENDS ${SCREE_HDF5_PACKAGE} ${SCREE_HTTP_PACKAGE})
set(CPACK_DEBIAN_SCREE_PACKAGE_RECOMMENDS "gnuplot-nox, libjs-three")
string(JOIN ", " CPACK_DEBIAN_SCREE_PACKAGE_SUGGESTS ffmpeg ${SCREE_ASSIMP_PACKAGE} python3-numpy)
set(CPACK_DEBIAN_SCREE_DESCRIPTION "simulation of rigid bodies in hard frictional contact
Scree simulates grains, blocks and mechanisms that touch with friction. Scenes are
written in Lua, experiments in YAML. Results have the same bits in every run, for any
number of threads.")

# The static library does not name the libraries that it needs, so the list is written here.
if(MPI_C_FOUND)
  set(SCREE_MPI_PACKAGE libopenmpi-dev)
endif()
string(JOIN ", " SCREE_DEV_DEPENDS libc6-dev zlib1g-dev ${SCREE_MPI_PACKAGE} ${SCREE_HDF5_PACKAGE})
set(CPACK_DEBIAN_LIBSCREE_DEV_PACKAGE_NAME libscree-dev)
set(CPACK_DEBIAN_LIBSCREE_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBSCREE_DEV_PACKAGE_DEPENDS ${SCREE_DEV_DEPENDS})
set(CPACK_DEBIAN_LIBSCREE_DEV_PACKAGE_SUGGESTS scree)
set(CPACK_DEBIAN_LIBSCREE_DEV_DESCRIPTION "simulation of rigid bodies in contact: static library and headers
Scree simulates grains, blocks and mechanisms that touch with friction. This package
has the engine as a library for C, with files for pkg-config and CMake.")
include(CPack)
