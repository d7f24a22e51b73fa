# What makes packages of weir.

VERSION = $(shell sed -n 's/^\#define WEIR_VERSION "\(.*\)"$$/\1/p' include/app/options/options.h)
TARBALL = $(BUILD)/weir-$(VERSION).tar.xz

dist: ## pack the source: build/weir-VERSION.tar.xz, the same bytes wherever and whenever
	@sh src/packaging/dist.sh $(VERSION) $(TARBALL)

check-dist: all dist ## build what was packed in another folder, and compare programs and tarballs byte by byte
	@sh tests/dist.sh $(BUILD) $(BUILD)/weir $(TARBALL) $(MAKE)

.PHONY: dist check-dist
