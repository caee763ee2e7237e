package campaign_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
)

// TestProceedLetsTheCastGoOn: without a line the cast continues, as often as the setting says, with
// the members that the host calls (CA-49, CA-52).
func TestProceedLetsTheCastGoOn(t *testing.T) {
	t.Parallel()
	type act struct {
		in   turn.Input
		want string // the outcome, and who spoke
	}
	for _, tc := range []struct {
		reason, settings string
		acts             []act
	}{
		{"pooled: everybody once, before anybody speaks twice", `{"cast.order": "pooled", "cast.auto_replies": 3}`, []act{
			{turn.Submit{Text: "Well?", Speaker: "ash"}, "completed turn_0001: ash"},
			{turn.Proceed{ExpectedHead: "turn_0001"}, "completed turn_0002: reed"},
			{turn.Proceed{}, "completed turn_0003: chen"},
			{turn.Proceed{Speaker: "reed"}, "completed turn_0004: reed"},
			{turn.Proceed{}, "refused no_auto_round"},
			{turn.Submit{Text: "Go on.", Speaker: "chen"}, "completed turn_0005: chen"},
			{turn.Proceed{Speaker: "ash"}, "completed turn_0006: ash"},
		}},
		{"none may follow unless the setting says so", `{}`, []act{
			{turn.Proceed{}, "refused no_auto_round"},
			{turn.Proceed{Speaker: "ash"}, "refused no_auto_round"},
		}},
		{"what is not of the cast is refused, and an id means one thing", `{"cast.auto_replies": 2}`, []act{
			{turn.Proceed{Speaker: "nobody"}, "refused unknown_speaker"},
			{turn.Proceed{Speaker: "chen", ClientTurnID: "a"}, "completed turn_0001: chen"},
			{turn.Proceed{Speaker: "chen", ClientTurnID: "a"}, "completed turn_0001 replayed: chen"},
			{turn.Proceed{Speaker: "reed", ClientTurnID: "a"}, "refused idempotency_conflict"},
		}},
		{"a choice undone gives the rounds back", `{"cast.auto_replies": 1}`, []act{
			{turn.Proceed{Speaker: "ash"}, "completed turn_0001: ash"},
			{turn.Proceed{Speaker: "ash"}, "refused no_auto_round"},
			{turn.Regenerate{Speaker: "reed"}, "completed turn_0002: reed"},
			{turn.Regenerate{Swipe: true, Speaker: "chen"}, "completed turn_0003: chen"},
			{turn.Regenerate{Swipe: true}, "completed turn_0004: chen"},
			{turn.Regenerate{Speaker: "nobody"}, "refused unknown_speaker"},
			{turn.RollBack{To: state.StartTurnID}, "completed"},
			{turn.Proceed{Speaker: "ash"}, "completed turn_0005: ash"},
		}},
	} {
		e := newEngine(t, campaign.Config{Game: compile(t, game.Content{People: game.People{Cast: three()}}), Model: numbered()}, `{"settings": `+tc.settings+`}`)
		for i, a := range tc.acts {
			o := do(t, e, a.in)
			want, who, _ := strings.Cut(a.want, ": ")
			wantOutcome(t, o, want)
			if o.Turn == nil || who == "" {
				continue
			}
			if len(o.Turn.Replies) != 1 || o.Turn.Replies[0].Speaker != who {
				t.Errorf("%s: act %d: %q, want %s", tc.reason, i+1, spoken(o.Turn), who)
			}
		}
		rebuilt(t, e)
	}
	plain := newEngine(t, campaign.Config{Model: scripted("One.", "Two.", "Three.")})
	for i := range 3 { // a game master is not a cast
		wantOutcome(t, do(t, plain, turn.Proceed{}), "completed "+state.TurnID(i+1))
	}
	wantOutcome(t, do(t, plain, turn.Proceed{Speaker: "ash"}), "refused unknown_speaker")
}

// TestOneWayToGoOn: a round with the older Auto and a round with Proceed lead to the same state.
func TestOneWayToGoOn(t *testing.T) {
	t.Parallel()
	after := func(in turn.Input) string {
		e := newEngine(t, campaign.Config{Game: compile(t, game.Content{People: game.People{Cast: three()}}), Model: numbered()},
			`{"settings": {"cast.auto_replies": 2}}`)
		turnOf(t, e, turn.Submit{Text: "Reed?"})
		do(t, e, in)
		return jsonOf(t, campaignOf(t, e).State)
	}
	if diff := cmp.Diff(after(turn.Submit{Auto: true}), after(turn.Proceed{})); diff != "" {
		t.Error(diff)
	}
}

// TestReportOfAnAnswerThatIsCalledFor: the decision to retry asks the called member again.
func TestReportOfAnAnswerThatIsCalledFor(t *testing.T) {
	t.Parallel()
	e := newEngine(t, campaign.Config{Game: compile(t, game.Content{People: game.People{Cast: three()}}),
		Model: scripted("One.", "Ren loses 3 HP.", "Two.", "Ren loses 3 HP.", "Three.")}, `{"settings": {"retry.max_retries": 0, "cast.auto_replies": 5}}`)
	turnOf(t, e, turn.Submit{Text: "Ash?", Speaker: "ash"})
	for _, in := range []turn.Input{turn.Regenerate{Swipe: true, Speaker: "reed"}, turn.Proceed{Speaker: "reed"}} {
		if o := do(t, e, in); o.Status != turn.Conflict || o.Report.Speaker != "reed" {
			t.Fatalf("%T: %s %+v", in, o.Status, o.Report)
		}
		if o := do(t, e, turn.ResolveConflict{Decision: state.DecideRetry}); o.Turn == nil || spoken(o.Turn) != "reed: Two." && spoken(o.Turn) != "reed: Three." {
			t.Errorf("%T: tried again: %s %v", in, o.Status, o.Turn)
		}
	}
	rebuilt(t, e)
}

// TestSuggestionsOfACast: suggestions are written for the member who spoke last. For lines of the
// player any member will do (CA-42, CA-49).
func TestSuggestionsOfACast(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Game: compile(t, game.Content{People: game.People{Cast: three()}}), Model: scripted(`["Wait."]`, "One.", `["Go."]`, `Hm.`)}
	seen := observed(&cfg)
	e := newEngine(t, cfg)
	suggest := func(in turn.Suggest) string {
		before := jsonOf(t, campaignOf(t, e))
		if o := do(t, e, in); len(o.Suggestions) != 1 {
			t.Errorf("suggestions %q", o.Suggestions)
		}
		if diff := cmp.Diff(before, jsonOf(t, campaignOf(t, e))); diff != "" {
			t.Errorf("something changed: %s", diff)
		}
		return askedText((*seen)[len(*seen)-1])
	}
	wantHas(t, "before anybody spoke", suggest(turn.Suggest{N: 1}), "Ash keeps the ferry")
	turnOf(t, e, turn.Submit{Text: "Reed?", Speaker: "reed"})
	last := suggest(turn.Suggest{N: 1})
	wantHas(t, "after Reed", last, "Bo Reed owes Ash", "Whisper, Bo Reed.")
	wantHasNot(t, "after Reed", last, "ferry")
	cards := 0
	line := suggest(turn.Suggest{N: 1, Kind: state.SuggestLines})
	for _, card := range []string{"Ash keeps the ferry", "Bo Reed owes", "老陈守着灯塔"} {
		cards += strings.Count(line, card)
	}
	if cards != 1 {
		t.Errorf("%d cards in\n%s", cards, line)
	}
	rebuilt(t, e)
}

// TestToolsSpeakChinese: all tools of the library have all their texts in both languages.
// Descriptions and refusals are in the language of the engine's texts: EX-14.
func TestToolsSpeakChinese(t *testing.T) {
	t.Parallel()
	tools := []tool.Tool{tool.GenerateMap(tool.GenerateLimits{}), tool.GenerateCharacter(tool.GenerateLimits{}), tool.PoolCheck(tool.PoolRules{})}
	all, err := tool.Builtin().With(tools...)
	if err != nil {
		t.Fatal(err)
	}
	chinese := func(what, text, english string) {
		if text == english || !strings.ContainsFunc(text, func(r rune) bool { return r > 0x2e80 }) {
			t.Errorf("%s is %q in Chinese", what, text)
		}
	}
	var params func(within string, zh, en map[string]tool.Param)
	params = func(within string, zh, en map[string]tool.Param) {
		for name, p := range zh {
			chinese(within+name, p.Description, en[name].Description)
			params(within+name+".", p.Fields, en[name].Fields)
			if p.Items != nil {
				params(within, map[string]tool.Param{name + "[]": *p.Items}, map[string]tool.Param{name + "[]": *en[name].Items})
			}
		}
	}
	for _, name := range all.Names() {
		en, _ := all.Get(name)
		zh, _ := all.In("zh").Get(name)
		chinese(name+".Description", zh.Description, en.Description)
		chinese(name+".Manual", zh.Manual, en.Manual)
		params(name+".", zh.Params, en.Params)
		for code, text := range en.Reasons {
			chinese(name+"."+string(code), zh.Reasons[code], text)
		}
		if len(zh.Reasons) != len(en.Reasons) || len(en.Reasons) == 0 {
			t.Errorf("%s: %d reasons, %d in Chinese", name, len(en.Reasons), len(zh.Reasons))
		}
	}
	for _, tc := range []struct {
		texts      game.Texts
		told, says string
	}{
		{game.Chinese(), "path_loops（一条路径连接两个不同的区域）", "至少要给出一个区域或一条路径"},
		{game.English(), "path_loops (a path joins two different areas)", "give at least one area or path"},
	} {
		m := begin(t, game.Content{Extensions: game.Extensions{Texts: &tc.texts, Tools: tools}}, `{"allowlist": ["map_generate"]}`)
		step(t, m, turn.Submit{Text: "?"})
		wantHas(t, "the prompt", requestText(m.Todo().Generate.Request), tc.told)
		step(t, m, turn.Replied{Text: `{"text": "", "tool_calls": [{"tool": "map_generate", "args": {}}]}`})
		wantHas(t, "the feedback", requestText(m.Todo().Generate.Request), tc.says)
	}
}
