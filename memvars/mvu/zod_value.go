package mvu

import (
	"fmt"
	"math"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// describeValue describes a value for a refusal.
func describeValue(v tree.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	if s, ok := v.AsText(); ok && len(s) > 60 {
		v = tree.Text(strings.ToValidUTF8(s[:60], ""))
	}
	if v.Size(largeValue) == largeValue { // writing it would cost its size at each refusal
		if v.IsArray() {
			return fmt.Sprintf("a list of %d elements", v.Len())
		}
		return fmt.Sprintf("an object of %d members", v.Len())
	}
	text := v.String()
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

// largeValue is the number of nodes from which a refusal only counts the parts of a value.
const largeValue = 64

// scriptString is JavaScript's String.
func scriptString(v tree.Value) string {
	switch v.Kind() {
	case tree.Absent:
		return "undefined"
	case tree.KindText:
		text, _ := v.AsText()
		return text
	case tree.KindNumber:
		n, _ := v.AsFloat()
		return openjson.FormatNumber(n)
	case tree.KindArray:
		parts := make([]string, v.Len())
		for i, e := range v.Elements() {
			if !e.IsNull() {
				parts[i] = scriptString(e)
			}
		}
		return strings.Join(parts, ",")
	case tree.KindObject:
		return "[object Object]"
	}
	return v.String()
}

// scriptNumberOf is JavaScript's Number; NaN and infinities are absent.
func scriptNumberOf(v tree.Value) tree.Value {
	switch v.Kind() {
	case tree.KindNumber:
		return v
	case tree.KindNull:
		return tree.Int(0)
	case tree.KindBool:
		if on, _ := v.AsBool(); on {
			return tree.Int(1)
		}
		return tree.Int(0)
	case tree.KindText, tree.KindArray:
		text := keyindex.TrimSpace(scriptString(v))
		if text == "" {
			return tree.Int(0)
		}
		if n, ok := tree.ParseNumber(text); ok {
			return tree.Num(n)
		}
		if n, ok := openjson.ParseNumber(text); ok && !math.IsInf(n, 0) {
			return tree.Float(n)
		}
	}
	return tree.Value{}
}

// truth is JavaScript's Boolean.
func truth(v tree.Value) bool {
	switch v.Kind() {
	case tree.Absent, tree.KindNull:
		return false
	case tree.KindBool:
		on, _ := v.AsBool()
		return on
	case tree.KindNumber:
		n, _ := v.AsFloat()
		return n != 0
	case tree.KindText:
		text, _ := v.AsText()
		return text != ""
	}
	return true
}
