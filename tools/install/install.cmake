# Files of `cmake --install`: the program, the engine's library and headers, Lua modules and annotations, scenes, the man page, and
# the files for pkg-config and find_package(scree). The installed tree can be moved: only the files of pkg-config and CMake name the
# prefix, and they name it relative to themselves.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS scree_engine EXPORT scree-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY engine/include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY lua/scree lua/meta DESTINATION ${CMAKE_INSTALL_DATADIR}/scree/lua)
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/scree)
install(PROGRAMS tools/scree_reader.py DESTINATION ${CMAKE_INSTALL_DATADIR}/scree/tools)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The man page has the output of --help of every command.
if(TARGET scree)
  install(TARGETS scree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/scree.1 DEPENDS scree tools/install/man
    COMMAND ${CMAKE_SOURCE_DIR}/tools/install/man $<TARGET_FILE:scree> > ${CMAKE_BINARY_DIR}/scree.1 VERBATIM)
  add_custom_target(man ALL DEPENDS ${CMAKE_BINARY_DIR}/scree.1)
  install(FILES ${CMAKE_BINARY_DIR}/scree.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# The shared library with the header that runs scenes is a component of its own; `cmake --install` leaves it out without SCREE_SHARED.
set(SCREE_SHARED_PART COMPONENT shared)
if(NOT SCREE_SHARED)
  list(APPEND SCREE_SHARED_PART EXCLUDE_FROM_ALL)
endif()

# A C program needs only pkg-config --cflags --libs scree. With a static library scree.pc lists the libraries that scree depends on;
# a shared library contains this list itself.
file(RELATIVE_PATH SCREE_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(SCREE_PC_LIBS "-lz -lm -pthread")
if(MPI_C_FOUND)
  string(REPLACE ";" " " SCREE_PC_MPI "${MPI_C_LIBRARIES}")
  string(APPEND SCREE_PC_LIBS " ${SCREE_PC_MPI}")
endif()
if(HDF5_FOUND)
  string(REPLACE ";" " " SCREE_PC_HDF5 "${HDF5_C_LIBRARIES}")
  string(APPEND SCREE_PC_LIBS " ${SCREE_PC_HDF5}")
endif()
if(ASSIMP_FOUND)
  string(APPEND SCREE_PC_LIBS " -ldl")
endif()
configure_file(tools/install/scree.pc.in ${CMAKE_BINARY_DIR}/scree.pc @ONLY)
set(SCREE_PC_PRIVATE ${SCREE_PC_LIBS})
set(SCREE_PC_LIBS "")
configure_file(tools/install/scree.pc.in ${CMAKE_BINARY_DIR}/shared/scree.pc @ONLY)
if(NOT SCREE_SHARED)
  install(FILES ${CMAKE_BINARY_DIR}/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(TARGET scree_shared)
  install(FILES ${CMAKE_BINARY_DIR}/shared/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${SCREE_SHARED_PART})
  install(TARGETS scree_shared EXPORT scree-shared-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${SCREE_SHARED_PART}
    NAMELINK_COMPONENT shared)
  install(DIRECTORY lua/include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${SCREE_SHARED_PART})
  install(EXPORT scree-shared-targets NAMESPACE scree:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree ${SCREE_SHARED_PART})
endif()

set(SCREE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
install(EXPORT scree-targets NAMESPACE scree:: DESTINATION ${SCREE_CMAKE_DIR})
configure_package_config_file(tools/install/scree-config.cmake.in ${CMAKE_BINARY_DIR}/scree-config.cmake INSTALL_DESTINATION ${SCREE_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/scree-config.cmake ${CMAKE_BINARY_DIR}/scree-config-version.cmake DESTINATION ${SCREE_CMAKE_DIR})
