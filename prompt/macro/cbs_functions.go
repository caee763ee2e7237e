package macro

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
	values "github.com/talewright/talewright/memvars/tree"
)

// cbsFunctions are the macros of RisuAI by name.
var cbsFunctions = map[string]func(*cbsMacro) string{
	// Names, blanks, and the parts of blocks and functions.
	"char": (*cbsMacro).char, "bot": (*cbsMacro).char, "user": func(c *cbsMacro) string { return c.e.run.env.User },
	"br": cbsConstant("\n"), "newline": cbsConstant("\n"),
	"blank": cbsConstant(""), "none": cbsConstant(""), "comment": cbsConstant(""), "role": cbsConstant(cbsNull),
	"hiddenkey": func(c *cbsMacro) string {
		if c.e.run.env.Scanning {
			return c.arg(0)
		}
		return ""
	},
	"slot": func(c *cbsMacro) string {
		text, ok := c.e.elements[c.arg(0)]
		if !ok {
			c.stays = true
			c.e.report(c.n, c.name, codeUnset, "no each block has this name")
		}
		return text
	},
	"arg": func(c *cbsMacro) string {
		i, ok := c.whole(0)
		if !ok || i < 0 || i >= len(c.e.args) {
			return ""
		}
		return c.e.args[i]
	},
	"call": func(c *cbsMacro) string { return c.e.callFunction(c) },
	"return": func(c *cbsMacro) string {
		text := c.arg(0)
		c.e.returned, c.e.stopped = &text, true
		return ""
	},

	// Variables.
	"getvar":       func(c *cbsMacro) string { return c.e.variable(c.arg(0)) },
	"getglobalvar": func(c *cbsMacro) string { return c.e.global(c.arg(0)) },
	"setvar":       cbsStores(func(c *cbsMacro, _ string) string { return c.arg(1) }),
	"addvar":       cbsStores(func(c *cbsMacro, old string) string { return cbsFormat(cbsNumber(old) + c.number(1)) }),
	"setdefaultvar": func(c *cbsMacro) string {
		if c.e.run.env.CBS.Once && c.e.variable(c.arg(0)) != "" { // RisuAI sets only an empty one
			return ""
		}
		return cbsStores(func(c *cbsMacro, _ string) string { return c.arg(1) })(c)
	},
	"settempvar": func(c *cbsMacro) string {
		note(&c.e.temporary, c.arg(0), c.arg(1))
		return ""
	},
	"tempvar":    func(c *cbsMacro) string { return c.e.temporary[c.arg(0)] },
	"gettempvar": func(c *cbsMacro) string { return c.e.temporary[c.arg(0)] },

	// Macros that print 1 or 0.
	"equal":    cbsTest(func(c *cbsMacro) bool { return len(c.args) > 1 && c.args[0] == c.args[1] }),
	"notequal": cbsTest(func(c *cbsMacro) bool { return len(c.args) < 2 || c.args[0] != c.args[1] }),
	"greater":  cbsCompare(">"), "less": cbsCompare("<"), "greaterequal": cbsCompare(">="), "lessequal": cbsCompare("<="),
	"and": cbsTest(func(c *cbsMacro) bool { return isOne(c.arg(0)) && isOne(c.arg(1)) }),
	"or":  cbsTest(func(c *cbsMacro) bool { return isOne(c.arg(0)) || isOne(c.arg(1)) }),
	"not": cbsTest(func(c *cbsMacro) bool { return !isOne(c.arg(0)) }),
	"all": cbsTest(func(c *cbsMacro) bool {
		return !slices.ContainsFunc(c.allItems(), func(s string) bool { return !isOne(s) })
	}),
	"any":        cbsTest(func(c *cbsMacro) bool { return slices.ContainsFunc(c.allItems(), isOne) }),
	"startswith": cbsTest(func(c *cbsMacro) bool { return len(c.args) > 1 && strings.HasPrefix(c.args[0], c.args[1]) }),
	"endswith":   cbsTest(func(c *cbsMacro) bool { return len(c.args) > 1 && strings.HasSuffix(c.args[0], c.args[1]) }),
	"contains":   cbsTest(func(c *cbsMacro) bool { return len(c.args) > 1 && strings.Contains(c.args[0], c.args[1]) }),
	"iserror":    cbsTest(func(c *cbsMacro) bool { return strings.HasPrefix(strings.ToLower(c.arg(0)), "error:") }),

	// Texts.
	"replace": func(c *cbsMacro) string {
		if len(c.args) < 3 {
			return c.arg(0)
		}
		text, old, now := c.args[0], c.args[1], c.args[2]
		count := utf8.RuneCountInString(text) + 1
		if old != "" {
			count = strings.Count(text, old)
		}
		if len(text)+count*len(now) > maxResult {
			return c.refuse("the result is too large")
		}
		return strings.ReplaceAll(text, old, now)
	},
	"split": func(c *cbsMacro) string {
		if len(c.args) < 2 {
			return cbsArray(cbsTexts(c.args))
		}
		items := strings.SplitN(c.args[0], c.args[1], cbsItems+1)
		if len(items) > cbsItems {
			return c.refuse("the list is too long")
		}
		return cbsArray(cbsTexts(items))
	},
	"join": func(c *cbsMacro) string {
		items := cbsList(c.arg(0))
		if len(c.arg(0))+len(items)*len(c.arg(1)) > maxResult {
			return c.refuse("the result is too large")
		}
		return strings.Join(items, c.arg(1))
	},
	"length": func(c *cbsMacro) string { return strconv.Itoa(utf16Length(c.arg(0))) },
	"lower":  func(c *cbsMacro) string { return strings.ToLower(c.arg(0)) },
	"upper":  func(c *cbsMacro) string { return strings.ToUpper(c.arg(0)) },
	"capitalize": func(c *cbsMacro) string {
		_, size := utf8.DecodeRuneInString(c.arg(0))
		return strings.ToUpper(c.arg(0)[:size]) + c.arg(0)[size:]
	},
	"trim": func(c *cbsMacro) string { return trim(c.arg(0)) },
	"reverse": func(c *cbsMacro) string { // RisuAI reverses the whole macro, with its name
		all := []rune(strings.Join(append([]string{c.n.headText(c.e.src)}, c.args...), "::"))
		slices.Reverse(all)
		return string(all)
	},
	"tonumber": func(c *cbsMacro) string {
		return strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' || r == '.' {
				return r
			}
			return -1
		}, c.arg(0))
	},
	"u": func(c *cbsMacro) string {
		n, err := strconv.ParseUint(trim(c.arg(0)), 16, 32)
		if err != nil {
			return c.refuse("not the hexadecimal number of a character")
		}
		return string(rune(n))
	},
	"unicodeencode": func(c *cbsMacro) string {
		units := utf16.Encode([]rune(c.arg(0)))
		i, _ := c.whole(1)
		if i < 0 || i >= len(units) {
			return cbsFormat(math.NaN())
		}
		return strconv.Itoa(int(units[i]))
	},
	"unicodedecode": func(c *cbsMacro) string {
		n, _ := c.whole(0)
		return string(rune(n & 0xffff))
	},

	// Lists.
	"arraylength": func(c *cbsMacro) string { return strconv.Itoa(len(c.elements())) },
	"arrayelement": func(c *cbsMacro) string {
		list := c.elements()
		if i, ok := c.whole(1); ok && i >= 0 && i < len(list) {
			return cbsElementText(list[i])
		}
		return cbsNull
	},
	"arraypush": func(c *cbsMacro) string { return cbsArray(append(c.elements(), values.Text(c.arg(1)))) },
	"arraypop": func(c *cbsMacro) string {
		list := c.elements()
		return cbsArray(list[:max(len(list)-1, 0)])
	},
	"arrayshift": func(c *cbsMacro) string {
		list := c.elements()
		return cbsArray(list[min(1, len(list)):])
	},
	"arraysplice": func(c *cbsMacro) string {
		list := c.elements()
		from, _ := c.whole(1)
		if from < 0 {
			from += len(list)
		}
		from = min(max(from, 0), len(list))
		count, _ := c.whole(2)
		count = min(max(count, 0), len(list)-from)
		return cbsArray(slices.Replace(list, from, from+count, cbsTexts(c.args[min(3, len(c.args)):])...))
	},
	"arrayassert": func(c *cbsMacro) string {
		list := c.elements()
		i, ok := c.whole(1)
		if !ok || i < 0 || i > cbsItems {
			return c.refuse("not a position in a list")
		}
		if i >= len(list) {
			for len(list) < i {
				list = append(list, values.Null)
			}
			list = append(list, values.Text(c.arg(2)))
		}
		return cbsArray(list)
	},
	"makearray": func(c *cbsMacro) string { return cbsArray(cbsTexts(c.args)) },
	"filter": func(c *cbsMacro) string {
		mode, seen := trim(c.arg(1)), map[string]bool{}
		return cbsArray(slices.DeleteFunc(c.elements(), func(v values.Value) bool {
			text := cbsElementText(v)
			drop := mode != "unique" && text == "" || mode != "nonempty" && seen[text]
			seen[text] = true
			return drop
		}))
	},
	"range":  (*cbsMacro).rangeList,
	"spread": func(c *cbsMacro) string { return strings.Join(cbsList(c.arg(0)), "::") },

	// Objects of JSON.
	"dictelement": func(c *cbsMacro) string {
		o, ok := cbsObject(c.arg(0))
		if v := o.Get(c.arg(1)); ok && v.Exists() {
			return cbsElementText(v)
		}
		return cbsNull
	},
	"element":  (*cbsMacro).element,
	"makedict": (*cbsMacro).makeObject,
	"objectassert": func(c *cbsMacro) string {
		o, ok := cbsObject(c.arg(0))
		if !ok {
			o = values.Object()
		}
		if !o.Get(c.arg(1)).Exists() {
			o = o.With(c.arg(1), values.Text(c.arg(2)))
		}
		return o.String()
	},

	// Numbers.
	"floor": cbsOne(math.Floor), "ceil": cbsOne(math.Ceil), "abs": cbsOne(math.Abs),
	"round":   cbsOne(func(n float64) float64 { return math.Floor(n + 0.5) }),
	"remaind": cbsTwo(math.Mod), "pow": cbsTwo(math.Pow),
	"min": cbsFoldAll(math.Inf(1), math.Min), "max": cbsFoldAll(math.Inf(-1), math.Max), "sum": cbsFoldAll(0, sum),
	"average": func(c *cbsMacro) string {
		return cbsFormat(c.fold(0, sum) / float64(len(c.allItems())))
	},
	"fixnum": func(c *cbsMacro) string {
		digits, _ := c.whole(1)
		return openjson.FixedNumber(c.number(0), min(max(digits, 0), 100))
	},
	"tohex": func(c *cbsMacro) string {
		n := math.Trunc(c.number(0))
		if math.IsNaN(n) || math.Abs(n) > 1<<53 {
			return cbsFormat(math.NaN())
		}
		return strconv.FormatInt(int64(n), 16)
	},
	"fromhex": func(c *cbsMacro) string {
		n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(trim(c.arg(0))), "0x"), 16, 52)
		if err != nil {
			return cbsFormat(math.NaN())
		}
		return strconv.FormatUint(n, 10)
	},

	// Macros that draw a number, and pick.
	"random": func(c *cbsMacro) string {
		list := c.choices()
		if len(list) == 0 {
			return cbsFormat(c.random())
		}
		return list[int(c.random()*float64(len(list)))]
	},
	"pick": func(c *cbsMacro) string {
		list := c.choices()
		if len(list) == 0 {
			return ""
		}
		env := &c.e.run.env
		if c.e.hash == 0 {
			c.e.hash = hashMore(hashText(c.e.src), env.ChatID)
		}
		h := mix(c.e.hash + uint64(c.n.start))
		return list[mix(h+uint64(env.Reroll))%uint64(len(list))]
	},
	"roll": (*cbsMacro).dice, "dice": (*cbsMacro).dice,
	"randint": func(c *cbsMacro) string {
		from, ok := c.whole(0)
		to, also := c.whole(1)
		if !ok || !also || to < from {
			return c.refuse("not two whole numbers in order")
		}
		return strconv.Itoa(from + int(c.random()*float64(to-from+1)))
	},
}

// char returns the name of the character.
func (c *cbsMacro) char() string { return cmp.Or(c.e.locals.Char, c.e.run.env.Char) }

// cbsStores makes a macro that stores. set returns the new value of a variable.
func cbsStores(set func(c *cbsMacro, old string) string) func(*cbsMacro) string {
	return func(c *cbsMacro) string {
		switch mode := c.e.run.env.CBS; {
		case mode.Once:
			c.e.run.vars.Set(c.arg(0), set(c, c.e.variable(c.arg(0))))
		case mode.Keep:
			c.stays = true
		default:
			return c.refuse("it stores only in a greeting")
		}
		return ""
	}
}

// cbsTest makes a macro that prints 1 or 0.
func cbsTest(holds func(c *cbsMacro) bool) func(*cbsMacro) string {
	return func(c *cbsMacro) string { return cbsTruth(holds(c)) }
}

func cbsCompare(op string) func(*cbsMacro) string {
	return cbsTest(func(c *cbsMacro) bool { return inOrder(op, c.number(0), c.number(1)) })
}

func isOne(text string) bool { return text == "1" }

// cbsOne, cbsTwo and cbsFoldAll make macros of one number, of two, and of all.
func cbsOne(f func(float64) float64) func(*cbsMacro) string {
	return func(c *cbsMacro) string { return cbsFormat(f(c.number(0))) }
}

func cbsTwo(f func(a, b float64) float64) func(*cbsMacro) string {
	return func(c *cbsMacro) string { return cbsFormat(f(c.number(0), c.number(1))) }
}

func cbsFoldAll(start float64, f func(a, b float64) float64) func(*cbsMacro) string {
	return func(c *cbsMacro) string { return cbsFormat(c.fold(start, f)) }
}

func (c *cbsMacro) fold(start float64, f func(a, b float64) float64) float64 {
	for _, item := range c.allItems() {
		start = f(start, cbsOrZero(item))
	}
	return start
}

func sum(a, b float64) float64 { return a + b }

// choices returns the arguments, or the elements of the only one.
func (c *cbsMacro) choices() []string {
	if len(c.args) != 1 {
		return c.args
	}
	if _, isJSON := cbsValues(c.args[0]); isJSON {
		return cbsList(c.args[0])
	}
	return splitCommas(c.args[0])
}

// dice throws dice.
func (c *cbsMacro) dice() string {
	f, ok := parseDice(strings.ToLower(trim(c.arg(0))))
	switch {
	case !ok:
		return c.refuse("not dice: write 2d6")
	case f.tooLarge():
		return c.refuse("too many dice or sides")
	}
	total, _ := f.roll(func() (float64, bool) { return c.random(), true })
	return strconv.Itoa(total)
}

// cbsConstant returns a macro that is always the same text.
func cbsConstant(text string) func(*cbsMacro) string {
	return func(*cbsMacro) string { return text }
}

// rangeList returns the list of range: [end], [start, end] or [start, end, step].
func (c *cbsMacro) rangeList() string {
	var n []float64
	for _, v := range c.elements() {
		n = append(n, cbsNumber(cbsElementText(v)))
	}
	from, to, step := 0.0, 0.0, 1.0
	switch {
	case len(n) == 1:
		to = n[0]
	case len(n) > 1:
		from, to = n[0], n[1]
	}
	if len(n) > 2 {
		step = n[2]
	}
	if !(math.Abs((to-from)/step) <= cbsItems) { // also NaN, and a step of 0
		return c.refuse("the list is too long")
	}
	var list []values.Value
	for k := 0; k <= cbsItems; k++ {
		x := from + float64(k)*step
		if step > 0 && x >= to || step < 0 && x <= to {
			break
		}
		list = append(list, values.Text(cbsFormat(x)))
	}
	return cbsArray(list)
}

// element returns the part of a value that the other arguments lead to. A list within a value is not
// opened, as in RisuAI.
func (c *cbsMacro) element() string {
	v, err := values.ParseValue([]byte(c.arg(0)))
	if err != nil || len(c.args) == 0 {
		return cbsNull
	}
	for depth, key := range c.args[1:] {
		i, isIndex := values.Index(key)
		switch {
		case v.IsObject():
			v = v.Get(key)
		case v.IsArray() && isIndex && depth == 0:
			v = v.At(i)
		default:
			return cbsNull
		}
	}
	if !v.Exists() {
		return cbsNull
	}
	return cbsElementText(v)
}

// makeObject returns the object of arguments such as name=text. Of equal names the last counts.
func (c *cbsMacro) makeObject() string {
	var members []values.Member
	for _, arg := range c.args {
		if key, text, ok := strings.Cut(arg, "="); ok {
			members = append(members, values.Member{Key: key, Value: values.Text(text)})
		}
	}
	return values.Object(members...).String()
}

// callFunction runs a function of the text.
func (e *cbsRun) callFunction(c *cbsMacro) string {
	f := e.funcs[c.arg(0)]
	if f == nil {
		c.e.report(c.n, c.name, codeUnset, "no function has this name")
		return ""
	}
	if e.calls >= cbsCalls {
		c.e.report(c.n, c.name, codeRefused, "functions call each other too deep")
		return ""
	}
	outer := e.args
	e.args, e.calls = c.args, e.calls+1
	text := trim(e.expandNodes(f.body))
	e.args, e.calls = outer, e.calls-1
	return text
}
