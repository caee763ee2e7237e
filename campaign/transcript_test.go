package campaign_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// TestTranscripts runs machines directly. Each file of testdata covers one row or phase of the turn
// machine. Every command prints the next question of the machine. The commands:
//
//	content            JSON of content: rules, reactions, hooks, book, card, preset; before campaign
//	campaign           starts the cave; JSON replaces members of its setup
//	submit, turn       a player's line; turn continues with the outputs after ">"
//	reply, fail, cancel, route, judge, commit    answers
//	hooks              answers every hook question until something else is wanted
//	approve, discard   answer the question that waits for people; JSON is the list of decisions
//	resolve, patch, tools, locks, set, select, checkpoint, rollback, undo, switch,
//	end, milestone, events, summarize                   other instructions
//	regenerate, choose, continue, edit, proceed, suggest    the same, their members as JSON;
//	                   those that ask the model continue with the outputs after ">"
//	restart            throws the machine away and starts from its campaign
//	state, request, record, log, trace, todo            look, and change nothing
func TestTranscripts(t *testing.T) {
	testkit.Run(t, "testdata/*.txt", func(t *testing.T) func(testkit.Case) string {
		d := &desk{t: t}
		return d.handle
	})
}

// desk is the environment of one machine.
type desk struct {
	t       *testing.T
	content game.Content
	m       *turn.Machine
	record  *turn.Record // the last one that was to be committed
}

func (d *desk) handle(c testkit.Case) string {
	switch c.Name {
	case "content":
		return d.setContent(c)
	case "campaign":
		d.m = begin(d.t, d.content, c.Input)
		return d.state()
	case "restart":
		return d.restart()
	case "state":
		return d.state()
	case "todo":
		return d.report(nil)
	case "request":
		return d.request(c)
	case "log":
		return d.wholeRecord()
	case "record":
		return d.showRecord(c)
	case "turn":
		return d.turn(c)
	case "regenerate", "continue", "proceed", "suggest", "choose", "edit":
		return d.answers(c)
	case "hooks":
		return d.runHooks()
	}
	in, ok := d.answer(c)
	if !ok {
		in = d.instruction(c)
	}
	return d.report(d.m.Step(in))
}

func (d *desk) setContent(c testkit.Case) string {
	var author struct {
		Variables []rules.Variable     `json:"variables"`
		Rules     []rules.Rule         `json:"rules"`
		Reactions []reactions.Reaction `json:"reactions"`
		Hooks     []hooks.Hook         `json:"hooks"`
		Book      *worldbook.Book      `json:"book"`
		Summarize int                  `json:"summarize_after"`
		Card      *card.Card           `json:"card"`
		Preset    json.RawMessage      `json:"preset"`
		Scripts   json.RawMessage      `json:"scripts"`
		CBS       []string             `json:"cbs"`
		Cast      []struct {
			ID, Name                           string
			Description, Personality, Scenario string
			Talkativeness                      *float64
			Muted                              bool
		}
	}
	d.decode(c, &author)
	d.content = game.Content{Rules: game.Rules{
		Variables: author.Variables, Rules: author.Rules,
		Reactions: author.Reactions, Hooks: author.Hooks,
	}, Prompt: game.Prompt{SummarizeAfter: author.Summarize, CBS: author.CBS}, People: game.People{Card: author.Card}}
	if author.Preset != nil {
		preset, _ := tavern.ParsePreset(author.Preset)
		d.content.Prompt.Preset = &preset
	}
	if author.Scripts != nil {
		scripts, _ := script.Parse(author.Scripts)
		d.content.Prompt.Scripts = []script.List{{Source: script.Global, Scripts: scripts}}
	}
	if author.Book != nil {
		d.content.Lore.Books = []worldbook.Attachment{{Book: *author.Book}}
	}
	for _, m := range author.Cast {
		d.content.People.Cast = append(d.content.People.Cast, game.CastMember{CharacterID: m.ID, Talkativeness: m.Talkativeness,
			Muted: m.Muted, Card: &card.Card{Name: m.Name, Description: m.Description, Personality: m.Personality, Scenario: m.Scenario}})
	}
	_, problems := game.Compile(d.content)
	err := problems.Err()
	if err != nil {
		return err.Error()
	}
	var out strings.Builder
	for _, p := range problems {
		fmt.Fprintln(&out, p)
	}
	return out.String()
}

func (d *desk) decode(c testkit.Case, v any) {
	if c.Input == "" {
		return
	}
	if err := json.Unmarshal([]byte(c.Input), v); err != nil {
		d.t.Fatalf("%s: %v", c.Pos, err)
	}
}

func (d *desk) restart() string {
	data := jsonOf(d.t, d.m.Campaign())
	var c state.Campaign
	if err := json.Unmarshal([]byte(data), &c); err != nil {
		return err.Error()
	}
	d.m = turn.NewMachine(compile(d.t, d.content), c)
	return d.state()
}

// answer reads the commands that answer the machine's question.
func (d *desk) answer(c testkit.Case) (turn.Input, bool) {
	switch c.Name {
	case "reply":
		return d.reply(c), true
	case "fail":
		return turn.GenerateFailed{Reason: turn.FailureCode(c.Arg("reason", "transport"))}, true
	case "cancel":
		return turn.GenerateFailed{Reason: "cancelled", Cancelled: true}, true
	case "route":
		if text, failed := c.Args["error"]; failed {
			return turn.Routed{Error: text}, true
		}
		var decision state.RouteDecision
		d.decode(c, &decision)
		return turn.Routed{Decision: &decision}, true
	case "judge":
		var verdicts []conflict.Verdict
		d.decode(c, &verdicts)
		return turn.Judged{Verdicts: verdicts, Error: c.Arg("error", "")}, true
	case "commit":
		if reason, failed := c.Args["fails"]; failed {
			return turn.CommitFailed{Reason: turn.FailureCode(reason)}, true
		}
		return turn.Committed{}, true
	}
	return nil, false
}

// reply uses the lines as the output; call=NAME makes it a native call with those lines as
// arguments.
func (d *desk) reply(c testkit.Case) turn.Replied {
	name, native := c.Args["call"]
	if !native {
		return turn.Replied{Text: c.Input}
	}
	return turn.Replied{Text: c.Arg("text", ""), ToolCalls: []llm.ToolCall{{
		ID: c.Arg("id", "native_1"), Name: name, Arguments: c.Input,
	}}}
}

func (d *desk) instruction(c testkit.Case) turn.Input {
	switch c.Name {
	case "submit":
		return d.submit(c, c.Input)
	case "approve":
		in := turn.Approve{Question: c.Words[0], By: c.Arg("by", ""), At: noon}
		d.decode(c, &in.Decisions)
		return in
	case "discard":
		return turn.Discard{At: noon}
	case "resolve":
		in := turn.ResolveConflict{Decision: state.Decision(c.Words[0]), Text: c.Input}
		if calls, ok := c.Args["calls"]; ok {
			in.ToolCalls = value(d.t, calls)
		}
		return in
	case "patch":
		in := turn.PatchSettings{}
		d.decode(c, &in.Patch)
		return in
	case "tools":
		in := turn.SetTools{}
		d.decode(c, &in)
		return in
	case "locks":
		in := turn.SetLocks{}
		d.decode(c, &in)
		return in
	case "set":
		return turn.SetCharacter{CharacterID: c.Words[0], Fields: value(d.t, c.Input)}
	case "events":
		in := turn.RaiseEvents{}
		d.decode(c, &in.Events)
		return in
	case "summarize":
		return turn.Summarized{Summary: state.Summary{Text: c.Input}, Error: c.Arg("error", "")}
	}
	return d.shortInstruction(c)
}

func (d *desk) submit(c testkit.Case, line string) turn.Submit {
	return turn.Submit{ActorID: c.Arg("actor", ""), Text: line, ClientTurnID: c.Arg("id", ""),
		ExpectedHead: c.Arg("head", ""), Channel: c.Arg("channel", ""), Speaker: c.Arg("speaker", ""),
		Auto: c.Arg("auto", "") != "", At: noon}
}

func (d *desk) shortInstruction(c testkit.Case) turn.Input {
	word := ""
	if len(c.Words) > 0 {
		word = c.Words[0]
	}
	switch c.Name {
	case "select":
		return turn.SelectActor{ActorID: word}
	case "checkpoint":
		return turn.MakeCheckpoint{Label: word, At: noon}
	case "rollback":
		return turn.RollBack{To: word}
	case "undo":
		return turn.UndoRollBack{}
	case "switch":
		return turn.SwitchBranch{BranchID: word}
	case "end":
		return turn.EndCampaign{Reason: state.EndReason(word), At: noon}
	case "milestone":
		return turn.AdvanceMilestone{}
	}
	d.t.Fatalf("%s: unknown command %s", c.Pos, c.Name)
	return nil
}

// answers runs an instruction about answers, with the outputs of the model after ">".
func (d *desk) answers(c testkit.Case) string {
	members, outputs, _ := strings.Cut(c.Input, "> ")
	name := map[string]string{"edit": "edit_text"}[c.Name]
	var in turn.Inputs
	text := `[{"input": "` + cmp.Or(name, c.Name) + `", "at": "` + noon.Format(time.RFC3339) + `"`
	if members = strings.Trim(strings.TrimSpace(members), "{}"); members != "" {
		text += ", " + members
	}
	if err := json.Unmarshal([]byte(text+"}]"), &in); err != nil {
		d.t.Fatalf("%s: %v", c.Pos, err)
	}
	if err := d.m.Step(in[0]); err != nil {
		return d.report(err)
	}
	var list []string
	if outputs != "" {
		list = strings.Split(outputs, "\n> ")
	}
	for _, out := range list {
		step(d.t, d.m, turn.Replied{Text: out})
	}
	return d.report(nil)
}

// turn plays a whole turn: the first line is the player's, and each later line that begins with ">"
// is an output of the model. Only the end is printed.
func (d *desk) turn(c testkit.Case) string {
	lines := strings.Split(c.Input, "\n")
	var outputs []string
	for _, l := range lines[1:] {
		outputs = append(outputs, strings.TrimPrefix(strings.TrimPrefix(l, ">"), " "))
	}
	if d.m.Phase() != turn.Idle {
		return "busy: " + d.report(nil)
	}
	play(d.t, d.m, d.submit(c, lines[0]), outputs...)
	return d.report(nil)
}

// runHooks answers every question about hooks until a different question comes. It prints the
// events and the hooks that ran.
func (d *desk) runHooks() string {
	var events []string
	var ran strings.Builder
	for d.m.Todo().Hooks != nil {
		run := d.m.Todo().Hooks
		events = append(events, fmt.Sprintf("%s %.300s", run.Event.Type, run.Event.Payload))
		answer := turn.HooksRan{Result: run.Run(d.t.Context())}
		for _, l := range answer.Result.Logs {
			fmt.Fprintf(&ran, "  %s on %s: %s\n", l.HookName, l.EventType, l.Status)
		}
		if err := d.m.Step(answer); err != nil {
			return err.Error()
		}
	}
	return strings.Join(events, "\n") + "\n" + ran.String() + d.report(nil)
}
