package act

import (
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// The built-in action types.
const (
	PromptInject      = "prompt_inject"
	StateDelta        = "state_delta"
	RelationshipDelta = "relationship_delta"
	MemoryWrite       = "memory_write"
	LogLine           = "log"
	Message           = "message"
	Workflow          = "workflow"
	WorldBookAdd      = "world_book_add"
)

var builtin = [...]string{PromptInject, StateDelta, RelationshipDelta, MemoryWrite, LogLine, Message,
	Workflow, WorldBookAdd}

// IsEffect reports whether package rules has an effect of that name that hooks can use as an
// action.
func IsEffect(typ string) bool {
	asked := effect.Parse(tree.Object(tree.Member{Key: "type", Value: tree.Text(typ)}))
	if effect.Mistake(asked) != "" {
		return true // a known effect that requires more members than type
	}
	switch asked.(type) {
	case effect.Custom:
		return false
	case effect.InjectPrompt, effect.ChangeState, effect.ChangeRelationship, effect.AddMessage,
		effect.WriteMemory, effect.WriteLog, effect.StartWorkflow, effect.AddEntry:
		return false // built-in actions make these effects, with their own checks and sinks
	}
	return true
}

// SpelledAsEffect returns the effect that an author of hooks may have meant: hook types use
// underscores, effect types use dashes.
func SpelledAsEffect(typ string) []string {
	if dashed := strings.ReplaceAll(typ, "_", "-"); dashed != typ && IsEffect(dashed) {
		return []string{dashed}
	}
	return nil
}
