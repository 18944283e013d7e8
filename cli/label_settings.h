/* SPDX-License-Identifier: MIT */
/*
 * Labels of captures, as given on the command line: --label host=web-1,release=42.
 */
#ifndef CLI_LABEL_SETTINGS_H
#define CLI_LABEL_SETTINGS_H

#include "base/vec.h"
#include "cli/options.h"
#include "libparse/event.h"

typedef VEC(struct event_label) label_list;

/*
 * Parses all values of --label, and sorts the labels by key. The labels point into the values.
 * Fails if a label is not valid or a key is repeated. A key must be a word that has no other
 * meaning in --by.
 */
bool label_settings_parse(const text_list *values, label_list *ret, struct error *err) WARN_UNUSED;

#endif
