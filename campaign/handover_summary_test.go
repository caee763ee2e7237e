package campaign_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// TestHandoverOfASummary: a process dies when a summary is committed, and the next one runs the
// hooks for it. A log that ends elsewhere is handled too.
func TestHandoverOfASummary(t *testing.T) {
	t.Parallel()
	config, _ := handing(t)
	heard := hooks.Hook{ID: "extract", Name: "extract", Event: hooks.On(act.AfterMemoryExtract),
		Actions: []act.Action{act.New(act.PromptInject, hookMember("content", "Remember."), hookMember("scope", "session"), hookMember("key", "k"))}}
	committed := hooks.Hook{ID: "committed", Name: "committed", Event: hooks.On(game.EventTurnCommitted),
		Actions: []act.Action{act.New(act.PromptInject, hookMember("content", "Go on."), hookMember("scope", "session"), hookMember("key", "l"))}}
	with := func(store campaign.Store, texts ...string) campaign.Config {
		cfg := config(store, texts...)
		cfg.Game = compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}, Rules: game.Rules{Hooks: []hooks.Hook{heard, committed}}})
		return cfg
	}
	whole := &campaign.MemoryStore{}
	e := newEngine(t, with(whole, "Dust.", "Moss."))
	first := turnOf(t, e, turn.Submit{Text: "One", At: noon})
	turnOf(t, e, turn.Submit{Text: "Two", At: noon})
	want := recordsOf(t, whole, "cave", 0)
	kinds := ""
	for _, r := range want[first.Version:] {
		kinds += string(r.Kind) + " "
	}
	if kinds != "turn announce summarized announce " {
		t.Fatalf("the second turn leads to %s", kinds)
	}
	for ends := int(first.Version) + 1; ends <= len(want); ends++ {
		store := &campaign.MemoryStore{}
		for entry, err := range whole.Records(t.Context(), "cave", 0) {
			if err == nil && entry.Version <= int64(ends) {
				err = store.Append(t.Context(), "cave", entry, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		next, err := campaign.New(with(store))
		if err != nil {
			t.Fatal(err)
		}
		progress(t, next.Handover(t.Context(), "cave", first.Version))
		if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, recordsOf(t, store, "cave", 0))); diff != "" {
			t.Errorf("the log ended with %s (-want +got):\n%s", want[ends-1].Kind, diff)
		}
	}
}
