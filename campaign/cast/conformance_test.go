package cast_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// TestConformanceCast runs the recorded cases; testdata/conformance-cast/README.md has their
// schema. The members are made from cards, as in a campaign.
func TestConformanceCast(t *testing.T) {
	testkit.Suite{Env: "TALEWRIGHT_CAST", Dir: "testdata/conformance-cast"}.Run(t,
		func(t *testing.T, file string, data []byte) (cases []testkit.RecordedCase) {
			var f struct {
				Format string
				Cases  []recordedCase
			}
			if err := json.Unmarshal(data, &f); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if f.Format != "campaign-cast-conformance/1" {
				return nil
			}
			for _, c := range f.Cases {
				run := c.runRound
				if c.Kind == "cards" {
					run = c.runCards
				}
				cases = append(cases, testkit.RecordedCase{Name: c.Name, Run: run})
			}
			return cases
		})
}

type recordedCase struct {
	Name, Kind string
	Members    []recordedMember
	Strangers  []recordedMember
	Twice      string

	// Who speaks.
	Strategy    string
	SelfReplies bool `json:"self_replies"`
	Chat        []struct {
		By, Mes string
		Name    *string
		Hidden  bool
		NoID    bool `json:"no_id"`
	}
	Input, Type, Force string
	Random             []float64

	// Cards.
	Mode, Prefix, Suffix, Speaker string
	User                          *string
	ScenarioOverride              string `json:"scenario_override"`
	ExamplesOverride              string `json:"examples_override"`
	Templates                     []string

	Expect struct {
		Speakers   []string
		Rolls      *int
		SentAlone  bool            `json:"sent_alone"`
		EmptyGroup bool            `json:"empty_group"`
		Error      json.RawMessage // anything except false, null and the empty text

		Description, Personality, Scenario, Examples string
		SystemPrompt                                 string `json:"system_prompt"`
		DepthPrompts                                 []struct {
			Text, Role string
			Depth      int
		} `json:"depth_prompts"`
		Texts []string
	}
}

type recordedMember struct {
	ID, Name                                     string
	Talkativeness                                json.RawMessage
	Muted, Gone                                  bool
	Description, Personality, Scenario, Examples string
	SystemPrompt                                 string          `json:"system_prompt"`
	PostHistory                                  string          `json:"post_history"`
	DepthPrompt                                  json.RawMessage `json:"depth_prompt"`
}

func (m recordedMember) member() cast.Member {
	extensions := map[string]json.RawMessage{"talkativeness": m.Talkativeness}
	if m.Talkativeness == nil {
		extensions["talkativeness"] = json.RawMessage(`"0.5"`)
	}
	if m.DepthPrompt != nil {
		extensions["depth_prompt"] = m.DepthPrompt
	}
	out := cast.FromCard(m.ID, card.Card{
		Name: m.Name, Description: m.Description, Personality: m.Personality, Scenario: m.Scenario, MesExample: m.Examples,
		SystemPrompt: m.SystemPrompt, PostHistoryInstructions: m.PostHistory, Extensions: extensions,
	})
	out.Muted, out.Gone = m.Muted, m.Gone
	return out
}

// people returns the members, with one of them twice if the case requires it, and the strangers.
func (c recordedCase) people() (members, strangers []cast.Member) {
	for _, m := range c.Members {
		members = append(members, m.member())
	}
	for _, m := range members {
		if c.Twice != "" && m.ID == c.Twice {
			members = append(members, m)
			break
		}
	}
	for _, m := range c.Strangers {
		strangers = append(strangers, m.member())
	}
	return members, strangers
}

func (c recordedCase) round() cast.Round {
	members, strangers := c.people()
	r := cast.Round{
		Kind: worldbook.GenerationType(c.Type), Order: cast.Order(c.Strategy), SelfReply: c.SelfReplies,
		Members: members, Strangers: strangers, Force: c.Force, Input: c.Input,
	}
	for _, m := range c.Chat {
		line := cast.Line{Text: m.Mes, Hidden: m.Hidden}
		switch m.By {
		case "user":
			line.By, line.Name = cast.ByPlayer, "Mara"
		case "narrator":
			line.By, line.Name = cast.ByNarrator, "System"
		default:
			line.ID = m.By
			for _, who := range slices.Concat(members, strangers) {
				if who.ID == m.By {
					line.Name = who.Name
				}
			}
		}
		if m.Name != nil {
			line.Name = *m.Name
		}
		if m.NoID {
			line.ID = ""
		}
		r.Chat = append(r.Chat, line)
	}
	return r
}

func (c recordedCase) runRound(t *testing.T) {
	r, rolls := c.round(), 0
	r.Random = func() float64 {
		if rolls++; rolls <= len(c.Random) {
			return c.Random[rolls-1]
		}
		return 0.5
	}
	choice, err := cast.Choose(r)
	want := c.Expect
	empty := errors.Is(err, cast.ErrEmpty)
	if empty != want.EmptyGroup {
		t.Errorf("empty %v, want %v", empty, want.EmptyGroup)
	}
	if refused := err != nil && !empty; refused != wantsError(want.Error) {
		t.Errorf("error %v, want %s", err, want.Error)
	}
	if diff := gocmp.Diff(want.Speakers, choice.Speakers, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("speakers: %s\n%s", diff, choice)
	}
	if want.Rolls != nil && rolls != *want.Rolls {
		t.Errorf("%d numbers were used, want %d\n%s", rolls, *want.Rolls, choice)
	}
	if err == nil && len(choice.Draws) != rolls {
		t.Errorf("%d numbers were used, and %d told", rolls, len(choice.Draws))
	}
	if alone := err == nil && len(choice.Speakers) == 0; alone != want.SentAlone {
		t.Errorf("sent alone %v, want %v", alone, want.SentAlone)
	}
}

func wantsError(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "false", `""`:
		return false
	}
	return true
}

func (c recordedCase) runCards(t *testing.T) {
	members, strangers := c.people()
	how := cast.Putting{
		Cards:  map[string]cast.Cards{"append": "join", "append_muted": "join_muted"}[c.Mode],
		Prefix: c.Prefix, Suffix: c.Suffix, Scenario: c.ScenarioOverride, Examples: c.ExamplesOverride,
	}
	sheet, ok := cast.MakeSheet(members, strangers, c.Speaker, how)
	if !ok {
		t.Fatalf("%s has no card", c.Speaker)
	}
	user, speaker := "Mara", ""
	if c.User != nil {
		user = *c.User
	}
	for _, m := range slices.Concat(strangers, members) {
		if m.ID == c.Speaker {
			speaker = m.Name
		}
	}
	var vars map[string]any
	expand := func(text, id, char string) string {
		call := cast.Macros(members, id)
		run := macro.NewRun(macro.Env{User: user, Char: char, Macros: call, Group: []string{call["group"]}, Vars: vars})
		out := run.Expand(text, macro.Full)
		vars, _ = run.Vars()
		return out
	}
	want := c.Expect
	for _, field := range []struct {
		name, want string
		text       cast.Text
	}{
		{"description", want.Description, sheet.Description}, {"personality", want.Personality, sheet.Personality},
		{"scenario", want.Scenario, sheet.Scenario}, {"examples", want.Examples, sheet.Examples},
		{"system prompt", want.SystemPrompt, sheet.SystemPrompt},
	} {
		if diff := gocmp.Diff(field.want, field.text.Expand(expand)); diff != "" {
			t.Errorf("%s: %s", field.name, diff)
		}
	}
	depths := sheet.Depth
	if how.Cards == "" { // the cases list only joined cards
		if len(depths) > 1 || len(depths) == 1 && depths[0].Text[0].ID != c.Speaker {
			t.Errorf("depth texts %v, want the speaker's", depths)
		}
		depths = nil
	}
	if len(depths) != len(want.DepthPrompts) {
		t.Fatalf("depth texts %v, want %v", depths, want.DepthPrompts)
	}
	for i, w := range want.DepthPrompts {
		got := depths[i]
		if text := got.Text.Expand(expand); text != w.Text || got.Depth != w.Depth || got.Role != w.Role {
			t.Errorf("depth text %d is %q, %d, %s, want %v", i, text, got.Depth, got.Role, w)
		}
	}
	for i, template := range c.Templates {
		if got := expand(template, c.Speaker, speaker); i < len(want.Texts) && got != want.Texts[i] {
			t.Errorf("%s is %q, want %q", template, got, want.Texts[i])
		}
	}
}
