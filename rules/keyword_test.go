package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// Whole words work in every script (RU-06, RU-27).
func TestMatchKeyword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, text, key string
		whole, want       bool
	}{
		{"part of a word", "the campfires", "FIRE", false, true},
		{"not as a whole word", "the campfires", "fire", true, false},
		{"at both ends of the text", "fire", "fire", true, true},
		{"a later occurrence stands alone", "firefly, fire", "fire", true, true},
		{"an accent belongs to the word", "two cafés", "café", true, false},
		{"an accent at the edge", "the café.", "CAFÉ", true, true},
		{"no edge is needed beside a sign", "I know c++well", "c++", true, true},
		{"but one beside the letter", "xc++", "c++", true, false},
		{"digits are word characters", "level 42b", "42", true, false},
		{"an underscore too", "my_key", "key", true, false},
		{"a keyword of two words", "into the dark wood.", "dark wood", true, true},
		{"Chinese has no edges", "他拔出了剑。", "剑", true, true},
		{"Japanese neither", "彼はドアを開けた", "ドア", true, true},
		{"Korean neither", "검을 뽑았다", "검", true, true},
		{"Cyrillic has", "снегопад", "снег", true, false},
		{"blanks count", "acat", " cat", false, false},
		{"blank keywords are nowhere", "anything", "  ", false, false},
		{"a regular expression in any case", "He STRIKES", "/strikes?$/", false, true},
		{"flags", "one\ntwo", "/^two/m", false, true},
		{"not a regular expression: as text", "see /(x/ there", "/(x/", false, true},
		{"flags that are none: as text", "a /x/q b", "/x/q", false, true},
		{"a regular expression that is not found: as text", "write /ab+/ here", "/ab+/", false,
			true},
		{"slashes within", "a/b", "/a\\/b/", false, true},
	} {
		if got := rules.MatchKeyword(c.text, c.key, c.whole); got != c.want {
			t.Errorf("%s: %q in %q: %v", c.reason, c.key, c.text, got)
		}
		list := []rules.Rule{{ID: "r", Trigger: &rules.Trigger{
			Type: rules.AIKeyword, Keywords: []string{"zzz", c.key}, MatchWholeWords: c.whole,
		}}}
		if got := len(rules.Evaluate(list, []event.Event{event.ModelMessage(c.text)},
			nil)) == 1; got != c.want {
			t.Errorf("%s: the index says %v", c.reason, got)
		}
	}
}

// A change inside a variable concerns the watchers of the variable and the watchers of the changed
// part. The same is true for paths of a document without a schema (RU-02, RU-03).
func TestWatchingPaths(t *testing.T) {
	t.Parallel()
	npc := func(trust int64) tree.Value {
		return tree.Object(tree.Member{Key: "ann", Value: tree.Object(
			tree.Member{Key: "trust", Value: tree.Int(trust)},
			tree.Member{Key: "mood", Value: tree.Text("shy")})})
	}
	for _, c := range []struct {
		reason string
		event  event.Event
		want   string
	}{
		{"the whole variable", event.Changed("npc", npc(4), npc(6)), "root ann trust cross "},
		{"nothing inside moved", event.Changed("npc", npc(4), npc(4)), "root "},
		{"the node itself", event.Changed("npc.ann.trust", tree.Int(4), tree.Int(6)),
			"root ann trust cross "},
		{"a node beside it", event.Changed("npc.ann.mood", tree.Text("shy"),
			tree.Text("warm")), "root ann "},
		{"a name that only begins alike", event.Changed("npc2", tree.Int(4), tree.Int(6)),
			""},
		{"a node that was created", event.Changed("npc", tree.Object(), npc(6)),
			"root ann trust "},
	} {
		var list []rules.Rule
		for id, path := range map[string]string{"root": "npc", "ann": "npc.ann",
			"trust": "npc.ann.trust"} {
			list = append(list, rules.Rule{ID: id, Trigger: &rules.Trigger{Type: rules.StateChange,
				VariableID: path},
				Priority: -float64(len(path))})
		}
		list = append(list, rules.Rule{ID: "cross", Priority: -100, Trigger: &rules.Trigger{
			Type: rules.VariableCrossed, VariableID: "npc.ann.trust", Threshold: new(5.0), Direction: rules.RisesAbove,
		}})
		got := ""
		for _, f := range rules.Evaluate(list, []event.Event{c.event}, nil) {
			got += f.ID + " "
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// Regular expressions of an author never block on a player's message. All of them share a limit
// that depends only on the length of the message. The trace names the stopped rules.
func TestRegexesStallNoEvent(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	var list []rules.Rule
	for i := range 60 {
		list = append(list, rules.Rule{ID: fmt.Sprintf("slow%d", i), Actions: effect.Actions{effect.Notify{Message: "x"}},
			Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{`/(.+)(.+)(.+)[，。]\1\2\3x/`}}})
	}
	list = append(list,
		rules.Rule{ID: "word", Actions: effect.Actions{}, Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"风"}}},
		rules.Rule{ID: "late", Actions: effect.Actions{}, Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{`/月?风$/`}}})
	program, _ := rules.Compile(rules.Content{Rules: list})
	message := event.PlayerMessage(strings.Repeat("山高月小", 1000) + "风")
	run := func() string {
		e := program.Evaluate(rules.State{}, []event.Event{message}, rules.Options{Explain: true})
		out := fmt.Sprint(e.IDs())
		for _, trace := range e.Trace {
			if strings.Contains(trace.Text, "was given up") {
				out += " " + trace.ID
			}
		}
		return out
	}
	first := run()
	if !strings.HasPrefix(first, "[word] slow0 slow1 ") || !strings.HasSuffix(first, " slow59 late") {
		t.Errorf("a bound for all of them gives %s", first)
	}
	if second := run(); second != first {
		t.Errorf("then %s", second)
	}
	short := program.Evaluate(rules.State{}, []event.Event{event.PlayerMessage("月风")}, rules.Options{})
	if got := fmt.Sprint(short.IDs()); got != "[word late]" {
		t.Errorf("a short message fires %s", got)
	}
	problems := rules.Vet(rules.Content{Rules: list[:1]})
	if len(problems) != 1 || !strings.Contains(problems[0].Text, "back reference") {
		t.Errorf("vetting says %v", problems)
	}
	if rules.MatchKeyword(strings.Repeat("山高月小", 1000), list[0].Trigger.Keywords[0], false) {
		t.Error("what is given up is found")
	}
}
