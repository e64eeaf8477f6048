# SPDX-License-Identifier: BSD-3-Clause
# Included by the root: a language must be enabled there. Says whether the CUDA backend is built,
# sets tessera_cuda_sources to its files (empty: not built) and enables the language.
set(tessera_cuda_sources)
if(NOT TESSERA_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "TESSERA_CUDA is '${TESSERA_CUDA}'; it must be AUTO, ON or OFF.")
elseif(TESSERA_CUDA STREQUAL "OFF")
  message(STATUS "Tessera: CUDA backend: no (TESSERA_CUDA is OFF)")
  return()
endif()

# nvcc is often installed beside the PATH.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(TESSERA_NVCC nvcc PATHS ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(TESSERA_NVCC)
  if(TESSERA_NVCC)
    set(ENV{CUDACXX} "${TESSERA_NVCC}")
  endif()
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  if(TESSERA_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TESSERA_CUDA is ON, but no working nvcc was found. Put it on PATH, name it "
                        "in the environment variable CUDACXX, or set TESSERA_CUDA to OFF.")
  endif()
  message(STATUS "Tessera: CUDA backend: no (no nvcc found)")
  return()
endif()

file(GLOB_RECURSE tessera_cuda_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cu")
if(NOT tessera_cuda_sources)
  message(STATUS "Tessera: CUDA backend: no (found ${CMAKE_CUDA_COMPILER}, but this version has no "
                 "CUDA code; the filters run on the CPU)")
  return()
endif()

# Known before the language is enabled, since CMake's own default may be refused by a newer nvcc.
set(choose_architecture FALSE)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES all-major)
  set(choose_architecture TRUE)
endif()
enable_language(CUDA)
# For the GPU of this machine where there is one: all architectures take several times as long.
if(choose_architecture AND CMAKE_CUDA_ARCHITECTURES_NATIVE MATCHES "^[0-9]")
  set(CMAKE_CUDA_ARCHITECTURES native)
endif()
message(STATUS "Tessera: CUDA backend: yes (${CMAKE_CUDA_COMPILER}, architectures "
               "${CMAKE_CUDA_ARCHITECTURES})")
