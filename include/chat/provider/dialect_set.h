/*
 * Settings of a dialect of the user's own: the sections [dialect NAME] of weir.conf. Each promise of struct dialect is a row of a table;
 * those about requests are the settings of a provider that have the same names, and are read by them.
 */
#ifndef WEIR_CHAT_DIALECT_SET_H
#define WEIR_CHAT_DIALECT_SET_H

#include "base/ini.h"
#include "wire/protocol/dialect.h"

/* Sets a promise of the dialect, which is made if there is none of that name. False with an error that names the value. */
MUST_USE bool dialect_set(struct str dialect, struct str name, struct str value, struct error *err);

struct ini_help dialect_setting_at(size_t index);

#endif
