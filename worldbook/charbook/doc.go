// Package charbook converts the character_book of Character Card V2 and V3 to a
// world book and back, as SillyTavern does.
//
// An entry becomes a world book entry in this way:
//
//	id                                 uid; the index if missing
//	keys, secondary_keys               keys, secondary keys
//	comment, content                   comment, content
//	constant, selective                constant, selective; false if missing
//	insertion_order                    order
//	enabled                            not disabled; missing is enabled
//	extensions.position, else position position: before_char (or 0), all others after
//	extensions.depth, role, probability, group, sticky, …   the fields of that name
//
// Some programs write secondaryKeys and insertionOrder; these act under their proper names.
//
// What SillyTavern ignores does not act either, and is reported: of a book
// scan_depth, token_budget and recursive_scanning, of an entry name, priority,
// case_sensitive, and use_regex unless [ParseV3] reads it, which it does in the entries that
// SillyTavern has not written.
//
// The way back writes the same members, and puts into extensions what a card has
// no member for. A book that was read and exported has all its entries' members
// again, beside the extensions that SillyTavern writes always; of the book itself
// only name and entries are left.
package charbook
