# SPDX-License-Identifier: BSD-3-Clause
# The Debian package paraview-tessera, by CPack: packaging/deb.sh builds it. It holds the plugin's
# components and nothing else.
find_program(TESSERA_DPKG_SHLIBDEPS dpkg-shlibdeps)
find_program(TESSERA_GZIP gzip)
mark_as_advanced(TESSERA_DPKG_SHLIBDEPS TESSERA_GZIP)
if(NOT TESSERA_DPKG_SHLIBDEPS OR NOT TESSERA_GZIP)
  return()
endif()

# Icons are SVG, ParaView's own as well, and its package does not ask for what reads them.
if(PARAVIEW_QT_MAJOR_VERSION GREATER 5)
  set(icons qt6-svg-plugins)
else()
  set(icons libqt5svg5)
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-paraview, ${icons}")

# A plugin loads into the version of ParaView that it was built with and no other. Debian's ParaView
# says so to dpkg-shlibdeps: paraview (>= 5.11.0+dfsg), paraview (<< 5.11.0+dfsg.).
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
    "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/Tessera")
set(CPACK_DEBIAN_PACKAGE_NAME paraview-tessera)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Tessera developers <tessera@localhost.localdomain>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "adaptive curves, grids and points for ParaView")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Filters that make things fine where the data change and coarse where they
do not: polylines and curve cells become polylines that follow the curves
within an error, grids become grids that keep the data within an error,
points become quadtrees and octrees, tracks, or discs in an image. They run
in the ParaView GUI, in pvpython, in pvbatch and under MPI.")

# What every Debian package holds beside its files.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "^.*(Redistribution and use.*)\n$" "\\1" license "${license}")
string(REGEX REPLACE "\n" "\n " license " ${license}")
string(REPLACE "\n \n" "\n .\n" license "${license}")
configure_file(deb/copyright.in copyright @ONLY)
set(documents "${CMAKE_CURRENT_BINARY_DIR}/copyright")
foreach(pair CHANGELOG.md:changelog packaging/deb/changelog:changelog.Debian)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 from)
  list(GET pair 1 to)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${from}")
  execute_process(
    COMMAND "${TESSERA_GZIP}" -9nc "${PROJECT_SOURCE_DIR}/${from}"
    OUTPUT_FILE "${CMAKE_CURRENT_BINARY_DIR}/${to}.gz" COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND documents "${CMAKE_CURRENT_BINARY_DIR}/${to}.gz")
endforeach()
install(
  FILES ${documents}
  DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/paraview-tessera"
  COMPONENT debian
  EXCLUDE_FROM_ALL)
install(
  FILES deb/lintian-overrides
  DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides"
  RENAME paraview-tessera
  COMPONENT debian
  EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX "${ParaView_PREFIX_PATH}")
set(CPACK_COMPONENTS_ALL paraview_plugins runtime Unspecified debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_SOURCE_GENERATOR "") # the sources are what git holds
include(CPack)
