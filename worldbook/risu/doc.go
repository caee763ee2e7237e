// Package risu reads RisuAI lorebooks: {"type": "risu", "data": [...]}.
//
// An entry becomes a world book entry in this way; everything else of it is as
// the editor makes a new one:
//
//	key                 keys, split at commas
//	secondkey           secondary keys, split at commas; none if empty
//	comment, content    comment, content
//	insertorder         order
//	useRegex            key and secondkey are one regular expression each
//	alwaysActive        constant; also by constant, or mode "constant"
//	selective           selective
//	activationPercent   probability, and its switch: 0 switches the roll off
//
// Everything else does not act and is reported, every other mode, such as a folder,
// among it.
package risu
