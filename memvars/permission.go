package memvars

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// setTarget records the path that the command names, from the root, and checks it against the host's
// rules. The rules apply to the named node even if it is missing or unchanged, so that a refusal
// reveals nothing about it. The effects on other nodes are checked before the command is applied;
// see guard.
func (p *plan) setTarget(op *Op, at tree.Path) bool {
	p.target = at
	g := guard{run: p.run, root: p.run.root()}
	if p.run.actor == Host || g.allows([]string{op.Name}, at) {
		return true
	}
	return p.reject(PermissionDenied)
}

// mayRemove checks what a delete or a move would remove. path is relative to the assets. byPath says
// that it is a delete and that one argument names the node.
//
// In this order:
//
//   - a branch of the first level cannot be deleted;
//   - within config only the host deletes and moves;
//   - the model neither deletes nor moves branches that belong to the frame of the document, but it
//     may change their contents.
func (p *plan) mayRemove(path tree.Path, byPath bool) bool {
	s, actor := p.run.sys, p.run.actor
	config := s.profile.Config
	switch {
	case len(path) == 1 && byPath:
		return p.reject(StructuralBranch)
	case actor != Host && path.HasPrefix(config) && len(path) > len(config):
		return p.reject(PermissionDenied)
	case actor != AI:
		return true
	case len(path) == 1 || s.isFrame(path):
		return p.reject(StructuralBranch)
	}
	return true
}

// isFrame reports whether the branch belongs to the frame of the document.
func (s *System) isFrame(path tree.Path) bool {
	return slices.ContainsFunc(s.frame, func(p tree.Path) bool { return slices.Equal(p[1:], path) })
}

// isClockField reports whether the clock maintains the field.
func (r *run) isClockField(path tree.Path) bool {
	return slices.ContainsFunc(r.sys.automatic, func(p tree.Path) bool { return slices.Equal(p, path) })
}

// readonly returns why the actor may not write the field, "" if it may.
//
// The next message would overwrite derived fields, and the next turn the days left. With a refusal
// the author knows at once. Only the host may write them, to import or repair a document.
func (r *run) readonly(path tree.Path) Code {
	switch {
	case r.actor == Host:
		return ""
	case r.isDerived(path):
		return ReadonlyDerived
	case r.isClockField(path):
		return ReadonlyAuto
	}
	return ""
}

// withoutModule removes a leading module name from a path if it is the command's own module. The
// name of a different module is a mistake.
//
// Models sometimes write the module and sometimes leave it out. An existing key with the name of
// the module has precedence.
func (p *plan) withoutModule(module string, path tree.Path) (tree.Path, bool) {
	prof := &p.run.sys.profile
	if p.run.root().Get(module).Get(path[0]).Exists() {
		return path, true
	}
	switch path[0] {
	case module:
		if len(path) == 1 {
			return nil, p.reject(BadPath)
		}
		return path[1:], true
	case prof.Character, prof.Status, prof.Assets:
		p.setHint("this command is relative to %s", module)
		return nil, p.reject(WrongModule)
	}
	return path, true
}

// argPath parses an argument as a path within the module.
func (p *plan) argPath(module, text string) (tree.Path, bool) {
	path, err := tree.ParsePath(text)
	if err != nil {
		if p.hint = err.Error(); p.run.sys.words != nil {
			p.setHint("write the path as a.b[0], without empty segments")
		}
		return nil, p.reject(BadPath)
	}
	return p.withoutModule(module, path)
}

// argValue returns the value of an argument.
func (p *plan) argValue(a *Arg) (tree.Value, bool) {
	if a.Code != "" {
		return tree.Value{}, p.reject(a.Code)
	}
	switch {
	case holdsPlaceholder(a.Value):
		return tree.Value{}, p.reject(PlaceholderWrite)
	case a.Value.ContainsFunc(longNumber):
		return tree.Value{}, p.reject(TooLong)
	}
	return a.Value, true
}

// mayWriteConfig is an early check of [guard.leavesConfig]. A command that names a place in config
// always gets that refusal.
func (p *plan) mayWriteConfig(full tree.Path) bool {
	g := guard{run: p.run, root: p.run.root()}
	if p.run.actor == Host || g.leavesConfig(&touch{path: full}) {
		return true
	}
	return p.reject(PermissionDenied)
}

// argKey checks the key argument; see [Arg.Key].
func (p *plan) argKey(parent tree.Path, a *Arg) bool {
	key, ok := a.Key()
	if !ok {
		return p.reject(BadKey)
	}
	first, _, dotted := strings.Cut(key, ".")
	if dotted {
		holder := p.run.root().Get(p.run.sys.profile.Assets).Lookup(parent)
		if holder.Get(strings.TrimSpace(first)).Exists() {
			p.warn(WarnDottedKey)
		}
	}
	return true
}
