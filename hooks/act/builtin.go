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

// IsEffect reports whether hooks have an action of that name from package rules.
func IsEffect(typ string) bool {
	asked := effect.Read(tree.Object(tree.Member{Key: "type", Value: tree.Text(typ)}))
	if effect.Mistake(asked) != "" {
		return true // known, and in need of more than a type
	}
	switch asked.(type) {
	case effect.Custom:
		return false
	case effect.InjectPrompt, effect.ChangeState, effect.ChangeRelationship, effect.AddMessage,
		effect.WriteMemory, effect.WriteLog, effect.StartWorkflow, effect.AddEntry:
		return false // what built-in actions make, with checks and sinks of their own
	}
	return true
}

// SpelledAsEffect finds the effect that an author of hooks, whose words are joined by
// underscores, may have meant.
func SpelledAsEffect(typ string) []string {
	if dashed := strings.ReplaceAll(typ, "_", "-"); dashed != typ && IsEffect(dashed) {
		return []string{dashed}
	}
	return nil
}
