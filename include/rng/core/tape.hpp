// Deprecated: core/retry_stream.hpp has RetryStream, whose name was Tape before version 0.2.
#pragma once

#include "retry_stream.hpp"
