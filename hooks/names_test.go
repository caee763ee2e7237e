package hooks_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// knownEvents are the events with a fixed place in a turn.
var knownEvents = []string{
	act.BeforeReceive, act.BeforeAttachments, act.AfterAttachments,
	act.BeforeKnowledge, act.AfterKnowledge, act.BeforeTurnStarted,
	act.AfterProfileLoad, act.AfterMemoryRetrieve, act.AfterWorldBookMatch,
	act.AfterReactionPlan, act.BeforeTurnFinished, act.BeforePromptRender,
	act.AfterPromptRender, act.BeforeModelCall, act.AfterModelCall,
	act.StreamChunk, act.BeforeSend, act.AfterSend,
	act.AfterTurnStarted, act.AfterStateUpdate, act.AfterTurnFinished,
	act.AfterMemoryExtract, act.StateChanged, act.RelationshipChanged,
	act.BeforeToolCall, act.AfterToolCall,
}

// Any host can raise every known event with Run, under any of its names, and a hook on any of these
// names runs, with the event's payload (HK-22).
func TestHostRaisesEveryEvent(t *testing.T) {
	t.Parallel()
	if len(knownEvents) != 26 {
		t.Errorf("%d known events, want 26", len(knownEvents))
	}
	for _, name := range knownEvents {
		names := []string{name}
		for _, row := range slowAliases {
			if row[0] == name {
				names = row
			}
		}
		for _, raised := range names {
			for _, pattern := range append(slices.Clone(names), "*") {
				set, _ := hooks.Compile([]hooks.Hook{{
					ID: "h", Name: "h", Event: hooks.On(pattern), Scope: hooks.ScopeCharacter,
					CharacterID: "mara", Conditions: value(`{"payload.n":1,"event_type":"` + name + `"}`),
				}}, nil)
				event := act.Event{Type: raised, CharacterID: "mara", Payload: value(`{"n":1}`)}
				res := emit(t, set, event, hooks.Env{})
				if !set.Wants(raised) || len(res.Logs) != 1 || res.Logs[0].EventType != raised {
					t.Errorf("%s raised as %s: the hook for %s hears %v",
						name, raised, pattern, res.Logs)
				}
			}
		}
	}
}

// The canonical name of every row of aliases is one of the known events.
func TestAliasesOfKnownEvents(t *testing.T) {
	t.Parallel()
	for _, row := range slowAliases {
		if !slices.Contains(knownEvents, row[0]) {
			t.Errorf("no constant has the name %s", row[0])
		}
	}
}

// The package documentation says for each known event who raises it.
func TestDocumentationNamesEveryEvent(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, events, _ := strings.Cut(string(text), "// # Events")
	events, _, found := strings.Cut(events, "// # Actions")
	words := strings.FieldsFunc(events, func(c rune) bool { return strings.ContainsRune(" ,\n\t/()", c) })
	for i := range words {
		words[i] = strings.TrimSuffix(words[i], ".")
	}
	for _, name := range knownEvents {
		if !found || !slices.Contains(words, name) {
			t.Errorf("the section on events does not name %s", name)
		}
	}
}
