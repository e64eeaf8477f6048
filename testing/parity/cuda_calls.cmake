# SPDX-License-Identifier: BSD-3-Clause
# wrap_cuda_calls(TARGET): every call of TARGET to the CUDA runtime that cuda_calls.c knows goes through
# it. The linker puts it in between, so that the backend itself need not know of it.
function(wrap_cuda_calls target)
  set(file "${PROJECT_SOURCE_DIR}/testing/parity/cuda_calls.c")
  file(STRINGS "${file}" wrapped REGEX "^(WRAP\\(|cudaError_t __wrap_cuda.*;$)")
  foreach(line IN LISTS wrapped)
    string(REGEX MATCH "(, |__wrap_)([_a-z]*cuda[A-Za-z]*)" name "${line}")
    target_link_options(${target} PRIVATE "LINKER:--wrap=${CMAKE_MATCH_2}")
  endforeach()
  target_sources(${target} PRIVATE "${file}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endfunction()
