package hooks

import (
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// reader reads the members of a JSON object and reports every member of the wrong type. It does not
// stop at the first mistake, so that an author sees all mistakes at once. Such a member is dropped,
// and the hook has the default instead.
type reader struct {
	*authorjson.Fields
	at       condition.Place
	problems talewright.Problems
}

// read returns a reader of an object at a place.
func read(v tree.Value, at condition.Place) *reader { return &reader{Fields: authorjson.Of(v), at: at} }

// hook reads all members of a hook.
func (r *reader) hook() Hook {
	h := Hook{
		ID:             r.text("id"),
		Name:           r.text("name"),
		Description:    r.text("description"),
		Enabled:        r.boolean("enabled"),
		Event:          r.list("event"),
		Scope:          Scope(r.restricting("scope")),
		CharacterID:    r.restricting("character_id"),
		ConversationID: r.restricting("conversation_id"),
		UserID:         r.restricting("user_id"),
		Priority:       r.integer("priority"),
		Conditions:     r.value("conditions"),
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
	h.Extra = r.Rest()
	for i := range r.problems {
		r.problems[i].ID = h.ID // ID is read at this point, wherever the object has it
	}
	return h
}

// report records a mistake at a member. An empty name means the object itself.
func (r *reader) report(name, format string, args ...any) {
	at := r.at
	if name != "" {
		at = at.Key(name)
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

// checkType reports a member that was not read because of its type, and returns its value. wrong is
// true if there is such a member.
func (r *reader) checkType(name, want string) (v tree.Value, wrong bool) {
	v = r.Value(name)
	if v.Exists() {
		r.report(name, "must be %s, not %s", want, condition.Named(v.Kind()))
	}
	return v, v.Exists()
}

// text reads a string.
func (r *reader) text(name string) string {
	s := r.Text(name)
	r.checkType(name, "a text")
	return s
}

// restricting reads a string that excludes events from a hook. A value of a different type is
// reported and read as its JSON text. The default would open the hook to all events. The text 7 is
// an id that a character may have, and is not a valid scope.
func (r *reader) restricting(name string) string {
	s := r.Text(name)
	if v, wrong := r.checkType(name, "a text"); wrong {
		return v.String()
	}
	return s
}

// boolean reads true or false; other values give nil. Words such as "yes" are not accepted: a
// hook's author and its host could disagree on their meaning.
func (r *reader) boolean(name string) *bool {
	b := r.Flag(name)
	r.checkType(name, "true or false")
	return b
}

// integer reads a whole number; other values give nil. It is stricter than the numbers in a turn: a
// fraction in a priority is a mistake.
func (r *reader) integer(name string) *int {
	v := r.value(name)
	i, ok := condition.Whole(v)
	if !ok && v.Exists() {
		r.report(name, "must be a whole number, not %s", condition.Brief(v))
	}
	if !ok {
		return nil
	}
	return &i
}

// value reads anything, absent if it is missing or null.
func (r *reader) value(name string) tree.Value {
	v := r.Value(name)
	if v.IsNull() {
		return tree.Value{}
	}
	return v
}

// list reads a string or a list of strings.
func (r *reader) list(name string) []string {
	v := r.value(name)
	if s, ok := v.AsText(); ok {
		return []string{s}
	}
	if v.Exists() && !v.IsArray() {
		r.report(name, "must be a text or a list of texts, not %s", condition.Named(v.Kind()))
	}
	var out []string
	for i, e := range v.Elements() {
		s, ok := e.AsText()
		if !ok {
			at := r.at.Key(name).At(i)
			r.problems = append(r.problems, problem(at, "must be a text, not %s", condition.Named(e.Kind())))
			continue
		}
		out = append(out, s)
	}
	return out
}

// actions keeps every element of the list: an element that is not an action fails when it runs.
func (r *reader) actions(name string) []act.Action {
	var out []act.Action
	for _, e := range r.List(name).Elements() {
		out = append(out, act.Action{JSON: e})
	}
	r.checkType(name, "a list of actions")
	return out
}

// permissions reads the object with this name. A mistake anywhere in it denies every channel: if
// the unreadable part were ignored, the hook would be allowed too much.
func (r *reader) permissions(name string) Permissions {
	v := r.value(name)
	if !v.Exists() {
		return Permissions{}
	}
	in := read(v, r.at.Key(name))
	if !in.IsObject() {
		in.report("", "must be an object, not %s", condition.Named(v.Kind()))
	}
	p := Permissions{
		Channels:     in.list("channels"),
		DenyChannels: in.list("deny_channels"),
		Actions:      in.list("actions"),
	}
	p.Extra = in.Rest()
	if len(in.problems) > 0 {
		p.Channels = []string{""} // no event has this channel
	}
	r.problems = append(r.problems, in.problems...)
	return p
}
