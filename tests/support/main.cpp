#define CATCH_CONFIG_MAIN
#include "support/catch.hpp"
#ifdef POSENC_CATCH3
#include <catch2/catch_session.hpp>
int main(int argc, char* argv[]) { return Catch::Session().run(argc, argv); }
#endif
