package imports_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// TestMigrating: the page for people who come from other programs names every field of the types
// that read their files, and no field that is not there. The member beside a field is the member
// that the type reads (EX-16).
func TestMigrating(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../MIGRATING.md")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]reflect.Type{}
	for _, of := range []any{worldbook.Entry{}, card.Card{}, tavern.Preset{}, rules.Rule{}, rules.Trigger{}, reactions.YuminaWorld{}, hooks.Hook{}} {
		types[reflect.TypeOf(of).String()] = reflect.TypeOf(of)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`(\\w+\\.\\w+)\\.(\\w+)`").FindAllStringSubmatch(string(page), -1) {
		of, known := types[m[1]]
		if !known {
			continue
		}
		if named[m[1]+"."+m[2]] = true; !hasField(of, m[2]) {
			t.Errorf("the page names %s, which has no field %s", m[1], m[2])
		}
	}
	for name, of := range types {
		for i := range of.NumField() {
			f := of.Field(i)
			if f.IsExported() && !named[name+"."+f.Name] {
				t.Errorf("the page does not name %s.%s", name, f.Name)
			}
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `(\\w+\\.\\w+)\\.(\\w+)` \\|").FindAllStringSubmatch(string(page), -1) {
		of := types[m[2]]
		if of == nil || !hasField(of, m[3]) {
			continue
		}
		f, _ := of.FieldByName(m[3])
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag != "" && tag != m[1] {
			t.Errorf("%s.%s reads the member %s, not %s", m[2], m[3], tag, m[1])
		}
		if tag == "" && of != types["reactions.YuminaWorld"] && !reads(of, m[1]) {
			t.Errorf("%s does not read the member %s", m[2], m[1])
		}
	}
}

func hasField(of reflect.Type, name string) bool {
	_, has := of.FieldByName(name)
	return has
}

// reads reports whether a type without tags reads a member: the member of an object does not become
// an unknown one.
func reads(of reflect.Type, member string) bool {
	for _, value := range []string{`"1"`, `1`, `["1"]`, `true`, `{"a": 1}`} {
		v := reflect.New(of)
		text := `{"` + member + `": ` + value + `}`
		if of == reflect.TypeFor[card.Card]() {
			text = `{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "A", "` + member + `": ` + value + `}}`
			if strings.HasPrefix(member, "spec") {
				return true
			}
		}
		if json.Unmarshal([]byte(text), v.Interface()) != nil {
			continue
		}
		if _, unknown := v.Elem().FieldByName("Extra").Interface().(map[string]json.RawMessage)[member]; !unknown {
			return true
		}
	}
	return false
}
