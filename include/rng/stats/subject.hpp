// The former name of generator_under_test.hpp.
#pragma once

#include "generator_under_test.hpp"
