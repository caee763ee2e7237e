package template

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

// theLibrary returns the library. It is made on first use: the initializer of a variable may not use
// functions that use the variable, as templates do.
func theLibrary() *library {
	libraryOnce.Do(func() { loadedLibrary = newLibrary() })
	return loadedLibrary
}

var (
	libraryOnce   sync.Once
	loadedLibrary *library
)

func newLibrary() *library {
	l := &library{
		methods: [wrappedKind + 1]map[string]method{
			textKind: textMethods(), listKind: listMethods(), numberKind: numberMethods(), dateKind: dateMethods(),
			collectionKind: collectionMethods(), functionKind: {}, patternKind: {"test": testPattern, "exec": execPattern},
		},
		common: commonMethods(),
		names:  map[string]value{},
	}
	maps.Copy(l.names, languageNames())
	maps.Copy(l.names, constructors())
	for _, functions := range []map[string]native{variableFunctions(), contextFunctions(), loreFunctions()} {
		for name, call := range functions {
			l.names[name] = builtin(call)
		}
	}
	l.addScript(libraryScript)
	l.names["structuredClone"] = l.names["_"].ref.(*function).members["cloneDeep"]
	return l
}

// reservedEscape finds the escapes that decodeURI keeps.
var reservedEscape = regexp.MustCompile(`(?i)%(3B|2C|2F|3F|3A|40|26|3D|2B|24|23)`)

// escapeURI escapes all characters but letters, digits and some signs.
func escapeURI(keep string) native {
	keep += "-_.!~*'()"
	return func(f *frame, args []value) value {
		var b strings.Builder
		for _, c := range []byte(clean(f.toText(arg(args, 0)))) {
			if isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(keep, c) >= 0 {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		f.chargeBytes(16 * b.Len())
		return f.newText(b.String())
	}
}

// unescapeURI returns a function that decodes escapes.
func unescapeURI(unescape func(string) (string, error)) native {
	return func(f *frame, args []value) value {
		s := f.toText(arg(args, 0))
		f.chargeBytes(16 * len(s))
		out, err := unescape(s)
		if err != nil || !utf8.ValidString(out) {
			f.throw(f.newError("URIError", text("URI malformed")), f.at)
		}
		return f.newText(out)
	}
}

// testNumber returns a function that tests its argument as a number.
func testNumber(test func(n float64) bool) value {
	return builtin(func(f *frame, args []value) value { return boolean(test(f.toNumber(arg(args, 0)))) })
}

// languageNames are the names of the language.
func languageNames() map[string]value {
	names := map[string]value{
		"undefined": {}, "NaN": number(math.NaN()), "Infinity": number(math.Inf(1)),
		"parseInt": builtin(parseInt), "parseFloat": builtin(parseFloat),
		"isNaN":              testNumber(math.IsNaN),
		"isFinite":           testNumber(finite),
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
		"Boolean": builtin(func(_ *frame, args []value) value { return boolean(arg(args, 0).isTrue()) }),
		"Number":  members(toNumber, numberFunctions()),
		"String":  members(toText, textFunctions()),
		"Array":   members(toList, listFunctions()),
		"Object":  members(nil, objectFunctions()),
		"JSON":    members(nil, map[string]native{"stringify": stringify, "parse": parseJSON}),
		"Math":    mathNames(),
		"_":       members(wrapper(false), lodashFunctions()),
	}
	for name, n := range map[string]float64{
		"MAX_SAFE_INTEGER": 1<<53 - 1, "MIN_SAFE_INTEGER": -(1<<53 - 1), "EPSILON": 0x1p-52,
		"MAX_VALUE": math.MaxFloat64, "MIN_VALUE": math.SmallestNonzeroFloat64,
		"POSITIVE_INFINITY": math.Inf(1), "NEGATIVE_INFINITY": math.Inf(-1), "NaN": math.NaN(),
	} {
		names["Number"].ref.(*function).members[name] = number(n)
	}
	return names
}

// objectFunctions are the members of Object that are written in Go.
func objectFunctions() map[string]native {
	return map[string]native{
		"keys":   func(f *frame, args []value) value { return listOf(f.keysOf(f.objectArg(args))...) },
		"values": func(f *frame, args []value) value { return listOf(f.elementsOf(f.objectArg(args))...) },
		"entries": func(f *frame, args []value) value {
			var pairs []value
			f.entriesOf(f.objectArg(args), func(v, key value) bool {
				f.chargeItems(3)
				pairs = append(pairs, listOf(text(f.toText(key)), v))
				return true
			})
			return listOf(pairs...)
		},
		"hasOwn": func(f *frame, args []value) value { return f.hasMember(arg(args, 1), f.objectArg(args)) },
	}
}

// blank reports whether a text has only white space.
func blank(s string) bool { return keyindex.TrimSpace(s) == "" }

// commonMethods are the methods of every value.
func commonMethods() map[string]method {
	return map[string]method{
		"toString":       func(f *frame, of value, _ []value) value { return text(f.toText(of)) },
		"toLocaleString": func(f *frame, of value, _ []value) value { return text(f.toText(of)) },
		"valueOf":        func(_ *frame, of value, _ []value) value { return of },
		"hasOwnProperty": func(f *frame, of value, args []value) value {
			if of.kind != objectKind && of.kind != listKind {
				return boolean(false)
			}
			return f.hasMember(arg(args, 0), of)
		},
	}
}
