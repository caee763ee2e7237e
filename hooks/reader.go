package hooks

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// reader takes a JSON object apart, member by member, and collects what is of
// the wrong type instead of stopping at it. That is what encoding/json cannot do: an
// author would see one mistake, mend it, and see the next.
type reader struct {
	obj      tree.Value
	at       place
	known    []string
	problems talewright.Problems
}

// hook reads all members of a hook.
func (r *reader) hook() Hook {
	h := Hook{
		ID:             r.text("id"),
		Name:           r.text("name"),
		Description:    r.text("description"),
		Enabled:        r.boolean("enabled"),
		Event:          r.list("event"),
		Scope:          Scope(r.narrowing("scope")),
		CharacterID:    r.narrowing("character_id"),
		ConversationID: r.narrowing("conversation_id"),
		UserID:         r.narrowing("user_id"),
		Priority:       r.integer("priority"),
		Conditions:     r.member("conditions"),
		ConditionLogic: Logic(r.text("condition_logic")),
		Actions:        r.actions("actions"),
		Permissions:    r.permissions("permissions"),
		TimeoutMS:      orDefault(r.integer("timeout_ms"), 0),
		MaxRetries:     orDefault(r.integer("max_retries"), 0),
		TriggerMode:    TriggerMode(r.text("trigger_mode")),
		OnError:        ErrorMode(r.text("on_error")),
		CreatedAt:      r.text("created_at"),
		UpdatedAt:      r.text("updated_at"),
	}
	if atomic := r.boolean("atomic"); atomic != nil {
		h.Atomic = *atomic
	}
	h.Extra = r.extra()
	for i := range r.problems {
		r.problems[i].ID = h.ID // known by now, wherever in the object it stood
	}
	return h
}

// report notes a mistake at a member, at the object itself for no name.
func (r *reader) report(name, format string, args ...any) {
	at := r.at
	if name != "" {
		at = at.key(name)
	}
	r.problems = append(r.problems, problem(at, format, args...))
}

// err joins all problems.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return fmt.Errorf("hooks: %w", r.problems)
}

// member returns a member, absent if it is missing or null.
func (r *reader) member(name string) tree.Value {
	r.known = append(r.known, name)
	v := r.obj.Get(name)
	if v.IsNull() {
		return tree.Value{}
	}
	return v
}

// text reads a string.
func (r *reader) text(name string) string {
	v := r.member(name)
	s, ok := v.AsText()
	if v.Exists() && !ok {
		r.report(name, "must be a text, not %s", named(v.Kind()))
	}
	return s
}

// narrowing reads a string that keeps a hook from others' events. Anything else is
// reported, and stands for itself as JSON: the default would open the hook to
// everyone, where 7 is an id that somebody may have, and no scope at all.
func (r *reader) narrowing(name string) string {
	s := r.text(name)
	if v := r.obj.Get(name); v.Exists() && !v.IsNull() && v.Kind() != tree.KindText {
		return v.String()
	}
	return s
}

// boolean reads true or false, nil for neither. Words such as "yes" are neither: a
// hook's author and its host could disagree on what they mean.
func (r *reader) boolean(name string) *bool {
	v := r.member(name)
	if !v.Exists() {
		return nil
	}
	b, ok := v.AsBool()
	if !ok {
		r.report(name, "must be true or false, not %s", named(v.Kind()))
		return nil
	}
	return &b
}

// integer reads a whole number, nil for none.
func (r *reader) integer(name string) *int {
	v := r.member(name)
	if !v.Exists() {
		return nil
	}
	i, ok := wholeNumber(v)
	if !ok {
		r.report(name, "must be a whole number, not %s", brief(v))
		return nil
	}
	return &i
}

// list reads a string or a list of strings.
func (r *reader) list(name string) []string {
	v := r.member(name)
	if s, ok := v.AsText(); ok {
		return []string{s}
	}
	if v.Exists() && !v.IsArray() {
		r.report(name, "must be a text or a list of texts, not %s", named(v.Kind()))
	}
	var out []string
	for i, e := range v.Elements() {
		s, ok := e.AsText()
		if !ok {
			at := r.at.key(name).at(i)
			r.problems = append(r.problems, problem(at, "must be a text, not %s", named(e.Kind())))
			continue
		}
		out = append(out, s)
	}
	return out
}

// actions keeps whatever the list holds: what is no action fails when it is run.
func (r *reader) actions(name string) []Action {
	v := r.member(name)
	if v.Exists() && !v.IsArray() {
		r.report(name, "must be a list of actions, not %s", named(v.Kind()))
	}
	var out []Action
	for _, e := range v.Elements() {
		out = append(out, Action{e})
	}
	return out
}

// permissions reads the object of that name. A mistake anywhere in it locks the
// hook: without the part that cannot be read it would be allowed too much.
func (r *reader) permissions(name string) Permissions {
	v := r.member(name)
	if !v.Exists() {
		return Permissions{}
	}
	in := reader{obj: v, at: r.at.key(name)}
	if !v.IsObject() {
		in.report("", "must be an object, not %s", named(v.Kind()))
	}
	p := Permissions{
		Channels:     in.list("channels"),
		DenyChannels: in.list("deny_channels"),
		Actions:      in.list("actions"),
	}
	p.Extra = in.extra()
	if len(in.problems) > 0 {
		p.Channels = []string{""} // no event comes from there
	}
	r.problems = append(r.problems, in.problems...)
	return p
}

// extra returns the members that nobody has asked for, as they are written: they
// belong to other programs, and are to survive this one.
func (r *reader) extra() map[string]json.RawMessage {
	var out map[string]json.RawMessage
	known := make(map[string]bool, len(r.known))
	for _, name := range r.known {
		known[name] = true
	}
	for k, v := range r.obj.Members() {
		if known[k] {
			continue
		}
		if out == nil {
			out = map[string]json.RawMessage{}
		}
		out[k] = v.AppendJSON(nil)
	}
	return out
}
