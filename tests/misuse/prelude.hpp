// What every case may use.
#include <rng/rng.hpp>

#include <algorithm>
#include <list>
#include <random>
#include <span>
#include <vector>
