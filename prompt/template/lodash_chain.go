package template

import "github.com/talewright/talewright/internal/utf8text"

// wrapper returns the function _ or _.chain, which begins a chain with a value.
func wrapper(explicit bool) native {
	return func(_ *frame, args []value) value {
		v := arg(args, 0)
		if w, ok := v.ref.(*wrapped); ok {
			v = w.v
		}
		return value{kind: wrappedKind, ref: &wrapped{v, explicit}}
	}
}

// endsChain are the functions that end a chain that _(v) has begun: they return one value.
var endsChain = utf8text.WordSet(`
	get has hasIn clamp isEmpty size sum random sample clone cloneDeep
	find findLast findKey findLastKey findIndex findLastIndex some every forEach each forOwn forIn
	reduce reduceRight includes head first last nth indexOf lastIndexOf join
	min max minBy maxBy sumBy mean meanBy round floor ceil inRange add subtract multiply divide
	toNumber toInteger toString isArray isString isNumber isBoolean isObject isPlainObject isNil isUndefined isNull
	isFunction isNaN isInteger isFinite isEqual isMatch isRegExp isDate isMap isSet isError gt gte lt lte eq
	defaultTo identity result invoke unset
	escape unescape escapeRegExp truncate pad padStart padEnd parseInt camelCase kebabCase snakeCase lowerCase upperCase
	startCase upperFirst lowerFirst capitalize trim trimStart trimEnd startsWith endsWith repeat replace toUpper toLower`)

// chained returns the method of a chain with a name: a function of lodash, or a method of lists, that
// gets the value of the chain. It returns nil if there is none.
func (l *library) chained(name string) method {
	if name == "value" || name == "valueOf" || name == "toJSON" {
		return func(_ *frame, of value, _ []value) value { return of.ref.(*wrapped).v }
	}
	if fn, ok := l.names["_"].ref.(*function).members[name].ref.(*function); ok {
		return func(f *frame, of value, args []value) value {
			w := of.ref.(*wrapped)
			out := fn.call(f, append([]value{w.v}, args...))
			if !w.explicit && endsChain[name] {
				return out
			}
			return value{kind: wrappedKind, ref: &wrapped{out, w.explicit}}
		}
	}
	call := l.methods[listKind][name]
	if call == nil {
		return nil
	}
	return func(f *frame, of value, args []value) value {
		w := of.ref.(*wrapped)
		if out := call(f, w.v, args); name != "push" && name != "unshift" { // those return a length
			w = &wrapped{out, w.explicit}
		}
		return value{kind: wrappedKind, ref: w}
	}
}
