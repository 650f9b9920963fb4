# cmake -DBUILD=... -DSOURCE=... -DTO=... [-DCOMPONENT=...] -P install.cmake
# Installs a build, or one component of it, moves the tree to TO, and fails if a file of the packages names a folder of
# the machine that built it.

set(staging ${TO}.staging)
set(component "")
if(COMPONENT)
  set(component --component ${COMPONENT})
endif()
file(REMOVE_RECURSE ${staging} ${TO})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${staging} ${component}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${staging} ${TO})

file(GLOB_RECURSE texts ${TO}/*.cmake ${TO}/*.pc)
if(NOT texts)
  message(FATAL_ERROR "no package was installed in ${TO}")
endif()
foreach(text IN LISTS texts)
  file(READ ${text} content)
  foreach(path IN ITEMS ${BUILD} ${SOURCE} ${staging} ${CUDA})
    string(FIND "${content}" "${path}" at)
    if(NOT at EQUAL -1)
      message(SEND_ERROR "${text} names ${path}")
    endif()
  endforeach()
endforeach()
file(GLOB_RECURSE licence ${TO}/*LICENSE)
if(NOT licence)
  message(SEND_ERROR "the licence was not installed")
endif()
