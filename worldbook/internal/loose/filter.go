package loose

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/openjson"
)

// Filter is a character filter. In files a text may replace either list.
type Filter struct {
	IsExclude           bool
	Names, Tags         []string
	NamesText, TagsText string
}

// ReadFilter reads a filter. It returns nil for any value except an object. The result exact
// reports whether writing gives raw back. Then raw has exactly the three members with their types,
// or a text instead of a list.
func ReadFilter(raw json.RawMessage) (f *Filter, exact bool) {
	r := gjson.ParseBytes(raw)
	if !r.IsObject() {
		return nil, false
	}
	n := 0
	exact = true
	r.ForEach(func(k, v gjson.Result) bool {
		n++
		switch k.Str {
		case "isExclude":
			exact = exact && v.IsBool()
		case "names", "tags":
			exact = exact && (isTexts(json.RawMessage(v.Raw)) || v.Str != "")
		default:
			exact = false
		}
		return true
	})
	f = &Filter{IsExclude: Parse(json.RawMessage(r.Get("isExclude").Raw)).Truthy()}
	f.Names, f.NamesText = listOrText(r.Get("names"))
	f.Tags, f.TagsText = listOrText(r.Get("tags"))
	return f, exact && n == 3
}

func listOrText(r gjson.Result) (list []string, text string) {
	if r.Type == gjson.String {
		return nil, r.Str
	}
	return textsOf(json.RawMessage(r.Raw), sameText), ""
}

// JSON writes the filter. It returns nil for nil.
func (f *Filter) JSON() []byte {
	if f == nil {
		return nil
	}
	either := func(list []string, text string) any {
		if text != "" {
			return text
		}
		return append([]string{}, list...)
	}
	out, _ := openjson.Marshal(struct { // texts always encode
		IsExclude bool `json:"isExclude"`
		Names     any  `json:"names"`
		Tags      any  `json:"tags"`
	}{f.IsExclude, either(f.Names, f.NamesText), either(f.Tags, f.TagsText)})
	return out
}
