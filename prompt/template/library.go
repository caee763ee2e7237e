package template

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// reservedEscape finds the escapes that decodeURI keeps.
var reservedEscape = regexp.MustCompile(`(?i)%(3B|2C|2F|3F|3A|40|26|3D|2B|24|23)`)

// escapeURI escapes all characters but letters, digits and some signs.
func escapeURI(keep string) native {
	keep += "-_.!~*'()"
	return func(f *frame, args []value) value {
		var b strings.Builder
		for _, c := range []byte(clean(f.text(arg(args, 0)))) {
			if isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(keep, c) >= 0 {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		f.work(16 * b.Len())
		return f.made(b.String())
	}
}

func unescapeURI(unescape func(string) (string, error)) native {
	return func(f *frame, args []value) value {
		s := f.text(arg(args, 0))
		f.work(16 * len(s))
		out, err := unescape(s)
		if err != nil || !utf8.ValidString(out) {
			f.throw(f.newError("URIError", text("URI malformed")), f.at)
		}
		return f.made(out)
	}
}

// languageNames are the names of the language.
func languageNames() map[string]value {
	names := map[string]value{
		"undefined": {}, "NaN": number(math.NaN()), "Infinity": number(math.Inf(1)),
		"parseInt": builtin(parseInt), "parseFloat": builtin(parseFloat),
		"isNaN":              builtin(func(f *frame, args []value) value { return boolean(math.IsNaN(f.number(arg(args, 0)))) }),
		"isFinite":           builtin(func(f *frame, args []value) value { return boolean(finite(f.number(arg(args, 0)))) }),
		"encodeURIComponent": builtin(escapeURI("")), "encodeURI": builtin(escapeURI(";,/?:@&=+$#")),
		"decodeURIComponent": builtin(unescapeURI(url.PathUnescape)),
		"decodeURI": builtin(unescapeURI(func(s string) (string, error) { // escapes of signs with a meaning stay
			return url.PathUnescape(reservedEscape.ReplaceAllString(s, "%25$1"))
		})),
		"print": builtin(func(f *frame, args []value) value {
			for _, v := range args {
				f.printValue(v)
			}
			return value{}
		}),
		"Boolean": builtin(func(_ *frame, args []value) value { return boolean(arg(args, 0).truth()) }),
		"Number":  members(toNumber, numberFunctions()),
		"String":  members(toText, textFunctions()),
		"Array":   members(toList, listFunctions()),
		"Object":  members(nil, objectFunctions()),
		"JSON":    members(nil, map[string]native{"stringify": stringify, "parse": parseJSON}),
		"Math":    mathNames(),
		"_":       lodash(),
	}
	for name, n := range map[string]float64{"MAX_SAFE_INTEGER": 1<<53 - 1, "MIN_SAFE_INTEGER": -(1<<53 - 1), "EPSILON": 0x1p-52,
		"MAX_VALUE": math.MaxFloat64, "MIN_VALUE": math.SmallestNonzeroFloat64,
		"POSITIVE_INFINITY": math.Inf(1), "NEGATIVE_INFINITY": math.Inf(-1), "NaN": math.NaN()} {
		names["Number"].ref.(*function).members[name] = number(n)
	}
	return names
}

// objectFunctions are the members of Object.
func objectFunctions() map[string]native {
	return map[string]native{
		"keys": func(f *frame, args []value) value { return listOf(f.keysOf(f.objectArg(args))...) },
		"values": func(f *frame, args []value) value {
			of := f.objectArg(args)
			var out []value
			for _, key := range f.keysOf(of) {
				out = append(out, f.memberOf(of, key))
			}
			return f.newList(out)
		},
		"entries": func(f *frame, args []value) value {
			of := f.objectArg(args)
			var out []value
			for _, key := range f.keysOf(of) {
				f.keepItems(2)
				out = append(out, listOf(key, f.memberOf(of, key)))
			}
			return f.newList(out)
		},
		"hasOwn": func(f *frame, args []value) value { return f.has(arg(args, 1), f.objectArg(args)) },
		"freeze": func(_ *frame, args []value) value { return arg(args, 0) },
		"fromEntries": func(f *frame, args []value) value {
			o := &object{}
			f.iterate(arg(args, 0), func(pair value) bool {
				f.keepItems(1)
				key := f.text(f.memberOf(pair, number(0)))
				if isInner(key) {
					f.refuse(key)
				}
				o.put(key, f.memberOf(pair, number(1)))
				return true
			})
			return objectOf(o)
		},
		"assign": func(f *frame, args []value) value {
			to := arg(args, 0)
			if to.kind != objectKind {
				return to
			}
			o := to.ref.(*object)
			o.load(f)
			for _, from := range args[1:] {
				f.spreadInto(o, from)
			}
			return to
		},
	}
}

// blank reports whether a text has only white space.
func blank(s string) bool { return keyindex.TrimSpace(s) == "" }

// lodash is the name _ with its functions: those of the language Go here, others in addWritten.
func lodash() value {
	all := map[string]native{"chain": wrapper(true)}
	for _, table := range []map[string]native{lodashLists(), lodashParts(), lodashObjects(), lodashValues()} {
		maps.Copy(all, table)
	}
	return members(wrapper(false), all)
}
