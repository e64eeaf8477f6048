# SPDX-License-Identifier: BSD-3-Clause
# Installs the component `development` of BUILD into a folder of its own under WORK, and builds and
# runs the consumer, which lies in SOURCE, against it, as a stranger would; with the generator and the
# program of BUILD, since there may be no other.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --component development --prefix "${WORK}/prefix")
run("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" -G "${GENERATOR}"
    -D "CMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" -D "CMAKE_PREFIX_PATH=${WORK}/prefix"
    -D "CMAKE_C_COMPILER=${COMPILER}" -D "CMAKE_C_FLAGS=${FLAGS}" -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/consumer")
# Nothing of the plugin, and no header that is not public.
file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix" "${WORK}/prefix/*.h")
foreach(header IN LISTS headers)
  if(NOT header MATCHES "^include/tessera/([a-z]+/)*tessera[a-z_]*[.]h$")
    message(FATAL_ERROR "${header} is installed, and is no public header.")
  endif()
endforeach()
