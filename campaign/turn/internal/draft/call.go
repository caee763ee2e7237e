package draft

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
)

// ApplyCall applies an accepted call to the staged state.
func (s *Stage) ApplyCall(call tool.Call, ruled tool.Judgement) {
	p := &s.Pending
	from := len(p.Evidence)
	s.Apply(byTool+call.Tool, asData(ruled.Effects))
	p.Applied = append(p.Applied, state.Applied{
		ID: call.ID, Tool: call.Tool, Args: call.Args, Reason: call.Reason,
		Result: ruled.Result,
	})
	definition, _ := s.Game.Tools().Get(call.Tool)
	// The evidence of one call becomes one action.
	action := conflict.Action{
		ID: call.ID, Tool: call.Tool, Args: Raw(call.Args), Result: Raw(ruled.Result),
		Affects: definition.Affects, CharacterIDs: namedCharacters(p.State, call.Args), Rolls: rollsOf(ruled.Result),
	}
	for _, e := range p.Evidence[from:] {
		action.HP = append(action.HP, e.HP...)
		action.Lives = append(action.Lives, e.Lives...)
		action.Moves = append(action.Moves, e.Moves...)
	}
	p.Evidence = append(p.Evidence[:from], action)
}

// namedCharacters lists the characters whose IDs are arguments of a call.
func namedCharacters(s state.State, args tree.Value) []string {
	var out []string
	for _, v := range args.Members() {
		if id, ok := v.AsText(); ok && s.CharacterIndex(id) >= 0 && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// Raw returns a value as JSON.
func Raw(v tree.Value) json.RawMessage { return json.RawMessage(v.AppendJSON(nil)) }

// rollsOf reads a dice roll from a result: a tool that rolls returns roll and total.
func rollsOf(result tree.Value) []conflict.Roll {
	roll, ok1 := result.Get("roll").AsNumber()
	total, ok2 := result.Get("total").AsNumber()
	if !ok1 || !ok2 {
		return nil
	}
	actor, _ := result.Get("actor_id").AsText()
	rollNumber, _ := roll.Int64()
	totalNumber, _ := total.Int64()
	return []conflict.Roll{{CharacterID: actor, Roll: int(rollNumber), Total: int(totalNumber)}}
}
