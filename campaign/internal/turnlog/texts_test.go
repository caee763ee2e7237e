package turnlog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/internal/testkit"
)

var long = strings.Repeat("The bell rings. ", 8)

// TestTextsAreWrittenOnce: a repeated text is stored once, and restored everywhere.
func TestTextsAreWrittenOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value  any
		times  int // the number of occurrences of the text in the stored form
		reason string
	}{
		{map[string]any{"said": long, "turn": map[string]any{"text": long, "attempts": []string{long, "no"}}}, 1, "in objects and lists"},
		{map[string]any{"said": long}, 1, "there is nothing to share"},
		{map[string]any{"a": "short", "b": "short"}, 0, "short texts stay"},
		{map[string]any{long: 1, "b": long, "c": long}, 2, "a key stays"},
		{map[string]any{"a": long + `"\` + "\n<&>\u2028", "b": long + `"\` + "\n<&>\u2028"}, 1, "signs that JSON writes in another way"},
		{map[string]any{"a": long, "b": long, "$text": 0}, 2, "a member is called like the mark"},
		{map[string]any{"a": long, "b": long, "c": `{"$text":0}`}, 1, "a text reads like the mark"},
		{map[string]any{"a": strings.Split(strings.Repeat(long+"|", 20), "|")}, 13, "eight uses at most, and one to read"},
	} {
		data, err := json.Marshal(c.value)
		if err != nil {
			t.Fatal(err)
		}
		stored := turnlog.AppendShared(nil, data[1:])
		back, err := turnlog.WithTexts(stored)
		if err != nil || !bytes.Equal(back, data[1:]) {
			t.Errorf("%s: %s\ncomes back as %s, %v", c.reason, data, back, err)
		}
		if n := bytes.Count(stored, []byte(strings.Trim(long, " "))); n != c.times {
			t.Errorf("%s: %d times, want %d: %s", c.reason, n, c.times, stored)
		}
		if whole := map[string]any{}; json.Unmarshal(append([]byte("{"), stored...), &whole) != nil {
			t.Errorf("%s: what is stored is no JSON: %s", c.reason, stored)
		}
	}
}

// TestDamagedTextsAreRefused: references to missing texts, and references that would expand a
// little data to very much.
func TestDamagedTextsAreRefused(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		`"texts":["a"],"x":{"$text":1}}`, `"texts":["a"],"x":{"$text":-1}}`, `"texts":["a"],"x":{"$text":}}`, `"texts":["a"],"x":{"$text":0`,
		`"texts":["a"`, `"texts":["a"]`, `"texts":[`, `"texts":[]}`, `"texts":["a" ,"b"],"x":1}`, `"texts":["a`,
		`"texts":["a"],"x":[` + strings.Repeat(`{"$text":0},`, 9) + `1]}`, `"texts":["a"],"x":{"$text":99999999999999999999}}`,
	} {
		if out, err := turnlog.WithTexts([]byte(members)); !errors.Is(err, turnlog.ErrDamaged) {
			t.Errorf("%s becomes %s, %v", members, out, err)
		}
	}
}

// TestTextsOfLooseJSON: JSON with blanks is restored byte for byte, and so is JSON that ends in a text.
func TestTextsOfLooseJSON(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		fmt.Sprintf("%q \n:1,\"a\": %[1]q, \"b\":%[1]q }", long), fmt.Sprintf(`"a":%q,"b":%[1]q,"c":"%[2]s`, long, long[:9]), `"a":"b`,
	} {
		stored := turnlog.AppendShared(nil, []byte(members))
		if back, err := turnlog.WithTexts(stored); err != nil || string(back) != members || strings.Contains(string(stored), `} `+"\n:") {
			t.Errorf("%s\nstored as %s\ncomes back as %s, %v", members, stored, back, err)
		}
	}
}

// FuzzShare: any record is restored byte for byte.
func FuzzShare(f *testing.F) {
	f.Add(fmt.Sprintf(`"a":%q,"b":%q}`, long, long))
	f.Add(`"texts":["a"],"x":{"$text":0}}`)
	f.Add(`"a":{"$text":0},"b":[{"\u0024text":0}]}`)
	f.Fuzz(func(t *testing.T, members string) {
		out, err := turnlog.WithTexts([]byte(members))
		if len(out) > 8*len(members) {
			t.Errorf("%d bytes become %d, %v", len(members), len(out), err)
		}
		if !json.Valid([]byte("{"+members)) || strings.HasPrefix(members, `"texts"`) {
			return
		}
		doubled := members[:len(members)-1] + `,"more":[{` + members + `,{` + members + `]}`
		for _, one := range []string{members, doubled} {
			if !json.Valid([]byte("{" + one)) {
				continue
			}
			stored := turnlog.AppendShared(nil, []byte(one))
			if back, err := turnlog.WithTexts(stored); err != nil || string(back) != one || !json.Valid(append([]byte("{"), stored...)) {
				t.Errorf("%s\nstored as %s\ncomes back as %s, %v", one, stored, back, err)
			}
		}
	})
}

// TestGrowth: both directions take time linear in their input.
func TestGrowth(t *testing.T) {
	share := func(text string) { turnlog.AppendShared(nil, []byte(text)) }
	whole := func(text string) { _, _ = turnlog.WithTexts([]byte(text)) }
	testkit.Growth(t,
		testkit.Reader{Name: "Share", Read: share, Atoms: []testkit.Atom{
			{Head: `"a":[`, Open: fmt.Sprintf("%q,", long), Tail: "1]}"}, {Head: `"a":"`, Open: `\"`, Tail: `"}`}, {Open: `"`}, {Open: `"":`},
			{Head: `"a":`, Open: `{"b":`, Close: "}", Tail: "}"},
		}},
		testkit.Reader{Name: "Whole", Read: whole, Atoms: []testkit.Atom{
			{Head: `"texts":[`, Open: `"a",`, Tail: `"b"],"x":1}`}, {Head: `"texts":["a"],"x":[`, Open: `{"$text":0},`, Tail: "1]}"},
			{Head: `"texts":["a"],"x":"`, Open: `{"$text":0},`, Tail: `"}`}, {Head: `"texts":["a"],"x":`, Open: `{"$text":`}, {Head: `"texts":["`, Open: `\`},
		}},
	)
}
