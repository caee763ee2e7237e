package state

import (
	"cmp"
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

// partChanges records which parts of a struct changed.
type partChanges struct {
	parts  []formField
	values []tree.Value // the JSON values of the changed parts; absent for a part that is not written
	status []partStatus // of each part
}

// partStatus says whether a part of a struct has changed, and how its stored form is known.
type partStatus uint8

const (
	partSame      partStatus = iota // it has not changed
	partCopied                      // it has changed, and reads back as it is
	partUncertain                   // it has changed, and must be written to know how it reads back
)

// copyChanged copies the parts of now that differ into to. Parts that may read back differently go
// to uncertain instead. All three are structs of one type.
func copyChanged(parts []formField, to, now, uncertain reflect.Value) partChanges {
	r := partChanges{parts, make([]tree.Value, len(parts)), make([]partStatus, len(parts))}
	for i := range parts {
		m := &parts[i]
		before, after := to.Field(m.field), now.Field(m.field)
		if sameValue(after, before) {
			continue
		}
		r.status[i] = partCopied
		if d, ok := after.Addr().Interface().(*tree.Document); ok {
			r.values[i] = d.Root()
		} else if v, err := m.memberValue(after); err != nil || !m.memberReadsBackSame(after) {
			r.status[i] = partUncertain
			uncertain.Field(m.field).Set(after)
			continue
		} else {
			r.values[i] = v
		}
		before.Set(after)
	}
	return r
}

// takeReadBack copies the uncertain parts from back, where they were read back, and their values.
func (r partChanges) takeReadBack(to, back reflect.Value, values tree.Value) {
	for i, status := range r.status {
		if status == partUncertain {
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
	return reflect.DeepEqual(x.Addr().Interface(), y.Addr().Interface())
}

// storedParts is AsStored for a base in its stored form, with head as its value. Unchanged parts
// come from base and head.
func (c Campaign) storedParts(base Campaign, head tree.Value) (Campaign, tree.Value, error) {
	out := base
	out.Turns, out.Snapshots, out.OlderJumps = c.Turns, c.Snapshots, c.OlderJumps
	uncertain := new(Campaign)
	to, now, uncertainValue := reflect.ValueOf(&out).Elem(), reflect.ValueOf(&c).Elem(), reflect.ValueOf(uncertain).Elem()
	toState, nowState, uncertainState := reflect.ValueOf(&out.State).Elem(), reflect.ValueOf(&c.State).Elem(),
		reflect.ValueOf(&uncertain.State).Elem()
	headChanges := copyChanged(campaignParts, to, now, uncertainValue)
	stateChanges := copyChanged(stateParts, toState, nowState, uncertainState)
	if slices.Contains(headChanges.status, partUncertain) || slices.Contains(stateChanges.status, partUncertain) {
		back, v, err := uncertain.readBack()
		if err != nil {
			return c, v, err
		}
		headChanges.takeReadBack(to, reflect.ValueOf(&back).Elem(), v)
		stateChanges.takeReadBack(toState, reflect.ValueOf(&back.State).Elem(), v.Get(statePart))
	}
	state := stateChanges.object(head.Get(statePart))
	return out, headChanges.object(head, tree.Member{Key: statePart, Value: state}), nil
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
		back, readErr := c.WithHeadValue(v)
		if err = cmp.Or(err, readErr); err != nil {
			return c, v, err
		}
		if reflect.DeepEqual(&back, &c) {
			return back, v, nil
		}
		before := v
		c = back
		if v, err = c.HeadValue(); v.Equal(before) {
			return c, v, err
		}
	}
	return c, v, errors.Join(err, errors.New("the state reads back as another each time"))
}

// object returns an object with the changed parts replaced and the members of more added. The order
// is: the members of the type, then more, then unknown members.
func (r partChanges) object(before tree.Value, more ...tree.Member) tree.Value {
	members := make([]tree.Member, 0, len(r.parts)+len(more))
	for i, p := range r.parts {
		v := r.values[i]
		if r.status[i] == partSame {
			v = before.Get(p.name)
		}
		members = append(members, tree.Member{Key: p.name, Value: v})
	}
	members = append(members, more...)
	known := len(members)
	for key, v := range before.Members() {
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
	uncertain := Turn{Extra: t.Extra}
	now, uncertainValue := reflect.ValueOf(&t).Elem(), reflect.ValueOf(&uncertain).Elem()
	isUncertain := make([]bool, len(turnParts))
	for i := range turnParts {
		m := &turnParts[i]
		if isUncertain[i] = !m.memberReadsBackSame(now.Field(m.field)); isUncertain[i] {
			uncertainValue.Field(m.field).Set(now.Field(m.field))
		}
	}
	if !slices.Contains(isUncertain, true) && t.Extra == nil {
		return t, nil
	}
	fired := uncertain.Trace.Fired
	uncertain.Trace.Fired = slices.Clone(fired)
	for i := range fired {
		uncertain.Trace.Fired[i].Effects = nil
	}
	var back Turn
	data, err := openjson.Marshal(uncertain)
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
		if isUncertain[i] {
			now.Field(m.field).Set(reflect.ValueOf(&back).Elem().Field(m.field))
		}
	}
	t.Extra = back.Extra
	return t, nil
}
