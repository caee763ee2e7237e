package campaigntest

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

// stepKind describes a word that begins a step.
type stepKind struct {
	shape
	// input returns the engine's instruction; nil for a step that only looks.
	input func(s ScenarioStep, c state.Campaign) (turn.Input, error)
}

// stepKinds has the words that begin a step, except setup and goal.
var stepKinds = map[string]stepKind{
	"say":        {shape{[]param{scenarioText}, false, "TEXT"}, submission},
	"hear":       {shape{[]param{scenarioText}, false, "TEXT"}, nil},
	"look":       {},
	"decide":     {shape{[]param{word, scenarioText}, true, "DECISION [TEXT]"}, decision},
	"approve":    {input: approval},
	"discard":    {input: always(turn.Discard{})},
	"rollback":   {shape{[]param{word}, false, "TURN"}, ofWord(func(id string) turn.Input { return turn.RollBack{To: id} })},
	"undo":       {input: always(turn.Undo{})},
	"redo":       {input: always(turn.Redo{})},
	"checkpoint": {shape{[]param{phrase}, true, "[LABEL]"}, ofWord(func(label string) turn.Input { return turn.MakeCheckpoint{Label: label} })},
	"switch":     {shape{[]param{word}, false, "BRANCH"}, ofWord(func(id string) turn.Input { return turn.SwitchBranch{BranchID: id} })},
	"select":     {shape{[]param{word}, false, "CHARACTER"}, ofWord(func(id string) turn.Input { return turn.SelectActor{ActorID: id} })},
	"set":        {shape{[]param{word, value}, false, "KEY VALUE"}, newSetting},
	"event":      {shape{[]param{word, object}, true, "TYPE [OBJECT]"}, hostEvent},
	"pass":       {shape{[]param{number}, false, "TIME"}, passedTime},
	"end": {shape{[]param{word}, false, "REASON"}, ofWord(func(reason string) turn.Input {
		return turn.EndCampaign{Reason: state.EndReason(reason)}
	})},
	"milestone": {input: func(ScenarioStep, state.Campaign) (turn.Input, error) {
		return turn.ParseInstruction([]byte(`{"input":"advance_milestone"}`))
	}},
	"swipe":      {input: always(turn.Regenerate{Swipe: true})},
	"regenerate": {shape{[]param{phrase}, true, "[INSTRUCTIONS]"}, ofWord(func(text string) turn.Input { return turn.Regenerate{Instructions: text} })},
	"choose":     {shape{[]param{word}, false, "TURN"}, ofWord(func(id string) turn.Input { return turn.Choose{TurnID: id} })},
	"do": {shape{[]param{object}, false, "OBJECT"}, func(s ScenarioStep, _ state.Campaign) (turn.Input, error) {
		return turn.ParseInstruction([]byte(first(s.Args)))
	}},
}

// always returns the input of a step without arguments.
func always(in turn.Input) func(ScenarioStep, state.Campaign) (turn.Input, error) {
	return func(ScenarioStep, state.Campaign) (turn.Input, error) { return in, nil }
}

// ofWord returns the input of a step with one argument, which may be missing.
func ofWord(input func(string) turn.Input) func(ScenarioStep, state.Campaign) (turn.Input, error) {
	return func(s ScenarioStep, _ state.Campaign) (turn.Input, error) { return input(first(s.Args)), nil }
}

// instruction returns the engine's instruction for a step; nil for steps that only look.
func instruction(s ScenarioStep, c state.Campaign) (turn.Input, error) {
	kind, known := stepKinds[s.Do]
	switch {
	case !known:
		return nil, fmt.Errorf("no step is called %q", s.Do)
	case kind.input == nil:
		return nil, nil
	}
	return kind.input(s, c)
}

// newSetting returns the instruction that changes one setting.
func newSetting(s ScenarioStep, _ state.Campaign) (turn.Input, error) {
	v, err := tree.ParseValue([]byte(second(s.Args)))
	return turn.PatchSettings{Patch: setting.Snapshot{first(s.Args): v}}, err
}

// passedTime returns the instruction that advances the host's time.
func passedTime(s ScenarioStep, _ state.Campaign) (turn.Input, error) {
	elapsed, err := strconv.ParseFloat(first(s.Args), 64)
	return turn.PassTime{Elapsed: elapsed}, err
}

// submission returns the instruction for a player's line.
func submission(s ScenarioStep, _ state.Campaign) (turn.Input, error) {
	var in turn.Submit
	if s.With != nil {
		extra, err := openjson.Decode(s.With, &in)
		if err == nil {
			err = unknownMember("a submission", extra, openjson.Names[turn.Submit]())
		}
		if err != nil {
			return nil, fmt.Errorf("with: %w", err)
		}
	}
	if len(s.Args) > 0 {
		in.Text = s.Args[0]
	}
	if s.As != "" {
		in.ActorID = s.As
	}
	return in, nil
}

// decision returns a person's decision about a conflict. The calls of an override are those of the
// step's first reply.
func decision(s ScenarioStep, _ state.Campaign) (turn.Input, error) {
	in := turn.ResolveConflict{Decision: state.Decision(first(s.Args)), Text: second(s.Args)}
	if in.Decision != state.DecideOverride || len(s.Replies) == 0 {
		return in, nil
	}
	var calls []tree.Value
	for _, c := range s.Replies[0].Calls {
		args, err := tree.ParseValue([]byte(c.Args))
		if err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", c.Tool, err)
		}
		calls = append(calls, tree.Object(tree.Member{Key: "tool", Value: tree.Text(c.Tool)}, tree.Member{Key: "args", Value: args}))
	}
	in.ToolCalls = tree.Array(calls...)
	return in, nil
}

// approval returns the answer to the question about waiting calls: the decisions of the step, and
// approval of all other calls. Without a question the engine refuses the answer.
func approval(s ScenarioStep, c state.Campaign) (turn.Input, error) {
	waits := c.PendingApproval
	if waits == nil {
		return turn.Approve{}, nil
	}
	in := turn.Approve{Question: waits.Question.ID, Decisions: waits.Question.All(state.Approve, "")}
	for _, a := range s.Answers {
		found := false
		for i, c := range waits.Question.Calls {
			if c.Tool != a.Tool {
				continue
			}
			found = true
			in.Decisions[i] = state.ApprovalDecision{CallID: c.ID, Verdict: state.Deny, Reason: a.Reason}
			if a.Args == "" {
				continue
			}
			args, err := tree.ParseValue([]byte(a.Args))
			if err != nil {
				return nil, fmt.Errorf("arguments of %s: %w", a.Tool, err)
			}
			in.Decisions[i] = state.ApprovalDecision{CallID: c.ID, Verdict: state.Edit, Args: args}
		}
		if !found {
			tools := namesOf(waits.Question.Calls, func(c state.ApprovalCall) string { return c.Tool })
			return nil, errors.New(unknownName("call that waits for approval, of", a.Tool, tools).got)
		}
	}
	return in, nil
}

// hostEvent returns the instruction for an event of a type. Its fields, a JSON object, may be missing.
func hostEvent(s ScenarioStep, _ state.Campaign) (turn.Input, error) {
	var members []tree.Member
	if fields := second(s.Args); fields != "" {
		v, err := tree.ParseValue([]byte(fields))
		if err != nil {
			return nil, err
		}
		for key, of := range v.Members() {
			members = append(members, tree.Member{Key: key, Value: of})
		}
	}
	return turn.RaiseEvents{Events: []rules.Event{event.New(first(s.Args), members...)}}, nil
}

// stepOf returns the step that runs an instruction.
func stepOf(in turn.Input) (ScenarioStep, error) {
	if submit, is := in.(turn.Submit); is {
		text := submit.Text
		submit.Text = ""
		data, err := openjson.Marshal(submit)
		return ScenarioStep{Do: "say", Args: []string{text}, With: data}, err
	}
	data, err := turn.MarshalInstruction(in)
	return ScenarioStep{Do: "do", Args: []string{string(data)}}, err
}
