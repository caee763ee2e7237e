package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// fields reads pairs of names and values. It skips unknown names, names of variables that a model
// never sees, and values that do not fit their variable.
func (s *ReplySet) fields(content string) []effect.Effect {
	if !s.schema { // without a schema, names from a model cannot be checked
		return nil
	}
	var out []effect.Effect
	separates := func(r rune) bool { return strings.ContainsRune("\n|｜;；", r) }
	for pair := range strings.FieldsFuncSeq(content, separates) {
		// The first sign separates: "mood: happy: very" is the mood "happy: very".
		i := strings.IndexAny(pair, ":：=＝")
		if i < 0 {
			continue
		}
		name := strings.TrimSpace(pair[:i])
		_, size := utf8.DecodeRuneInString(pair[i:])
		value := strings.TrimSpace(pair[i+size:])
		v, ok := s.resolve(name)
		if !ok || v.Internal || v.AIAccess == AINone {
			continue
		}
		if value, ok := valueFor(v.Type, value); ok {
			out = append(out, assign(v.ID, value))
		}
	}
	return out
}

// valueFor reads a text as a value of a variable's type.
func valueFor(t VariableType, s string) (tree.Value, bool) {
	switch t {
	case TypeNumber:
		return firstNumber(s)
	case TypeBoolean:
		// The words that models use in status lines, in English and Chinese.
		switch strings.ToLower(s) {
		case "true", "yes", "on", "1", "是", "真", "有", "开":
			return tree.Bool(true), true
		case "false", "no", "off", "0", "否", "假", "无", "没有", "关":
			return tree.Bool(false), true
		}
		return tree.Value{}, false
	case TypeJSON: // text that is not JSON stays a text, which the variable may refuse
		if v, err := tree.ParseValue([]byte(s)); err == nil {
			return v, true
		}
	}
	return tree.Text(s), true
}

// firstNumber returns the first number in a text, such as 45 in "45分".
func firstNumber(s string) (tree.Value, bool) {
	start := strings.IndexAny(s, "0123456789")
	if start < 0 {
		return tree.Value{}, false
	}
	end := start
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' && end+1 < len(s) &&
		s[end+1] >= '0' && s[end+1] <= '9' && !strings.Contains(s[start:end], ".")) {
		end++
	}
	// Models pad numbers, as in 007, which is not valid JSON.
	digits := strings.TrimLeft(s[start:end], "0")
	if digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	// Models that write Chinese use the full-width minus or the minus sign U+2212.
	switch before, _ := utf8.DecodeLastRuneInString(s[:start]); before {
	case '-', '－', '−':
		digits = "-" + digits
	}
	v, err := tree.ParseValue([]byte(digits))
	return v, err == nil
}
