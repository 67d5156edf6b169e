#include "app/digest.hpp"

#include "support/catch.hpp"

// FIPS 180-4 example values (NIST, SHA256.pdf) and the empty message.
TEST_CASE("SHA-256 of the standard's messages") {
  CHECK(posenc::app::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(posenc::app::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(posenc::app::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
