package card_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/prompt/card"
)

// TestErrorTexts shows that errors have a path and a cause, and that every message is a statement
// followed by advice.
func TestErrorTexts(t *testing.T) {
	t.Parallel()
	_, err := card.Open([]byte(`{"a":x}`))
	if syntax, ok := errors.AsType[*json.SyntaxError](err); !ok || syntax.Offset != 6 {
		t.Errorf("the cause is not readable: %v", err)
	}
	want := "card: @6: the text is not valid JSON. The file may have been edited by hand or cut " +
		"off; export it again: invalid character 'x' looking for beginning of value"
	if err.Error() != want {
		t.Errorf("error is %q, want %q", err, want)
	}
	advice := regexp.MustCompile(`^[a-z].+\. [A-Z].+[^.]$`)
	for _, c := range loadCases(t) {
		if c.Expect.Error == "" {
			continue
		}
		data, decode := input(t, c)
		if _, problems := decode(data); len(problems) != 1 || !advice.MatchString(problems[0].Text) {
			t.Errorf("%s: no advice in %q", c.ID, problems)
		}
	}
}

// TestJSONForms shows problems and assets as JSON.
func TestJSONForms(t *testing.T) {
	t.Parallel()
	_, problems := card.ParseBook([]byte(`{"entries":[5]}`))
	for _, tc := range []struct {
		value any
		want  string
	}{
		{problems, `[{"path":"entries.0","code":"bad_type","severity":"error",` +
			`"text":"a number where an object is expected; read as empty"}]`},
		{card.Asset{Type: "icon", Extra: rawMembers("x", "1", "type", `"no"`)},
			`{"type":"icon","uri":"","name":"","ext":"","x":1}`},
	} {
		got, err := json.Marshal(tc.value)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s, %v; want %s", got, err, tc.want)
		}
	}
	var a card.Asset
	if err := json.Unmarshal([]byte(`{"type":"icon","x":[1]}`), &a); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(card.Asset{Type: "icon", Extra: rawMembers("x", "[1]")}, a); diff != "" {
		t.Errorf("asset (-want +got):\n%s", diff)
	}
	if err := json.Unmarshal([]byte(`{"type":1}`), &a); err != nil || a.Type != "1" {
		t.Errorf("asset of a wrong type: %+v, %v", a, err)
	}
	if err := json.Unmarshal([]byte(`[]`), &a); err == nil || a.Type != "1" {
		t.Errorf("a list as asset: %+v, %v", a, err)
	}
}
