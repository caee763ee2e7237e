package loose

import (
	"encoding/json"
	"strings"

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
func textsOf(raw json.RawMessage) []string {
	r := gjson.ParseBytes(raw)
	if !r.IsArray() {
		return nil
	}
	list := []string{}
	r.ForEach(func(_, item gjson.Result) bool {
		list = append(list, itemText(item))
		return true
	})
	return list
}

// itemText turns an item of a list into a text: what counts as false into none, and a
// list into its items with commas between.
func itemText(item gjson.Result) string {
	if item.IsArray() {
		var parts []string
		item.ForEach(func(_, part gjson.Result) bool {
			parts = append(parts, Parse(json.RawMessage(part.Raw)).String())
			return true
		})
		return strings.Join(parts, ",")
	}
	v := Parse(json.RawMessage(item.Raw))
	if !v.Truthy() {
		return ""
	}
	return v.String()
}
