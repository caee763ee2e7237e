package template

import (
	"cmp"
	"math"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// elements returns the items of a list. The caller may not keep the slice.
func (l *list) elements(f *frame) []value {
	if l.src.Exists() {
		f.chargeBytes(l.src.Len() * 16)
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
	f.chargeBytes(src.Len() * 16)
	for key, v := range src.Members() {
		o.put(key, fromTree(v))
	}
}

// find returns the place of a key, -1 if there is none.
func (o *object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// get returns a member, and whether it exists.
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
	if o.index != nil {
		o.index[key] = len(o.keys) - 1
	} else {
		o.makeIndex()
	}
}

// remove deletes the member at a place.
func (o *object) remove(i int) {
	o.keys, o.vals = slices.Delete(o.keys, i, i+1), slices.Delete(o.vals, i, i+1)
	o.makeIndex()
}

// makeIndex makes the index of an object with many members. With few members a search is faster.
func (o *object) makeIndex() {
	o.index = nil
	if len(o.keys) <= 8 {
		return
	}
	o.index = make(map[string]int, 2*len(o.keys))
	for i, key := range o.keys {
		o.index[key] = i
	}
}

// order returns the positions of the members in the order of the language: whole numbers ascending,
// then the others as they were created.
func (o *object) order(f *frame) []int {
	o.load(f)
	f.chargeBytes(len(o.keys) * 8)
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
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	return at
}

// newError makes an error. Its text is its name and its message.
func (f *frame) newError(name string, message value) value {
	f.chargeItems(2)
	o := &object{isError: true}
	o.put("name", text(name))
	o.put("message", message)
	return objectOf(o)
}

// newList returns a list with a copy of the items.
func (f *frame) newList(items []value) value {
	f.chargeItems(len(items))
	return listOf(slices.Clone(items)...)
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

// indexOf returns the place in a list that a key names.
func indexOf(key value) (int, bool) {
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

// put adds an element, or replaces the value of a key.
func (c *collection) put(f *frame, key, v value) {
	f.chargeBytes(len(key.text))
	if i, ok := c.index[keyOf(key)]; ok {
		c.items[i].value = v
		return
	}
	f.chargeItems(2)
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
			f.chargeItems(2)
			v = listOf(item.key, item.value)
		}
		if !visit(item.key, v) {
			return
		}
	}
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
