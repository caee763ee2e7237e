package loose

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// isTexts reports whether raw is a list that contains only texts.
func isTexts(raw json.RawMessage) bool {
	r := gjson.ParseBytes(raw)
	ok := r.IsArray()
	r.ForEach(func(_, item gjson.Result) bool {
		ok = ok && item.Type == gjson.String
		return ok
	})
	return ok
}

// textsOf converts the items of a list to texts. It returns nil for other values.
func textsOf(raw json.RawMessage, text func(gjson.Result) string) []string {
	r := gjson.ParseBytes(raw)
	if !r.IsArray() {
		return nil
	}
	list := []string{}
	r.ForEach(func(_, item gjson.Result) bool {
		list = append(list, text(item))
		return true
	})
	return list
}

// keyText converts an item to a key. A falsy item becomes the empty text.
func keyText(item gjson.Result) string {
	v := Parse(json.RawMessage(item.Raw))
	if !v.Truthy() {
		return ""
	}
	return v.String()
}

// sameText returns the text of an item. For an item of a different type it returns a text that
// equals no other text, not even the text of its only item.
func sameText(item gjson.Result) string {
	if item.Type == gjson.String {
		return item.Str
	}
	return item.Raw
}
