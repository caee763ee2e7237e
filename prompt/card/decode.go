package card

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/openjson"
)

// decodeJSON reads a card from JSON text by the rules of [Parse].
func decodeJSON(data []byte) (Card, talewright.Problems, error) {
	var r reader
	root, err := r.root(data, "card")
	if err != nil {
		return Card{}, nil, err
	}
	c, err := r.card(root)
	if err != nil {
		return Card{}, nil, err
	}
	return c, r.problems, nil
}

// card reads a card from the members of the root object. It removes members from the map.
func (r *reader) card(root map[string]json.RawMessage) (Card, error) {
	spec := ""
	if kindOf(root["spec"]) == isText {
		spec = openjson.Unquote(root["spec"])
	}
	// Some files have an empty spec, because the author deleted the text.
	hasSpec := kindOf(root["spec"]) != isNull && string(root["spec"]) != `""`
	hasData := kindOf(root["data"]) == isObject
	if !hasSpec && isLore(root) {
		return Card{}, errLorebook()
	}
	switch {
	case hasData && (spec == specV2 || spec == specV3):
		return r.wrapped(root, specNumber(spec))
	case hasData && !hasSpec:
		r.add(codeNoSpec, "", "the member spec is missing; read as a V2 card")
		return r.wrapped(root, V2)
	case !hasSpec && isAgnai(root):
		return r.agnai(root), nil
	case isV1(renamed(root, tavernNames)):
		c := Card{Spec: V1}
		renamed(root, siteNames)
		r.members(&c, "", root)
		return c, nil
	case spec == specLorebook:
		return Card{}, errLorebook()
	case hasSpec && hasData:
		return Card{}, notA("card", fmt.Sprintf("its spec %.40q is unknown", cmp.Or(spec, string(root["spec"]))))
	}
	return Card{}, notA("card", "it has neither a data object nor a name with a description")
}

// specNumber returns the version for one of the two known texts.
func specNumber(spec string) Spec {
	if spec == specV3 {
		return V3
	}
	return V2
}

// The names that other programs give to the members of V1: TavernAI and Pygmalion, and sites with
// characters. The names of sites alone do not make a card.
var (
	tavernNames = [][2]string{{"char_name", "name"}, {"char_persona", "description"}, {"world_scenario", "scenario"},
		{"char_greeting", "first_mes"}, {"example_dialogue", "mes_example"}}
	siteNames = [][2]string{{"example_dialogs", "mes_example"}, {"first_message", "first_mes"}, {"greeting", "first_mes"}}
)

// renamed gives the members of a root object the names of V1, where the object has no such member.
func renamed(root map[string]json.RawMessage, names [][2]string) map[string]json.RawMessage {
	for _, n := range names {
		old, isThere := root[n[0]]
		if v := root[n[1]]; isThere && (kindOf(v) == isNull || string(v) == `""`) {
			root[n[1]] = old
			delete(root, n[0])
		}
	}
	return root
}

func errLorebook() *Error {
	return fail(codeIsLorebook, "this is a lorebook without a character. Import it as a lorebook")
}

// isLore reports whether an object is a lorebook, or has one as its member data. Lorebooks have a
// name and a description too.
func isLore(root map[string]json.RawMessage) bool {
	if kindOf(root["data"]) == isObject {
		var data map[string]json.RawMessage
		if json.Unmarshal(root["data"], &data) != nil {
			return false
		}
		root = data
	}
	ofCharacter := []string{"personality", "scenario", "first_mes", "mes_example"}
	return (kindOf(root["entries"]) == isObject || kindOf(root["entries"]) == isList) &&
		!slices.ContainsFunc(ofCharacter, func(name string) bool { return kindOf(root[name]) != isNull })
}

// isV1 reports whether the root has a name and at least one other V1 field.
func isV1(root map[string]json.RawMessage) bool {
	if kindOf(root["name"]) == isNull {
		return false
	}
	return slices.ContainsFunc(cardFields, func(f field[Card]) bool {
		return f.since == V1 && f.name != "name" && kindOf(root[f.name]) != isNull
	})
}

// wrapped reads a V2 or V3 card, whose content is in the member data.
func (r *reader) wrapped(root map[string]json.RawMessage, spec Spec) (Card, error) {
	c := Card{Spec: spec}
	r.version(&c, root["spec_version"])
	data, _ := r.object("data", root["data"])
	// The members of the root that are not equal copies of data become RootExtra.
	for _, name := range [...]string{"spec", "spec_version", "data"} {
		delete(root, name)
	}
	for _, f := range cardFields {
		if raw, ok := root[f.name]; ok && sameText(raw, data[f.name]) {
			c.RootCopies = append(c.RootCopies, f.name)
			delete(root, f.name)
		}
	}
	if len(root) > 0 {
		c.RootExtra = root
	}
	r.members(&c, "data", data)
	return c, nil
}

// version checks the text of spec_version, a decimal number.
func (r *reader) version(c *Card, raw json.RawMessage) {
	if kindOf(raw) == isNull {
		return
	}
	text, ok := r.text("spec_version", raw)
	text = strings.TrimSpace(text)
	if ok && text == "" {
		return
	}
	number, err := strconv.ParseFloat(text, 64)
	// ParseFloat alone would also accept "1e1", "inf" and "0x3".
	if strings.Trim(text, "0123456789.") != "" || err != nil {
		r.add(codeBadVersion, "spec_version",
			fmt.Sprintf("the version %.40q is not a number; write \"2.0\" or \"3.0\"", text))
		return
	}
	c.SpecVersion = text
	if number > 3 {
		r.add(codeNewerVersion, "spec_version",
			fmt.Sprintf("version %.40s is newer than 3.0; read as far as it is known", text))
	}
}

// members fills the fields of c from the members of its content object. The remaining members
// become Extra.
func (r *reader) members(c *Card, path string, members map[string]json.RawMessage) {
	for _, f := range fieldsOf(c.Spec) {
		f.take(r, path, members, c)
		if f.name == "name" && c.Name == "" {
			r.add(codeEmptyName, member(path, "name"), "the character has no name; ask for one")
		}
	}
	if len(members) > 0 {
		c.Extra = members
	}
}

// sameText reports whether two raw values are the same text, ignoring blanks.
func sameText(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if kindOf(a) != kindOf(b) || len(b) == 0 {
		return false
	}
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil &&
		bytes.Equal(x.Bytes(), y.Bytes())
}

// UnmarshalJSON reads a card like [Parse] and discards the problems. On an error the card does
// not change.
func (c *Card) UnmarshalJSON(data []byte) error {
	read, _, err := decodeJSON(data)
	if err != nil {
		return err
	}
	*c = read
	return nil
}
