package card

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// EncodeOptions say how to write a card.
type EncodeOptions struct {
	// DropNewer leaves out the fields that the version to write does not have,
	// and takes V3 decorators out of lorebook entries below V3. Without it they
	// are written as well: readers skip what they do not know. V1, whose root
	// has no place for them, then refuses the card.
	DropNewer bool
}

// Encode returns the card as JSON of the given version. Texts keep <, > and &.
//
// Mandatory fields are always written, optional ones if they hold something,
// then the members of Extra in the order of their names, and at the root the
// RootCopies and RootExtra. Decoding the result gives the same card, except for
// the version and what DropNewer left out.
//
// Errors, all of type [*Error]: [WouldLose] for a card that holds more than V1
// can, unless DropNewer is set; [BadJSON] for a raw value that is not JSON;
// [BadVersion] for a spec other than 1, 2, 3.
func Encode(c Card, spec Spec, opts EncodeOptions) ([]byte, error) {
	switch spec {
	case V1:
		return encodeV1(c, opts)
	case V2, V3:
		return encodeWrapped(c, spec, opts)
	}
	return nil, fail(BadVersion, "there is no card version "+strconv.Itoa(int(spec))+
		". Use card.V1, card.V2 or card.V3")
}

// encodeV1 writes all members at the root. RootExtra comes last and gives way
// to members of the content of the same name, which it may be stale copies of.
func encodeV1(c Card, opts EncodeOptions) ([]byte, error) {
	if names := c.beyond(V1); len(names) > 0 && !opts.DropNewer {
		return nil, fail(WouldLose, "a V1 card has no place for "+strings.Join(names, ", ")+
			". Write V2 or V3, or ask to drop these fields")
	}
	o := newObject()
	for _, m := range contentOf(c, V1, opts) {
		o.add(m.name, m.value)
	}
	for _, name := range slices.Sorted(maps.Keys(c.RootExtra)) {
		_, inV1 := fieldNamed(name, V1)
		if _, inContent := c.Extra[name]; !inV1 && !inContent && !isWrapper(name) {
			o.add(name, c.RootExtra[name])
		}
	}
	return o.end()
}

// encodeWrapped writes the content into data, and beside it what stood there.
func encodeWrapped(c Card, spec Spec, opts EncodeOptions) ([]byte, error) {
	if opts.DropNewer && spec < V3 {
		c.CharacterBook = withoutDecorators(c.CharacterBook)
	}
	content := contentOf(c, spec, opts)
	o, data := newObject(), newObject()
	for _, m := range content {
		data.add(m.name, m.value)
	}
	inner, err := data.end()
	if err != nil {
		return nil, err
	}
	name, version := specV3, "3.0"
	if spec == V2 {
		name, version = specV2, "2.0"
	}
	if c.Spec == spec && c.SpecVersion != "" {
		version = c.SpecVersion
	}
	o.add("spec", name)
	o.add("spec_version", version)
	o.addText("data", inner)
	// One order for copies and others: which of the two a member is may change with
	// the content that it repeats.
	root := map[string]any{}
	for name, value := range c.RootExtra {
		if !isWrapper(name) {
			root[name] = value
		}
	}
	for _, name := range c.RootCopies {
		delete(root, name)
	}
	for _, m := range content {
		if slices.Contains(c.RootCopies, m.name) {
			root[m.name] = m.value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(root)) {
		o.add(name, root[name])
	}
	return o.end()
}

// namedValue is one member to write.
type namedValue struct {
	name  string
	value any
}

// contentOf returns the members of the content object, in order: those of the
// data object, or in V1 of the root.
func contentOf(c Card, spec Spec, opts EncodeOptions) []namedValue {
	var list []namedValue
	for _, f := range fields {
		if f.since > spec && (opts.DropNewer || spec == V1) {
			continue
		}
		// A raw value waits in Extra where reading found one that the field could
		// not hold. It counts until somebody sets the field.
		value, set := f.value(&c)
		raw, kept := c.Extra[f.name]
		switch {
		case !set && kept:
			list = append(list, namedValue{f.name, raw})
		case set || !f.optional && f.since <= spec:
			list = append(list, namedValue{f.name, value})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Extra)) {
		f, known := fieldNamed(name, V3)
		switch {
		case known && (spec > V1 || f.since == V1):
			continue // dealt with above
		case known && c.Spec != V1 && opts.DropNewer:
			continue // in a V1 card the same name is an ordinary member
		case isWrapper(name) && spec == V1 && c.Spec != V1:
			continue // at the root it would turn the card into another version
		}
		list = append(list, namedValue{name, c.Extra[name]})
	}
	return list
}

// memberValue is a member that a field stands for.
type memberValue struct {
	name      string
	value     any
	set       bool // more than what a missing member means
	mandatory bool // written even if not set
}

// encodeMembers writes an object of fields and extra members. A field that is not
// set gives way to the extra member of its name, which is what was read for it.
func encodeMembers(fields []memberValue, extra map[string]json.RawMessage) ([]byte, error) {
	o := newObject()
	known := make(map[string]bool, len(fields))
	for _, f := range fields {
		known[f.name] = true
		raw, kept := extra[f.name]
		switch {
		case !f.set && kept:
			o.add(f.name, raw)
		case f.set || f.mandatory:
			o.add(f.name, f.value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if !known[name] {
			o.add(name, extra[name])
		}
	}
	return o.end()
}

// isWrapper reports whether a root member belongs to the form of V2 and V3.
func isWrapper(name string) bool {
	return name == "spec" || name == "spec_version" || name == "data"
}

// object writes a JSON object member by member.
type object struct {
	buf bytes.Buffer
	err error
}

func newObject() *object {
	o := &object{}
	o.buf.WriteByte('{')
	return o
}

// add writes one member. After the first value that is not JSON it does nothing.
func (o *object) add(name string, value any) {
	if o.err != nil {
		return
	}
	text, err := openjson.Marshal(value)
	if err != nil {
		o.err = &Error{Code: BadJSON, Path: name, Err: err,
			Message: "a raw value of the card is not JSON. Set it with json.Marshal"}
		return
	}
	o.addText(name, text)
}

// addText writes one member whose value is JSON already.
func (o *object) addText(name string, text []byte) {
	if o.err != nil {
		return
	}
	if o.buf.Len() > 1 {
		o.buf.WriteByte(',')
	}
	quoted, _ := openjson.Marshal(name) // a string always encodes
	o.buf.Write(quoted)
	o.buf.WriteByte(':')
	o.buf.Write(text)
}

// end closes the object and returns it, or the first error.
func (o *object) end() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	o.buf.WriteByte('}')
	return o.buf.Bytes(), nil
}
