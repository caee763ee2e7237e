package worldbook

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// decodeExact reads raw into the field behind p and reports whether raw has the
// field's own type, so that writing the field gives raw back.
func decodeExact(p any, raw json.RawMessage) bool {
	v := decodeValue(raw)
	switch p := p.(type) {
	case *uid:
		*p = uid(jsText(v))
		return v.kind == jsNumber && isCanonicalInt(string(*p)) && string(*p) == string(raw) ||
			v.kind == jsString && !isCanonicalInt(v.text)
	case *string:
		*p = v.text
		return v.kind == jsString
	case *bool:
		*p = v.num != 0
		return v.kind == jsBool
	case *looseTrue:
		*p = v.num != 0
		return v.kind == jsBool
	case *float64:
		*p = v.num
		return v.kind == jsNumber
	case *weight:
		*p = weight(v.num)
		return v.kind == jsNumber
	case *int:
		*p = int(v.num)
		return wholeNumber(v)
	case *fourDefault:
		*p = fourDefault(v.num)
		return wholeNumber(v)
	case *Position:
		*p = Position(v.num)
		return wholeNumber(v) && v.num >= 0
	case **int:
		if wholeNumber(v) {
			*p = new(int(v.num))
		}
		return wholeNumber(v) || v.kind == jsNull
	case **bool:
		if v.kind == jsBool {
			*p = new(v.num != 0)
		}
		return v.kind == jsBool || v.kind == jsNull
	case *[]string:
		return isStringList(raw) && json.Unmarshal(raw, p) == nil
	case **CharacterFilter:
		return isExactFilter(raw) && json.Unmarshal(raw, p) == nil
	case *json.RawMessage:
		*p = slices.Clone(raw)
	}
	return true
}

// wholeNumber reports whether v is a number that fits an int on every platform.
func wholeNumber(v jsValue) bool {
	return v.kind == jsNumber && v.num == math.Trunc(v.num) && math.Abs(v.num) <= math.MaxInt32
}

// isStringList reports whether raw is a list of texts only.
func isStringList(raw json.RawMessage) bool {
	r := gjson.ParseBytes(raw)
	ok := r.IsArray()
	r.ForEach(func(_, item gjson.Result) bool {
		ok = ok && item.Type == gjson.String
		return ok
	})
	return ok
}

// isExactFilter reports whether raw has exactly the members of a filter.
func isExactFilter(raw json.RawMessage) bool {
	r := gjson.ParseBytes(raw)
	n := 0
	ok := r.IsObject()
	r.ForEach(func(k, v gjson.Result) bool {
		n++
		switch k.Str {
		case "isExclude":
			ok = ok && v.IsBool()
		case "names", "tags":
			ok = ok && isStringList(json.RawMessage(v.Raw))
		default:
			ok = false
		}
		return ok
	})
	return ok && n == 3
}

// coerce sets the field behind p to what a missing or oddly typed member means.
// Nothing is filled in that the editor would have: a missing flag is off even where
// a new entry has it on. Flags take what JavaScript takes for true, disable only
// what equals true (true, 1, "1"), nullable fields are nil for null and missing
// members alone.
func coerce(p any, v jsValue, raw json.RawMessage) {
	switch p := p.(type) {
	case *uid:
		*p = uid(jsText(v))
	case *string:
		if *p = ""; v.truthy() { // 0 and false are no text
			*p = jsText(v)
		}
	case *bool:
		*p = v.truthy()
	case *looseTrue:
		*p = looseTrue(v.looseEquals(1))
	case *float64:
		*p = v.number()
	case *weight:
		*p = weight(v.number())
		if v.missing() {
			*p = 100
		}
	case *int:
		*p = toInt(v.number())
	case *fourDefault:
		*p = fourDefault(toInt(v.number()))
		if v.missing() {
			*p = 4
		}
	case *Position:
		*p = PositionNone
		if wholeNumber(v) {
			*p = Position(v.num)
		}
	case **int:
		if *p = nil; !v.missing() {
			*p = new(toInt(v.number()))
		}
	case **bool:
		if *p = nil; !v.missing() {
			*p = new(v.truthy())
		}
	case *[]string:
		*p = looseTexts(raw)
	case **CharacterFilter:
		*p = looseFilter(raw)
	case *json.RawMessage:
		*p = nil
	}
}

// toInt cuts fractions off. What fits no int is 0, on every platform.
func toInt(n float64) int {
	if math.IsNaN(n) || math.Abs(n) > math.MaxInt32 {
		return 0
	}
	return int(n)
}

// looseTexts turns the items of a list into texts. Anything but a list has none.
func looseTexts(raw json.RawMessage) []string {
	r := gjson.ParseBytes(raw)
	if !r.IsArray() {
		return nil
	}
	list := []string{}
	r.ForEach(func(_, item gjson.Result) bool {
		list = append(list, looseText(item))
		return true
	})
	return list
}

// looseText turns an item of a list into a text: what counts as false into none, and a
// list into its items with commas between.
func looseText(item gjson.Result) string {
	if item.IsArray() {
		var parts []string
		item.ForEach(func(_, part gjson.Result) bool {
			parts = append(parts, jsText(decodeValue(json.RawMessage(part.Raw))))
			return true
		})
		return strings.Join(parts, ",")
	}
	v := decodeValue(json.RawMessage(item.Raw))
	if !v.truthy() {
		return ""
	}
	return jsText(v)
}

// looseFilter reads a filter with members of other types, or with some missing.
func looseFilter(raw json.RawMessage) *CharacterFilter {
	r := gjson.ParseBytes(raw)
	if !r.IsObject() {
		return nil
	}
	return &CharacterFilter{
		IsExclude: decodeValue(json.RawMessage(r.Get("isExclude").Raw)).truthy(),
		Names:     looseNames(r.Get("names")),
		Tags:      looseNames(r.Get("tags")),
	}
}

// looseNames reads a list of names, or a text that names one or, with commas, several.
func looseNames(r gjson.Result) []string {
	if r.Type != gjson.String {
		return looseTexts(json.RawMessage(r.Raw))
	}
	var list []string
	for name := range strings.SplitSeq(r.Str, ",") {
		if name = keyindex.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// encodeExact writes the field behind p. Fields without a JSON form (a number
// that is none, no position) are left out.
func encodeExact(p any) ([]byte, bool) {
	switch p := p.(type) {
	case *uid:
		if isCanonicalInt(string(*p)) {
			return []byte(*p), true
		}
	case *float64:
		if math.IsNaN(*p) || math.IsInf(*p, 0) {
			return nil, false
		}
		return []byte(strconv.FormatFloat(*p, 'f', -1, 64)), true
	case *weight:
		return encodeExact((*float64)(p))
	case *Position:
		if *p < 0 {
			return nil, false
		}
	case *[]string:
		if *p == nil {
			return []byte("[]"), true
		}
	}
	out, err := openjson.Marshal(p)
	return out, err == nil
}

// isZero reports whether a member that is left out where it says nothing does
// so.
func isZero(p any) bool {
	switch p := p.(type) {
	case **CharacterFilter:
		return *p == nil
	case *string:
		return *p == ""
	case *bool:
		return !*p
	case *json.RawMessage:
		return len(*p) == 0
	}
	return false
}

// sameField compares two pointers to the same field of two entries.
func sameField(a, b any) bool {
	switch a := a.(type) {
	case *float64:
		b := *b.(*float64)
		return *a == b || math.IsNaN(*a) && math.IsNaN(b)
	case *weight:
		return sameField((*float64)(a), (*float64)(b.(*weight)))
	case **int:
		return samePointer(*a, *b.(**int))
	case **bool:
		return samePointer(*a, *b.(**bool))
	case *[]string:
		return slices.Equal(*a, *b.(*[]string))
	case **CharacterFilter:
		x, y := *a, *b.(**CharacterFilter)
		return x == y || x != nil && y != nil && x.IsExclude == y.IsExclude &&
			slices.Equal(x.Names, y.Names) && slices.Equal(x.Tags, y.Tags)
	case *json.RawMessage:
		return bytes.Equal(*a, *b.(*json.RawMessage))
	}
	return sameScalar(a, b)
}

func samePointer[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// sameScalar compares two fields of a comparable type.
func sameScalar(a, b any) bool {
	switch a := a.(type) {
	case *uid:
		return *a == *b.(*uid)
	case *string:
		return *a == *b.(*string)
	case *bool:
		return *a == *b.(*bool)
	case *looseTrue:
		return *a == *b.(*looseTrue)
	case *int:
		return *a == *b.(*int)
	case *fourDefault:
		return *a == *b.(*fourDefault)
	case *Position:
		return *a == *b.(*Position)
	}
	return false
}
