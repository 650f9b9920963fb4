# Compilers and tests whose CPU time is logged, for the limits that CONTRIBUTING.md gives ("The budget").
#   rng_add_test(name command...)   add_test, with that log

option(RNG_CPU_TIME "Log the CPU time of sources and tests: scripts/cpu_time.sh" OFF)
mark_as_advanced(RNG_CPU_TIME)

set(RNG_CPU_TIME_OF_SOURCE "")
if(RNG_CPU_TIME)
  set(RNG_CPU_TIME_OF_SOURCE bash ${PROJECT_SOURCE_DIR}/scripts/cpu_time.sh source)
  list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${RNG_CPU_TIME_OF_SOURCE})
endif()

function(rng_add_test name)
  set(command ${ARGN})
  if(RNG_CPU_TIME)
    list(POP_FRONT command program)
    if(TARGET ${program})
      set(program ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}>)
    endif()
    list(PREPEND command bash ${PROJECT_SOURCE_DIR}/scripts/cpu_time.sh test ${name} ${program})
  endif()
  add_test(NAME ${name} COMMAND ${command} COMMAND_EXPAND_LISTS)
endfunction()
