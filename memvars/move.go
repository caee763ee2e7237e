package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// destinationPath decides whether the second of two arguments is the destination of a move. It is
// one if the text reads as a path and its first segment is a branch of the assets. Everything else
// is a value.
//
// For example, 1.8米.左右 reads as a path but does not begin with a branch, so it is a value.
func (p *plan) destinationPath(a *Arg) (tree.Path, bool) {
	prof := &p.run.sys.profile
	text, ok := a.Value.AsText()
	if !ok {
		return nil, false
	}
	path, err := tree.ParsePath(text)
	if err != nil {
		return nil, false
	}
	assets := p.run.root().Get(prof.Assets)
	if path[0] == prof.Assets && !assets.Get(prof.Assets).Exists() {
		path = path[1:]
	}
	if len(path) < 2 {
		return nil, false
	}
	branch := assets.Get(path[0])
	return path, branch.IsObject() || branch.IsArray()
}

// move plans to move or rename a node; both paths are relative to the assets.
//
// A move loses nothing, so protected nodes may be moved and keep their flags. A destination is
// overwritten only with an option, and never if something protected would be lost. Missing parents
// of the destination are created; a dash appends to a list.
func (p *plan) move(from, to tree.Path) {
	assets := p.run.sys.profile.Assets
	source, dest := withinModule(assets, from), withinModule(assets, to)
	v := p.run.edit.Peek(source)
	if !p.mayRemove(from, false) || !p.mayWriteConfig(dest) {
		return
	}
	switch {
	case !v.Exists():
		p.hint = p.run.suggest(source)
		p.reject(SourceNotFound)
		return
	case slices.Equal(source, dest):
		return
	case dest.HasPrefix(source):
		p.reject(MoveIntoSelf)
		return
	case p.liftsFlag(source, tree.Value{}) || p.liftsFlag(dest, v):
		p.reject(ProtectedNode)
		return
	}
	dst := p.run.destination(dest)
	switch {
	case dst.Code != "":
		p.reject(dst.Code)
	case dst.Exist && !p.run.sys.options.MoveOverwrite:
		p.reject(DestinationExists)
	case dst.Exist && p.run.sys.guards(dst.Old):
		p.reject(ProtectedNode)
	default:
		p.relocate(source, v, dst)
	}
}

// relocate plans the writes of a checked move. The node is written to its new place before it is
// removed from the old one, so that indexes on the path stay valid.
//
// Within the same parent only the key changes, and the position stays: the order of keys decides
// which entry is the newest.
func (p *plan) relocate(source tree.Path, v tree.Value, d target) {
	parent, key := source[:len(source)-1], source[len(source)-1]
	built := nest(d.Rest, v)
	if !p.checkDepth(d.At, built) {
		return
	}
	p.addChange(tree.Change{Path: source, Old: v})
	p.addChange(tree.Change{Path: d.At, Old: without(d.Old, source, d.At), New: built})
	sibling := len(d.At) == len(source) && len(d.Rest) == 0 && d.At.HasPrefix(parent)
	switch {
	case sibling && !d.Exist && p.run.edit.Peek(parent).IsObject():
		p.writes = append(p.writes, write{kind: rename, path: source, key: d.At[len(parent)]})
	case source.HasPrefix(d.At):
		// The destination contains the source, so the source is removed with it.
		p.writes = append(p.writes, write{kind: put, path: d.At, value: built})
	default:
		p.writes = append(p.writes,
			write{kind: put, path: d.At, value: built},
			write{kind: remove, path: parent.Child(key)})
	}
}

// without returns the old value of a destination after the removal of the source, which may be part
// of it. It is the old value in the second event of a move.
func without(old tree.Value, source, at tree.Path) tree.Value {
	if !source.HasPrefix(at) || !old.Exists() {
		return old
	}
	e, err := tree.Object(tree.Member{Value: old}).Edit()
	if err != nil {
		return old
	}
	if err := e.Delete(append(tree.Path{""}, source[len(at):]...)); err != nil {
		return old
	}
	return e.Lookup(tree.Path{""})
}
