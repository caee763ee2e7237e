package loose

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// isTexts reports whether raw is a list of texts only.
func isTexts(raw json.RawMessage) bool {
	r := gjson.ParseBytes(raw)
	ok := r.IsArray()
	r.ForEach(func(_, item gjson.Result) bool {
		ok = ok && item.Type == gjson.String
		return ok
	})
	return ok
}

// textsOf turns the items of a list into texts. Anything but a list has none.
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

// keyText turns an item into a key: what counts as false into none.
func keyText(item gjson.Result) string {
	v := Parse(json.RawMessage(item.Raw))
	if !v.Truthy() {
		return ""
	}
	return v.String()
}

// sameText keeps a text. An item of another type equals no text, not even that of its only item.
func sameText(item gjson.Result) string {
	if item.Type == gjson.String {
		return item.Str
	}
	return item.Raw
}
