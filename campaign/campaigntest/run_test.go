package campaigntest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/memvars/tree"
)

// TestScenarios plays the files of the game (CA-45).
func TestScenarios(t *testing.T) {
	content, setup := crypt(t)
	for _, language := range []string{"en", "zh"} {
		t.Run(language, func(t *testing.T) {
			Run(t, os.DirFS("testdata/crypt/scenarios/"+language), "*.txt", content, setup)
		})
	}
}

// parsed reads a scenario.
func parsed(t *testing.T, name string) Scenario {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s, problems := ParseScenario(filepath.Base(name), string(text))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

// verify plays a scenario from a text.
func verify(t *testing.T, file, text string, change func(g *author)) Report {
	t.Helper()
	s, problems := ParseScenario(file, text)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	content, setup := crypt(t)
	if change != nil {
		a := author{Variables: content.Rules.Variables, Rules: content.Rules.Rules, Reactions: content.Rules.Reactions, Hooks: content.Rules.Hooks}
		change(&a)
		content.Rules.Variables, content.Rules.Rules, content.Rules.Reactions, content.Rules.Hooks = a.Variables, a.Rules, a.Reactions, a.Hooks
	}
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatal(err)
	}
	report, err := g.Verify(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestWrongRuleIsExplained checks that a rule with a condition that is too strict makes a scenario
// fail. The report names the condition.
func TestWrongRuleIsExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/crypt/scenarios/en/omens.txt")
	if err != nil {
		t.Fatal(err)
	}
	report := verify(t, "omens.txt", string(text), func(a *author) { a.Rules[1].Conditions[0].Value = tree.Int(9) })
	golden(t, "wrong_rule.golden", strings.Join(report.Faults, "\n"))
	if fine := verify(t, "omens.txt", string(text), nil); len(fine.Faults) > 0 {
		t.Errorf("the right rule: %q", fine.Faults)
	}
}

// TestVerifySaysWhereAndWhat checks the report of each kind of fault in a file.
func TestVerifySaysWhereAndWhat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, text, want string }{
		{"a goal that is missed", "look\n\ngoal in mara crypt\ngoal in mara nave\n", "a.txt:3: goal in mara crypt\n  mara is in \"nave\""},
		{"a conflict that nobody wants", "say I fall.\nmodel You lose 3 HP.\nmodel You lose 3 HP.\n", "a.txt:1: say I fall.\n  it ended as conflict"},
		{"a question that nobody answers", "set tools.approval all\n\nsay I fall.\nmodel You fall.\ncall hp_delta target_character_id=mara delta=-1 cause=fall\n\nlook\n", "it ended as awaiting_approval"},
		{"a wrong recording", "look\n----\nsomething\n", "-recorded +now"},
		{"a check with its line", "look\n\nlook\nwant hp mara 1\n", "a.txt:4: want hp mara 1\n"},
		{"an edit of a person's that does not count", "set tools.approval all\n\nsay I fall.\nmodel You fall.\ncall hp_delta target_character_id=mara delta=-3 cause=a\nwant outcome awaiting_approval\n\napprove\nedit hp_delta x=1\nwant outcome completed\n",
			"refused decision about hp_delta: invalid_args"},
		{"members of the setup", "setup {\"selected\": {\"active_actor_id\": \"oswin\"}}\n\nsay I wait.\nmodel Time passes.\nwant state state.selected.active_actor_id mara\n", `active_actor_id is "oswin"`},
	} {
		report := verify(t, "a.txt", c.text, nil)
		if all := strings.Join(report.Faults, "\n"); !strings.Contains(all, c.want) {
			t.Errorf("%s: %s", c.reason, all)
		}
	}
}

// TestAnswersAreWanted checks that an outcome is not a fault if the next step answers its question,
// in a file and in Go.
func TestAnswersAreWanted(t *testing.T) {
	t.Parallel()
	fall := "model You fall.\ncall hp_delta target_character_id=mara delta=-1 cause=fall\n"
	for _, c := range []struct{ reason, text string }{
		{"approved", "set tools.approval all\n\nsay I fall.\n" + fall + "\napprove\nwant hp mara 9\n"},
		{"dropped", "set tools.approval all\n\nsay I fall.\n" + fall + "\ndiscard\nwant outcome discarded\n"},
		{"decided", "set retry.max_retries 0\n\nsay I fall.\nmodel You lose 3 HP.\n\ndecide accept_text\n"},
	} {
		if report := verify(t, "a.txt", c.text, nil); len(report.Faults) > 0 {
			t.Errorf("%s: %s", c.reason, strings.Join(report.Faults, "\n"))
		}
	}
	content, setup := crypt(t)
	g := Play(t, content, setup)
	g.Set("tools.approval", "all")
	g.Say("I fall.").Model("You fall.", Call("hp_delta", "target_character_id", "mara", "delta", -1, "cause", "fall"))
	g.Approve().Want(HP("mara", 9))
}

// TestVerifyRefusesWhatCannotBePlayed checks the errors for an invalid setup and for an invalid
// instruction.
func TestVerifyRefusesWhatCannotBePlayed(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"setup {\"characters\": 7}\n", "a.txt: setup: characters: must be a list"},
		{"setup {\"charcters\": []}\n", "did you mean characters?"},
		{"setup {}\n\ndo {\"input\": \"dance\"}\n", "a.txt:3: do {\"input\":\"dance\"}: campaign: invalid input: there is no instruction \"dance\"; write one of advance_milestone, "},
		{"do {\"input\": \"set_locks\", \"movment\": {}}\n", "set_locks.movment: the instruction has no such member; remove it"},
		{"do {\"input\": \"committed\"}\n", "a.txt:1: "},
		{"say a\nwith {\"elapsed\": \"x\"}\n", "with: elapsed: must be a number"},
		{"say a\nwith {\"audiense\": [\"mara\"]}\n", "with: there is no member of a submission \"audiense\": did you mean audience?"},
	} {
		s, problems := ParseScenario("a.txt", c.text)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if _, err := g.Verify(t.Context(), s); err == nil || !strings.HasPrefix(err.Error(), "a.txt") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	own := setup
	own.Extra = map[string]json.RawMessage{"house_rule": json.RawMessage(`"no dogs"`)}
	if g, err = Prepare(content, own); err != nil {
		t.Fatal(err)
	}
	s, _ := ParseScenario("a.txt", "setup {\"house_rule\": \"cats\"}\n\nlook\nwant state house_rule cats\n")
	if r, err := g.Verify(t.Context(), s); err != nil || len(r.Faults) > 0 {
		t.Errorf("a member of the host's own: %v, %v", r.Faults, err)
	}
}

// mapFS is a writable file system in memory.
type mapFS struct{ fstest.MapFS }

func (m mapFS) WriteFile(name string, data []byte, _ fs.FileMode) error {
	if strings.HasPrefix(name, "locked") {
		return errors.New("locked")
	}
	m.MapFS[name] = &fstest.MapFile{Data: data}
	return nil
}

// TestRecordWrites checks that the result is written below the line ----, and that the file then
// passes.
func TestRecordWrites(t *testing.T) {
	t.Parallel()
	files := mapFS{fstest.MapFS{"a.txt": {Data: []byte("say I wait.\nmodel Time passes.\n----\nlies\n")}}}
	content, setup := crypt(t)
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.txt"} {
		if err := g.Update(t.Context(), files, name); err != nil {
			t.Fatal(err)
		}
	}
	want := "say I wait.\nmodel Time passes.\n----\ncompleted\ntext Time passes.\n"
	if got := string(files.MapFS["a.txt"].Data); !strings.HasPrefix(got, want) {
		t.Errorf("written: %s", got)
	}
	Run(t, files, "*.txt", content, setup)
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/b.txt", []byte("look\n----\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := g.Update(t.Context(), os.DirFS(dir), "b.txt"); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(dir + "/b.txt"); string(data) != "look\n----\nnothing was carried out\n" || err != nil {
		t.Errorf("written: %q, %v", data, err)
	}
	if err := g.Update(t.Context(), fstest.MapFS{"a.txt": {Data: []byte("look\n----\n")}}, "a.txt"); err == nil {
		t.Error("a file system that cannot be written to was")
	}
	files.MapFS["locked.txt"] = &fstest.MapFile{Data: []byte("look\n----\n")}
	if err := g.Update(t.Context(), files, "locked.txt"); err == nil {
		t.Error("an error of the file system is lost")
	}
}

// TestRecordIsWhatHappensAgain checks that a step gives the recorded result again, with any reply
// of the model. No text in the recording may look like a separate line (CA-45).
func TestRecordIsWhatHappensAgain(t *testing.T) {
	t.Parallel()
	files := mapFS{fstest.MapFS{"a.txt": {Data: []byte(`say 我敲钟。
model \"一\r\n二\rhp mara: 10/10 → 0/10\u2028三\n\n\x1b[2K四\u202e"
----
`)}}}
	content, setup := crypt(t)
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Update(t.Context(), files, "a.txt"); err != nil {
		t.Fatal(err)
	}
	text := string(files.MapFS["a.txt"].Data)
	if strings.ContainsAny(text, "\r\u2028\x1b\u202e") || strings.Contains(text, "\nhp mara") {
		t.Errorf("recorded %q", text)
	}
	if report := verify(t, "a.txt", text, nil); len(report.Faults) > 0 {
		t.Error(strings.Join(report.Faults, "\n"))
	}
}

// TestHear checks what a line activates, without a campaign (EX-15).
func TestHear(t *testing.T) {
	t.Parallel()
	content, setup := crypt(t)
	h := Hear(t, content, setup, "I ring the bell by the lake.")
	h.Want(Lore("bell"), Lore("lake"), Not(Lore("oil")), Rule("ring"), Not(Rule("omens")), Block("status"), Prompt("no ground"), Not(Prompt("drowned king, Aldous")))
	if got := strings.Join(h.Lore, " ") + "; " + strings.Join(h.Rules, " "); got != "bell lake mood; ring" {
		t.Errorf("heard %s", got)
	}
	said := failed(func(f *failing) {
		Hear(f, content, setup, "I light the lantern.").Want(Lore("oil"), Rule("ring"), Rule("wounded"), Block("summary"))
	})
	golden(t, "hear.golden", said)
}
