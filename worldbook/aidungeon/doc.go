// Package aidungeon reads AI Dungeon story cards and the older world info lists.
//
// A card becomes a world book entry in this way; everything else of it is as the
// editor makes a new one, but not selective:
//
//	keys, triggers                      keys: a text with commas, or a list
//	value, else entry, description      content
//	title, else name                    comment
//
// Ids and times are kept without a report; everything else, such as the type of a
// card, does not act and is reported.
package aidungeon
