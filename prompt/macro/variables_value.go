package macro

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// number reads a number for sums; a missing or blank value is 0.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		if keyindex.TrimSpace(v) == "" {
			return 0, true
		}
		return openjson.ParseNumber(v)
	}
	return openjson.ParseNumber(variablesText(v))
}

// isCheap reports whether a value is cheap to show. The cost of showing other values grows with
// their size.
func isCheap(v any) bool {
	switch v.(type) {
	case nil, string, bool, float64, int, int64:
		return true
	}
	return false
}

// showVariable returns the result of getvar: values that count as numbers are shown as numbers,
// including true and false.
func showVariable(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "1"
		}
		return "0"
	case string:
		if n, ok := openjson.ParseNumber(v); ok {
			return openjson.FormatNumber(n)
		}
		return v
	}
	return variablesText(v)
}

// listNumber returns the number of a list that counts as a number. An empty list is 0. A list of
// one number, or of one text that reads as a number, is that number.
func listNumber(list []any) (string, bool) {
	switch len(list) {
	case 0:
		return "0", true
	case 1:
		switch v := list[0].(type) {
		case nil:
			return "0", true
		case string, float64, int, int64:
			if n, ok := number(v); ok {
				return openjson.FormatNumber(n), true
			}
		}
	}
	return "", false
}

// variablesText writes a value of the host: texts unchanged, numbers in their shortest form, lists
// and objects as compact JSON, null as an empty text.
func variablesText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return openjson.FormatNumber(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case interface{ Float64() float64 }:
		// A number that keeps its spelling. Beyond the range that a float64 holds exactly, the
		// spelling is better.
		if n := v.Float64(); math.Abs(n) < 1<<53 {
			return openjson.FormatNumber(n)
		}
	}
	text, _ := jsonText(v)
	return unquote(text)
}

// unquote reverts the JSON form of scalars for host types that encode to them.
func unquote(text string) string {
	if text == "null" {
		return ""
	}
	if strings.HasPrefix(text, `"`) {
		var s string
		if json.Unmarshal([]byte(text), &s) == nil {
			return s
		}
	}
	if n, ok := openjson.ParseNumber(text); ok && !math.IsInf(n, 0) && len(text) < 16 {
		return openjson.FormatNumber(n)
	}
	return text
}

// jsonText returns the compact JSON of a value as JSON.stringify writes it.
func jsonText(v any) (string, bool) {
	data, err := openjson.Marshal(v)
	text := string(data)
	if strings.Contains(text, `\u202`) {
		text = lineSeparators.Replace(text)
	}
	return text, err == nil
}

// lineSeparators are the characters that only encoding/json escapes.
var lineSeparators = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

// unmarkValue applies [unmark] to a text; JSON values have no marks.
func unmarkValue(value any) any {
	if text, ok := value.(string); ok {
		return unmark(text)
	}
	return value
}
