package mvu

import (
	"slices"

	"github.com/talewright/talewright/internal/yaml"
	"github.com/talewright/talewright/memvars/tree"
)

// runner runs the commands of one message.
type runner struct {
	options      *Options
	start        tree.Document // the data before the message
	edit         *tree.Edit
	base         tree.Path // of the data within the edited document
	meta         *node     // the schema of the data
	owner        *batch    // of the schema nodes that may be changed in place
	commandIndex int       // of the current command in the message
	current      Command
	modified     bool // the data have changed
	failures     []Failure
	events       []Event
	notes        []note  // the texts of the changes, for the display data
	created      pathSet // created by this message, not yet in the schema
	eventSize    int     // see maxHeld
	quiet        bool    // events are not needed
	copied       copies
	marked       []tree.Path // the places of values that brought markers
	missingPath  tree.Path   // a path that the last command did not find
}

// maxHeld limits the elements and members in the old and new values of the events of one message in
// compat mode. Without it a thousand insertions into one list would store a thousand lists.
const maxHeld = 1 << 20

// abs returns the path of a data path within the edited document.
func (r *runner) abs(p tree.Path) tree.Path {
	if len(r.base) == 0 {
		return p
	}
	return append(slices.Clone(r.base), p...)
}

// lookup returns the current value at a path of the data, for use before the next edit.
// [runner.addEvent] freezes the values of events.
func (r *runner) lookup(p tree.Path) tree.Value { return r.edit.Peek(r.abs(p)) }

// kind returns the kind at a path. Unlike Lookup of an edit, it does not make later edits copy the
// node.
func (r *runner) kind(p tree.Path) tree.Kind { return r.edit.Kind(r.abs(p)) }

// fail records why the current command had no effect. An empty message means the hint of the code.
func (r *runner) fail(code Code, message string) {
	if message == "" {
		message = hint(code, r.options.Hints)
	}
	r.failures = yaml.Append(r.failures, Failure{Command: r.commandIndex, Code: code, Message: message})
}

// pathMissing returns the code of a path that leads nowhere.
func (r *runner) pathMissing(path tree.Path) Code {
	r.missingPath = path
	return codePathMissing
}

// runChecked runs one command, and undoes it if the host's check refuses it.
func (r *runner) runChecked(c Command, work func() Code) bool {
	r.current = c
	if r.options.Validate == nil && r.options.Schema == nil {
		code := work()
		if code != "" {
			r.fail(code, "")
		}
		return code == ""
	}
	mark := r.save()
	var before tree.Value
	if r.options.Schema != nil {
		before = r.edit.Lookup(r.abs(nil))
	}
	code, message := work(), ""
	if code == "" {
		if err := r.checkData(before, mark); err != nil {
			code, message = codeInvalid, err.Error()
		}
	}
	if code != "" {
		r.restore(mark)
		r.fail(code, message)
	}
	return code == ""
}

// checkData applies the schema to all data, and asks the host's check. before and mark are the data
// and the state before the command. If the schema changes the result, the writes of the command are
// replaced by writes of the values after the schema. Its events get these values.
func (r *runner) checkData(before tree.Value, mark savepoint) error {
	if r.options.Schema != nil {
		now := r.edit.Lookup(r.abs(nil))
		after, err := r.options.Schema.after(before, now)
		if err != nil {
			return err
		}
		if !now.Equal(after) {
			r.edit.Undo(mark.edit)
			if err := r.apply(nil, before, after); err != nil {
				return err
			}
		}
		for i := mark.events; i < len(r.events); i++ {
			if e := &r.events[i]; e.New.Exists() {
				e.New = r.edit.Freeze(r.lookup(e.At))
			}
		}
	}
	if r.options.Validate == nil {
		return nil
	}
	data, err := tree.NewDocument(r.edit.Lookup(r.abs(nil)))
	if err != nil {
		return err
	}
	return r.options.Validate(data)
}

// apply writes the differences between two values at a path.
func (r *runner) apply(path tree.Path, old, now tree.Value) error {
	switch {
	case old.Same(now) || old.Exists() && now.Exists() && old.Equal(now):
		return nil
	case !old.IsObject() || !now.IsObject():
		return r.edit.Set(r.abs(path), now)
	}
	for key := range old.Members() {
		if !now.Get(key).Exists() {
			if err := r.edit.Delete(r.abs(path.Child(key))); err != nil {
				return err
			}
		}
	}
	for key, child := range now.Members() {
		if err := r.apply(path.Child(key), old.Get(key), child); err != nil {
			return err
		}
	}
	return nil
}

// savepoint is a state that can be restored.
type savepoint struct {
	edit     tree.Mark
	meta     *node
	modified bool
	events   int
	notes    int
	fresh    int
}

// save returns the current state. It freezes the current schema nodes of the batch, so it is used
// only where something may be undone.
func (r *runner) save() savepoint {
	r.owner = new(batch)
	return savepoint{r.edit.Mark(), r.meta, r.modified, len(r.events), len(r.notes), len(r.created.order)}
}

// restore restores a state; failures stay recorded.
func (r *runner) restore(m savepoint) {
	r.edit.Undo(m.edit)
	r.meta, r.modified, r.owner = m.meta, m.modified, new(batch)
	r.events, r.notes = r.events[:m.events], r.notes[:m.notes]
	r.created.undo(m.fresh)
}

// write writes v at path. The path was checked before.
func (r *runner) write(path tree.Path, v tree.Value) Code {
	if len(path) == 0 && !v.IsObject() {
		return codeNotAContainer // the data is an object
	}
	old := r.lookup(path)
	if r.options.Schema != nil && !r.readonly(path) && r.changesReadonly(old, v) {
		v = r.withReadonly(old, v)
		r.fail(codeReadonly, "")
	}
	switch {
	case old.Equal(v):
		return "" // reported, but not a modification
	case r.readonly(path), r.changesReadonly(old, v):
		return codeReadonly
	}
	if r.options.Schema != nil {
		path, v = r.withParents(path, v)
	}
	if err := r.edit.Set(r.abs(path), v); err != nil {
		return outcome(err)
	}
	r.modified = true
	return ""
}

// addEvent records an event and its text for the display data.
func (r *runner) addEvent(e Event) {
	if r.quiet {
		return
	}
	shown := e
	if len(e.At) == 0 && r.options.compat() {
		shown.Old = r.withInternals(e.Old)
	}
	old, now := display(shown.Old), display(e.New)
	switch {
	case e.Type == "set" && !e.New.Exists():
		now = "undefined"
	case e.Type == "add" && r.isPair(e.Old):
		old, now = e.Old.At(0).String(), e.New.At(0).String()
	case e.Type == "add":
		old, now = e.Old.String(), e.New.String()
	case e.Type == "insert":
		old, now = itoa(e.Old.Len()), itoa(e.New.Len())
	case e.Type == "delete":
		now = "null"
	}
	r.storeEvent(e, shown, e.At, old+"->"+now)
}

// storeEvent stores an event, and its text for a path of the display data. The host's format gets
// the shown form of the event.
func (r *runner) storeEvent(e, shown Event, at tree.Path, text string) {
	e.Old, e.New = r.edit.Freeze(e.Old), r.edit.Freeze(e.New)
	e.Reason, shown.Reason = r.current.Reason, r.current.Reason
	r.events = yaml.Append(r.events, e)
	if len(at) == 0 {
		at = tree.Path{""}
	}
	switch {
	case r.options.Format != nil:
		text = r.options.Format(shown)
	case e.Reason != "":
		text += " (" + e.Reason + ")"
	default:
		text += " "
	}
	r.notes = yaml.Append(r.notes, note{path: at, text: text})
}

// withInternals returns the root as MVU has it while it works: with its display data in a separate
// member.
func (r *runner) withInternals(root tree.Value) tree.Value {
	so := Variables{before: r.start, notes: r.notes}
	return setAt(root, tree.Path{"$internal"}, tree.Object(
		tree.Member{Key: "display_data", Value: so.Display()},
		tree.Member{Key: "delta_data", Value: so.Delta()},
	))
}

// isPair reports whether v is a value with its description. With a schema of zod there are no pairs.
func (r *runner) isPair(v tree.Value) bool {
	return r.options.Schema == nil && v.IsPair() && !v.At(0).IsArray()
}

// isMarkedOpen reports whether the author marked the list at path as open. Then it is not a pair,
// even if it has the form of one. MVU treats it as a pair.
func (r *runner) isMarkedOpen(path tree.Path) bool {
	return !r.options.compat() && r.rights(path).own
}

// isFixedPair reports whether v is a pair whose shape may not change. An open place with two texts
// may be a list of two things. Commands that add or remove elements then treat it as a list.
func (r *runner) isFixedPair(path tree.Path, v tree.Value) bool {
	if r.options.compat() || !r.isPair(v) {
		return false
	}
	rights := r.rights(path)
	return !rights.own && !(rights.open && v.At(0).Kind() == tree.KindText)
}

// longNumber reports whether v contains a number that is too long for arithmetic.
func longNumber(v tree.Value) bool {
	return v.ContainsFunc(func(v tree.Value) bool {
		n, _ := v.AsNumber()
		return len(n) > tree.MaxDigits
	})
}

// display writes a value as the display data does: JSON, but a text without its outer marks.
func display(v tree.Value) string {
	s := v.String()
	if v.Kind() == tree.KindText {
		return s[1 : len(s)-1]
	}
	return s
}

// nullIfUndefined returns the value to be stored: null for undefined.
func nullIfUndefined(v tree.Value) tree.Value {
	if !v.Exists() {
		return tree.Null
	}
	return v
}

// withParents returns the highest place that must be written for a value at a path, and the value
// with its missing parents.
func (r *runner) withParents(path tree.Path, v tree.Value) (tree.Path, tree.Value) {
	for n := range path {
		if kind := r.kind(path[:n]); kind != tree.KindObject && kind != tree.KindArray {
			return path[:n], setAt(tree.Value{}, path[n:], v)
		}
	}
	return path, v
}
