package worldbook

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// CharacterFilter limits an entry to some characters, or with IsExclude to all
// others.
type CharacterFilter struct {
	IsExclude bool
	// Names are character file names without extension.
	Names []string
	// Tags are tag ids.
	Tags []string
	// NamesText and TagsText stand for Names and Tags in files that have a text in place
	// of the list: a name or a tag counts as listed where it is found anywhere in the text.
	NamesText, TagsText string
}

// hasName reports whether the filter lists a character.
func (f *CharacterFilter) hasName(name string) bool {
	return slices.Contains(f.Names, name) || f.NamesText != "" && strings.Contains(f.NamesText, name)
}

// hasTag reports whether the filter lists a tag.
func (f *CharacterFilter) hasTag(tag string) bool {
	return slices.Contains(f.Tags, tag) || f.TagsText != "" && strings.Contains(f.TagsText, tag)
}

// filterField reads and writes the filter of an entry.
type filterField struct{ at **CharacterFilter }

// Read implements [loose.Custom]. A filter with exactly the three members, each of its
// type, or a text in place of a list, is written back as it is.
func (f filterField) Read(raw json.RawMessage) (exact bool) {
	*f.at = nil
	r := gjson.ParseBytes(raw)
	if !r.IsObject() {
		return false
	}
	n := 0
	exact = true
	r.ForEach(func(k, v gjson.Result) bool {
		n++
		switch k.Str {
		case "isExclude":
			exact = exact && v.IsBool()
		case "names", "tags":
			exact = exact && (loose.IsTexts(json.RawMessage(v.Raw)) || v.Str != "")
		default:
			exact = false
		}
		return true
	})
	out := &CharacterFilter{IsExclude: loose.Parse(json.RawMessage(r.Get("isExclude").Raw)).Truthy()}
	out.Names, out.NamesText = listOrText(r.Get("names"))
	out.Tags, out.TagsText = listOrText(r.Get("tags"))
	*f.at = out
	return exact && n == 3
}

func listOrText(r gjson.Result) (list []string, text string) {
	if r.Type == gjson.String {
		return nil, r.Str
	}
	return loose.Texts(json.RawMessage(r.Raw)), ""
}

// Write implements [loose.Custom].
func (f filterField) Write() ([]byte, error) {
	type members struct {
		IsExclude bool `json:"isExclude"`
		Names     any  `json:"names"`
		Tags      any  `json:"tags"`
	}
	filter := *f.at
	if filter == nil {
		return []byte("null"), nil
	}
	either := func(list []string, text string) any {
		if text != "" {
			return text
		}
		return append([]string{}, list...)
	}
	return openjson.Marshal(members{filter.IsExclude,
		either(filter.Names, filter.NamesText), either(filter.Tags, filter.TagsText)})
}

// IsZero implements [loose.Custom].
func (f filterField) IsZero() bool { return *f.at == nil }

// Same implements [loose.Custom].
func (f filterField) Same(other loose.Custom) bool {
	a, b := *f.at, *other.(filterField).at
	return a == b || a != nil && b != nil && a.IsExclude == b.IsExclude && slices.Equal(a.Names, b.Names) &&
		slices.Equal(a.Tags, b.Tags) && a.NamesText == b.NamesText && a.TagsText == b.TagsText
}
