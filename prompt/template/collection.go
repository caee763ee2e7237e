package template

import "slices"

// collectionMethods are the methods of Set and Map.
func collectionMethods() map[string]method {
	of := func(v value) *collection { return v.ref.(*collection) }
	return map[string]method{
		"has": func(f *frame, v value, args []value) value {
			_, ok := of(v).index[keyOf(arg(args, 0))]
			return boolean(ok)
		},
		"get": func(f *frame, v value, args []value) value {
			if i, ok := of(v).index[keyOf(arg(args, 0))]; ok {
				return of(v).items[i].value
			}
			return value{}
		},
		"add": func(f *frame, v value, args []value) value {
			of(v).put(f, arg(args, 0), arg(args, 0))
			return v
		},
		"set": func(f *frame, v value, args []value) value {
			of(v).put(f, arg(args, 0), arg(args, 1))
			return v
		},
		"delete": func(f *frame, v value, args []value) value {
			k := keyOf(arg(args, 0))
			i, ok := of(v).index[k]
			if ok {
				delete(of(v).index, k)
				of(v).items[i] = collected{removed: true}
			}
			return boolean(ok)
		},
	}
}

// constructors are the functions of the types of newNames.
func constructors() map[string]value {
	made := func(isMap bool) value {
		return builtin(func(f *frame, args []value) value {
			c := &collection{isMap: isMap, index: map[value]int{}}
			if from := arg(args, 0); !from.isNullish() {
				f.iterate(from, func(v value) bool {
					if isMap {
						c.put(f, f.memberOf(v, number(0)), f.memberOf(v, number(1)))
					} else {
						c.put(f, v, v)
					}
					return true
				})
			}
			return value{kind: collectionKind, ref: c}
		})
	}
	failure := func(name string) value {
		return builtin(func(f *frame, args []value) value {
			message := text("")
			if v := arg(args, 0); v.kind != undefinedKind {
				message = text(f.toText(v))
			}
			return f.newError(name, message)
		})
	}
	return map[string]value{
		"Set": made(false), "Map": made(true), "Date": members(newDate, map[string]native{
			"parse": func(f *frame, args []value) value {
				return number(newDate(f, []value{text(f.toText(arg(args, 0)))}).ref.(*date).ms)
			},
			"UTC": func(f *frame, args []value) value {
				return number(newDate(f, append(slices.Clone(args), number(0))[:max(len(args), 2)]).ref.(*date).ms)
			},
		}),
		"Error": failure("Error"), "TypeError": failure("TypeError"),
		"RangeError": failure("RangeError"), "SyntaxError": failure("SyntaxError"),
		"RegExp": builtin(func(f *frame, args []value) value {
			source, flags := arg(args, 0), ""
			if source.kind == patternKind && len(args) < 2 {
				return source
			}
			if v := arg(args, 1); v.kind != undefinedKind {
				flags = f.toText(v)
			}
			s := f.toText(source)
			f.chargeBytes(64 * len(s))
			v, err := newPattern(s, flags)
			if err != nil {
				f.fail(codeSyntax, "", "the text "+quote(s)+" is not a valid pattern: correct it")
			}
			return v
		}),
	}
}
