package campaigntest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// vocabulary is the words that a game's content reacts to or names.
type vocabulary struct {
	keys      []string // of lore and rules, for players' lines
	answers   []string // that rules match in replies
	events    []string // that reactions match
	people    []state.Character
	areas     []state.MapArea
	variables []string
	tools     []tool.Tool
	goal      string
}

// vocabularyOf collects the words of a game.
func vocabularyOf(c *game.Content, s state.Setup) vocabulary {
	v := vocabulary{people: s.Characters, areas: s.Map.Areas, goal: s.Goal.Text}
	for _, a := range c.Lore.Books {
		for _, e := range a.Book.Entries {
			v.keys = append(v.keys, e.Keys...)
			v.keys = append(v.keys, e.SecondaryKeys...)
		}
	}
	for _, r := range c.Rules.Rules {
		if r.Trigger != nil {
			v.keys = append(v.keys, r.Trigger.Keywords...)
			v.answers = append(v.answers, r.Trigger.Keywords...)
		}
	}
	for _, r := range c.Rules.Reactions {
		var when struct {
			EventType string `json:"eventType"`
		}
		data, err := openjson.Marshal(r.When)
		if err == nil && json.Unmarshal(data, &when) == nil && when.EventType != "" {
			v.events = append(v.events, when.EventType)
		}
	}
	for _, d := range c.Rules.Variables {
		v.variables = append(v.variables, d.ID)
		if d.Path != "" {
			v.variables = append(v.variables, d.Path)
		}
	}
	for _, ch := range s.Characters {
		v.variables = append(v.variables, "hp."+ch.ID, "area."+ch.ID, "alive."+ch.ID)
	}
	builtin := tool.Builtin()
	for _, name := range builtin.Names() {
		t, _ := builtin.Get(name)
		v.tools = append(v.tools, t)
	}
	v.tools = append(v.tools, c.Extensions.Tools...)
	return v
}

// generator makes random steps and replies.
type generator struct {
	*rand.Rand
	vocabulary
}

// oneOf picks one item of a list, "" if the list is empty.
func (f generator) oneOf(list ...string) string {
	if len(list) == 0 {
		return ""
	}
	return list[f.IntN(len(list))]
}

// person picks a character and returns its ID and name; sometimes one that does not exist.
func (f generator) person() (id, name string) {
	if len(f.people) == 0 || f.IntN(12) == 0 {
		return "nobody", "Nobody"
	}
	c := f.people[f.IntN(len(f.people))]
	return c.ID, c.Name
}

// area picks an area and returns its ID and name; sometimes one that does not exist.
func (f generator) area() (id, name string) {
	if len(f.areas) == 0 || f.IntN(12) == 0 {
		return "moon", "Moon"
	}
	a := f.areas[f.IntN(len(f.areas))]
	return a.ID, a.Name
}

// nextStep returns a random next step.
func (f generator) nextStep(c state.Campaign) ScenarioStep {
	if c.PendingConflict != nil && f.IntN(2) == 0 {
		return ScenarioStep{Do: "decide", Args: []string{f.oneOf("retry", "accept_text", "discard")}, Replies: f.replies()}
	}
	if c.PendingApproval != nil {
		switch f.IntN(6) {
		case 0:
			return ScenarioStep{Do: "discard"}
		case 1:
			return ScenarioStep{Do: "say", Args: []string{f.line()}}
		case 2:
			tool := c.PendingApproval.Question.Calls[0].Tool
			return ScenarioStep{Do: "approve", Answers: []ScenarioAnswer{{Tool: tool, Reason: f.line()}}, Replies: f.replies()}
		}
		return ScenarioStep{Do: "approve", Replies: f.replies()}
	}
	switch n := f.IntN(23); {
	case n == 0 && c.State.TurnCount > 0:
		return ScenarioStep{Do: "rollback", Args: []string{state.TurnID(f.IntN(c.State.TurnCount + 1))}}
	case n == 1 && c.RollbackPending.IsPending:
		return ScenarioStep{Do: "redo"}
	case n == 2:
		return ScenarioStep{Do: "checkpoint"}
	case n >= 21 && c.State.TurnCount > 0:
		return ScenarioStep{Do: "swipe", Replies: f.replies()}
	case n == 20 && c.State.TurnCount > 0:
		return ScenarioStep{Do: "choose", Args: []string{state.TurnID(1 + f.IntN(c.TurnCounter))}}
	case n == 3:
		return ScenarioStep{Do: "pass", Args: []string{fmt.Sprint(f.IntN(50))}}
	case n <= 6 && len(f.events) > 0:
		return ScenarioStep{Do: "event", Args: []string{f.oneOf(f.events...)}}
	}
	s := ScenarioStep{Do: "say", Args: []string{f.line()}, Replies: f.replies()}
	if f.IntN(3) == 0 {
		s.As, _ = f.person()
	}
	if f.IntN(6) == 0 {
		s.With = f.whisper(cmp.Or(s.As, c.State.Selected.ActorID))
	}
	return s
}

// whisper returns the member of a line that only the speaker and one other hear.
func (f generator) whisper(speaker string) json.RawMessage {
	other, _ := f.person()
	return tree.Object(tree.Member{Key: "audience", Value: tree.Array(tree.Text(speaker), tree.Text(other))}).AppendJSON(nil)
}

// line returns a player's line.
func (f generator) line() string {
	_, name := f.person()
	_, place := f.area()
	said := f.oneOf("I wait.", "I look around.", "I go to "+place+".", "I ask "+name+" what happened.", "我去"+place+"。", "What now?")
	for range f.IntN(3) {
		if key := f.oneOf(f.keys...); key != "" {
			said += " " + key + "."
		}
	}
	return said
}

// replies returns replies of the model, usually more than the step needs.
func (f generator) replies() []ScenarioReply {
	list := make([]ScenarioReply, 1+f.IntN(3))
	for i := range list {
		if f.IntN(30) == 0 {
			list[i].Fail = "overloaded"
			continue
		}
		list[i] = f.reply()
	}
	return list
}

// reply returns one reply. It may have prose, unsupported claims, wrong calls, and any syntax in
// which a model may request a change.
func (f generator) reply() ScenarioReply {
	var parts []string
	for range 1 + f.IntN(3) {
		parts = append(parts, f.piece())
	}
	r := ScenarioReply{Text: strings.Join(parts, f.oneOf(" ", "\n"))}
	for range f.IntN(3) {
		if len(f.tools) > 0 {
			r.Calls = append(r.Calls, f.call())
		}
	}
	return r
}

func (f generator) piece() string {
	id, name := f.person()
	_, place := f.area()
	n := f.IntN(12) - 4
	switch f.IntN(8) {
	case 0:
		return f.oneOf("You step into the "+place+".", "你来到"+place+"。", name+" is in the "+place+" now.", "The "+place+" collapses.")
	case 1:
		return f.oneOf(fmt.Sprintf("%s loses %d HP.", name, 1+f.IntN(9)), fmt.Sprintf("%s失去%d点生命值。", name, 1+f.IntN(9)), name+" dies.", "You feel better.")
	case 2:
		v := f.oneOf(f.variables...)
		return f.oneOf(fmt.Sprintf("[%s: %+d]", v, n), fmt.Sprintf("[%s: set %d]", v, n*100), fmt.Sprintf("[%s: set x]", v), fmt.Sprintf("[%s: delete]", v))
	case 3:
		v := f.oneOf(f.variables...)
		return f.oneOf(fmt.Sprintf("set_status('%s', %d)", v, n*100), fmt.Sprintf("memory('%s', 'x')", v), fmt.Sprintf("delete('%s')", v))
	case 4:
		return f.oneOf(`{"text": "It is so.", "hp": 99}`, `{"text": "", "tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "`+id+`", "delta": -3, "cause": "a bat"}}]}`,
			`{"text":`, "```json\n{}\n```", "<think>secret</think>")
	case 5:
		return f.oneOf(f.goal, "The rules of the world are rewritten.", "{{getvar::"+f.oneOf(f.variables...)+"}}", "{{user}}")
	case 6:
		return f.oneOf(append(f.answers, "A bell rings.")...)
	}
	return f.oneOf("It is quiet.", "The wind turns.", "风停了。", "Somebody laughs.", "…")
}

// call returns a tool call whose arguments have the right names. Their values are often wrong.
func (f generator) call() ScenarioCall {
	t := f.tools[f.IntN(len(f.tools))]
	args := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(t.Params)) { // the same in every run
		p := t.Params[name]
		if f.IntN(12) == 0 || !p.Required && f.IntN(2) == 0 {
			continue
		}
		args[name] = f.argument(name, p)
	}
	data, err := openjson.Marshal(args) // with sorted names
	if err != nil || f.IntN(25) == 0 {
		data = []byte(f.oneOf("", "{", "[]", "null", `{"a": 1}`))
	}
	return ScenarioCall{Tool: t.Name, Args: string(data)}
}

// argument returns a value for a parameter. It is sometimes invalid.
func (f generator) argument(name string, p tool.Param) any {
	if f.IntN(20) == 0 {
		return []any{nil, true, "", -1e9, []int{1}}[f.IntN(5)]
	}
	switch {
	case len(p.Enum) > 0:
		return f.oneOf(p.Enum...)
	case p.Type == tool.NumberParam && f.IntN(2) == 0:
		return float64(f.IntN(10)) / 10
	case p.Type == tool.IntegerParam || p.Type == tool.NumberParam:
		return f.IntN(41) - 20
	case p.Type == tool.BooleanParam:
		return f.IntN(2) == 0
	case strings.Contains(name, "area"):
		id, _ := f.area()
		return id
	case strings.Contains(name, "character") || strings.Contains(name, "actor"):
		id, _ := f.person()
		return id
	case p.Type == tool.ArrayParam:
		return []any{}
	case p.Type == tool.ObjectParam:
		return map[string]any{}
	}
	return f.oneOf(append(f.keys, "x", "strength")...)
}
