package campaign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// TestCharactersAreVariables: with and without declared variables, rules write the values of a
// character within their limits and fire for changes. Macros and formulas read the values. An
// impossible write is refused with a reason, and the document never has a copy.
func TestCharactersAreVariables(t *testing.T) {
	set := func(path, text string) effect.Effect {
		return effect.SetVariable{Path: path, Value: value(t, text)}
	}
	for name, variables := range map[string]string{
		"declared": `[{"id":"pain","type":"number","formula":"max_hp.ren - hp.ren"}]`, "open": `null`,
	} {
		t.Run(name, func(t *testing.T) {
			content := declaring(t, variables, `[
				{"id":"low","trigger":{"type":"variable-crossed","variableId":"hp.ren","direction":"drops-below","threshold":5},
					"actions":[{"type":"notify","message":"You reel."}]}]`)
			content.People.Persona = "Ren has {{var::hp.ren}} of {{var::max_hp.ren}} in {{var::area.ren}}, {{var::alive.ren}}."
			m := begin(t, content)
			_, sent := asked(t, m, turn.Submit{Text: "Look"}, "Rain.")
			if want := "Ren has 10 of 10 in gate, alive."; !strings.Contains(sent, want) {
				t.Errorf("the model was not sent %q", want)
			}
			for _, c := range []struct {
				effect effect.Effect
				want   string
			}{
				{set("hp.ren", "3"), "3/10 gate alive"},
				{set("hp.ren", "500"), "10/10 gate alive"},
				{set("max_hp.ren", "8"), "8/8 gate alive"},
				{set("hp.ren", "-4"), "0/8 gate downed"},
				{set("alive.ren", `"dead"`), "0/8 gate dead"},
				{set("area.ren", `"hall"`), "0/8 hall dead"},
				{set("area.ren", `"nowhere"`), "0/8 hall dead"},
				{set("alive.ren", `"zombie"`), "0/8 hall dead"},
				{set("hp.ren", `"many"`), "0/8 hall dead"},
			} {
				m = turn.NewMachine(compile(t, withEdit(content, c.effect)), m.Campaign())
				step(t, m, turn.RaiseEvents{Events: []rules.Event{event.ActionFired("edit", tree.Value{})}},
					turn.Committed{})
				ren, _ := m.Campaign().State.Character("ren")
				got := fmt.Sprintf("%d/%d %s %s", ren.HP.Current, ren.HP.Max, ren.AreaID, ren.Status.AliveState)
				if got != c.want {
					t.Errorf("%+v: %s, want %s", c.effect, got, c.want)
				}
			}
			doc := m.Campaign().State.Variables
			if strings.Contains(doc.String(), "ren") {
				t.Errorf("the document holds copies: %s", doc)
			}
			if pain, ok := doc.Get("pain"); name == "declared" && (!ok || pain != tree.Number("8")) {
				t.Errorf("pain is %v", pain)
			}
		})
	}
}

// withEdit returns content with a rule that writes when its event is raised.
func withEdit(c game.Content, asked effect.Effect) game.Content {
	c.Rules.Rules = append(c.Rules.Rules[:len(c.Rules.Rules):len(c.Rules.Rules)], rules.Rule{ID: "edit",
		Trigger: &rules.Trigger{Type: rules.OnAction, ActionID: "edit"}, Actions: effect.Actions{asked}})
	return c
}

// TestDeclaredViewsAreLeftOut: a declaration does not create a second copy of a character's value.
func TestDeclaredViewsAreLeftOut(t *testing.T) {
	content := declaring(t, `[{"id":"hp.ren","type":"number","defaultValue":3}]`, "")
	g, problems := game.Compile(content)
	err := problems.Err()
	if err != nil || len(problems) != 1 || problems[0].Path != "variables[0]" {
		t.Fatalf("%v %v", problems, err)
	}
	start, err := turn.Begin(g, cave(t))
	if err != nil || start.State.Variables.String() != "{}" {
		t.Errorf("the document is %s %v", start.State.Variables, err)
	}
}

// TestSummariesAskWithoutTraces: the turns of a summary question are for a model.
func TestSummariesAskWithoutTraces(t *testing.T) {
	content := declaring(t, canaries, `[{"id":"each","trigger":{"type":"every-turn"},"actions":[
		{"type":"modify-variable","variableId":"traitor","operation":"append","value":"+"}]}]`)
	content.Prompt.SummarizeAfter = 1
	m := begin(t, content)
	say(t, m, "Go", "Rain.")
	say(t, m, "Go", "More rain.")
	question := m.Todo().Summarize
	if question == nil || len(question.Turns) != 2 {
		t.Fatalf("asked %+v", question)
	}
	if text := jsonOf(t, question); strings.Contains(text, "CANARY") || !strings.Contains(text, "More rain.") {
		t.Errorf("the question is %s", text)
	}
	if turn, _ := m.Campaign().Turn("turn_0002"); len(turn.Changes) != 1 {
		t.Errorf("the log lost its changes: %+v", turn.Changes)
	}
}
