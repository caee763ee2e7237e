package conflict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// A detector for coins: a character who becomes richer in the text must have received something.
func ExampleReading() {
	view := conflict.View{
		ActorID:    "lin",
		Characters: []conflict.Character{{ID: "lin", Name: "Lin"}},
		Areas:      []conflict.Area{{ID: "mill", Name: "Old Mill"}},
	}
	const text = "“Take five coins,” he says. Lin finds twelve coins in the Old Mill."
	r := conflict.Read(text, nil, view)
	for _, phrase := range []string{"Take ", "finds "} {
		at := strings.Index(text, phrase) + len(phrase)
		coins, end, ok := r.Number(at)
		fmt.Println(coins, ok, r.Speech(at, end))
	}
	start, end, _ := r.Sentence(strings.Index(text, "finds"))
	fmt.Println(text[start:end], r.AreasNamed(start, end))
	who, _ := r.Subject(strings.Index(text, "finds"))
	lin, _ := r.Character(who[0])
	mill, _ := r.Area("mill")
	fmt.Println(lin.Name, mill.Name, r.Affected("coins", "lin"), r.Chinese())
	// Output:
	// 0 false false
	// 12 true false
	// Lin finds twelve coins in the Old Mill [mill]
	// Lin Old Mill false false
}

// The methods of a reading use byte positions of its text, also if characters have several bytes
// and for positions outside the text.
func TestQuestionsOfDetectors(t *testing.T) {
	t.Parallel()
	view := conflict.View{
		Areas: []conflict.Area{{ID: "a", Name: "大厅"}, {ID: "b", Name: "大厅"}, {ID: "c", Name: "地窖"}},
		Actions: []conflict.Action{
			{Affects: []string{conflict.FieldGoal}},
			{Affects: []string{conflict.FieldCard}, CharacterIDs: []string{"su"}},
		},
	}
	const text = "“十二枚。”你走过大厅，数出十二枚铜钱。地窖很黑。"
	r := conflict.Read(text, nil, view)
	if !r.Chinese() {
		t.Error("the narration is not taken for Chinese")
	}
	at := strings.Index(text, "数出十二枚")
	if value, end, ok := r.Number(at + len("数出")); value != 12 || !ok || text[end:] != "枚铜钱。地窖很黑。" {
		t.Errorf("the number is %d %v and ends at %d", value, ok, end)
	}
	if _, _, ok := r.Number(at); ok {
		t.Error("a number is read where none begins")
	}
	if !r.Speech(0, 9) || r.Speech(at, len(text)) || r.Speech(9, 9) {
		t.Error("speech is not told from what is not")
	}
	if start, end, ok := r.Sentence(at); !ok || !strings.HasSuffix(text[start:end], "你走过大厅，数出十二枚铜钱") {
		t.Errorf("the sentence is %q", text[start:end])
	}
	for _, c := range []struct {
		reason     string
		start, end int
		want       string
	}{
		{"all that share a name", 0, at, "[a b]"},
		{"in the order of the text", 0, len(text), "[a b c]"},
		{"places outside are the nearest", -5, len(text) + 5, "[a b c]"},
		{"a name that is cut is none", 0, strings.Index(text, "厅"), "[]"},
	} {
		if got := fmt.Sprint(r.AreasNamed(c.start, c.end)); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
	for _, c := range []struct {
		field, id string
		want      bool
	}{
		{conflict.FieldGoal, "", true}, {conflict.FieldGoal, "lin", true}, {conflict.FieldMap, "", false},
		{conflict.FieldCard, "su", true}, {conflict.FieldCard, "lin", false}, {conflict.FieldCard, "", true},
	} {
		if got := r.Affected(c.field, c.id); got != c.want {
			t.Errorf("affected %s of %q: %v", c.field, c.id, got)
		}
	}
	if _, ok := r.Character("nobody"); ok {
		t.Error("a character is found that is not tracked")
	}
	if _, ok := r.Area("nowhere"); ok {
		t.Error("an area is found that is not known")
	}
	if _, _, ok := conflict.Read("", nil, view).Sentence(0); ok {
		t.Error("nothing has a sentence")
	}
}

// The wide patterns ask once about a character whom many words concern, and only if the state does not explain
// it and no other pattern asks.
func TestWideQuestions(t *testing.T) {
	t.Parallel()
	asked := func(text string, change func(*conflict.View)) (kinds []string) {
		view := town()
		change(&view)
		for _, q := range conflict.Suspect(conflict.Read(text, nil, view), nil, conflict.Options{}) {
			kinds = append(kinds, q.Kind)
		}
		return kinds
	}
	die := func(v *conflict.View) { v.Characters[1].AliveState = "dead" }
	stables := func(where string) func(*conflict.View) {
		return func(v *conflict.View) {
			v.Areas = append(v.Areas, conflict.Area{ID: "stable", Name: "Royal Stables", Aliases: []string{"王府马厩"}})
			for i := range v.Characters {
				if where != "" {
					v.Characters[i].AreaID = where
				}
			}
		}
	}
	for _, c := range []struct {
		text   string
		change func(*conflict.View)
		want   string
	}{
		{"Su lies there. Her eyes are glassy, her skull cracked, her mind in the abyss.", func(*conflict.View) {}, "fallen"},
		{"Su lies there. Her eyes are glassy, her skull cracked, her mind in the abyss.", die, ""},
		{"The ogre lies there. Its eyes are glassy, its skull cracked.", func(*conflict.View) {}, ""},
		{"If Su lies there, her eyes are glassy, her skull cracked, her mind in the abyss.", func(*conflict.View) {}, ""},
		{"Su passes out. Her eyes are glassy, her skull cracked, her mind in the abyss.", func(*conflict.View) {}, "unconscious"},
		{"苏晴的瞳孔涣散，嘴唇发紫，指尖冰凉，僵直地躺着。", func(*conflict.View) {}, "fallen"},
		{"野狗的瞳孔涣散，嘴唇发紫，爪尖冰凉，僵直地躺着。", func(*conflict.View) {}, ""},
		{"The room is cold. Su's letter, which she left on the shelf, smells of smoke.", die, ""},
		{"The door opens. Su walks in, sits down by the fire and laughs.", die, "alive"},
		{"Beside the name a digit glows. Su's hit points, they say, and it is a six.", func(*conflict.View) {}, "hp"},
		{"Su sits in the straw and mends a saddle.", stables(""), "presence"},
		{"Straw is everywhere. A saddle hangs on the wall.", stables(""), "presence"}, // about the acting character
		{"Su sits in the straw and mends a saddle.", stables("stable"), ""},
		{"Su sits in the straw and mends a coat.", stables(""), ""},
		{"Su sits in the straw and mends a saddle.", func(*conflict.View) {}, ""}, // no such area
		{"苏晴坐在干草上，手里修着一副马鞍。", stables(""), "presence"},
	} {
		if got := strings.Join(asked(c.text, c.change), " "); got != c.want {
			t.Errorf("%s: asks %q, want %q", c.text, got, c.want)
		}
	}
}
