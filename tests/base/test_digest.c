#include "base/digest.h"
#include "support/check.h"

#define OF_NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define OF_ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" /* FIPS 180-2, B.1 */

static void pieces_have_the_digest_of_the_whole(void)
{
	struct digest *d = digest_new();
	char hex[DIGEST_HEX + 1];

	digest_hex(STR_NONE, hex);
	CHECK_STR(str_from(hex), OF_NOTHING);
	digest_hex_so_far(d, hex);
	CHECK_STR(str_from(hex), OF_NOTHING);
	digest_add(d, STR("a"));
	digest_add(d, STR_NONE);
	digest_hex_so_far(d, hex);
	digest_add(d, STR("bc"));
	digest_hex_so_far(d, hex);
	CHECK_STR(str_from(hex), OF_ABC);
	digest_hex_so_far(d, hex);
	CHECK_STR(str_from(hex), OF_ABC);
	digest_hex(STR("abc"), hex);
	CHECK_STR(str_from(hex), OF_ABC);
	digest_free(d);
	digest_free(NULL);
}

const struct suite suite_digest = { "digest", (const struct test[]){ TEST(pieces_have_the_digest_of_the_whole), { 0 } } };
