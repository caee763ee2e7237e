package template

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

var null = value{kind: nullKind}

func boolean(b bool) value {
	if b {
		return value{kind: boolKind, num: 1}
	}
	return value{kind: boolKind}
}

func number(n float64) value   { return value{kind: numberKind, num: n} }
func text(s string) value      { return value{kind: textKind, text: s} }
func listOf(v ...value) value  { return value{kind: listKind, ref: &list{items: v}} }
func objectOf(o *object) value { return value{kind: objectKind, ref: o} }

func builtin(call native) value {
	return value{kind: functionKind, ref: &function{call: call}}
}

func (v value) isNullish() bool { return v.kind <= nullKind }

// truth converts to a boolean.
func (v value) truth() bool {
	switch v.kind {
	case undefinedKind, nullKind:
		return false
	case boolKind:
		return v.num != 0
	case numberKind:
		return v.num != 0 && !math.IsNaN(v.num)
	case textKind:
		return v.text != ""
	}
	return true
}

// typeName returns what typeof says.
func (v value) typeName() string {
	switch v.kind {
	case undefinedKind:
		return "undefined"
	case boolKind:
		return "boolean"
	case numberKind:
		return "number"
	case textKind:
		return "string"
	case functionKind:
		if fn := v.ref.(*function); fn.arrow != nil || fn.call != nil {
			return "function"
		}
	}
	return "object"
}

// identical compares without conversion.
func identical(a, b value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case undefinedKind, nullKind:
		return true
	case boolKind, numberKind:
		return a.num == b.num
	case textKind:
		return a.text == b.text
	}
	return a.ref == b.ref
}

// fromTree returns the value of a document. Lists and objects are copied level by level, when they
// are used.
func fromTree(v tree.Value) value {
	switch v.Kind() {
	case tree.KindNull:
		return null
	case tree.KindBool:
		b, _ := v.AsBool()
		return boolean(b)
	case tree.KindNumber:
		n, _ := v.AsNumber()
		return value{kind: numberKind, num: n.Float64(), text: string(n)}
	case tree.KindText:
		s, _ := v.AsText()
		return text(s)
	case tree.KindArray:
		return value{kind: listKind, ref: &list{src: v}}
	case tree.KindObject:
		return value{kind: objectKind, ref: &object{src: v}}
	}
	return value{}
}

// elements returns the items of a list. The caller may not keep the slice.
func (l *list) elements(f *frame) []value {
	if l.src.Exists() {
		f.work(l.src.Len() * 16)
		l.items = make([]value, 0, l.src.Len())
		for _, e := range l.src.Elements() {
			l.items = append(l.items, fromTree(e))
		}
		l.src = tree.Value{}
	}
	return l.items
}

// load copies the members of the document.
func (o *object) load(f *frame) {
	if !o.src.Exists() {
		return
	}
	src := o.src
	o.src = tree.Value{}
	f.work(src.Len() * 16)
	for key, v := range src.Members() {
		o.put(key, fromTree(v))
	}
}

func (o *object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

func (o *object) get(f *frame, key string) (value, bool) {
	o.load(f)
	if i := o.find(key); i >= 0 {
		return o.vals[i], true
	}
	return value{}, false
}

// put writes a member of an object that is loaded.
func (o *object) put(key string, v value) {
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	o.keys, o.vals = append(o.keys, key), append(o.vals, v)
	switch {
	case o.index != nil:
		o.index[key] = len(o.keys) - 1
	case len(o.keys) > 8:
		o.index = make(map[string]int, 2*len(o.keys))
		for i, k := range o.keys {
			o.index[k] = i
		}
	}
}

// order returns the positions of the members in the order of the language: whole numbers ascending,
// then the others as they were created.
func (o *object) order(f *frame) []int {
	o.load(f)
	f.work(len(o.keys) * 8)
	at := make([]int, len(o.keys))
	numbers := 0
	for i, key := range o.keys {
		at[i] = i
		if _, ok := tree.Index(key); ok {
			numbers++
		}
	}
	if numbers == 0 {
		return at
	}
	rank := func(i int) int {
		if n, ok := tree.Index(o.keys[i]); ok {
			return n
		}
		return math.MaxInt
	}
	slices.SortStableFunc(at, func(a, b int) int {
		x, y := rank(a), rank(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return at
}

// maxLevels limits the nesting of values that are converted; a value may contain itself.
const maxLevels = tree.MaxDepth

// toTree returns a value as a value of a document; undefined is absent.
func (f *frame) toTree(v value) tree.Value { return f.treeOf(v, 0) }

func (f *frame) treeOf(v value, level int) tree.Value {
	f.step()
	if level > maxLevels {
		f.fail(codeWrongType, "", "the value is nested too deeply or contains itself: store a part of it")
	}
	switch v.kind {
	case wrappedKind:
		return f.treeOf(v.ref.(*wrapped).v, level+1)
	case dateKind:
		return tree.Text(f.text(v))
	case nullKind:
		return tree.Null
	case boolKind:
		return tree.Bool(v.num != 0)
	case numberKind:
		if v.text != "" {
			return tree.Num(tree.Number(v.text))
		}
		return tree.Float(v.num)
	case textKind:
		return tree.Text(v.text)
	case listKind:
		l := v.ref.(*list)
		if l.src.Exists() {
			return l.src
		}
		out := make([]tree.Value, len(l.items))
		for i, e := range l.items {
			out[i] = f.treeOf(e, level+1)
		}
		return tree.Array(out...)
	case objectKind:
		o := v.ref.(*object)
		if o.src.Exists() {
			return o.src
		}
		members := make([]tree.Member, 0, len(o.keys))
		for _, i := range o.order(f) {
			members = append(members, tree.Member{Key: o.keys[i], Value: f.treeOf(o.vals[i], level+1)})
		}
		return tree.Object(members...)
	}
	return tree.Value{}
}

// indexOf returns the place in a list that a key names.
func indexOf(key value, f *frame) (int, bool) {
	switch key.kind {
	case numberKind:
		if key.num >= 0 && key.num < 1<<31 && key.num == math.Trunc(key.num) {
			return int(key.num), true
		}
	case textKind:
		return tree.Index(key.text)
	}
	return 0, false
}

// memberOf returns a member of a value. Only own members of data are visible.
func (f *frame) memberOf(of, key value) value {
	switch of.kind {
	case undefinedKind, nullKind:
		f.fail(codeWrongType, "", "cannot read the member "+quote(f.text(key))+" of "+f.text(of)+": test the value first, or write ?.")
	case objectKind:
		name := key.text
		if key.kind != textKind {
			name = f.text(key)
		}
		f.work(len(name))
		v, _ := of.ref.(*object).get(f, name)
		return v
	case listKind:
		items := of.ref.(*list).elements(f)
		if n, ok := indexOf(key, f); ok {
			if n < len(items) {
				return items[n]
			}
			return value{}
		}
		if key.kind == textKind && key.text == "length" {
			return number(float64(len(items)))
		}
		if m := of.ref.(*list).match; m != nil && key.kind == textKind {
			if v, ok := m.get(f, key.text); ok {
				return v
			}
		}
	case textKind:
		if n, ok := indexOf(key, f); ok {
			if f.work(len(of.text)); n < length(of.text) {
				return text(part(of.text, n, n+1))
			}
			return value{}
		}
		if key.kind == textKind && key.text == "length" {
			f.work(len(of.text))
			return number(float64(length(of.text)))
		}
	}
	name := f.text(key)
	if of.kind == collectionKind && name == "size" {
		return number(float64(len(of.ref.(*collection).index)))
	}
	switch of.kind {
	case functionKind:
		fn := of.ref.(*function)
		if v, ok := fn.members[name]; ok {
			return v
		}
		if a := fn.arrow; a != nil && name == "name" {
			return text(a.name)
		} else if a != nil && name == "length" {
			n := slices.IndexFunc(a.params, func(p param) bool { return p.fallback != nil })
			if n < 0 {
				n = len(a.params)
			}
			return number(float64(n))
		}
	case patternKind:
		if v, ok := f.patternMember(of, name); ok {
			return v
		}
	}
	if m := f.methodOf(of, name); m != nil && of.kind != objectKind && !isInner(name) {
		return builtin(func(f *frame, args []value) value {
			f.work(len(of.text))
			return m(f, of, args)
		})
	}
	return value{}
}

// setMember stores a member.
func (f *frame) setMember(of, key, v value) {
	switch of.kind {
	case objectKind:
		name := f.text(key)
		if isInner(name) {
			f.refuse(name)
		}
		o := of.ref.(*object)
		o.load(f)
		f.keepItems(1)
		o.put(name, v)
	case listKind:
		l := of.ref.(*list)
		items := l.elements(f)
		n, ok := indexOf(key, f)
		switch {
		case key.kind == textKind && key.text == "length":
			if n := f.number(v); n >= 0 && int(n) <= len(items) {
				l.items = items[:int(n)]
			}
		case !ok: // such members are not part of the data
		case n < len(items):
			items[n] = v
		default:
			f.keepItems(n + 1 - len(items))
			l.items = append(items, make([]value, n+1-len(items))...)
			l.items[n] = v
		}
	case patternKind:
		if n := f.number(v); key.text == "lastIndex" && n >= 0 && n < math.MaxInt32 {
			f.seek(of.ref.(*pattern), int(n))
		}
	case undefinedKind, nullKind:
		f.fail(codeWrongType, "", "cannot set the member "+quote(f.text(key))+" of "+f.text(of)+": set the value first")
	}
}

// methodOf returns a method of a value by its name, or nil if not found.
func (f *frame) methodOf(of value, name string) method {
	l := f.build.library
	switch of.kind {
	case textKind:
		if m := l.texts[name]; m != nil {
			return m
		}
	case listKind:
		if m := l.lists[name]; m != nil {
			return m
		}
	case numberKind:
		if m := l.numbers[name]; m != nil {
			return m
		}
	case patternKind:
		if m := l.patterns[name]; m != nil {
			return m
		}
	case functionKind:
		if m := l.functions[name]; m != nil {
			return m
		}
	case dateKind:
		if m := l.dates[name]; m != nil {
			return m
		}
	case wrappedKind:
		return l.chained(name)
	case collectionKind:
		if m := l.collections[name]; m != nil {
			return m
		}
	case undefinedKind, nullKind:
		return nil
	}
	return l.common[name]
}

// define gives a name a value for the rest of the build.
func (b *Build) define(name string, v value) {
	if b.shared || b.defined == nil {
		b.defined, b.shared = maps.Clone(b.defined), false
		if b.defined == nil {
			b.defined = map[string]value{}
		}
	}
	b.defined[name] = v
}

// newError makes an error. Its text is its name and its message.
func (f *frame) newError(name string, message value) value {
	f.keepItems(2)
	o := &object{isError: true}
	o.put("name", text(name))
	o.put("message", message)
	return objectOf(o)
}

func (c *collection) name() string {
	if c.isMap {
		return "Map"
	}
	return "Set"
}

// keyOf returns a value in the form in which equal ones are the same.
func keyOf(v value) value {
	if v.kind == numberKind {
		v.text = ""
		if v.num != v.num {
			return value{kind: numberKind, text: "NaN"}
		}
		v.num += 0 // -0 is 0
	}
	if v.kind == textKind {
		v.ref = nil
	}
	return v
}

func (c *collection) put(f *frame, key, v value) {
	f.work(len(key.text))
	if i, ok := c.index[keyOf(key)]; ok {
		c.items[i].value = v
		return
	}
	f.keepItems(2)
	c.index[keyOf(key)] = len(c.items)
	c.items = append(c.items, collected{key: key, value: v})
}

// each visits the elements: of a Map the pairs, of a Set the values.
func (c *collection) each(f *frame, visit func(key, v value) bool) {
	for i := 0; i < len(c.items); i++ {
		f.step()
		item := c.items[i]
		if item.removed {
			continue
		}
		v := item.key
		if c.isMap {
			f.keepItems(2)
			v = listOf(item.key, item.value)
		}
		if !visit(item.key, v) {
			return
		}
	}
}

// numberText returns the text of a number.
func numberText(n float64) string { return openjson.FormatNumber(n) }

// hasFlag reports whether a value is a pattern with one of some flags.
func hasFlag(v value, flags string) bool {
	return v.kind == patternKind && strings.ContainsAny(v.text[strings.LastIndexByte(v.text, '/'):], flags)
}

// seek sets the place, in units, at which the next search with a pattern begins.
func (f *frame) seek(p *pattern, at int) {
	if f.build.sought == nil {
		f.build.sought = map[*pattern]int{}
	}
	if _, known := f.build.sought[p]; !known {
		f.keepItems(4)
	}
	f.build.sought[p] = at
}

// patternMember returns a property of a pattern.
func (f *frame) patternMember(of value, name string) (value, bool) {
	end := strings.LastIndexByte(of.text, '/')
	flag, isFlag := map[string]string{"global": "g", "ignoreCase": "i", "multiline": "m", "dotAll": "s", "unicode": "u", "sticky": "y"}[name]
	switch {
	case name == "source":
		return text(of.text[1:end]), true
	case name == "flags":
		flags := []byte(of.text[end+1:])
		slices.Sort(flags)
		return text(string(flags)), true
	case name == "lastIndex":
		return number(float64(f.build.sought[of.ref.(*pattern)])), true
	}
	return boolean(isFlag && hasFlag(of, flag)), isFlag
}
