package template

import (
	"math"
	"slices"
)

// memberOf returns a member of a value: data, a property such as length, or a method. Only own members
// of data are visible.
func (f *frame) memberOf(of, key value) value {
	switch of.kind {
	case undefinedKind, nullKind:
		f.fail(codeWrongType, "", "cannot read the member "+quote(f.toText(key))+" of "+f.toText(of)+
			": test the value first, or write ?.")
	case objectKind:
		name := f.toText(key)
		f.chargeBytes(len(name))
		v, _ := of.ref.(*object).get(f, name)
		return v
	case listKind, textKind:
		if i, ok := indexOf(key); ok {
			return f.elementAt(of, i)
		}
	}
	name := f.toText(key)
	if v, ok := f.property(of, name); ok {
		return v
	}
	if m := f.methodOf(of, name); m != nil && !isInner(name) {
		return builtin(func(f *frame, args []value) value {
			f.chargeBytes(len(of.text))
			return m(f, of, args)
		})
	}
	return value{}
}

// optionOf returns a member of an object with options, undefined without an object.
func (f *frame) optionOf(options value, name string) value {
	if options.kind != objectKind {
		return value{}
	}
	return f.memberOf(options, text(name))
}

// elementAt returns an element of a list or a unit of a text, undefined beyond the end.
func (f *frame) elementAt(of value, i int) value {
	if of.kind == textKind {
		if f.chargeBytes(len(of.text)); i < length(of.text) {
			return text(part(of.text, i, i+1))
		}
		return value{}
	}
	if items := of.ref.(*list).elements(f); i < len(items) {
		return items[i]
	}
	return value{}
}

// property returns a property of a value that is neither data nor a method.
func (f *frame) property(of value, name string) (v value, ok bool) {
	switch of.kind {
	case textKind:
		if name == "length" {
			f.chargeBytes(len(of.text))
			return number(float64(length(of.text))), true
		}
	case listKind:
		l := of.ref.(*list)
		if name == "length" {
			return number(float64(len(l.elements(f)))), true
		}
		if l.match != nil {
			return l.match.get(f, name)
		}
	case collectionKind:
		if name == "size" {
			return number(float64(len(of.ref.(*collection).index))), true
		}
	case functionKind:
		return of.ref.(*function).property(name)
	case patternKind:
		return f.patternProperty(of, name)
	}
	return v, false
}

// property returns a member of a name such as Math, or the name or the length of a function of a text.
func (fn *function) property(name string) (v value, ok bool) {
	if v, ok = fn.members[name]; ok || fn.arrow == nil {
		return v, ok
	}
	switch name {
	case "name":
		return text(fn.arrow.name), true
	case "length": // the number of parameters before the first with a default
		n := slices.IndexFunc(fn.arrow.params, func(p param) bool { return p.fallback != nil })
		if n < 0 {
			n = len(fn.arrow.params)
		}
		return number(float64(n)), true
	}
	return v, false
}

// methodOf returns a method of a value by its name, nil if there is none.
func (f *frame) methodOf(of value, name string) method {
	l := f.build.library
	switch of.kind {
	case undefinedKind, nullKind:
		return nil
	case wrappedKind:
		return l.chained(name)
	}
	if m := l.methods[of.kind][name]; m != nil {
		return m
	}
	return l.common[name]
}

// setMember stores a member of an object or a list, or a property that can be changed. Other values
// ignore it.
func (f *frame) setMember(of, key, v value) {
	switch of.kind {
	case undefinedKind, nullKind:
		f.fail(codeWrongType, "", "cannot set the member "+quote(f.toText(key))+" of "+f.toText(of)+": set the value first")
	case objectKind:
		name := f.toText(key)
		if isInner(name) {
			f.refuse(name)
		}
		o := of.ref.(*object)
		o.load(f)
		f.chargeItems(1)
		o.put(name, v)
	case listKind:
		f.setElement(of.ref.(*list), key, v)
	case patternKind:
		if n := f.toNumber(v); key.text == "lastIndex" && n >= 0 && n < math.MaxInt32 {
			f.setLastIndex(of.ref.(*pattern), int(n))
		}
	}
}

// setElement stores an element of a list, which may leave a gap of undefined elements, or shortens the
// list. Other members are not part of the data.
func (f *frame) setElement(l *list, key, v value) {
	items := l.elements(f)
	i, ok := indexOf(key)
	switch {
	case key.kind == textKind && key.text == "length":
		if n := f.toNumber(v); n >= 0 && int(n) <= len(items) {
			l.items = items[:int(n)]
		}
	case !ok:
	case i < len(items):
		items[i] = v
	default:
		f.chargeItems(i + 1 - len(items))
		l.items = append(items, make([]value, i+1-len(items))...)
		l.items[i] = v
	}
}
