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

// instruction returns the engine's instruction for a step; nil for steps that only look.
func instruction(s ScenarioStep, c state.Campaign) (turn.Input, error) {
	arg := func(i int) string {
		if i < len(s.Args) {
			return s.Args[i]
		}
		return ""
	}
	switch s.Do {
	case "look", "hear":
		return nil, nil
	case "say":
		return submission(s)
	case "decide":
		return decision(s, state.Decision(arg(0)), arg(1))
	case "approve":
		return approval(s, c.PendingApproval)
	case "discard":
		return turn.Discard{}, nil
	case "rollback":
		return turn.RollBack{To: arg(0)}, nil
	case "undo":
		return turn.Undo{}, nil
	case "redo":
		return turn.Redo{}, nil
	case "checkpoint":
		return turn.MakeCheckpoint{Label: arg(0)}, nil
	case "switch":
		return turn.SwitchBranch{BranchID: arg(0)}, nil
	case "select":
		return turn.SelectActor{ActorID: arg(0)}, nil
	case "end":
		return turn.EndCampaign{Reason: state.EndReason(arg(0))}, nil
	case "milestone":
		return turn.ParseInstruction([]byte(`{"input":"advance_milestone"}`))
	case "pass":
		elapsed, err := strconv.ParseFloat(arg(0), 64)
		return turn.PassTime{Elapsed: elapsed}, err
	case "set":
		v, err := tree.ParseValue([]byte(arg(1)))
		return turn.PatchSettings{Patch: setting.Snapshot{arg(0): v}}, err
	case "event":
		return hostEvent(arg(0), arg(1))
	case "swipe":
		return turn.Regenerate{Swipe: true}, nil
	case "regenerate":
		return turn.Regenerate{Instructions: arg(0)}, nil
	case "choose":
		return turn.Choose{TurnID: arg(0)}, nil
	case "do":
		return turn.ParseInstruction([]byte(arg(0)))
	}
	return nil, fmt.Errorf("no step is called %q", s.Do)
}

// submission returns the instruction for a player's line.
func submission(s ScenarioStep) (turn.Input, error) {
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
func decision(s ScenarioStep, what state.Decision, text string) (turn.Input, error) {
	in := turn.ResolveConflict{Decision: what, Text: text}
	if what != state.DecideOverride || len(s.Replies) == 0 {
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
func approval(s ScenarioStep, waits *state.PendingApproval) (turn.Input, error) {
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
			var tools []string
			for _, c := range waits.Question.Calls {
				tools = append(tools, c.Tool)
			}
			return nil, errors.New(unknownName("call that waits for approval, of", a.Tool, tools).got)
		}
	}
	return in, nil
}

// hostEvent returns the instruction for an event of a type. fields is a JSON object, or "".
func hostEvent(kind, fields string) (turn.Input, error) {
	var members []tree.Member
	if fields != "" {
		v, err := tree.ParseValue([]byte(fields))
		if err != nil {
			return nil, err
		}
		for key, of := range v.Members() {
			members = append(members, tree.Member{Key: key, Value: of})
		}
	}
	return turn.RaiseEvents{Events: []rules.Event{event.New(kind, members...)}}, nil
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
