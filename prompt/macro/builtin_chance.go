package macro

import (
	"math"
	"strconv"
	"strings"
)

// chance adds random, which draws again each time, pick, which always gives the same, and dice.
func (t table) chance() {
	t.add("random", 0, -1, func(c *Call) string {
		items := choices(c.Args)
		if len(items) == 0 {
			return ""
		}
		x, ok := c.Random()
		if !ok {
			return ""
		}
		return items[int(math.Floor(x*float64(len(items))))]
	}).keepsMarks = true
	t.add("pick", 0, -1, func(c *Call) string {
		items := choices(c.Args)
		if len(items) == 0 {
			return ""
		}
		return items[c.pickHash()%uint64(len(items))]
	}).keepsMarks = true
	t.add("roll", 1, 1, roll)
}

// choices returns the items of a list. Old cards write lists with commas, new cards with two
// colons, and only the number of arguments distinguishes them. A list with a single item is split
// at "::" if it has any, else at commas; "\," is a literal comma.
func choices(args []string) []string {
	if len(args) != 1 {
		return args
	}
	text := args[0]
	if text == "" {
		return nil
	}
	var items []string
	if strings.Contains(text, "::") {
		items = strings.Split(text, "::")
	} else {
		items = splitCommas(text)
	}
	for i, item := range items {
		items[i] = trim(item)
	}
	return items
}

// splitCommas splits a list at its commas. A comma after a backslash belongs to the item.
func splitCommas(text string) []string {
	var items []string
	var item strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ',':
			i++
			item.WriteByte(',')
		case text[i] == ',':
			items = append(items, item.String())
			item.Reset()
		default:
			item.WriteByte(text[i])
		}
	}
	return append(items, item.String())
}

// pickHash makes a choice that is stable under edits elsewhere: it depends only on the chat, the
// template, the position in the template and the reroll number.
func (c *Call) pickHash() uint64 {
	env := c.Env()
	h := c.eval.template.hash
	h = hashMore(h, env.ChatID)
	h = mix(h + uint64(c.Offset))
	return mix(h + uint64(env.Reroll))
}

// mix spreads a number over all bits (the finalizer of SplitMix64).
func mix(h uint64) uint64 {
	h += 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// roll throws dice: NdS±M, where N and M are optional; a bare number n means 1dn. An invalid
// formula gives an empty text.
func roll(c *Call) string {
	f, ok := parseDice(c.Args[0])
	if !ok {
		c.eval.report(c.node, codeBadValue, "not a dice formula")
		return ""
	}
	if f.tooLarge() {
		c.eval.report(c.node, codeRefused, "too many dice or sides")
		return ""
	}
	total, ok := f.roll(c.Random)
	if !ok {
		return ""
	}
	return strconv.Itoa(total)
}

// dice is a formula: a number of dice, a number of sides, and a constant.
type dice struct{ count, sides, plus int }

// tooLarge reports whether the formula exceeds the limits.
func (f dice) tooLarge() bool { return f.count > maxDice || f.sides > maxSides }

// roll throws the dice with numbers that draw returns. It fails if draw fails.
func (f dice) roll(draw func() (float64, bool)) (total int, ok bool) {
	total = f.plus
	for range f.count {
		x, ok := draw()
		if !ok {
			return 0, false
		}
		total += 1 + int(math.Floor(x*float64(f.sides)))
	}
	return total, true
}

// parseDice reads a formula. Text before or after the formula, including white space, is not
// allowed. A number of dice or sides must not begin with 0.
func parseDice(text string) (dice, bool) {
	f := dice{count: 1}
	number, rest := digits(text)
	if strings.HasPrefix(number, "0") {
		return f, false
	}
	if rest == "" && number != "" {
		f.sides = atoi(number)
		return f, true
	}
	if rest == "" || rest[0]|0x20 != 'd' {
		return f, false
	}
	if number != "" {
		f.count = atoi(number)
	}
	number, rest = digits(rest[1:])
	if number == "" || number[0] == '0' {
		return f, false
	}
	f.sides = atoi(number)
	if rest != "" {
		sign := rest[0]
		number, rest = digits(rest[1:])
		if number == "" || rest != "" || sign != '+' && sign != '-' {
			return f, false
		}
		f.plus = atoi(number)
		if sign == '-' {
			f.plus = -f.plus
		}
	}
	return f, true
}
