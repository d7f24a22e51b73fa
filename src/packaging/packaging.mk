# What makes packages of weir.

VERSION = $(shell sed -n 's/^\#define WEIR_VERSION "\(.*\)"$$/\1/p' include/app/options/options.h)
TARBALL = $(BUILD)/weir-$(VERSION).tar.xz

# Placeholders: nobody, and nowhere. Who distributes weir sets both here once, or on the command line; what is made of them takes them from here.
MAINTAINER ?= weir authors <weir@users.invalid>
HOMEPAGE   ?= https://weir.invalid
export MAINTAINER HOMEPAGE

dist: ## pack the source: build/weir-VERSION.tar.xz, the same bytes wherever and whenever
	@sh src/packaging/dist.sh $(VERSION) $(TARBALL)

check-dist: setup-tests ## build what was packed in another folder, and compare programs and tarballs byte by byte
	@$(MAKE) --no-print-directory all dist
	+@sh tests/dist.sh $(BUILD) $(BUILD)/weir $(TARBALL) $(MAKE)

deb: setup-deb ## build Debian's packages in build/deb, and check them with lintian
	@$(MAKE) --no-print-directory dist
	@sh src/packaging/deb.sh $(VERSION) $(TARBALL) $(BUILD)/deb

setup-deb: ## install the packages for deb
	@sh src/setup.sh deb

rpm: dist ## build RPM packages in build/rpm (needs rpmbuild)
	@sh src/packaging/rpm.sh $(VERSION) $(TARBALL) $(BUILD)/rpm

recipes: dist ## write the files for Alpine and Arch with version, maintainer, home page and checksum to build/recipes
	@sh src/packaging/recipes.sh $(VERSION) $(TARBALL) $(BUILD)/recipes

check-recipes: recipes ## build and pack from these files, without abuild and makepkg
	+@sh tests/recipes.sh $(BUILD)/recipes $(TARBALL) $(BUILD)/recipes/try

# An RPATH, unlike a RUNPATH, is also where the libraries' own libraries are looked for.
PORTABLE = weir-$(VERSION)-linux-$(shell uname -m)
portable: all ## pack the program with its libraries, for any Linux with glibc: build/weir-VERSION-linux-MACHINE.tar.xz
	@mkdir -p $(BUILD)/portable
	@$(LINK) -Wl,--disable-new-dtags '-Wl,-rpath,$$ORIGIN/lib' -o $(BUILD)/portable/weir $(MAIN_OBJECT) \
	  $(call grouped,$(call layer_libs,$(LAYERS))) $(LDLIBS)
	@sh src/packaging/portable.sh $(PORTABLE) $(BUILD)/portable/weir $(BUILD)/$(PORTABLE).tar.xz

check-packages: setup-systems ## build the packages on other systems, in build/packages, install and try them (root; SYSTEMS="debian-13" selects)
	@$(MAKE) --no-print-directory dist portable
	@PACKAGES="$(TARBALL) $(BUILD)/$(PORTABLE).tar.xz" sh tests/systems.sh $(BUILD)/packages $(SYSTEMS)

.PHONY: dist check-dist deb setup-deb rpm recipes check-recipes portable check-packages
