package mvu

import "github.com/talewright/talewright/memvars/tree"

// Update finds the commands in a message and runs them in the order of their positions. A command
// that fails changes nothing; the others still run. The display data of the result belongs to this
// message.
//
// The copies of one message have at most 65,536 nodes, and in compat mode its events have at most a
// million elements and members of containers. Further commands fail with "too_many". Numbers of more
// than tree.MaxDigits digits fail with "too_long".
//
// The cost follows the changes, plus one pass over the text. Only the places with schema rules are
// stored. The full schema is written only on request, so a large document with one marker costs
// nothing per message.
func Update(v Variables, text string, o Options) (Variables, Result) {
	return Run(v, Find(text, o), o)
}

// Run runs commands that were found before, for example after a host edited them.
func Run(v Variables, commands []Command, o Options) (Variables, Result) {
	out := v
	out.before, out.notes, out.compat = v.Stat, nil, o.compat()
	if len(commands) == 0 { // as in most messages: nothing is opened for writing
		return out, Result{Commands: commands}
	}
	options := o
	r := runner{options: &options, start: v.Stat, edit: v.Stat.Edit(), meta: v.meta, owner: new(batch)}
	if o.Schema != nil {
		r.meta = &node{recursive: true}
	}
	res := r.runAll(commands)
	out.notes = r.notes
	if after := r.edit.Document(); r.modified && !after.Equal(v.Stat) {
		if out.Stat, res.Modified = after, true; o.Schema == nil {
			out.meta = r.meta
		}
	}
	return out, res
}

// runAll runs the commands of a message.
func (r *runner) runAll(commands []Command) Result {
	for first, end := 0, 0; first < len(commands); first = end {
		end = first + 1
		r.commandIndex = first
		if block := commands[first].Block; block > 0 && !r.options.compat() {
			for end < len(commands) && commands[end].Block == block {
				end++
			}
			r.runBlock(commands[first:end])
			continue
		}
		r.runChecked(commands[first], func() Code { return r.run(commands[first]) })
	}
	return Result{Commands: commands, Failures: r.failures, Events: r.events}
}

// run runs a call.
func (r *runner) run(c Command) Code {
	if c.Type == "move" {
		return "" // recognized without effect
	}
	if c.Fault != "" {
		return c.Fault
	}
	if len(c.Args) == 0 {
		return codeBadArity
	}
	t, code := r.parsePath(c.Args[0])
	if code != "" {
		return code
	}
	if r.readonly(t.path) {
		return codeReadonly
	}
	values := make([]tree.Value, 0, 2)
	for _, src := range c.Args[1:] {
		v := parseArg(src, r.argMode())
		if longNumber(v) {
			return codeTooLong
		}
		values = append(values, v)
	}
	if c.Type == "set" {
		if len(values) == 0 {
			return codeBadArity
		}
		return r.set(t, values[min(1, len(values)-1)])
	}
	for i, v := range values {
		values[i] = nullIfUndefined(v)
	}
	return r.change(c.Type, t, values)
}

// argMode returns how the runner reads arguments.
func (r *runner) argMode() argMode {
	switch {
	case r.options.Schema != nil:
		return plainArgs
	case r.options.compat():
		return compatArgs
	}
	return lenientArgs
}

// change runs a call other than set.
func (r *runner) change(typ string, t target, values []tree.Value) Code {
	switch n := len(values); typ {
	case "insert", "assign":
		switch n {
		case 0:
			return codeBadArity
		case 1:
			return r.insert(t, tree.Value{}, values[0])
		}
		return r.insert(t, values[0], values[1])
	case "delete", "remove", "unset":
		if n == 0 {
			return r.delete(t)
		}
		return r.deleteFrom(t, values[0])
	case "add":
		if n != 1 {
			return codeBadArity
		}
		return r.add(t, values[0])
	}
	return codeBadArguments
}
