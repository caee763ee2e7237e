package card_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/prompt/card"
)

// rawMembers builds an Extra map from name, JSON, name, JSON …
func rawMembers(pairs ...string) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	for i := 0; i < len(pairs); i += 2 {
		members[pairs[i]] = json.RawMessage(pairs[i+1])
	}
	return members
}

// TestEncodeWhole shows the exact text of a small card in every version.
func TestEncodeWhole(t *testing.T) {
	t.Parallel()
	c := card.Card{Name: "Zoë", Description: "<b> & {{char}}", FirstMes: "hi",
		Extra: rawMembers("z", "[ 1 ]", "a", `"x"`)}
	six := `"name":"Zoë","description":"<b> & {{char}}","personality":"","scenario":"",` +
		`"first_mes":"hi","mes_example":""`
	v2Only := `,"creator_notes":"","system_prompt":"","post_history_instructions":"",` +
		`"alternate_greetings":[],"tags":[],"creator":"","character_version":"","extensions":{}`
	for spec, want := range map[card.Spec]string{
		card.V1: `{` + six + `,"a":"x","z":[1]}`,
		card.V2: `{"spec":"chara_card_v2","spec_version":"2.0","data":{` + six + v2Only +
			`,"a":"x","z":[1]}}`,
		card.V3: `{"spec":"chara_card_v3","spec_version":"3.0","data":{` + six + v2Only +
			`,"group_only_greetings":[],"a":"x","z":[1]}}`,
	} {
		if got := mustEncode(t, c, spec, card.EncodeOptions{}); got != want {
			t.Errorf("V%d:\n got %s\nwant %s", spec, got, want)
		}
	}
}

// TestEncodeErrors shows cards that cannot be written.
func TestEncodeErrors(t *testing.T) {
	t.Parallel()
	tagged := card.Card{Name: "A", Tags: []string{"t"}, Nickname: "n"}
	_, err := card.Encode(tagged, card.V1, card.EncodeOptions{})
	if errorCode(err) != "would_lose" || !strings.Contains(err.Error(), "tags, nickname") {
		t.Errorf("V1 of a V3 card: %v", err)
	}
	got := mustEncode(t, tagged, card.V1, card.EncodeOptions{DropNewer: true})
	if strings.Contains(got, "tags") {
		t.Errorf("tags in V1: %s", got)
	}
	if _, err = card.Encode(tagged, 4, card.EncodeOptions{}); errorCode(err) != "bad_version" {
		t.Errorf("V4: %v", err)
	}
	broken := card.Card{Extensions: rawMembers("a", "{")}
	for _, spec := range []card.Spec{card.V2, card.V3} {
		if _, err = card.Encode(broken, spec, card.EncodeOptions{}); errorCode(err) != "bad_json" {
			t.Errorf("V%d of a broken raw value: %v", spec, err)
		}
	}
}

// TestDropNewer shows a V3 card as V2, with and without the fields that only V3 has.
func TestDropNewer(t *testing.T) {
	t.Parallel()
	c, _, err := parsed(card.ParseJSON([]byte(v3("A", `,"nickname":"N","assets":[],"source":["s"],
		"own":1,"character_book":{"more":2,"entries":[
			{"keys":["k"],"content":"@@depth 4\n@@role user\nText","use_regex":true,"odd":3},
			"no entry"]}`))))
	if err != nil {
		t.Fatal(err)
	}
	got := mustEncode(t, c, card.V2, card.EncodeOptions{})
	for path, want := range map[string]string{
		"data.nickname": "N", "data.assets.#": "0", "data.source.0": "s", "data.own": "1",
		"data.character_book.entries.0.content": "@@depth 4\n@@role user\nText",
	} {
		if have := gjson.Get(got, path); have.String() != want {
			t.Errorf("kept: %s is %s, want %s", path, have.Raw, want)
		}
	}
	got = mustEncode(t, c, card.V2, card.EncodeOptions{DropNewer: true})
	want := `{"entries":[{"content":"Text","keys":["k"],"odd":3},"no entry"],"more":2}`
	if have := gjson.Get(got, "data.character_book").Raw; have != want {
		t.Errorf("book is %s, want %s", have, want)
	}
	for _, path := range []string{"data.nickname", "data.assets", "data.source",
		"data.group_only_greetings"} {
		if gjson.Get(got, path).Exists() {
			t.Errorf("%s is still there", path)
		}
	}
	if gjson.Get(got, "data.own").Int() != 1 {
		t.Error("a member of somebody's own was dropped")
	}
	if have, _ := c.Book(); !strings.HasPrefix(have.Entries[0].Content, "@@depth") {
		t.Error("encoding changed the card")
	}
}

// TestRoundTripForms shows that every unusual form is written back unchanged.
func TestRoundTripForms(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, in string }{
		{"V1 with members of its own", `{"name":"A","description":"","tags":["x"],"data":5,"spec":"q"}`},
		{"empty optional members", v3("A", `,"nickname":"","source":[],"creation_date":0,"assets":[],
			"creator_notes_multilingual":{}`)},
		{"V3 members in V2", v2("A", `,"nickname":"n","group_only_greetings":[]`)},
		{"unusable values", v2("A", `,"description":{"a":1},"tags":{"b":2},"character_book":[3]`)},
		{"root members beside data, equal and stale",
			`{"name":"A","tags":["t"],"description":"stale","x":1,"spec":"chara_card_v2",
			"spec_version":"2.5","data":{"name":"A","description":"new","tags":[ "t" ],"data":1}}`},
		{"unknown members everywhere", v3("A", `,"u":{"n":null},"assets":[{"type":"icon",
			"uri":"u","name":"n","ext":"e","more":[1]}],"extensions":{"e":{"f":[2]}},
			"character_book":{"b":1,"entries":[{"c":2}]}`)},
	} {
		c, _, err := parsed(card.ParseJSON([]byte(tc.in)))
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		out, err := json.Marshal(c)
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		checkMembers(t, tc.reason, gjson.Parse(tc.in).Value(), gjson.ParseBytes(out).Value())
		var again card.Card
		if err = json.Unmarshal(out, &again); err != nil {
			t.Errorf("%s: %v", tc.reason, err)
		}
		// Mandatory members that were missing are present now, so the texts with these members are
		// compared.
		second, err := json.Marshal(again)
		if err != nil || string(second) != string(out) {
			t.Errorf("%s: a second round trip differs: %v\n%s\n%s", tc.reason, err, out, second)
		}
	}
}

// TestRootCopies shows that copies at the root follow an edit, and stale copies do not change.
func TestRootCopies(t *testing.T) {
	t.Parallel()
	c := mustDecode(t, []byte(`{"name":"A","description":"stale","spec":"chara_card_v2",
		"spec_version":"2.0","data":{"name":"A","description":"new"}}`))
	if diff := cmp.Diff([]string{"name"}, c.RootCopies); diff != "" {
		t.Errorf("copies (-want +got):\n%s", diff)
	}
	c.Name = "B"
	out := mustEncode(t, c, card.V2, card.EncodeOptions{})
	for path, want := range map[string]string{
		"name": "B", "data.name": "B", "description": "stale", "data.description": "new",
	} {
		if got := gjson.Get(out, path).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// TestChangeVersion shows V1 to V3 and back without loss.
func TestChangeVersion(t *testing.T) {
	t.Parallel()
	old := mustDecode(t, []byte(`{"name":"A","description":"d","metadata":{"v":1},"tags":["x"]}`))
	up := mustDecode(t, []byte(mustEncode(t, old, card.V3, card.EncodeOptions{})))
	if diff := cmp.Diff([]string{"x"}, up.Tags); diff != "" || up.Spec != card.V3 {
		t.Errorf("V%d, tags (-want +got):\n%s", up.Spec, diff)
	}
	if string(up.Extra["metadata"]) != `{"v":1}` {
		t.Errorf("extra is %s", up.Extra)
	}
	up.Tags = nil
	down := mustEncode(t, up, card.V1, card.EncodeOptions{})
	want := `{"name":"A","description":"d","personality":"","scenario":"","first_mes":"",` +
		`"mes_example":"","metadata":{"v":1}}`
	if down != want {
		t.Errorf("V1 is %s, want %s", down, want)
	}
	// Content replaces the root's stale copies, and values that no field can store stay.
	mixed, _, err := parsed(card.ParseJSON([]byte(`{"name":"stale","own":1,"kept":2,
		"spec":"chara_card_v2","data":{"name":"A","own":3,"tags":{"x":1}}}`)))
	if err != nil {
		t.Fatal(err)
	}
	want = `{"name":"A","description":"","personality":"","scenario":"","first_mes":"",` +
		`"mes_example":"","own":3,"tags":{"x":1},"kept":2}`
	if got := mustEncode(t, mixed, card.V1, card.EncodeOptions{}); got != want {
		t.Errorf("V1 is %s, want %s", got, want)
	}

	// Storing a V1 card with newer fields must not fail and must not lose them.
	old.Creator = "me"
	out, err := json.Marshal(old)
	if err != nil || gjson.GetBytes(out, "data.creator").String() != "me" {
		t.Errorf("grown V1 card: %s, %v", out, err)
	}
	// A wrapper member inside data must not turn a V1 form into a different version.
	odd := mustDecode(t, []byte(v2("A", `,"description":"d","data":{"name":"trap"},
		"spec":"lorebook_v3"`)))
	back := mustDecode(t, []byte(mustEncode(t, odd, card.V1, card.EncodeOptions{})))
	if back.Spec != card.V1 || back.Name != "A" {
		t.Errorf("read back as V%d %q", back.Spec, back.Name)
	}
}

// TestUnmarshalKeepsOnError shows that a failed read changes nothing.
func TestUnmarshalKeepsOnError(t *testing.T) {
	t.Parallel()
	c := card.Card{Name: "A"}
	err := json.Unmarshal([]byte(`{"name":5}`), &c)
	if errorCode(err) != "not_a_card" || c.Name != "A" {
		t.Errorf("card %+v, error %v", c, err)
	}
}
