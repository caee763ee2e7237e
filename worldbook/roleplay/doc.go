// Package roleplay reads RoleplayConfig files: a world book with the settings of its scan,
// for profile.Roleplay, and its table of activation rows.
//
// An entry becomes a world book entry in this way:
//
//	uid, content, depth, role, outletName, order, constant, disable,
//	probability, useProbability, scanDepth, caseSensitive, matchWholeWords,
//	sticky, cooldown, delay, excludeRecursion, preventRecursion, conditions
//	                       the fields of that name
//	                       (a uid that is a number counts as its text)
//	name                   comment
//	keywords               keys
//	secondaryKeywords      secondary keys; selective if there are any
//	selectiveLogic         the rule of that name, AND_ANY if missing
//	position               the position of that name, before if missing
//
// Members that none of these names stay with the entry and the config, as does a
// value of a type that its field cannot take.
package roleplay
