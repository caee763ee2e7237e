package mvu

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// Result is what became of a message.
type Result struct {
	Commands []Command `json:"commands"`
	// Modified says that the data are others than before the message. Writing the
	// value that is there is an event and no modification.
	Modified bool `json:"modified"`
	// Failures are the commands without effect, in their order.
	Failures []Failure `json:"failures,omitempty"`
	Events   []Event   `json:"events,omitempty"`
}

// Failure is a command that had no effect, or a remark about one that had.
type Failure struct {
	Command int    `json:"command"` // index in Result.Commands
	Code    Code   `json:"code"`
	Message string `json:"message,omitempty"`
}

// Event is one command that had an effect, also that of writing the present value. An
// absent New means that the node was removed or, in compat mode, set to undefined.
type Event struct {
	Type   string     `json:"type"` // of the command: set, insert, delete, add
	Path   string     `json:"path"` // as the command wrote it
	At     tree.Path  `json:"at"`
	Old    tree.Value `json:"old,omitzero"`
	New    tree.Value `json:"new,omitzero"`
	Reason string     `json:"reason,omitempty"`
}

// Update finds the commands in a message and carries them out in the order of
// their positions. A command that fails changes nothing; the others still run.
// The display data of the result is that of this message.
//
// The copies of one message hold at most 65,536 nodes, and in compat mode its events at most a
// million elements and members of containers; commands beyond it fail with [TooMany], numbers
// of more than tree.MaxDigits with [TooLong].
//
// Cost: what it changes, and one walk over the text. The schema is kept as the few
// places at which it says something; it is written out only when asked for, so a
// large document with one marker costs nothing per message.
func Update(v Variables, text string, o Options) (Variables, Result) {
	return Run(v, Find(text, o), o)
}

// Run carries out commands that were found before, for example after a host
// edited them.
func Run(v Variables, commands []Command, o Options) (Variables, Result) {
	r := runner{o: &o, start: v.Stat, edit: v.Stat.Edit(), meta: v.meta, by: new(batch)}
	res := r.all(commands)
	out := v
	out.before, out.notes, out.compat = v.Stat, r.notes, o.compat()
	if after := r.edit.Document(); r.modified && !after.Equal(v.Stat) {
		out.Stat, out.meta, res.Modified = after, r.meta, true
	}
	return out, res
}

// all carries out the commands of a message.
func (r *runner) all(commands []Command) Result {
	for i := 0; i < len(commands); i++ {
		r.command = i
		if b := commands[i].Block; b > 0 && !r.o.compat() {
			end := i
			for end < len(commands) && commands[end].Block == b {
				end++
			}
			r.block(commands[i:end])
			i = end - 1
			continue
		}
		r.guarded(commands[i], func() Code { return r.run(commands[i]) })
	}
	return Result{
		Commands: commands, Failures: r.failures, Events: r.events,
	}
}

// runner is the work on one message.
type runner struct {
	o        *Options
	start    tree.Document
	edit     *tree.Edit
	base     tree.Path // of the data within the edited document
	meta     *node
	by       *batch // of the nodes that may be changed in place
	command  int
	current  Command
	modified bool
	failures []Failure
	events   []Event
	notes    []note
	fresh    made // by this message, not yet in the schema
	held     int  // see holds
	quiet    bool // nobody wants the events
	copied   copies
	missed   tree.Path // where the last command found nothing
}

// maxHeld bounds the elements and members in the old and new values of the events of one
// message in compat mode: a thousand insertions into one list hold a thousand lists.
const maxHeld = 1 << 20

// abs returns the place of a path of the data within the edited document.
func (r *runner) abs(p tree.Path) tree.Path {
	if len(r.base) == 0 {
		return p
	}
	return append(slices.Clone(r.base), p...)
}

// lookup returns the present value at a path of the data, for a look that ends before the
// next edit. [runner.tell] keeps what it tells.
func (r *runner) lookup(p tree.Path) tree.Value { return r.edit.Peek(r.abs(p)) }

// kind is lookup for the kind alone, which leaves the batch its nodes.
func (r *runner) kind(p tree.Path) tree.Kind { return r.edit.Kind(r.abs(p)) }

// fail records why the present command had no effect; "" is what its code asks for.
func (r *runner) fail(code Code, message string) {
	if message == "" {
		message = hint(code, r.o.Hints)
	}
	r.failures = appendTo(r.failures, Failure{Command: r.command, Code: code, Message: message})
}

// missing is the code of a path that leads nowhere.
func (r *runner) missing(path tree.Path) Code {
	r.missed = path
	return PathMissing
}

// guarded runs one command, and takes it back if the host's check refuses it.
func (r *runner) guarded(c Command, work func() Code) bool {
	r.current = c
	if r.o.Validate == nil {
		code := work()
		if code != "" {
			r.fail(code, "")
		}
		return code == ""
	}
	mark := r.mark()
	code, message := work(), ""
	if code == "" {
		data, err := tree.NewDocument(r.edit.Lookup(r.abs(nil)))
		if err == nil {
			err = r.o.Validate(data)
		}
		if err != nil {
			code, message = Invalid, err.Error()
		}
	}
	if code != "" {
		r.restore(mark)
		r.fail(code, message)
	}
	return code == ""
}

// mark is a state to go back to.
type mark struct {
	edit     tree.Mark
	meta     *node
	modified bool
	events   int
	notes    int
	fresh    int
}

// mark keeps the present state. It freezes what the batch has made of the schema so far, so
// it is taken only where something may be taken back.
func (r *runner) mark() mark {
	r.by = new(batch)
	return mark{r.edit.Mark(), r.meta, r.modified, len(r.events), len(r.notes), len(r.fresh.order)}
}

// restore goes back to a state; failures stay told.
func (r *runner) restore(m mark) {
	r.edit.Undo(m.edit)
	r.meta, r.modified, r.by = m.meta, m.modified, new(batch)
	r.events, r.notes = r.events[:m.events], r.notes[:m.notes]
	r.fresh.undo(m.fresh)
}

// run carries out a call.
func (r *runner) run(c Command) Code {
	if c.Type == "move" {
		return "" // recognized without effect
	}
	if c.Fault != "" {
		return c.Fault
	}
	if len(c.Args) == 0 {
		return BadArity
	}
	t, code := r.parsePath(c.Args[0])
	if code != "" {
		return code
	}
	if r.readonly(t.path) {
		return Readonly
	}
	values := make([]tree.Value, 0, 2)
	for _, src := range c.Args[1:] {
		v := parseArg(src, r.o.compat())
		if longNumber(v) {
			return TooLong
		}
		values = append(values, v)
	}
	switch c.Type {
	case "set":
		if len(values) == 0 {
			return BadArity
		}
		return r.set(t, values[min(1, len(values)-1)])
	}
	for i, v := range values {
		values[i] = defined(v)
	}
	switch c.Type {
	case "insert", "assign":
		if len(values) < 2 {
			if len(values) == 0 {
				return BadArity
			}
			return r.insert(t, tree.Value{}, values[0])
		}
		return r.insert(t, values[0], values[1])
	case "delete", "remove", "unset":
		if len(values) == 0 {
			return r.delete(t)
		}
		return r.deleteFrom(t, values[0])
	case "add":
		if len(values) != 1 {
			return BadArity
		}
		return r.add(t, values[0])
	}
	return BadArguments
}

// write puts v at path; the check of the path was done before.
func (r *runner) write(path tree.Path, v tree.Value) Code {
	if len(path) == 0 && !v.IsObject() {
		return NotAContainer // the data is an object
	}
	switch old := r.lookup(path); {
	case old.Equal(v):
		return "" // told, but no modification
	case r.readonly(path), r.breaks(old, v):
		return Readonly
	}
	if err := r.edit.Set(r.abs(path), v); err != nil {
		return outcome(err)
	}
	r.modified = true
	return ""
}

// tell records an event and its text for the display data.
func (r *runner) tell(e Event) {
	if r.quiet {
		return
	}
	shown := e
	if len(e.At) == 0 && r.o.compat() {
		shown.Old = r.internals(e.Old)
	}
	old, now := display(shown.Old), display(e.New)
	switch {
	case e.Type == "set" && !e.New.Exists():
		now = "undefined"
	case e.Type == "add" && pair(e.Old):
		old, now = e.Old.At(0).String(), e.New.At(0).String()
	case e.Type == "add":
		old, now = e.Old.String(), e.New.String()
	case e.Type == "insert":
		old, now = itoa(e.Old.Len()), itoa(e.New.Len())
	case e.Type == "delete":
		now = "null"
	}
	r.record(e, shown, e.At, old+"->"+now)
}

// record keeps an event, and the text of it that stands at a path of the display data.
// The host's format is given what is shown of the event.
func (r *runner) record(e, shown Event, at tree.Path, text string) {
	e.Old, e.New = r.edit.Freeze(e.Old), r.edit.Freeze(e.New)
	e.Reason, shown.Reason = r.current.Reason, r.current.Reason
	r.events = appendTo(r.events, e)
	if len(at) == 0 {
		at = tree.Path{""}
	}
	switch {
	case r.o.Format != nil:
		text = r.o.Format(shown)
	case e.Reason != "":
		text += " (" + e.Reason + ")"
	default:
		text += " "
	}
	r.notes = appendTo(r.notes, note{path: at, text: text})
}

// internals shows the root as MVU writes it while it works: with its display
// data in a member of its own.
func (r *runner) internals(root tree.Value) tree.Value {
	so := Variables{before: r.start, notes: r.notes}
	return place(root, tree.Path{"$internal"}, tree.Object(
		tree.Member{Key: "display_data", Value: so.Display()},
		tree.Member{Key: "delta_data", Value: so.Delta()},
	))
}

// pair reports whether v is a value with its description.
func pair(v tree.Value) bool {
	return v.IsArray() && v.Len() == 2 && v.At(1).Kind() == tree.KindText && !v.At(0).IsArray()
}

// longNumber reports whether v holds a number that is too long to compute with.
func longNumber(v tree.Value) bool {
	n, _ := v.AsNumber()
	if len(n) > tree.MaxDigits {
		return true
	}
	for i := range v.Len() {
		if longNumber(v.At(i)) {
			return true
		}
	}
	return false
}
