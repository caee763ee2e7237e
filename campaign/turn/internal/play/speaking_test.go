package play

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// TestSpeakerOutsideOfTheCast: a turn for a speaker who has left the cast has no speaker, and says why.
func TestSpeakerOutsideOfTheCast(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{People: game.People{Cast: []game.CastMember{{CharacterID: "ash", Card: &card.Card{Name: "Ash"}}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for name, choose := range map[string]func(*Turn){"a line": func(turn *Turn) { ChooseSpeakers(turn) }, "suggestions": ChooseSuggester} {
		turn := New(g, state.Campaign{}, state.Submission{Text: "I wait.", Speaker: "bo"}, g.Settings().Freeze(nil, nil))
		choose(turn)
		if w := turn.Stage.Pending.Trace.Warnings; len(w) != 1 || !strings.HasPrefix(w[0], "cast: ") || len(turn.Casting.Speakers) > 0 {
			t.Errorf("%s: the speakers %q, the warnings %q", name, turn.Casting.Speakers, w)
		}
	}
}

// TestWhatTheChoiceOfSpeakersDependsOn: the settings, the line and the kind of the turn.
func TestWhatTheChoiceOfSpeakersDependsOn(t *testing.T) {
	t.Parallel()
	ash := card.Card{Name: "Ash"}
	g, problems := game.Compile(game.Content{People: game.People{Cast: []game.CastMember{{CharacterID: "ash", Card: &ash}, {CharacterID: "bo", Card: &ash}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	values := g.Settings().Freeze(nil, setting.Snapshot{settingkey.CastOrder: tree.Text("list"), settingkey.CastSelfReply: tree.Bool(true)})
	for _, c := range []struct {
		in   state.Submission
		want string
	}{
		{state.Submission{Text: "Ash?", Speaker: "bo", Audience: []string{"bo"}}, `list true "" "bo" "Ash?" [true false]`},
		{state.Submission{Auto: true}, `list true "auto" "" "" [false false]`},
		{state.Submission{Generation: worldbook.Swipe}, `list true "" "" "" [false false]`},
	} {
		r := castRound(New(g, state.Campaign{}, c.in, values).Window())
		muted := []bool{}
		for _, m := range r.Members {
			muted = append(muted, m.Muted)
		}
		if got := fmt.Sprintf("%s %t %q %q %q %v", r.Order, r.SelfReply, r.Kind, r.Force, r.Input, muted); got != c.want || r.Random == nil {
			t.Errorf("%+v: %s, want %s", c.in, got, c.want)
		}
	}
}

// TestRefusalsAreBrief: a model gets the texts of a tool about a refused call in a limited length, and
// no value that is longer.
func TestRefusalsAreBrief(t *testing.T) {
	t.Parallel()
	short, long := tree.Text("near"), tree.Text(strings.Repeat("x", draft.MaxText+1))
	for _, c := range []struct{ expected, hint, wantExpected, wantHint tree.Value }{
		{short, short, short, short}, {long, short, tree.Value{}, short}, {short, long, short, tree.Value{}},
	} {
		got := briefCall(state.FailedCall{Expected: c.expected, Hint: c.hint})
		if !got.Expected.Equal(c.wantExpected) || !got.Hint.Equal(c.wantHint) {
			t.Errorf("%.20s and %.20s become %.20s and %.20s", c.expected, c.hint, got.Expected, got.Hint)
		}
	}
}
