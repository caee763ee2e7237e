package campaign

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// A commit looks at a campaign by parts: the members of its JSON form and of its
// state's. A part that is as it was costs a comparison; only the others are encoded,
// read back and compared with what was stored. BenchmarkTurn/history=N and
// TestTurnCostsWhatIsNew fail without it.

// part is one member of a struct.
type part struct {
	field int
	name  string // in JSON
}

// partsOf lists the parts of a struct type in their order, without those that are
// looked at in another way.
func partsOf(typ reflect.Type, without ...string) (out []part) {
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		skip := name == "-"
		for _, w := range without {
			skip = skip || w == name
		}
		if !skip {
			out = append(out, part{i, name})
		}
	}
	return out
}

var (
	campaignParts = partsOf(reflect.TypeFor[Campaign](), "turns", "snapshots")
	stateParts    = partsOf(reflect.TypeFor[State]())
)

// changed tells of each part of two structs of one type whether it differs. Both are
// pointers.
func changed(a, b any, parts []part) (out []bool) {
	va, vb := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	out = make([]bool, len(parts))
	for i, p := range parts {
		if p.name != statePart { // which has parts of its own
			out[i] = !sameValue(va.Field(p.field), vb.Field(p.field))
		}
	}
	return out
}

const statePart = "state"

// sameValue reports whether two values of one type have the same JSON form. Where that
// is not seen at once they count as different.
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

// take copies the parts that which names.
func take(to, from any, parts []part, which []bool) {
	vt, vf := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for i, p := range parts {
		if which[i] {
			vt.Field(p.field).Set(vf.Field(p.field))
		}
	}
}

// storedParts is asStored for a campaign whose base is as it is stored, with head as
// its value: what did not change is taken from there.
func (c Campaign) storedParts(base Campaign, head tree.Value) (Campaign, tree.Value, error) {
	heads, states := changed(&c, &base, campaignParts), changed(&c.State, &base.State, stateParts)
	var some Campaign // what changed
	take(&some, &c, campaignParts, heads)
	take(&some.State, &c.State, stateParts, states)
	kept := some.dropReplies(base)
	some, v, err := some.readBack()
	if err == nil {
		v, err = some.takeReplies(v, base, head, kept)
	}
	if err != nil {
		return c, v, err
	}
	out := base
	out.Turns, out.Snapshots = c.Turns, c.Snapshots
	take(&out, &some, campaignParts, heads)
	take(&out.State, &some.State, stateParts, states)
	state := head.Get(statePart)
	if slices.Contains(states, true) {
		state = withParts(state, v.Get(statePart), stateParts, states)
	}
	return out, withParts(head, v, campaignParts, heads, tree.Member{Key: statePart, Value: state}), nil
}

// dropReplies empties the replies that the variables remember and that the base has too:
// a window moves by one in each turn. It says which of the base they are, -1 for none.
func (c *Campaign) dropReplies(base Campaign) []int {
	now, before := c.State.VariableState.Window, base.State.VariableState.Window
	kept := make([]int, len(now))
	window := make([]memvars.Turn, len(now))
	for i, reply := range now {
		kept[i] = slices.IndexFunc(before, func(b memvars.Turn) bool {
			return b.Reply == reply.Reply && slices.Equal(b.Player, reply.Player) && (b.Player == nil) == (reply.Player == nil)
		})
		if kept[i] < 0 {
			window[i] = reply
		}
	}
	if len(now) > 0 {
		c.State.VariableState.Window = window
	}
	return kept
}

// takeReplies puts the replies of the base back, and returns the value of c with them.
func (c *Campaign) takeReplies(v tree.Value, base Campaign, head tree.Value, kept []int) (tree.Value, error) {
	doc, err := tree.NewDocument(v)
	if err != nil {
		return v, err
	}
	edit, path := doc.Edit(), tree.Path{statePart, "variable_state", "window"}
	stored, window := head.Lookup(path), c.State.VariableState.Window
	for i, j := range kept {
		if j < 0 {
			continue
		}
		window[i] = base.State.VariableState.Window[j]
		if err := edit.Set(path.Child(strconv.Itoa(i)), stored.At(j)); err != nil {
			return v, err
		}
	}
	return edit.Document().Root(), nil
}

// sameExtra reports whether the members that nobody knows are as in base: they stand
// behind all parts, and are carried over with them.
func (c Campaign) sameExtra(base Campaign) bool {
	return reflect.DeepEqual(c.Extra, base.Extra) && reflect.DeepEqual(c.State.Extra, base.State.Extra)
}

// readBack is a campaign as it reads back from its value, and that value.
func (c Campaign) readBack() (Campaign, tree.Value, error) {
	v, err := c.headValue()
	for range 3 { // a second pass where reading changed something
		if err != nil {
			return c, v, err
		}
		back, err := c.fromHeadValue(v)
		if err != nil {
			return c, v, err
		}
		if reflect.DeepEqual(&back, &c) {
			return back, v, nil
		}
		before := v
		c = back
		if v, err = c.headValue(); err == nil && v.Equal(before) {
			return c, v, nil
		}
	}
	return c, v, errors.Join(err, errors.New("the state reads back as another each time"))
}

// withParts is an object with other values for the parts that which names, and for
// those that are given. The members stand in the order of the type, unknown ones last.
func withParts(was, now tree.Value, parts []part, which []bool, given ...tree.Member) tree.Value {
	members := make([]tree.Member, 0, was.Len()+len(parts))
	for i, p := range parts {
		v := was.Get(p.name)
		if which[i] {
			v = now.Get(p.name)
		}
		for _, g := range given {
			if g.Key == p.name {
				v = g.Value
			}
		}
		if v.Exists() {
			members = append(members, tree.Member{Key: p.name, Value: v})
		}
	}
	for key, v := range was.Members() {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == key }) {
			members = append(members, tree.Member{Key: key, Value: v})
		}
	}
	return tree.Object(members...)
}
