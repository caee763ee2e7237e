package mvu

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// zodType is a value of one type.
type zodType struct {
	name   string // string, number, boolean, null, undefined, any
	coerce bool
}

func (z *zodType) absence() absence { return refused }

func (z *zodType) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if z.coerce {
		v = z.coerced(v)
	}
	if !z.fits(v) {
		return v, refuse("expected %s, found %s", z.name, describeValue(v))
	}
	return v, nil
}

// fits reports whether a value has the type.
func (z *zodType) fits(v tree.Value) bool {
	kind, ok := typeKinds[z.name]
	return z.name == "any" || ok && v.Kind() == kind
}

// typeKinds are the kinds of values by the names of their types.
var typeKinds = map[string]tree.Kind{"string": tree.KindText, "number": tree.KindNumber, "boolean": tree.KindBool,
	"null": tree.KindNull, "undefined": tree.Absent}

// coerced converts as String, Number and Boolean of JavaScript do. A number that is NaN is absent.
func (z *zodType) coerced(v tree.Value) tree.Value {
	switch {
	case z.name == "string" && v.Kind() != tree.KindText:
		return tree.Text(scriptString(v))
	case z.name == "number" && v.Kind() != tree.KindNumber:
		return scriptNumberOf(v)
	case z.name == "boolean" && v.Kind() != tree.KindBool:
		return tree.Bool(truth(v))
	}
	return v
}

// zodLazy is a schema that contains itself.
type zodLazy struct{ inner zod }

func (z *zodLazy) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) { return p.parse(z.inner, v) }

func (z *zodLazy) absence() absence { return refused }

// zodOneOf is one of some literals.
type zodOneOf struct {
	values []tree.Value
	names  []string // of an enum: the names of the values
}

func (z *zodOneOf) absence() absence { return refused }

func (z *zodOneOf) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if slices.ContainsFunc(z.values, func(w tree.Value) bool { return w.Exists() == v.Exists() && w.Equal(v) }) {
		return v, nil
	}
	return v, refuse("expected one of %s, found %s", describeValue(tree.Array(z.values...)), describeValue(v))
}

// unknownKeys selects the treatment of members that an object does not name.
type unknownKeys uint8

const (
	dropKeys unknownKeys = iota
	keepKeys
	refuseKeys
)

// zodObject is an object with named members.
type zodObject struct {
	names    []string // of the members, in the order of the schema
	fields   map[string]zod
	unknown  unknownKeys
	catchall zod // of unknown members, may be nil
}

func (z *zodObject) absence() absence { return refused }

// parse keeps the order of the members of v and appends new ones.
func (z *zodObject) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if !v.IsObject() {
		return v, refuse("expected an object, found %s", describeValue(v))
	}
	members := make([]tree.Member, 0, v.Len())
	for key, child := range v.Members() {
		field := cmp.Or(z.fields[key], z.catchall)
		switch {
		case field != nil:
			out, no := p.parse(field, child)
			if no != nil {
				return v, no.within(key)
			}
			members = append(members, member(key, out))
		case z.unknown == refuseKeys:
			return v, refuse("unknown member").within(key)
		case z.unknown == keepKeys:
			members = append(members, member(key, child))
		}
	}
	for _, key := range z.names {
		if v.Get(key).Exists() {
			continue
		}
		field := z.fields[key]
		out, no := p.parse(field, tree.Value{})
		if no == nil && field.absence() == refused {
			no = refuse("expected a value")
		}
		if no != nil {
			return v, no.within(key)
		}
		members = append(members, member(key, out))
	}
	return tree.Object(members...), nil
}

// zodRecord is an object with keys of one kind.
type zodRecord struct {
	key, value zod
	all        []tree.Value // the keys that must be there
}

func (z *zodRecord) absence() absence { return refused }

func (z *zodRecord) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if !v.IsObject() {
		return v, refuse("expected an object, found %s", describeValue(v))
	}
	members := make([]tree.Member, 0, v.Len())
	for key, child := range v.Members() {
		name, no := p.parse(z.key, tree.Text(key))
		if no != nil { // a number is written as a text
			if n := scriptNumberOf(tree.Text(key)); n.Exists() {
				name, no = p.parse(z.key, n)
			}
		}
		if no != nil {
			return v, refuse("the name of the member: %s", no.text).within(key)
		}
		out, no := p.parse(z.value, child)
		if no != nil {
			return v, no.within(key)
		}
		members = append(members, member(scriptString(name), out))
	}
	for _, key := range z.all {
		name := scriptString(key)
		if v.Get(name).Exists() {
			continue
		}
		out, no := p.parse(z.value, tree.Value{})
		if no != nil {
			return v, no.within(name)
		}
		members = append(members, member(name, out))
	}
	return tree.Object(members...), nil
}

// zodList is a list, or a tuple with items.
type zodList struct {
	element zod   // of a list, or of the rest of a tuple; nil: there is no rest
	items   []zod // of a tuple
	tuple   bool
}

func (z *zodList) absence() absence { return refused }

func (z *zodList) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	if !v.IsArray() {
		return v, refuse("expected a list, found %s", describeValue(v))
	}
	if n := v.Len(); z.tuple && (n < len(z.items) || n > len(z.items) && z.element == nil) {
		return v, refuse("expected %d elements, found %d", len(z.items), n)
	}
	elements := make([]tree.Value, 0, v.Len())
	for i, child := range v.Elements() {
		element := z.element
		if i < len(z.items) {
			element = z.items[i]
		}
		out, no := p.parse(element, child)
		if no != nil {
			return v, no.within(itoa(i))
		}
		elements = append(elements, nullIfUndefined(out))
	}
	return tree.Array(elements...), nil
}

// zodUnion is the first of several schemas that fits.
type zodUnion struct{ options []zod }

func (z *zodUnion) absence() (most absence) {
	for _, option := range z.options {
		most = max(most, option.absence())
	}
	return most
}

func (z *zodUnion) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	var first *refusal
	for _, option := range z.options {
		out, no := p.parse(option, v)
		if no == nil {
			return out, nil
		}
		first = cmp.Or(first, no)
	}
	return v, first
}

// zodIntersection is a value that fits two schemas.
type zodIntersection struct{ left, right zod }

func (z *zodIntersection) absence() absence { return refused }

func (z *zodIntersection) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	a, no := p.parse(z.left, v)
	if no != nil {
		return v, no
	}
	b, no := p.parse(z.right, v)
	if no != nil {
		return v, no
	}
	out, ok := intersect(a, b)
	if !ok {
		return v, refuse("the two schemas give different values")
	}
	return out, nil
}

// intersect joins two values: the members of both, with equal values otherwise.
func intersect(a, b tree.Value) (tree.Value, bool) {
	if a.Exists() == b.Exists() && a.Equal(b) {
		return a, true
	}
	if !a.IsObject() || !b.IsObject() {
		return a, false
	}
	var members []tree.Member
	for key, child := range a.Members() {
		if other := b.Get(key); other.Exists() {
			var ok bool
			if child, ok = intersect(child, other); !ok {
				return a, false
			}
		}
		members = append(members, tree.Member{Key: key, Value: child})
	}
	return tree.Object(append(members, missingMembers(b, a)...)...), true
}

// zodAbsence handles undefined and null before a schema.
type zodAbsence struct {
	inner              zod
	optional, nullable bool
	// instead is the value for undefined: before the schema if first is set, else in its place.
	fallback      tree.Value
	fallbackFirst bool
	// required refuses undefined as the result.
	required bool
}

func (z *zodAbsence) absence() absence {
	switch {
	case z.fallback.Exists():
		return replaced
	case z.required:
		return refused
	case z.optional:
		return max(allowed, z.inner.absence())
	}
	return z.inner.absence()
}

func (z *zodAbsence) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	switch {
	case z.nullable && v.IsNull():
		return v, nil
	case v.Exists():
	case z.fallbackFirst:
		v = z.fallback
	case z.fallback.Exists():
		return z.fallback, p.spend(z.fallback.Size(maxZodSteps))
	case z.optional && z.inner.absence() < replaced:
		return v, nil
	case z.optional:
		if out, no := p.parse(z.inner, v); no == nil {
			return out, nil
		}
		return v, nil
	}
	out, no := p.parse(z.inner, v)
	switch {
	case no == nil && z.required && !out.Exists():
		return v, refuse("expected a value")
	case no == nil && !out.Exists() && z.fallback.Exists() && !z.fallbackFirst:
		return z.fallback, p.spend(z.fallback.Size(maxZodSteps))
	}
	return out, no
}

// zodCatch gives a value for everything that does not fit.
type zodCatch struct {
	inner zod
	value tree.Value
}

func (z *zodCatch) absence() absence { return max(allowed, z.inner.absence()) }

func (z *zodCatch) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	out, no := p.parse(z.inner, v)
	if no != nil {
		return z.value, p.spend(z.value.Size(maxZodSteps))
	}
	return out, nil
}

// zodThen is a sequence of two schemas, or a change of a value.
type zodThen struct {
	first          zod
	then           zodCheck
	testOnly       bool // then only tests
	takesUndefined bool // it is called for undefined
}

func (z *zodThen) absence() absence {
	if z.takesUndefined {
		return allowed
	}
	return z.first.absence()
}

func (z *zodThen) parse(p *zodRun, v tree.Value) (tree.Value, *refusal) {
	out, no := p.parse(z.first, v)
	if no != nil {
		return v, no
	}
	return z.then(p, out)
}

// anything is the schema of a part that could not be read.
var anything = &zodAbsence{inner: &zodType{name: "any"}, optional: true}
