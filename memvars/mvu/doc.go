// Package mvu reads and carries out the command language of the MVU family of
// variable frameworks, so that cards written for them work unchanged:
//
//	_.set('角色.好感度', 10, 12);//帮了忙
//	_.add('金钱', -5);
//	_.insert('背包', '绳子', {"数量": 1});
//	<JsonPatch>[{"op": "replace", "path": "/天气", "value": "雨"}]</JsonPatch>
//
// [New] and [Init] make [Variables] out of initial data with its $meta markers
// or out of lore book entries; [Update] applies a message. There are two modes:
// the default one, which is sane, and compat, which does what MVU itself was
// seen to do, defects included; see [Options].
//
// [Dialect] lets the same commands run beside those of package memvars on one
// document. [Patch] is JSON Patch (RFC 6902) alone.
//
// Like its parent the package decides by its arguments only; all its values are
// immutable and safe for concurrent use.
package mvu
