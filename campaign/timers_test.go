package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// reactionsTo returns reactions that count events by their types.
func reactionsTo(types ...string) (list []reactions.Reaction) {
	for _, typ := range types {
		list = append(list, reactions.Reaction{ID: typ, When: reactions.Pattern{EventType: typ},
			Then: reactions.Effects{set("heard "+typ, effect.Add, tree.Int(1))}})
	}
	return list
}

// wired is a game with countdowns and a town, whose rules count their events.
func wired(t testing.TB) game.Content {
	t.Helper()
	custom := func(typ string, members ...tree.Member) effect.Effect {
		return effect.Custom{Type: typ, Data: tree.Object(members...)}
	}
	text := func(key, s string) tree.Member { return tree.Member{Key: key, Value: tree.Text(s)} }
	button := func(id string, e effect.Effect) rules.Rule {
		return rules.Rule{ID: id, Trigger: &rules.Trigger{Type: rules.OnAction, ActionID: id}, Actions: effect.Actions{e}}
	}
	return game.Content{Rules: game.Rules{
		Reactions: reactionsTo("timer:fired", "spatial:zone-enter", "spatial:scene-change", "spatial:interact"),
		Rules: []rules.Rule{
			button("light", custom("start-timer", text("timerId", "fuse"), text("name", "Fuse"),
				tree.Member{Key: "duration", Value: tree.Int(3)})),
			button("pinch", custom("cancel-timer", text("timerId", "fuse"))),
			button("leave", custom("enter-scene", text("sceneId", "woods"),
				tree.Member{Key: "x", Value: tree.Int(1)}, tree.Member{Key: "y", Value: tree.Int(1)})),
		},
		Scenes: []rules.SpatialScene{
			{ID: "town", Name: "Town", Width: 6, Height: 4,
				Zones:    []rules.SpatialZone{{ID: "inn", Name: "Inn", SpatialRect: rules.SpatialRect{X: 2, Y: 1, Width: 2, Height: 2}}},
				Entities: []rules.SpatialEntity{{ID: "bard", Name: "Bard", X: 3, Y: 1, InteractRadius: 1}}},
			{ID: "woods", Name: "Woods", Width: 3, Height: 3},
		},
	}}
}

// heardIn returns the number of an event's occurrences for the rules of wired.
func heardIn(c state.Campaign, event string) string {
	v := c.State.Variables.Root().Get("heard " + event)
	if !v.Exists() {
		return "0"
	}
	return v.String()
}

// TestTimers: countdowns advance with the host's time, alone and with a turn. Rules fire for
// countdowns that end. Hosts and rules start and cancel them.
func TestTimers(t *testing.T) {
	t.Parallel()
	m := begin(t, wired(t), `{"timers": [{"id": "dawn", "name": "Dawn", "duration": 4, "remaining": 4, "repeat": true}]}`)
	press := func(id string) turn.Input {
		return turn.RaiseEvents{Events: []rules.Event{event.ActionFired(id, tree.Value{})}}
	}
	for i, row := range []struct {
		reason string
		act    turn.Input
		fired  string
		left   string
	}{
		{"time passes", turn.PassTime{Elapsed: 3}, "0", "dawn 1"},
		{"time passes with a turn", turn.Submit{Text: "I wait.", Elapsed: 2}, "1", "dawn 3"},
		{"the host starts one", turn.SetTimer{Do: rules.TimerStart, TimerID: "tea", Duration: 1}, "1", "dawn 3 tea 1"},
		{"it is paused", turn.SetTimer{Do: rules.TimerPause, TimerID: "tea"}, "1", "dawn 3 tea 1"},
		{"no time for it", turn.PassTime{Elapsed: 1}, "1", "dawn 2 tea 1"},
		{"it goes on", turn.SetTimer{Do: rules.TimerResume, TimerID: "tea"}, "1", "dawn 2 tea 1"},
		{"both end, and the reaction fires once", turn.PassTime{Elapsed: 2}, "2", "dawn 4"},
		{"a rule starts one", press("light"), "2", "dawn 4 fuse 3"},
		{"a rule cancels it", press("pinch"), "2", "dawn 4"},
		{"the host cancels", turn.SetTimer{Do: rules.TimerCancel, TimerID: "dawn"}, "2", ""},
		{"a turn without time", turn.Submit{Text: "I wait."}, "2", ""},
	} {
		if submit, ok := row.act.(turn.Submit); ok {
			play(t, m, submit, "Time passes.")
		} else {
			play(t, m, row.act)
		}
		var left []string
		for _, x := range m.Campaign().State.Timers {
			left = append(left, fmt.Sprint(x.ID, " ", x.Remaining))
		}
		if got := strings.Join(left, " "); got != row.left {
			t.Errorf("%d, %s: timers %q, want %q", i, row.reason, got, row.left)
		}
		if got := heardIn(m.Campaign(), "timer:fired"); got != row.fired {
			t.Errorf("%d, %s: heard %s, want %s", i, row.reason, got, row.fired)
		}
	}
	play(t, m, turn.SetTimer{Do: rules.TimerStart, TimerID: "tea", Name: "Tea", Duration: 2, Repeat: true})
	play(t, m, turn.PassTime{Elapsed: 3})
	if got := jsonOf(t, m.Campaign().State.Timers); got != `[{"id":"tea","name":"Tea","duration":2,"remaining":1,"repeat":true}]` {
		t.Errorf("a countdown of the host that repeats: %s", got)
	}
}

// TestTravel: the player moves through scenes, and rules fire for the events of a move. One rule
// leads to a different scene.
func TestTravel(t *testing.T) {
	t.Parallel()
	m := begin(t, wired(t), `{"place": {"sceneId": "town", "x": 0, "y": 1}}`)
	play(t, m, turn.Travel{Do: rules.SpatialStep, X: 2})
	place := m.Campaign().State.Place
	if place.ZoneID != "inn" || place.Facing != "east" || heardIn(m.Campaign(), "spatial:zone-enter") != "1" {
		t.Errorf("%+v, heard %s", place, heardIn(m.Campaign(), "spatial:zone-enter"))
	}
	play(t, m, turn.Travel{Do: rules.SpatialInteract})
	if heardIn(m.Campaign(), "spatial:interact") != "1" {
		t.Error("nobody heard of the bard")
	}
	play(t, m, turn.RaiseEvents{Events: []rules.Event{event.ActionFired("leave", tree.Value{})}})
	if c := m.Campaign(); c.State.Place.SceneID != "woods" || heardIn(c, "spatial:scene-change") != "1" {
		t.Errorf("%+v, heard %s", c.State.Place, heardIn(c, "spatial:scene-change"))
	}
	play(t, m, turn.Travel{Do: rules.SpatialPut, X: 99, Y: 0})
	if place := m.Campaign().State.Place; place.X != 2 {
		t.Errorf("put at %+v", place)
	}
	play(t, m, turn.Travel{Do: rules.SpatialEnter, SceneID: "town", X: 1, Y: 1})
	if got := m.Campaign().State.Place.SceneID; got != "town" {
		t.Errorf("in %s", got)
	}
}

// TestTimersAndTravelRefused: an impossible instruction is refused with a code and changes nothing.
func TestTimersAndTravelRefused(t *testing.T) {
	t.Parallel()
	m := begin(t, wired(t))
	play(t, m, turn.SetTimer{Do: rules.TimerStart, TimerID: "bell", Duration: 9})
	before := jsonOf(t, m.Campaign())
	for _, row := range []struct {
		act    turn.Input
		want   state.RefusalCode
		detail string
	}{
		{turn.SetTimer{Do: rules.TimerStart}, state.UnknownTimer, "timer_id is missing"},
		{turn.SetTimer{Do: rules.TimerPause}, state.UnknownTimer, "timer_id is missing"},
		{turn.SetTimer{Do: rules.TimerPause, TimerID: "tea"}, state.UnknownTimer, `no timer "tea"`},
		{turn.SetTimer{Do: "wind", TimerID: "tea"}, state.UnknownTimer, `no timer "tea"`},
		{turn.SetTimer{Do: "wind", TimerID: "bell"}, state.UnknownTimer, `do is "wind", none of start, pause, resume, cancel`},
		{turn.Travel{Do: rules.SpatialStep, X: 1}, state.UnknownScene, "the player is in no scene: enter one first"},
		{turn.Travel{Do: rules.SpatialEnter, SceneID: "moon"}, state.UnknownScene, `no scene "moon", or 0, 0 lies outside of it`},
		{turn.Travel{Do: rules.SpatialEnter, SceneID: "woods", X: 99}, state.UnknownScene, `no scene "woods", or 99, 0 lies outside of it`},
	} {
		wantRefusal(t, m.Step(row.act), row.want, row.detail)
	}
	if after := jsonOf(t, m.Campaign()); after != before {
		t.Errorf("a refused instruction changed something:\n%s", cmp.Diff(before, after))
	}
	many := begin(t, wired(t))
	for i := range 256 {
		play(t, many, turn.SetTimer{Do: rules.TimerStart, TimerID: fmt.Sprint(i), Duration: 1})
	}
	wantRefusal(t, many.Step(turn.SetTimer{Do: rules.TimerStart, TimerID: "one more"}), state.TooManyTimers, "256 are running")
	if err := many.Step(turn.SetTimer{Do: rules.TimerStart, TimerID: "7", Duration: 2}); err != nil {
		t.Errorf("a timer that runs already: %v", err)
	}
	where := begin(t, wired(t))
	play(t, where, turn.Travel{Do: rules.SpatialEnter, SceneID: "town", X: 1, Y: 1})
	wantRefusal(t, where.Step(turn.Travel{Do: "fly"}), state.UnknownScene, `do is "fly", none of enter, step, put, interact`)
	_, err := turn.Begin(compile(t, wired(t)), cave(t, `{"timers": [{"id": "a"}, {"id": "a"}, {}], "place": {"sceneId": "moon", "x": 0, "y": 0}}`))
	if err == nil {
		t.Fatal("a broken setup was taken")
	}
	wantHas(t, "the error", err.Error(), `timers[1]: id "a"`, `timers[2]: id ""`, `place.sceneId: no scene "moon"`)
}

// TestTimersAndTravelReplay: a log with both gives the same campaign, byte for byte.
func TestTimersAndTravelReplay(t *testing.T) {
	t.Parallel()
	store := &campaign.MemoryStore{}
	g := compile(t, wired(t))
	e := newEngine(t, campaign.Config{Game: g, Store: store, Model: scripted("One.", "Two.")},
		`{"timers": [{"id": "dawn", "name": "Dawn", "duration": 0.1, "remaining": 0.3, "repeat": true}],
		"place": {"sceneId": "town", "x": 0.1, "y": 1}}`)
	for _, in := range []turn.Input{
		turn.PassTime{Elapsed: 0.2}, turn.Travel{Do: rules.SpatialStep, X: 2.7},
		turn.SetTimer{Do: rules.TimerStart, TimerID: "tea", Duration: 1e-9, Repeat: true},
		turn.PassTime{Elapsed: 0.7}, turn.Travel{Do: rules.SpatialInteract},
	} {
		do(t, e, in)
		turnless := campaignOf(t, e)
		if len(turnless.State.Timers) == 0 {
			t.Fatal("no timers")
		}
	}
	turnOf(t, e, turn.Submit{Text: "I wait.", Elapsed: 0.05})
	turnOf(t, e, turn.Submit{Text: "I wait."})
	rebuilt, err := e.Rebuild(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(jsonOf(t, campaignOf(t, e)), jsonOf(t, rebuilt)); diff != "" {
		t.Errorf("live and rebuilt differ:\n%s", diff)
	}
	if diff := cmp.Diff(jsonOf(t, rebuilt.State.Place), jsonOf(t, reopened(t, store).State.Place)); diff != "" {
		t.Errorf("rebuilt and restored differ:\n%s", diff)
	}
}

// finder is a retriever that returns given results, or fails.
type finder struct {
	ids   []worldbook.ID
	err   error
	asked []string
}

func (f *finder) Retrieve(_ context.Context, messages []worldbook.Message, limit int) ([]worldbook.ID, error) {
	f.asked = append(f.asked, fmt.Sprint(len(messages), " of ", messages[len(messages)-1].Text, ", at most ", limit))
	return f.ids, f.err
}

// TestRetrieval: lore that is found by meaning is active without a key, and its IDs are in the log.
// If a retriever fails, lore is found by its keys only.
func TestRetrieval(t *testing.T) {
	t.Parallel()
	entry := func(uid string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Keys: []string{"never"}, Content: "Lore " + uid + ".", Probability: 100}
	}
	content := game.Content{Lore: game.Lore{Retrieval: game.Retrieval{Depth: 2, Limit: 2}, Books: []worldbook.Attachment{{
		Book: worldbook.Book{Name: "main", Entries: []worldbook.Entry{entry("1"), entry("2"), entry("3")}}}}}}
	id := func(uid string) worldbook.ID { return worldbook.ID{Book: "main", UID: uid} }
	f := &finder{ids: []worldbook.ID{id("3"), id("9"), id("1")}}
	store := &campaign.MemoryStore{}
	e := newEngine(t, campaign.Config{Game: compile(t, content), Store: store, Services: campaign.Services{Retriever: f}, Model: scripted("One.", "Two.", "Three.")})
	played := turnOf(t, e, turn.Submit{Text: "I look."}).Turn
	if len(played.Trace.Lore) != 1 || played.Trace.Lore[0].ID != "main.3" {
		t.Errorf("lore %+v", played.Trace.Lore)
	}
	f.ids = []worldbook.ID{id("2"), id("1")}
	if played = turnOf(t, e, turn.Submit{Text: "I look again."}).Turn; len(played.Trace.Lore) != 2 {
		t.Errorf("lore %+v", played.Trace.Lore)
	}
	f.err = errors.New("the index is gone")
	if played = turnOf(t, e, turn.Submit{Text: "I wait."}).Turn; len(played.Trace.Lore) != 0 ||
		!strings.Contains(strings.Join(played.Trace.Warnings, " "), "the index is gone") {
		t.Errorf("lore %+v, warnings %q", played.Trace.Lore, played.Trace.Warnings)
	}
	none := newEngine(t, campaign.Config{Game: compile(t, content), Model: scripted("One.")})
	if played = turnOf(t, none, turn.Submit{Text: "I look."}).Turn; !strings.Contains(strings.Join(played.Trace.Warnings, " "), "no retriever is configured") {
		t.Errorf("without a retriever: warnings %q", played.Trace.Warnings)
	}
	want := []string{"1 of I look., at most 2", "2 of I look again., at most 2", "2 of I wait., at most 2"}
	if diff := cmp.Diff(want, f.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	rebuilt, err := e.Rebuild(t.Context(), "cave")
	if err != nil || jsonOf(t, rebuilt) != jsonOf(t, campaignOf(t, e)) {
		t.Errorf("the rebuilt campaign is another: %v", err)
	}
}

// TestExplain explains why lore and rules are active, and why not, without a change.
func TestExplain(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{
		Rules: game.Rules{
			Modules: []rules.Module{{ID: "cellar", Activation: rules.Activation{Mode: rules.ModeKeywords, Keywords: []string{"stairs"}}}},
			Rules: []rules.Rule{everyTurn("count", set("n", effect.Add, tree.Int(1))), counting("cellar"),
				{ID: "picky", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Conditions: []rules.Condition{is("hp.ren", tree.Int(3))},
					Actions: effect.Actions{set("n", effect.Add, tree.Int(1))}}},
		},
		Lore: game.Lore{Books: []worldbook.Attachment{keyed(), lore("cellar", "It smells of wine.")}},
	})
	c, err := turn.Begin(g, cave(t))
	if err != nil {
		t.Fatal(err)
	}
	before := jsonOf(t, c)
	why := turn.NewMachine(g, c).Explain(turn.Submit{Text: "I wait."}, "Time passes.").String()
	wantHas(t, "the explanation", why, "lore main.1", "no key found", "its book is closed", "rule count on turn:complete: fired",
		"rule count_cellar on turn:complete: module not active", "rule picky on turn:complete: condition 1: hp.ren 10 eq 3")
	why = turn.NewMachine(g, c).Explain(turn.Submit{Text: "The lamp on the stairs."}, "Time passes.").String()
	wantHas(t, "the explanation", why, `"lamp"`, "rule count_cellar on turn:complete: fired")
	if strings.Contains(why, "closed") {
		t.Errorf("still closed:\n%s", why)
	}
	if after := jsonOf(t, c); after != before {
		t.Errorf("explaining changed something:\n%s", cmp.Diff(before, after))
	}
}

// TestRecordExplains: a record explains why rules did what they did, with the real results of a
// tool.
func TestRecordExplains(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{Rules: game.Rules{Rules: []rules.Rule{{ID: "hurt", Conditions: []rules.Condition{is("hp.ren", tree.Int(3))},
		Trigger: &rules.Trigger{Type: rules.StateChange, VariableID: "hp.ren"}, Actions: effect.Actions{set("n", effect.Add, tree.Int(1))}}}}})
	start, err := turn.Begin(g, cave(t))
	if err != nil {
		t.Fatal(err)
	}
	log := newLog(t, g, start)
	before := log.m.Campaign()
	reply := output("You lose 2 HP.", hurt("ren", "-2"))
	log.play(0, turn.Submit{Text: "I fall.", At: noon}, nil, reply)
	rec := log.records[len(log.records)-1]
	why, err := rec.Explain(g, before, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantHas(t, "the explanation", why.String(), "rule hurt on state:changed: condition 1: hp.ren 8 eq 3")
	if why := turn.NewMachine(g, before).Explain(turn.Submit{Text: "I fall."}, reply).String(); !strings.Contains(why, "rule hurt on message:ai, message:user, session:start, turn:complete: pattern") {
		t.Errorf("a tool was called to explain: %s", why)
	}
	if _, err := rec.Explain(g, log.m.Campaign(), nil); !errors.Is(err, turn.ErrDiverged) {
		t.Errorf("explained in another campaign: %v", err)
	}
}

// TestWithHooks: hooks that a host adds to a game run in its campaigns.
func TestWithHooks(t *testing.T) {
	t.Parallel()
	g := compile(t, game.Content{})
	more, problems := g.WithHooks(hooks.Hook{ID: "h", Name: "h", Event: hooks.On(act.BeforeTurnStarted),
		Actions: []act.Action{act.New(act.PromptInject,
			tree.Member{Key: "content", Value: tree.Text("The moon watches.")})}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for g, want := range map[*game.Game]bool{g: false, more: true} {
		start, err := turn.Begin(g, cave(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(promptOf(t, turn.NewMachine(g, start), "I wait."), "The moon watches."); got != want {
			t.Errorf("the hook's text is in the prompt: %v, want %v", got, want)
		}
	}
	if _, problems := g.WithHooks(hooks.Hook{ID: "x", Event: hooks.On("e"), Actions: []act.Action{act.New("dance")}}); len(problems) == 0 {
		t.Error("a broken hook was taken")
	}
}
