# Files of `cmake --install`: the program, the engine's library and headers, Lua modules and annotations, scenes, the man page, completions
# for shells, and the files for pkg-config and find_package(scree). The installed tree can be moved: only the files of pkg-config and CMake name the
# prefix, and they name it relative to themselves.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
option(SCREE_DEBIAN "install what a Debian package needs besides: copyright, changelogs, compressed man page" OFF)

# The component `scree` runs scenes; `libscree_dev` is for C programs.
set(SCREE_RUN COMPONENT scree)
set(SCREE_DEV COMPONENT libscree_dev)

install(TARGETS scree_engine EXPORT scree-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${SCREE_DEV})
# `cmake --install --strip` strips programs and shared libraries only.
install(CODE "if(CMAKE_INSTALL_DO_STRIP)
  execute_process(COMMAND ${CMAKE_STRIP} -g -D \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libscree.a\")
endif()" ${SCREE_DEV})
install(DIRECTORY engine/include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${SCREE_DEV})
install(DIRECTORY lua/scree lua/meta DESTINATION ${CMAKE_INSTALL_DATADIR}/scree/lua ${SCREE_RUN})
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/scree ${SCREE_RUN})
install(FILES tools/scree_reader.py DESTINATION ${CMAKE_INSTALL_DATADIR}/scree/tools ${SCREE_RUN})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} ${SCREE_RUN})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} ${SCREE_RUN} FILES_MATCHING PATTERN "*.md" PATTERN decisions EXCLUDE
  PATTERN notebook EXCLUDE PATTERN gallery EXCLUDE PATTERN python EXCLUDE)
if(NOT SCREE_DEBIAN)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} ${SCREE_RUN})
endif()

# The program writes its man page, which has the output of --help of every command, and its completions.
set(SCREE_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "folder of completions for zsh, below the prefix")
if(TARGET scree)
  install(TARGETS scree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${SCREE_RUN})
  set(page ${CMAKE_BINARY_DIR}/scree.1)
  if(SCREE_DEBIAN)
    set(page ${page}.gz)
    set(pack | gzip -9n)
  endif()
  add_custom_command(OUTPUT ${page} DEPENDS scree tools/install/man
    COMMAND ${CMAKE_SOURCE_DIR}/tools/install/man $<TARGET_FILE:scree> ${pack} > ${page} VERBATIM)
  set(completions)
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/complete.${shell} DEPENDS scree
      COMMAND scree complete ${shell} > ${CMAKE_BINARY_DIR}/complete.${shell} VERBATIM)
    list(APPEND completions ${CMAKE_BINARY_DIR}/complete.${shell})
  endforeach()
  add_custom_target(man ALL DEPENDS ${page} ${completions})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${SCREE_RUN})
  install(FILES ${CMAKE_BINARY_DIR}/complete.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME scree ${SCREE_RUN})
  install(FILES ${CMAKE_BINARY_DIR}/complete.zsh DESTINATION ${SCREE_ZSH_DIR} RENAME _scree ${SCREE_RUN})
  install(FILES ${CMAKE_BINARY_DIR}/complete.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME scree.fish ${SCREE_RUN})
endif()

# The shared library with the header that runs scenes is a component of its own; `cmake --install` leaves it out without SCREE_SHARED.
set(SCREE_SHARED_PART COMPONENT shared)
if(NOT SCREE_SHARED)
  list(APPEND SCREE_SHARED_PART EXCLUDE_FROM_ALL)
endif()

# A C program needs only pkg-config --cflags --libs scree. With a static library scree.pc lists the libraries that scree depends on;
# a shared library contains this list itself.
file(RELATIVE_PATH SCREE_PC_UP "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
set(SCREE_PC_LIBS "-lz -lm -ldl -pthread")
if(MPI_C_FOUND)
  string(REPLACE ";" " " SCREE_PC_MPI "${MPI_C_LIBRARIES}")
  string(APPEND SCREE_PC_LIBS " ${SCREE_PC_MPI}")
endif()
configure_file(tools/install/scree.pc.in ${CMAKE_BINARY_DIR}/scree.pc @ONLY)
set(SCREE_PC_PRIVATE ${SCREE_PC_LIBS})
set(SCREE_PC_LIBS "")
configure_file(tools/install/scree.pc.in ${CMAKE_BINARY_DIR}/shared/scree.pc @ONLY)
if(NOT SCREE_SHARED)
  install(FILES ${CMAKE_BINARY_DIR}/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${SCREE_DEV})
endif()
if(TARGET scree_shared)
  install(FILES ${CMAKE_BINARY_DIR}/shared/scree.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${SCREE_SHARED_PART})
  install(TARGETS scree_shared EXPORT scree-shared-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${SCREE_SHARED_PART}
    NAMELINK_COMPONENT shared)
  install(DIRECTORY lua/include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${SCREE_SHARED_PART})
  install(EXPORT scree-shared-targets NAMESPACE scree:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/scree ${SCREE_SHARED_PART})
endif()

set(SCREE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
install(EXPORT scree-targets NAMESPACE scree:: DESTINATION ${SCREE_CMAKE_DIR} ${SCREE_DEV})
configure_package_config_file(tools/install/scree-config.cmake.in ${CMAKE_BINARY_DIR}/scree-config.cmake INSTALL_DESTINATION ${SCREE_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/scree-config.cmake ${CMAKE_BINARY_DIR}/scree-config-version.cmake DESTINATION ${SCREE_CMAKE_DIR} ${SCREE_DEV})

include(tools/install/package.cmake)
