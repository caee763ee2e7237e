package template

import "strconv"

// lodashObjects are the functions of lodash that read and make objects.
func lodashObjects() map[string]native {
	return map[string]native{
		"get": func(f *frame, args []value) value {
			v, ok := f.lookupPath(arg(args, 0), f.pathOf(arg(args, 0), arg(args, 1)))
			if !ok || v.kind == undefinedKind {
				return arg(args, 2)
			}
			return v
		},
		"has": func(f *frame, args []value) value {
			_, ok := f.lookupPath(arg(args, 0), f.pathOf(arg(args, 0), arg(args, 1)))
			return boolean(ok)
		},
		"set": func(f *frame, args []value) value {
			of := arg(args, 0)
			path := f.pathOf(of, arg(args, 1))
			if of.kind < listKind || len(path) == 0 {
				return of
			}
			to := of
			for i, name := range path[:len(path)-1] {
				next := f.memberOf(to, text(name))
				if next.kind != listKind && next.kind != objectKind {
					next = objectOf(&object{})
					if _, err := strconv.Atoi(path[i+1]); err == nil {
						next = listOf()
					}
					f.setMember(to, text(name), next)
				}
				to = next
			}
			f.setMember(to, text(path[len(path)-1]), arg(args, 2))
			return of
		},
		"keys":    func(f *frame, args []value) value { return listOf(f.keysOf(arg(args, 0))...) },
		"values":  func(f *frame, args []value) value { return listOf(f.elementsOf(arg(args, 0))...) },
		"entries": pairsOf, "toPairs": pairsOf,
		"fromPairs": func(f *frame, args []value) value {
			return f.chosen(arg(args, 0), func(v, _ value) (string, value, bool) {
				return f.text(f.memberOf(v, number(0))), f.memberOf(v, number(1)), true
			})
		},
		"pickBy": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(key), v, by(v, key, args[0]).truth() })
		},
		"omitBy": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(key), v, !by(v, key, args[0]).truth() })
		},
		"mapValues": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(key), by(v, key, args[0]), true })
		},
		"mapKeys": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(by(v, key, args[0])), v, true })
		},
		"invert": func(f *frame, args []value) value {
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(v), text(f.text(key)), true })
		},
		"assign":    assigned(func(value) bool { return true }),
		"defaults":  assigned(func(old value) bool { return old.kind == undefinedKind }),
		"cloneDeep": func(f *frame, args []value) value { return f.copyOf(arg(args, 0), true, 0) },
		"clone":     func(f *frame, args []value) value { return f.copyOf(arg(args, 0), false, 0) },
		"toPath":    func(f *frame, args []value) value { return listOf(textsOf(f.pathOf(value{}, arg(args, 0)))...) },
	}
}

// pairsOf returns the members of an object as pairs of a name and a value.
func pairsOf(f *frame, args []value) value {
	var out []value
	f.entriesOf(arg(args, 0), func(v, key value) bool {
		f.keepItems(3)
		out = append(out, listOf(text(f.text(key)), v))
		return true
	})
	return listOf(out...)
}

// assigned is a function that copies members into its first argument where keep accepts the old value.
func assigned(keep func(old value) bool) native {
	return func(f *frame, args []value) value {
		to := arg(args, 0)
		if to.kind != objectKind {
			return to
		}
		o := to.ref.(*object)
		for _, from := range args[1:] {
			f.entriesOf(from, func(v, key value) bool {
				if old, _ := o.get(f, f.text(key)); keep(old) {
					f.setMember(to, key, v)
				}
				return true
			})
		}
		return to
	}
}
