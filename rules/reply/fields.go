package reply

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
)

// fields reads pairs of names and values. Unknown names and values that do not fit
// their variable are passed over.
func (s *Set) fields(content string) []rules.Effect {
	var out []rules.Effect
	pairs := strings.FieldsFunc(content, func(r rune) bool { return strings.ContainsRune("\n|｜;；", r) })
	for _, pair := range pairs {
		i := strings.IndexAny(pair, ":：=＝")
		if i < 0 {
			continue
		}
		name := strings.TrimSpace(pair[:i])
		_, size := utf8.DecodeRuneInString(pair[i:])
		value := strings.TrimSpace(pair[i+size:])
		v, ok := s.resolve(name)
		if !ok {
			continue
		}
		if value, ok := valueFor(v.Type, value); ok {
			out = append(out, assign(v.ID, value))
		}
	}
	return out
}

// valueFor reads a text as a value of a variable's type.
func valueFor(t rules.VariableType, s string) (memvars.Value, bool) {
	switch t {
	case rules.NumberType:
		return firstNumber(s)
	case rules.BooleanType:
		switch strings.ToLower(s) {
		case "true", "yes", "on", "1", "是", "真", "有", "开":
			return memvars.Bool(true), true
		case "false", "no", "off", "0", "否", "假", "无", "没有", "关":
			return memvars.Bool(false), true
		}
		return memvars.Value{}, false
	case rules.JSONType:
		if v, err := memvars.ParseValue([]byte(s)); err == nil {
			return v, true
		}
	}
	return memvars.Text(s), true
}

// firstNumber reads the number that a text has in it first, as in "45分".
func firstNumber(s string) (memvars.Value, bool) {
	start := strings.IndexAny(s, "0123456789")
	if start < 0 {
		return memvars.Value{}, false
	}
	end := start
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' && end+1 < len(s) &&
		s[end+1] >= '0' && s[end+1] <= '9' && !strings.Contains(s[start:end], ".")) {
		end++
	}
	digits := strings.TrimLeft(s[start:end], "0")
	if digits == "" || digits[0] == '.' {
		digits = "0" + digits
	}
	if start > 0 && s[start-1] == '-' {
		digits = "-" + digits
	}
	v, err := memvars.ParseValue([]byte(digits))
	return v, err == nil
}
