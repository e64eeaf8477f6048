# SPDX-License-Identifier: BSD-3-Clause
# Included by the root, after ParaView is found: the pages of ParaView's own help, and the icons.
#
# ParaView's macros make a plugin's help with Qt's development files and xmlpatterns, of the XML alone.
# The two functions below take the place of those that they call: ours makes the pages of docs/ as
# well, and needs Python and qhelpgenerator only. Without these there is no help, and all else is as
# it was.
find_package(Python3 COMPONENTS Interpreter)
find_program(
  TESSERA_QHELPGENERATOR
  NAMES qhelpgenerator qhelpgenerator6 qhelpgenerator-qt6 qhelpgenerator-qt5
  HINTS /usr/lib/qt6/libexec /usr/lib/qt6/bin /usr/lib/qt5/bin)
mark_as_advanced(TESSERA_QHELPGENERATOR)
set(TESSERA_NO_HELP ON)
# The macros of ParaView 5.13 take no help where it is built with Qt 6, and warn of it.
if(ParaView_VERSION VERSION_LESS 6.0 AND PARAVIEW_QT_MAJOR_VERSION GREATER 5)
  message(STATUS "Tessera: ParaView ${ParaView_VERSION} with Qt 6 takes no help from plugins")
  return()
endif()
if(Python3_FOUND AND TESSERA_QHELPGENERATOR AND PARAVIEW_USE_QT)
  execute_process(COMMAND "${TESSERA_QHELPGENERATOR}" -v RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(TESSERA_NO_HELP OFF)
  endif()
endif()
if(TESSERA_NO_HELP)
  message(STATUS "Tessera: no Python or no qhelpgenerator; leaving out the pages of ParaView's help")
  return()
endif()

# Of what paraview_add_plugin gives: TARGET, which has to be there afterwards, and XMLS.
function(paraview_client_documentation)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;OUTPUT_DIR" "XMLS")
  add_custom_target("${arg_TARGET}")
  set_property(GLOBAL PROPERTY tessera_help_xmls ${arg_XMLS})
endfunction()

# TARGET, which makes the file; OUTPUT_PATH names the variable that receives where it is.
function(paraview_client_generate_help)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;OUTPUT_DIR;OUTPUT_PATH" "")
  get_property(xmls GLOBAL PROPERTY tessera_help_xmls)
  set(make "${PROJECT_SOURCE_DIR}/packaging/help/make_help.py")
  set(output "${arg_OUTPUT_DIR}/${arg_NAME}.qch")
  file(GLOB docs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md" "${PROJECT_SOURCE_DIR}/docs/*.png")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${arg_OUTPUT_DIR}"
    COMMAND Python3::Interpreter "${make}" "${PROJECT_SOURCE_DIR}/docs" "${arg_OUTPUT_DIR}" ${xmls}
    COMMAND "${TESSERA_QHELPGENERATOR}" "${arg_OUTPUT_DIR}/${arg_NAME}.qhp" -o "${output}"
    DEPENDS "${make}" ${xmls} ${docs}
    COMMENT "Making the pages of ParaView's help"
    VERBATIM)
  add_custom_target("${arg_TARGET}" DEPENDS "${output}")
  set("${arg_OUTPUT_PATH}" "${output}" PARENT_SCOPE)
endfunction()
