#pragma once
// tests: Catch2 v2 or v3 behind one include.
#ifdef POSENC_CATCH3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
