package hooks

import (
	"errors"
	"fmt"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Parse reads hooks from JSON: a list of hook objects, or an object whose member "hooks" is such a
// list. It returns all hooks and all mistakes together. A member of the wrong type gets its
// default.
//
// No mistake makes a hook more powerful than its author meant. [Compile] rejects a scope that is
// not a string. An id that is not a string is read as its JSON text. Permissions with a mistake
// deny every channel. A list element that is not an object becomes an empty hook, which Compile
// rejects. So the indexes in Compile's paths are the indexes of the list. Data that is not a list
// at all is a fatal problem.
func Parse(data []byte) ([]Hook, talewright.Problems) {
	text := "must be a list of hooks"
	v, err := authorjson.File(data)
	if err != nil {
		text = "not JSON: " + err.Error()
	}
	if list := v.Get("hooks"); list.Exists() {
		v = list
	}
	if !v.IsArray() {
		return nil, talewright.Problems{{Path: "hooks", Code: codeRejected, Severity: talewright.Fatal, Text: text}}
	}
	var hooks []Hook
	var problems talewright.Problems
	for i, e := range v.Elements() {
		r := read(e, condition.Place("hooks").At(i))
		if !e.IsObject() {
			r.report("", "a hook must be an object, not %s", condition.Named(e.Kind()))
			r.problems[0].Code = codeRejected
		}
		hooks = append(hooks, r.hook())
		problems = append(problems, r.problems...)
	}
	return hooks, problems
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (h Hook) MarshalJSON() ([]byte, error) { return openjson.Write(h) }

// UnmarshalJSON reads a hook object. Members of the wrong type are an error that
// wraps the [talewright.Problems] of all of them.
func (h *Hook) UnmarshalJSON(data []byte) error {
	v, err := tree.ParseValue(data)
	if err != nil {
		return err
	}
	if !v.IsObject() {
		return errors.New("hooks: a hook must be an object, not " + condition.Named(v.Kind()))
	}
	r := read(v, "")
	got := r.hook()
	if err := r.err(); err != nil {
		return err
	}
	*h = got
	return nil
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (p Permissions) MarshalJSON() ([]byte, error) { return openjson.Write(p) }

// IsZero reports whether the permissions neither restrict the hook nor hold unknown members.
func (p Permissions) IsZero() bool {
	return len(p.Channels)+len(p.DenyChannels)+len(p.Actions)+len(p.Extra) == 0
}

// UnmarshalJSON reads lists of strings; each may also be a single string.
func (p *Permissions) UnmarshalJSON(data []byte) error {
	return unmarshalMember(data, p, "permissions", (*reader).permissions)
}

// unmarshalMember reads the value of one member of a hook. *into changes only if there is no problem.
func unmarshalMember[T any](data []byte, into *T, name string, get func(r *reader, name string) T) error {
	v, err := tree.ParseValue(data)
	if err != nil {
		return err
	}
	r := read(tree.Object(tree.Member{Key: name, Value: v}), "")
	got := get(r, name)
	if err = r.err(); err == nil {
		*into = got
	}
	return err
}

// UnmarshalJSON reads a string or a list of strings.
func (p *Patterns) UnmarshalJSON(data []byte) error {
	return unmarshalMember(data, (*[]string)(p), "event", (*reader).list)
}

// MarshalJSON writes one pattern as a string and several as a list.
func (p Patterns) MarshalJSON() ([]byte, error) {
	if len(p) == 1 {
		return openjson.Marshal(p[0])
	}
	return openjson.Marshal([]string(p))
}

// The codes of problems with hooks.
const (
	// Rejected: the hook is left out.
	codeRejected talewright.Code = "rejected"
	// Misread: the hook is in the set, and the mistake has its documented meaning. It is a
	// condition that is never true, an action that fails, or a default that replaces a bad value.
	codeMisread talewright.Code = "misread"
	// Doubtful: a warning of [Vet].
	codeDoubtful talewright.Code = "doubtful"
)

// problem returns a problem at a place: the JSON path from the list of hooks, such as
// hooks[2].conditions["payload.hp"].gte. It does not reject the hook.
func problem(at condition.Place, format string, args ...any) talewright.Problem {
	return talewright.Problem{Path: string(at), Code: codeMisread, Text: fmt.Sprintf(format, args...)}
}

// rejected reports whether a problem excludes its hook from the set.
func rejected(p talewright.Problem) bool { return p.Code == codeRejected }

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
	atomic := r.boolean("atomic")
	h.Atomic = atomic != nil && *atomic
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
