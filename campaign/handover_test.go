package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// handing is a campaign whose turn has all kinds of deliveries: a text, an effect for the host, an
// announcement that hooks answer, and a summary.
func handing(t *testing.T) (config func(campaign.Store, ...string) campaign.Config, summaries *int) {
	t.Helper()
	note := func(event, content string) hooks.Hook {
		return hooks.Hook{ID: content, Name: content, Event: hooks.Patterns{event},
			Actions: []act.Action{act.New("memory_write",
				hookMember("content", content))}}
	}
	g := compile(t, game.Content{Prompt: game.Prompt{SummarizeAfter: 1}, Rules: game.Rules{Hooks: []hooks.Hook{
		note("character.after_turn.finished", "in the turn"), note(game.EventTurnCommitted, "after the turn")}}})
	summaries = new(int)
	return func(store campaign.Store, texts ...string) campaign.Config {
		return campaign.Config{Game: g, Store: store, Model: scripted(texts...), Now: func() time.Time { return noon },
			Services: campaign.Services{Summarize: func(context.Context, question.Summarize) (state.Summary, error) {
				*summaries++
				return state.Summary{Text: "They wait."}, nil
			}}}
	}, summaries
}

func hookMember(key, text string) tree.Member { return tree.Member{Key: key, Value: tree.Text(text)} }

// progress returns the events of a sequence after the commit, as short texts.
func progress(t *testing.T, seq func(func(campaign.Progress, error) bool)) (lines []string, version int64) {
	t.Helper()
	for p, err := range seq {
		if err != nil {
			lines = append(lines, "error")
			t.Logf("%v", err)
			continue
		}
		switch p := p.(type) {
		case campaign.Narration:
			lines = append(lines, "text "+p.Text)
		case campaign.HostEffect:
			lines = append(lines, "effect by "+p.By)
		case campaign.Finished:
			lines = append(lines, fmt.Sprintf("%s %s", p.Outcome.Status, p.Outcome.Turn.ID))
			version = p.Outcome.Version
		}
	}
	return lines, version
}

// TestHandoverIsObserved: observers see it as an instruction, with the calls of the store, the last
// outcome, and an error.
func TestHandoverIsObserved(t *testing.T) {
	t.Parallel()
	config, _ := handing(t)
	store := &campaign.MemoryStore{}
	newEngine(t, config(store, "Dust.")) // creates the campaign
	cfg := config(store, "Dust.")
	var seen []string
	cfg.Observe = observe.Func(func(p observe.Place, m observe.Moment) {
		if p.Instruction != observe.Handover {
			return
		}
		switch m := m.(type) {
		case observe.Stored:
			seen = append(seen, string(m.Call))
		case observe.Ended:
			seen = append(seen, fmt.Sprintf("%s %t %t", m.Status, m.Replayed, m.Err != nil))
		default:
			seen = append(seen, fmt.Sprintf("%T", m))
		}
	})
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	turnOf(t, e, turn.Submit{Text: "One", At: noon})
	progress(t, e.Handover(t.Context(), "cave", 1))
	progress(t, e.Handover(t.Context(), "nowhere", 1))
	want := []string{"observe.Begun", "acquire", "observe.Admitted", "load", "release", "completed true false",
		"observe.Begun", "acquire", " false true"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

// TestHandover: a process dies after the commit, before the delivery. The next process yields the
// same, runs the hooks for the turn, and makes the summary. Delivered results are not yielded
// again.
func TestHandover(t *testing.T) {
	t.Parallel()
	config, summaries := handing(t)
	turns := []string{"Dust.", "Moss."}
	play := func(e *campaign.Engine, text string) ([]string, int64) {
		return progress(t, e.Stream(t.Context(), "cave", turn.Submit{Text: text, At: noon}))
	}

	undisturbed := &campaign.MemoryStore{}
	whole := newEngine(t, config(undisturbed, turns...))
	_, cursor := play(whole, "One")
	want, last := play(whole, "Two")
	if len(want) < 4 || *summaries != 1 {
		t.Fatalf("the turn leads to %q and %d summaries", want, *summaries)
	}

	store := &deafStore{}
	dying := newEngine(t, config(store, turns...))
	if _, at := play(dying, "One"); at != cursor {
		t.Fatalf("the first turn ends at version %d, want %d", at, cursor)
	}
	store.deaf, store.wins = "after", func() { store.mute = true }
	if lines, _ := play(dying, "Two"); !cmp.Equal(lines, []string{"error"}) {
		t.Fatalf("the process that dies hands over %q", lines)
	}
	store.mute = false

	next, err := campaign.New(config(store, "Fog."))
	if err != nil {
		t.Fatal(err)
	}
	got, version := progress(t, next.Handover(t.Context(), "cave", cursor))
	if diff := cmp.Diff(want, got); diff != "" || version != last {
		t.Errorf("version %d, want %d; handed over (-want +got):\n%s", version, last, diff)
	}
	if *summaries != 2 {
		t.Errorf("%d summaries, want one more", *summaries)
	}
	same := func(what string) {
		t.Helper()
		if diff := cmp.Diff(jsonOf(t, recordsOf(t, undisturbed, "cave", 0)), jsonOf(t, recordsOf(t, store, "cave", 0))); diff != "" {
			t.Errorf("%s: the log is another (-want +got):\n%s", what, diff)
		}
	}
	same("after the hand-over")
	if again, _ := progress(t, next.Handover(t.Context(), "cave", version)); len(again) != 0 {
		t.Errorf("handed over again: %q", again)
	}
	same("after another one")
	// From the beginning everything is yielded again, and nothing is played again.
	if all, _ := progress(t, next.Handover(t.Context(), "cave", 0)); len(all) != 2*len(want) {
		t.Errorf("from the beginning: %q", all)
	}
	same("from the beginning")
	for range next.Handover(t.Context(), "cave", 0) {
		break
	}
	same("after a caller that left")
	if _, err := next.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
	wantOutcome(t, turnOf(t, next, turn.Submit{Text: "Three"}), "completed turn_0003")
}

// TestHandoverRefuses a campaign that is in use, an unknown one, and different content than the
// log's.
func TestHandoverRefuses(t *testing.T) {
	t.Parallel()
	config, _ := handing(t)
	store := &campaign.MemoryStore{}
	e := newEngine(t, config(store, "Dust.")) // creates the campaign
	handOver := func(e *campaign.Engine, id string) (err error) {
		for _, err = range e.Handover(t.Context(), id, 0) {
		}
		return err
	}
	var inside error
	for p := range e.Stream(t.Context(), "cave", turn.Submit{Text: "One"}) {
		if _, ok := p.(campaign.AttemptStarted); ok {
			inside = handOver(e, "cave")
		}
	}
	if !isRefused(inside, state.CampaignBusy, "") {
		t.Errorf("beside a turn: %v", inside)
	}
	if err := handOver(e, "nowhere"); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("no campaign: %v", err)
	}
	if err := handOver(another(t, store), "cave"); !errors.Is(err, turn.ErrDiverged) {
		t.Errorf("another content: %v", err)
	}
}

// TestRepeatedSubmissionKeepsItsTime: a submission that is repeated after a failure is the same
// instruction. A different one gets a new time.
func TestRepeatedSubmissionKeepsItsTime(t *testing.T) {
	t.Parallel()
	store := &brokenStore{}
	at := noon
	cfg := campaign.Config{Store: store, Game: compile(t, game.Content{}), Model: scripted("Dust.", "Dust.", "Moss.")}
	newEngine(t, cfg)
	cfg.Now = func() time.Time { at = at.Add(time.Minute); return at }
	e, err := campaign.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	store.broken = true
	if _, err := e.Turn(t.Context(), "cave", turn.Submit{Text: "I wait.", ClientTurnID: "c1"}); err == nil {
		t.Fatal("a broken store took a turn")
	}
	store.broken = false
	first := at
	for i, c := range []struct {
		id   string
		want time.Time
	}{{"c1", first}, {"c2", first.Add(2 * time.Minute)}} {
		o := turnOf(t, e, turn.Submit{Text: "I wait.", ClientTurnID: c.id})
		if o.Turn == nil || !o.Turn.Timestamp.Equal(c.want) {
			t.Errorf("submission %d is of %s, want %s", i, o.Turn.Timestamp, c.want)
		}
	}
}

// TestHandoverReadsThePast: the replay of a turn reads in the log the turns that the campaign does not
// hold.
func TestHandoverReadsThePast(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, _ := longGone(t, campaign.Config{}, 200)
	do(t, e, turn.PatchSettings{Patch: setting.Snapshot{"context.full_context_enabled": tree.Bool(true)}})
	version := campaignOf(t, e).Version
	turnOf(t, e, turn.Submit{Text: "I go on."})
	got, _ := progress(t, e.Handover(t.Context(), "cave", version))
	if diff := cmp.Diff([]string{"text Dust falls.", "completed turn_0201"}, got); diff != "" {
		t.Errorf("handed over (-want +got):\n%s", diff)
	}
}
