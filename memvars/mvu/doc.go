// Package mvu reads and runs the command language of the MVU family of variable frameworks, so that
// cards written for them work unchanged:
//
//	_.set('角色.好感度', 10, 12);//帮了忙
//	_.add('金钱', -5);
//	_.insert('背包', '绳子', {"数量": 1});
//	<JsonPatch>[{"op": "replace", "path": "/天气", "value": "雨"}]</JsonPatch>
//
// [New] and [Init] create [Variables] from initial data with its $meta markers or from lore book
// entries. [Update] runs the commands of a message. There are two modes: the default mode, and
// compat, which follows the observed behaviour of MVU including its defects; see [Options].
//
// # The commands
//
// Paths have the form of [tree.ParsePath]. Keys and values are literals of JavaScript or JSON.
//
//	_.set(path, value)           replaces the value that is at the path; of a pair
//	_.set(path, old, value)      [value, "description"] the value. old is not looked at
//	_.add(path, number)          adds to a number, or milliseconds to a date
//	_.insert(path, value)        appends to a list, or merges an object into an object
//	_.insert(path, key, value)   inserts at an index of a list, or writes a member
//	_.assign(…)                  the same as insert
//	_.delete(path)               removes what is at the path
//	_.delete(path, what)         removes a member by its key or position, or an element of a list
//	                             by its index or value
//	_.remove(…)  _.unset(…)      the same as delete
//
// A patch block has the operations replace, add, remove, move, copy and test of RFC 6902. It also
// has delta (adds value to a number) and insert (the same as add).
//
// A comment after a command is its reason. A command without effect is a [Failure] with a [Code].
//
// [Dialect] runs the same commands together with the commands of package memvars on one document. Its
// paths begin below the member stat_data: 天气, not stat_data.天气. Shown of [memvars.System] then
// returns a message without its commands, for players.
//
// All results depend only on the arguments. All values are immutable and safe for concurrent use.
package mvu
