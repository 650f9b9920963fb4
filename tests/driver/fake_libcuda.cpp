// Stands for CUDA's driver: says that somebody loaded it, and can do nothing.
#include <cstdlib>

__attribute__((constructor)) static void say_that_it_is_loaded() { setenv("RNG_TEST_DRIVER_LOADED", "1", 1); }
