package state

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// HeadValue returns the campaign as a JSON value without its turns, which the records of the log
// have. It shares the variables with the campaign, so a comparison of two heads skips their common
// parts.
func (c Campaign) HeadValue() (tree.Value, error) {
	vars := c.State.Variables
	c.Turns = nil
	c.State.Variables = tree.Document{}
	v, err := tree.Of(c)
	return v.With(statePart, v.Get(statePart).With("variables", vars.Root())), err
}

// WithHeadValue is the inverse of [Campaign.HeadValue]. It takes turns and snapshots from c.
func (c Campaign) WithHeadValue(v tree.Value) (Campaign, error) {
	vars, err := tree.NewDocument(v.Get(statePart).Get("variables"))
	if err != nil {
		return c, err
	}
	v = v.With(statePart, v.Get(statePart).Without("variables"))
	var next Campaign
	if err := next.UnmarshalJSON(v.AppendJSON(nil)); err != nil {
		return c, fmt.Errorf("campaign: state in a record: %w", err)
	}
	next.State.Variables = vars
	next.Turns, next.Snapshots, next.OlderJumps = c.Turns, c.Snapshots, c.OlderJumps
	return next, nil
}

// AsStored returns the campaign as a store would return it, and its value without turns and
// snapshots. The campaign in memory must equal the result of a reload. The argument base is the
// campaign before. The argument head is the value of base if base is in its stored form and the
// value is known.
func (c Campaign) AsStored(base Campaign, head tree.Value) (Campaign, tree.Value, error) {
	read := Campaign.readBack
	if head.Exists() && c.sameExtra(base) {
		read = func(c Campaign) (Campaign, tree.Value, error) { return c.storedParts(base, head) }
	}
	out, v, err := read(c)
	if err == nil {
		out.renewSnapshots(base)
	}
	return out, v, err
}

// renewSnapshots replaces the snapshots that are new since base by their stored form.
func (c *Campaign) renewSnapshots(base Campaign) {
	if reflect.ValueOf(c.Snapshots).Pointer() == reflect.ValueOf(base.Snapshots).Pointer() {
		c.Snapshots = maps.Clone(c.Snapshots)
	}
	maps.DeleteFunc(c.Snapshots, func(ref string, _ *State) bool {
		_, known := base.Snapshots[ref]
		return !known
	})
	c.findSnapshots(base.State)
}

// A commit compares a campaign by parts: the members of its JSON form and of its state's JSON form.
// For an unchanged part the cost is one comparison. Only changed parts are compared in detail with
// the stored ones. So the cost of a commit depends on the changes and not on the length of the
// campaign.

// partsOf returns the members of a struct type, except the members in without, which are compared
// in a different way.
func partsOf(typ reflect.Type, without ...string) []formField {
	return slices.DeleteFunc(structForm(typ).fields, func(m formField) bool { return slices.Contains(without, m.name) })
}

var (
	campaignParts = partsOf(reflect.TypeFor[Campaign](), "turns", statePart)
	stateParts    = partsOf(reflect.TypeFor[State]())
	turnParts     = partsOf(reflect.TypeFor[Turn]())
)

// statePart is the member of a campaign that has its own parts.
const statePart = "state"

// renewal records which parts of a struct changed.
type renewal struct {
	parts  []formField
	values []tree.Value // of the changed parts; absent if they are not written
	as     []renewedAs
}

type renewedAs uint8

const (
	unchanged renewedAs = iota
	renewed
	oddOne // it must be written to know how it reads back
)

// renew copies the parts of now that differ into to. Parts that may read back differently go to odd
// instead. All three are structs of one type.
func renew(parts []formField, to, now, odd reflect.Value) renewal {
	r := renewal{parts, make([]tree.Value, len(parts)), make([]renewedAs, len(parts))}
	for i := range parts {
		m := &parts[i]
		was, is := to.Field(m.field), now.Field(m.field)
		if sameValue(is, was) {
			continue
		}
		r.as[i] = renewed
		if d, ok := is.Addr().Interface().(*tree.Document); ok {
			r.values[i] = d.Root()
		} else if v, err := m.memberValue(is); err != nil || !m.keepsMember(is) {
			r.as[i] = oddOne
			odd.Field(m.field).Set(is)
			continue
		} else {
			r.values[i] = v
		}
		was.Set(is)
	}
	return r
}

// takeOdd copies the odd parts from back, where they were read back, and their values.
func (r renewal) takeOdd(to, back reflect.Value, values tree.Value) {
	for i, as := range r.as {
		if as == oddOne {
			to.Field(r.parts[i].field).Set(back.Field(r.parts[i].field))
			r.values[i] = values.Get(r.parts[i].name)
		}
	}
}

// sameValue reports whether two values of one type have the same JSON form. It returns false if a
// quick check cannot decide.
func sameValue(x, y reflect.Value) bool {
	if d, ok := x.Addr().Interface().(*tree.Document); ok {
		return d.Same(*y.Addr().Interface().(*tree.Document))
	}
	switch x.Kind() {
	case reflect.String:
		return x.String() == y.String()
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64:
		return x.Equal(y)
	case reflect.Slice:
		if x.Len() != y.Len() || x.IsNil() != y.IsNil() {
			return false
		}
		if x.Pointer() == y.Pointer() {
			return true
		}
	}
	return reflect.DeepEqual(x.Addr().Interface(), y.Addr().Interface())
}

// storedParts is AsStored for a base in its stored form, with head as its value. Unchanged parts
// come from base and head.
func (c Campaign) storedParts(base Campaign, head tree.Value) (Campaign, tree.Value, error) {
	out := base
	out.Turns, out.Snapshots, out.OlderJumps = c.Turns, c.Snapshots, c.OlderJumps
	odd := new(Campaign)
	to, now, odds := reflect.ValueOf(&out).Elem(), reflect.ValueOf(&c).Elem(), reflect.ValueOf(odd).Elem()
	toState, nowState, oddState := reflect.ValueOf(&out.State).Elem(), reflect.ValueOf(&c.State).Elem(),
		reflect.ValueOf(&odd.State).Elem()
	heads, states := renew(campaignParts, to, now, odds), renew(stateParts, toState, nowState, oddState)
	if slices.Contains(heads.as, oddOne) || slices.Contains(states.as, oddOne) {
		back, v, err := odd.readBack()
		if err != nil {
			return c, v, err
		}
		heads.takeOdd(to, reflect.ValueOf(&back).Elem(), v)
		states.takeOdd(toState, reflect.ValueOf(&back.State).Elem(), v.Get(statePart))
	}
	state := states.with(head.Get(statePart))
	return out, heads.with(head, tree.Member{Key: statePart, Value: state}), nil
}

// sameExtra reports whether the unknown members are the same as in base. They come after all parts
// and are copied with them.
func (c Campaign) sameExtra(base Campaign) bool {
	return reflect.DeepEqual(c.Extra, base.Extra) && reflect.DeepEqual(c.State.Extra, base.State.Extra)
}

// readBack returns the campaign as it reads back from its value, and that value.
func (c Campaign) readBack() (Campaign, tree.Value, error) {
	v, err := c.HeadValue()
	for range 3 { // a second pass if reading changed something
		if err != nil {
			return c, v, err
		}
		back, err := c.WithHeadValue(v)
		if err != nil {
			return c, v, err
		}
		if reflect.DeepEqual(&back, &c) {
			return back, v, nil
		}
		before := v
		c = back
		if v, err = c.HeadValue(); err == nil && v.Equal(before) {
			return c, v, nil
		}
	}
	return c, v, errors.Join(err, errors.New("the state reads back as another each time"))
}

// with returns an object with the changed parts replaced and the members of more added. The order
// is: the members of the type, then more, then unknown members.
func (r renewal) with(was tree.Value, more ...tree.Member) tree.Value {
	members := make([]tree.Member, 0, len(r.parts)+len(more))
	for i, p := range r.parts {
		v := r.values[i]
		if r.as[i] == unchanged {
			v = was.Get(p.name)
		}
		members = append(members, tree.Member{Key: p.name, Value: v})
	}
	members = append(members, more...)
	known := len(members)
	for key, v := range was.Members() {
		if !slices.ContainsFunc(members[:known], func(m tree.Member) bool { return m.Key == key }) {
			members = append(members, tree.Member{Key: key, Value: v})
		}
	}
	return tree.Object(members...)
}

// AsStored returns the turn as a store would return it. The effects of rules already have that
// form, because they are read back when the rule fires.
func (t Turn) AsStored() (Turn, error) {
	t.Changes = slices.Clone(t.Changes)
	for i := range t.Changes { // the paths may be shared with a rule
		t.Changes[i].Path = slices.Clone(t.Changes[i].Path)
	}
	odd := Turn{Extra: t.Extra}
	now, odds := reflect.ValueOf(&t).Elem(), reflect.ValueOf(&odd).Elem()
	isOdd := make([]bool, len(turnParts))
	for i := range turnParts {
		m := &turnParts[i]
		if isOdd[i] = !m.keepsMember(now.Field(m.field)); isOdd[i] {
			odds.Field(m.field).Set(now.Field(m.field))
		}
	}
	if !slices.Contains(isOdd, true) && t.Extra == nil {
		return t, nil
	}
	fired := odd.Trace.Fired
	odd.Trace.Fired = slices.Clone(fired)
	for i := range fired {
		odd.Trace.Fired[i].Effects = nil
	}
	var back Turn
	data, err := openjson.Marshal(odd)
	if err == nil {
		err = back.UnmarshalJSON(data)
	}
	if err != nil {
		return t, err
	}
	for i := range back.Trace.Fired {
		back.Trace.Fired[i].Effects = fired[i].Effects
	}
	for i, m := range turnParts {
		if isOdd[i] {
			now.Field(m.field).Set(reflect.ValueOf(&back).Elem().Field(m.field))
		}
	}
	t.Extra = back.Extra
	return t, nil
}
