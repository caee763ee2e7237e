package card_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidwall/gjson"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// conformanceCase is one case of a file of kind "card".
type conformanceCase struct {
	ID      string  `json:"id"`
	Title   string  `json:"title"`
	JSON    *string `json:"json"`
	PNG     *string `json:"png"`
	CHARX   *string `json:"charx"`
	Content *string `json:"content"`
	// Remarks for readers. Unknown members are refused.
	Quirk, Origin, Observed, Note json.RawMessage
	Expect                        struct {
		Card       map[string]any        `json:"card"`
		Book       map[string]any        `json:"book"`
		Source     string                `json:"source"`
		Assets     []map[string]any      `json:"assets"`
		Problems   []talewright.Code     `json:"problems"`
		Error      talewright.Code       `json:"error"`
		RoundTrip  []string              `json:"round_trip"`
		Decorators []worldbook.Decorator `json:"decorators"`
		Content    *string               `json:"content"`
	} `json:"expect"`
}

// suite has the recorded cases of kind "card".
var suite = testkit.Suite{Dir: filepath.Join("testdata", "conformance")}

// readCases returns the cases of a file. A file of a different kind has no cases.
func readCases(tb testing.TB, file string, data []byte) []conformanceCase {
	tb.Helper()
	if gjson.GetBytes(data, "kind").String() != "card" {
		return nil
	}
	var read struct {
		Format, Kind, Group, Note json.RawMessage
		Cases                     []conformanceCase
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&read); err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	return read.Cases
}

// loadCases returns all cases of the package's own folder, as seeds.
func loadCases(tb testing.TB) []conformanceCase {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(suite.Dir, "*.json"))
	if err != nil || len(paths) == 0 {
		tb.Fatal("no cases", err)
	}
	var cases []conformanceCase
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		cases = append(cases, readCases(tb, path, data)...)
	}
	return cases
}

// TestConformance runs the recorded cases: PR-10, PR-11, PR-15.
func TestConformance(t *testing.T) {
	suite.Run(t, func(t *testing.T, file string, data []byte) []testkit.RecordedCase {
		var list []testkit.RecordedCase
		for _, c := range readCases(t, file, data) {
			list = append(list, testkit.RecordedCase{Name: c.ID, Run: func(t *testing.T) { runCase(t, c) }})
		}
		return list
	})
}

func runCase(t *testing.T, c conformanceCase) {
	if c.Content != nil {
		checkDecorators(t, c)
		return
	}
	data, decode := input(t, c)
	got, problems, err := parsed(decode(data))
	if c.Expect.Error != "" {
		if errorCode(err) != c.Expect.Error {
			t.Fatalf("%s: error %v, want code %s", c.Title, err, c.Expect.Error)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", c.Title, err)
	}
	if diff := cmp.Diff(c.Expect.Problems, codes(problems), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: problems (-want +got):\n%s", c.Title, diff)
	}
	checkMembers(t, "card", c.Expect.Card, cardView(t, got))
	if c.Expect.Book != nil {
		book, ok := got.Book()
		if !ok {
			t.Fatalf("%s: no book", c.Title)
		}
		checkMembers(t, "book", c.Expect.Book, bookView(t, book))
	}
	file, err := card.Open(data)
	if err != nil {
		t.Fatalf("%s: Open: %v", c.Title, err)
	}
	if c.Expect.Source != "" && file.Source != c.Expect.Source {
		t.Errorf("%s: source %q, want %q", c.Title, file.Source, c.Expect.Source)
	}
	if c.Expect.Assets != nil {
		checkMembers(t, "assets", jsonValue(t, c.Expect.Assets), assetsView(file))
	}
	checkRoundTrip(t, c, got)
}

// input returns the bytes of the case and the decoder of its kind.
func input(t *testing.T, c conformanceCase) (
	[]byte, func([]byte) (card.Card, talewright.Problems)) {
	if c.JSON != nil {
		return []byte(*c.JSON), card.ParseJSON
	}
	text, decode := c.PNG, card.ParsePNG
	if c.CHARX != nil {
		text, decode = c.CHARX, card.ParseCHARX
	}
	if text == nil {
		t.Fatalf("%s: the case has no input", c.ID)
	}
	data, err := base64.StdEncoding.DecodeString(*text)
	if err != nil {
		t.Fatal(err)
	}
	return data, decode
}

func checkDecorators(t *testing.T, c conformanceCase) {
	list, rest, problems := worldbook.ParseDecorators(*c.Content)
	if diff := cmp.Diff(c.Expect.Decorators, list, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: decorators (-want +got):\n%s", c.Title, diff)
	}
	if c.Expect.Content != nil && rest != *c.Expect.Content {
		t.Errorf("%s: content %q, want %q", c.Title, rest, *c.Expect.Content)
	}
	if diff := cmp.Diff(c.Expect.Problems, codes(problems), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: problems (-want +got):\n%s", c.Title, diff)
	}
}

// checkRoundTrip searches the paths of the case in the encoded card. The values must equal the
// input.
func checkRoundTrip(t *testing.T, c conformanceCase, got card.Card) {
	if len(c.Expect.RoundTrip) == 0 {
		return
	}
	out, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range c.Expect.RoundTrip {
		have := gjson.GetBytes(out, path)
		if c.JSON == nil {
			if !have.Exists() {
				t.Errorf("%s: %s is lost", c.Title, path)
			}
			continue
		}
		want := gjson.Get(strings.TrimPrefix(*c.JSON, "\ufeff"), path)
		if !have.Exists() || cmp.Diff(want.Value(), have.Value()) != "" {
			t.Errorf("%s: %s is %s after a round trip, was %s", c.Title, path, have.Raw, want.Raw)
		}
	}
}

// cardView returns the card in the form of the cases: the members of the data object and the
// results of some methods.
func cardView(t *testing.T, c card.Card) map[string]any {
	out, err := card.Encode(c, card.V3, card.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	view := gjson.GetBytes(out, "data").Value().(map[string]any)
	addMissing(view, map[string]any{"nickname": "", "source": []any{}, "creation_date": 0.0,
		"modification_date": 0.0, "creator_notes_multilingual": map[string]any{}})
	view["spec"] = float64(c.Spec)
	view["char_name"] = c.CharName()
	view["assets"] = jsonValue(t, c.AllAssets())
	view["depth_prompt"] = nil
	if d, ok := c.DepthPrompt(); ok {
		view["depth_prompt"] = jsonValue(t, d)
	}
	return view
}

// bookView returns the book as JSON, including empty optional members, which encoding leaves out.
func bookView(t *testing.T, b card.Book) any {
	view := jsonValue(t, b).(map[string]any)
	addMissing(view, map[string]any{"name": "", "description": ""})
	for _, entry := range view["entries"].([]any) {
		addMissing(entry.(map[string]any), map[string]any{"constant": false, "selective": false,
			"name": "", "comment": "", "secondary_keys": []any{}, "position": "after_char"})
	}
	return view
}

func addMissing(view, members map[string]any) {
	for name, value := range members {
		if _, ok := view[name]; !ok {
			view[name] = value
		}
	}
}

func assetsView(f *card.File) any {
	var list []any
	for _, a := range f.Card.AllAssets() {
		view := map[string]any{"name": a.Name, "type": a.Type, "uri": a.URI, "ext": a.Ext}
		place, _ := a.Resolve()
		view["default"] = place == "default"
		view["remote"] = place == "remote"
		if data, err := f.ReadAsset(a); err == nil {
			view["bytes"] = float64(len(data))
		}
		list = append(list, view)
	}
	return list
}

// checkMembers compares want with got: for objects the members in want, for lists every element,
// otherwise the value.
func checkMembers(t *testing.T, path string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %v, want an object", path, got)
			return
		}
		for name, value := range want {
			if _, ok := members[name]; !ok && value != nil {
				t.Errorf("%s.%s is missing", path, name)
				continue
			}
			checkMembers(t, path+"."+name, value, members[name])
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			t.Errorf("%s is %v, want %d elements", path, got, len(want))
			return
		}
		for i := range want {
			checkMembers(t, fmt.Sprintf("%s.%d", path, i), want[i], list[i])
		}
	default:
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func codes(problems talewright.Problems) []talewright.Code {
	var list []talewright.Code
	for _, p := range problems {
		list = append(list, p.Code)
	}
	return list
}

// jsonValue returns v as encoding/json decodes it.
func jsonValue(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return gjson.ParseBytes(text).Value()
}
