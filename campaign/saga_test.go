package campaign_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// The saga is a session with all features. It has lore, rules, reactions, hooks with an external
// action, a card, variable commands, dice and a tool of the host. It has refused calls, repaired
// and unrepaired conflicts, decisions, rollback, undo, branches and summaries. It also has routing,
// judging and events of the host.

const sagaContent = `{
	"book": {"name": "lore", "entries": {
		"1": {"uid": 1, "key": ["bell"], "comment": "Bell", "content": "The bell calls it.", "order": 10,
			"position": 0, "probability": 60, "useProbability": true, "sticky": 2},
		"2": {"uid": 2, "key": [], "constant": true, "comment": "Mood", "content": "The air is cold.",
			"order": 5, "position": 1, "probability": 100, "useProbability": true}}},
	"rules": [
		{"id": "tired", "conditions": [], "cooldownTurns": 3,
			"trigger": {"type": "variable-crossed", "variableId": "energy", "direction": "drops-below", "threshold": 4},
			"actions": [{"type": "inject-directive", "directiveId": "tired", "content": "They are tired.",
				"persistent": true}, {"type": "notify-player", "message": "You are tired."}]},
		{"id": "tick", "conditions": [], "chance": 70, "trigger": {"type": "turn-count", "everyNTurns": 1},
			"actions": [{"type": "modify-variable", "variableId": "energy", "operation": "subtract", "value": 1}]}],
	"reactions": [
		{"id": "ouch", "when": {"eventType": "state:changed", "variableId": "hp.ren"}, "conditions": [],
			"then": [{"type": "emit", "event": {"type": "sound:ouch"}},
				{"type": "set", "path": "@prompt.context", "value": "Ren winces."}]},
		{"id": "track", "when": {"eventType": "sound:ouch"}, "conditions": [],
			"then": [{"type": "set", "path": "@audio.sfx", "value": "ouch"}]},
		{"id": "drum", "when": {"eventType": "drum:beat"}, "conditions": [],
			"then": [{"type": "hp-delta", "characterId": "mei", "delta": -1},
				{"type": "set", "path": "beats", "operation": "add", "value": 1}]}],
	"hooks": [
		{"id": "weather", "name": "weather", "event": "character.before_turn.finished",
			"actions": [{"type": "fetch_weather", "place": "cave"}]},
		{"id": "fond", "name": "fond", "event": "character.after_turn.finished",
			"actions": [{"type": "relationship_delta", "field": "trust", "delta": 3},
				{"type": "memory_write", "title": "a turn", "content": "We went on."}]},
		{"id": "learn", "name": "learn", "event": "tool.after_call", "trigger_mode": "once_per_conversation",
			"actions": [{"type": "world_book_add", "book_id": "notes", "name": "Steps",
				"content": "Their steps echo.", "keywords": ["steps"], "priority": 10}]}]
}`

// fetchWeather simulates an external service: a custom action of the host. It depends only on its
// call, so that a repeated turn gets the same weather.
func fetchWeather(_ context.Context, call act.Call) (act.Outcome, error) {
	place, _ := call.Action.Get("place").AsText()
	return act.Outcome{Detail: place, Effects: []effect.Effect{
		effect.InjectPrompt{Content: "It snows before the " + place + "."},
		effect.Custom{Type: "weather_shown", Data: tree.Object(
			tree.Member{Key: "place", Value: tree.Text(place)})},
	}}, nil
}

// ringTool is a tool of the host that returns its effects as data.
func ringTool() tool.Tool {
	return tool.Tool{
		Name: "ring", Description: "Ring the bell.", Manual: "Rings the bell; too loud for three.",
		Params:  map[string]tool.Param{"times": {Type: tool.IntegerParam, Required: true}},
		Reasons: map[state.CallCode]string{"too_loud": "not more than twice"},
		Affects: []string{tool.AffectsNothing},
		Judge: func(call tool.Call, _ tool.View) tool.Judgement {
			if call.Int("times") > 2 {
				return tool.Judgement{Reason: "too_loud"}
			}
			return tool.Judgement{
				Result: tree.Object(tree.Member{Key: "rung", Value: call.Args.Get("times")}),
				Effects: effect.List{effect.SetVariable{Path: "rung", Operation: effect.Add,
					Value: call.Args.Get("times")}},
			}
		},
	}
}

func sagaGame(t testing.TB) *game.Game {
	t.Helper()
	var author struct {
		Rules     []rules.Rule         `json:"rules"`
		Reactions []reactions.Reaction `json:"reactions"`
		Hooks     []hooks.Hook         `json:"hooks"`
		Book      worldbook.Book       `json:"book"`
	}
	if err := json.Unmarshal([]byte(sagaContent), &author); err != nil {
		t.Fatal(err)
	}
	var actions act.Table
	err := actions.Register("fetch_weather", act.Type{Handler: fetchWeather})
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, game.Content{
		Lore:       game.Lore{Books: []worldbook.Attachment{{Book: author.Book}}},
		Rules:      game.Rules{Rules: author.Rules, Reactions: author.Reactions, Hooks: author.Hooks, Actions: &actions},
		Extensions: game.Extensions{Tools: []tool.Tool{ringTool()}}, Prompt: game.Prompt{SummarizeAfter: 4},
		People: game.People{Card: &card.Card{Name: "Mei", Description: "{{char}} carries a lamp.",
			Scenario: "A cave. {{random::Wind::Rain}} outside."}},
	})
}

func sagaSetup(t testing.TB) state.Setup {
	return cave(t, `{
		"allowlist": ["move", "hp_delta", "check", "ring"],
		"variables": {"energy": 5, "beats": 0, "rung": 0, "stat_data": {"purse": 5}},
		"greeting": "You stand before the cave.",
		"milestone": {"advance_policy": {"type": "by_turn_count", "n": 3}},
		"settings": {"rollback.max_checkpoints": 5, "retry.max_retries": 1},
		"characters": [
			{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "area_id": "gate",
				"attributes": {"strength": 14}, "shoe_size": 43},
			{"character_id": "mei", "name": "Mei", "hp": {"current": 6, "max": 8}, "area_id": "gate",
				"mood_state": {"mood": "calm", "energy": 80}, "relationship": {"trust": 40}}],
		"house_rule": "no dogs"}`)
}

// act is one instruction of the saga with its answers.
type deed struct {
	in      turn.Input
	outputs []string // of the model; "!" fails
}

const (
	moveHall = `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "hall"}}`
	moveGate = `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "gate"}}`
	moveLock = `{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "vault"}}`
)

func hurt(id, delta string) string {
	return `{"tool": "hp_delta", "args": {"target_character_id": "` + id + `", "delta": ` + delta +
		`, "cause": "bat"}}`
}

func output(text string, calls ...string) string {
	list := ""
	for i, c := range calls {
		if i > 0 {
			list += ", "
		}
		list += c
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return `{"text": ` + string(quoted) + `, "tool_calls": [` + list + `]}`
}

// saga lists the acts. Every instruction has its time, so that the result does not depend on the
// time of the test. Every submission has an ID, so that it may be repeated.
func saga() []deed {
	at := noon
	clock := func() time.Time {
		at = at.Add(time.Minute)
		return at
	}
	said := func(id, text string, outputs ...string) deed {
		return deed{turn.Submit{Text: text, ClientTurnID: id, At: clock(), Channel: "web"}, outputs}
	}
	patch := func(key string, v tree.Value) deed {
		return deed{turn.PatchSettings{Patch: setting.Snapshot{key: v}, At: clock()}, nil}
	}
	return []deed{
		said("t1", "I ring the bell. set_status('purse', 4)", "It rings, far too loud."),
		said("t2", "I go in.", output("You step into the Hall.", moveHall)),
		said("t3", "I fight the bat.", "You lose 3 HP.", output("You lose 3 HP.", hurt("ren", "-3"))),
		said("t4", "Into the vault!", output("You go.", moveLock), "The vault stays shut."),
		said("t5", "I force the door.",
			output("", `{"tool": "check", "args": {"actor_id": "ren", "attribute": "strength", "dc": 12}}`),
			"The door creaks.\n<updateMemory>\nset_status('purse', 9)\nset_status('hat', 1)\n</updateMemory>"),
		{turn.Summarized{Summary: state.Summary{Text: "They went in.", Pins: []string{"bats"},
			Facts: tree.Object(tree.Member{Key: "door", Value: tree.Text("open")})},
			At: clock()}, nil},
		{turn.RaiseEvents{Events: []rules.Event{event.New("drum:beat")}, At: clock()}, nil},
		patch("dialog.auto_route_enabled", tree.Bool(true)),
		said("t6", "What now?", "You listen. Steps come nearer."),
		patch("dialog.auto_route_enabled", tree.Bool(false)),
		said("t7", "I wait for the others.", "!"),
		said("t7", "I wait for the others.", "Nobody comes."),
		said("t8", " "),
		{turn.RollBack{To: "turn_0005", At: clock()}, nil},
		{turn.UndoRollBack{At: clock()}, nil},
		said("t9", "I fly.", "You enter the Vault.", "You enter the Vault."),
		{turn.ResolveConflict{Decision: state.DecideOverride, Text: "Ren falls and loses 1 HP.",
			ToolCalls: tree.Array(sagaCall("hp_delta", `{"target_character_id": "ren", "delta": -1,
				"cause": "fall"}`)), At: clock()}, nil},
		{turn.MakeCheckpoint{Label: "before the bell", At: clock()}, nil},
		said("t10", "I ring thrice.", output("Loud!", `{"tool": "ring", "args": {"times": 3}}`),
			output("Rung.", `{"tool": "ring", "args": {"times": 2}}`)),
		{turn.RollBack{To: "turn_0008", At: clock()}, nil},
		patch("conflict.judge", tree.Text("confirm")),
		said("t11", "I listen to the steps.", "You are bleeding, it seems; steps echo.", "Steps echo."),
		{turn.SetCharacter{CharacterID: "kai", At: clock(), Fields: tree.Object(
			tree.Member{Key: "name", Value: tree.Text("Kai")})}, nil},
		{turn.SetLocks{Movement: &state.MapLock{Locked: true}, At: clock()}, nil},
		{turn.SetTools{Disabled: map[string]state.DisabledTool{"ring": {Reason: "broken"}},
			At: clock()}, nil},
		said("t12", "I go back.", output("You go.", moveGate), "You cannot leave the hall."),
		{turn.SetTools{Allowlist: []string{}, Disabled: map[string]state.DisabledTool{},
			At: clock()}, nil},
		{turn.SwitchBranch{BranchID: "main", At: clock()}, nil},
		patch("turn.mode", tree.Text("plan_narrate")),
		said("t13", "I rest.", "Nothing to do.", "You rest. \xff\xfe"),
		{turn.AdvanceMilestone{At: clock()}, nil},
		{turn.SelectActor{ActorID: "mei", At: clock()}, nil},
		said("t14", "I light the lamp.\xff", "No tools.", "It glows. Mei smiles."),
		{turn.Regenerate{Instructions: "Darker.", ClientTurnID: "t14b", At: clock()}, []string{"No tools.", "The lamp is out."}},
		{turn.Choose{TurnID: "turn_0013", At: clock()}, nil},
		{turn.Continue{ClientTurnID: "t14c", At: clock()}, []string{"No tools.", "Then it goes out."}},
		{turn.Suggest{Kind: state.SuggestLines, N: 2, At: clock()}, []string{`["Who is there?", "Light!"]`}},
		{turn.Proceed{Instructions: "A gust.", ClientTurnID: "t15", At: clock()}, []string{"No tools.", "The wind comes in."}},
		{turn.EditText{TurnID: "turn_0012", Text: "You rest well. Mei sings.", At: clock()}, nil},
		patch("turn.mode", tree.Text("single")),
		patch("conflict.claims", tree.Text("listed")),
		{turn.SetTools{Allowlist: []string{"hp_delta"}, At: clock()}, nil},
		said("t16", "A bat!", output("Mei loses 1 HP.", hurt("mei", "-1")),
			output("Mei loses 1 HP.<claims>[{\"kind\": \"hp\", \"who\": \"mei\", \"amount\": -1, \"call\": \"call_001\"}]</claims>", hurt("mei", "-1"))),
		{turn.EndCampaign{Reason: state.GoalAchieved, At: clock()}, nil},
	}
}

func sagaCall(tool, args string) tree.Value {
	v, err := tree.ParseValue([]byte(args))
	if err != nil {
		panic(err)
	}
	return tree.Object(tree.Member{Key: "tool", Value: tree.Text(tool)},
		tree.Member{Key: "args", Value: v})
}

// sagaRoute and sagaJudge are the other functions of the host. They return the same answer to the
// same question.
func sagaRoute() state.RouteDecision {
	return state.RouteDecision{DialogType: game.ActionDialog, Guards: []string{"calm"}}
}

func sagaJudge(q question.Judge) []conflict.Verdict {
	if len(q.Findings) == 0 {
		return nil
	}
	f := q.Findings[0]
	return []conflict.Verdict{{Kind: f.Kind, EntityID: f.EntityID, Quote: f.Quote, Why: "no call"}}
}

// manyVariables is a document of n objects with five members each.
func manyVariables(t testing.TB, n int) tree.Document {
	t.Helper()
	members := make([]tree.Member, n)
	for i := range members {
		members[i] = tree.Member{Key: fmt.Sprint("k", i), Value: tree.Object(
			tree.Member{Key: "v", Value: tree.Int(int64(i))},
			tree.Member{Key: "a", Value: tree.Text("alpha")},
			tree.Member{Key: "b", Value: tree.Bool(true)},
			tree.Member{Key: "c", Value: tree.Num("1.50")},
			tree.Member{Key: "d", Value: tree.Array(tree.Int(1), tree.Int(2))})}
	}
	d, err := tree.NewDocument(tree.Object(members...))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// replying returns a model that gives the same answer to every request, at once.
func replying(text string) llm.Model {
	return llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			_ = yield(llm.TextDelta{Text: text}, nil) && yield(llm.Done{}, nil)
		}
	})
}
