// Package profile names the places of a document of package memvars that have a meaning of
// their own: the modules, attributes and skills, the clock, the task, the inventory, the
// memories. A card that calls them otherwise brings its own [Profile].
//
// It also says where leaves are, pairs of a value and its description. Everything here is plain
// data, and safe for concurrent use while nobody changes it.
package profile
