# SPDX-License-Identifier: BSD-3-Clause
# Included by the root: finds ParaView, and mends what its packages leave undone.

# Debian names the files of VTK's and ParaView's Python modules after the interpreter (vtkCommonCore.
# cpython-313-x86_64-linux-gnu.so), their CMake files do not, and find_package ends at the first one
# that it does not find. We use none of them. CMake (3.28 and later) looks for no file of a target
# that has a folder as its framework.
function(tessera_python_modules names)
  set(folders "${ParaView_DIR}" "${VTK_DIR}")
  foreach(prefix IN LISTS CMAKE_PREFIX_PATH CMAKE_SYSTEM_PREFIX_PATH)
    file(GLOB found LIST_DIRECTORIES TRUE
         "${prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/paraview-*"
         "${prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/vtk-*" "${prefix}/lib/cmake/paraview-*")
    list(APPEND folders ${found})
  endforeach()
  set(targets)
  foreach(folder IN LISTS folders)
    file(GLOB files "${folder}/*Python*-targets-*.cmake" "${folder}/vtk/*Python*-targets-*.cmake")
    foreach(file IN LISTS files)
      file(STRINGS "${file}" lines REGEX "_cmake_import_check_files_for_")
      foreach(line IN LISTS lines)
        if(line MATCHES "_cmake_import_check_files_for_([A-Za-z0-9_:]+)")
          list(APPEND targets "${CMAKE_MATCH_1}")
        endif()
      endforeach()
    endforeach()
  endforeach()
  set(${names} ${targets} PARENT_SCOPE)
endfunction()
tessera_python_modules(targets)
foreach(target IN LISTS targets)
  set(_cmake_import_check_xcframework_for_${target} "${CMAKE_CURRENT_LIST_DIR}")
endforeach()

# What their macros rest on, said so that newer versions of CMake do not warn of it at every call.
set(CMAKE_POLICY_DEFAULT_CMP0174 OLD)
find_package(ParaView 5.11 REQUIRED COMPONENTS RemotingCore)

# vtkSMSettings.h includes a header of JsonCpp. Where VTK has no copy of its own, that is the system's.
get_target_property(json VTK::jsoncpp INTERFACE_LINK_LIBRARIES)
if(json MATCHES "JsonCpp::JsonCpp")
  find_package(VTK REQUIRED COMPONENTS jsoncpp)
endif()
unset(json)

foreach(target IN LISTS targets)
  unset(_cmake_import_check_xcframework_for_${target})
endforeach()
unset(targets)

# Link interfaces of these packages name targets of libraries (HDF5, NetCDF, Python) that find_package
# left out. The libraries of VTK that use them know them by themselves: an empty one stands in.
function(tessera_stand_in)
  set(waiting ${ARGN})
  set(seen)
  while(waiting)
    list(POP_FRONT waiting target)
    if(target IN_LIST seen)
      continue()
    endif()
    list(APPEND seen "${target}")
    if(NOT TARGET "${target}")
      message(STATUS "Tessera: ParaView ${ParaView_VERSION} names ${target}, which is not here")
      add_library("${target}" INTERFACE IMPORTED GLOBAL)
      continue()
    endif()
    get_target_property(links "${target}" INTERFACE_LINK_LIBRARIES)
    get_target_property(configurations "${target}" IMPORTED_CONFIGURATIONS)
    foreach(configuration IN LISTS configurations)
      get_target_property(more "${target}" IMPORTED_LINK_DEPENDENT_LIBRARIES_${configuration})
      list(APPEND links ${more})
    endforeach()
    string(REGEX MATCHALL "[A-Za-z0-9_]+::[A-Za-z0-9_]+" names "${links}")
    list(APPEND waiting ${names})
  endwhile()
endfunction()
tessera_stand_in(ParaView::RemotingServerManager)
