package cast_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/worldbook"
)

// four are the members of most tests here; the last one is muted.
func four() []cast.Member {
	return []cast.Member{{ID: "ash", Name: "Ash"}, {ID: "reed", Name: "Bo Reed"}, {ID: "cyra", Name: "Cyra"}, {ID: "dov", Name: "Dov", Muted: true}}
}

func half() float64 { return 0.5 }

func by(id, text string) cast.Line {
	names := map[string]string{"ash": "Ash", "reed": "Bo Reed", "cyra": "Cyra", "dov": "Dov"}
	switch id {
	case "player":
		return cast.Line{By: cast.ByPlayer, Name: "Mara", Text: text}
	case "narrator":
		return cast.Line{By: cast.ByNarrator, Name: "System", Text: text}
	}
	return cast.Line{By: cast.ByMember, ID: id, Name: names[id], Text: text}
}

func hidden(l cast.Line) cast.Line { l.Hidden = true; return l }
func noID(l cast.Line) cast.Line   { l.ID = ""; return l }

// TestChoose covers rules that the recorded cases do not.
func TestChoose(t *testing.T) {
	gone := append(four(), cast.Member{ID: "ghost", Name: "Ghost", Gone: true})
	for _, c := range []struct {
		name, reason string
		round        cast.Round
		want         string
		draws        int
	}{
		{"blanks are input", "a line of blanks is a line, so nobody speaks in the manual order",
			cast.Round{Order: "manual", Members: four(), Input: "  "}, "", 0},
		{"manual draws a member without card", "it uses up the draw, and nobody else is drawn",
			cast.Round{Order: "manual", Members: gone[4:]}, "", 1},
		{"manual may draw the last speaker", "only the natural order leaves it out",
			cast.Round{Order: "manual", Members: four()[:1], Chat: []cast.Line{by("ash", "")}}, "ash", 1},
		{"pooled draws a member without card", "it uses up the draw, and nobody else is drawn",
			cast.Round{Order: "pooled", Members: gone[4:]}, "", 1},
		{"pooled with nobody", "one number is used even if nobody is left",
			cast.Round{Order: "pooled", Members: four()[3:]}, "", 1},
		{"pooled, a hidden line of the player", "it ends the search too",
			cast.Round{Order: "pooled", Members: four()[:2], Chat: []cast.Line{by("reed", ""), hidden(by("player", "")), by("ash", "")}},
			"reed", 1},
		{"pooled, a hidden line of the player, again", "so who spoke before it is fresh",
			cast.Round{Order: "pooled", Members: four()[:3], Chat: []cast.Line{by("cyra", ""), hidden(by("player", "")), by("ash", "")}},
			"cyra", 1},
		{"pooled with input", "who has spoken is fresh again",
			cast.Round{Order: "pooled", Members: four()[:2], Input: "So?", Chat: []cast.Line{by("reed", "")}}, "reed", 1},
		{"pooled, a narrator with an id", "nobody is left out after a narrator",
			cast.Round{Order: "pooled", Members: four()[:2], Chat: []cast.Line{by("ash", ""), by("reed", ""), {By: cast.ByNarrator, ID: "reed"}}}, "reed", 1},
		{"continue, a narrator with an id", "narrators are not members",
			cast.Round{Kind: worldbook.Continue, Members: four(), Chat: []cast.Line{by("ash", ""), {By: cast.ByNarrator, ID: "reed"}}}, "ash", 0},
		{"a gone member of the same name", "does not take the word from the one who is there",
			cast.Round{Members: []cast.Member{{ID: "old", Name: "Ash", Gone: true}, {ID: "ash", Name: "Ash", Talkativeness: new(0.1)}, {ID: "reed", Talkativeness: new(0.1)}}, Input: "Ash!"},
			"ash", 5},
		{"a member names itself", "the last speaker is not heard",
			cast.Round{Members: []cast.Member{{ID: "ash", Name: "Ash", Talkativeness: new(0.1)}, {ID: "reed", Name: "Bo Reed", Talkativeness: new(0.1)}},
				Chat: []cast.Line{by("ash", "Ash asks Reed.")}}, "reed", 3},
		{"pooled by id", "a line whose speaker is not known makes nobody spent",
			cast.Round{Order: "pooled", Members: four()[:1], Chat: []cast.Line{noID(by("ash", ""))}}, "ash", 1},
		{"natural without any line", "nobody is named or banned; whoever's talkativeness is not below the draw speaks",
			cast.Round{Members: four()}, "ash cyra reed", 6},
		{"natural, no card at all", "each member without card uses up a draw, and then nobody speaks",
			cast.Round{Members: []cast.Member{gone[4], gone[4]}}, "", 4},
		{"hidden last speaker", "is banned, and its line is not read",
			cast.Round{Members: four()[:2], Chat: []cast.Line{hidden(by("ash", "Ash!"))}}, "reed", 3},
		{"forced while muted", "the host's call counts more than being muted", cast.Round{Members: four(), Force: "dov", Input: "Ash?"}, "dov", 0},
		{"forced, any kind", "the host's call counts more than the kind", cast.Round{Kind: worldbook.Impersonate, Members: four(), Force: "ash"}, "ash", 0},
		{"continue by name", "an old line knows only the name",
			cast.Round{Kind: worldbook.Continue, Members: four(), Chat: []cast.Line{by("ash", ""), noID(by("cyra", ""))}}, "cyra", 0},
		{"swipe after the player, speakers by id", "a line without id does not tell who spoke last",
			cast.Round{Kind: worldbook.Swipe, Members: four(), Chat: []cast.Line{by("ash", ""), noID(by("cyra", "")), by("player", "")}}, "ash", 0},
		{"swipe where only a hidden line is", "a hidden line is not answered anew",
			cast.Round{Kind: worldbook.Swipe, Members: four()[:1], Chat: []cast.Line{hidden(by("reed", ""))}}, "ash", 1},
		{"quiet, the speaker's card is gone", "the first of the list writes it",
			cast.Round{Kind: worldbook.Quiet, Members: gone, Chat: []cast.Line{{ID: "ghost", Name: "Ghost"}}}, "ash", 0},
		{"quiet, the first has no card", "nobody can write it", cast.Round{Kind: worldbook.Quiet, Members: gone[4:]}, "", 0},
		{"impersonate draws a muted one", "anybody can write it", cast.Round{Kind: worldbook.Impersonate, Members: four()[3:]}, "dov", 1},
		{"a member listed twice", "speaks once", cast.Round{Order: "list", Members: append(four(), four()...)}, "ash reed cyra", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			draws := 0
			c.round.Random = func() float64 { draws++; return 0.5 }
			choice, err := cast.Choose(c.round)
			if got := strings.Join(choice.Speakers, " "); err != nil || got != c.want || draws != c.draws {
				t.Errorf("%s: got %q (%v) with %d numbers, want %q with %d\n%s", c.reason, got, err, draws, c.want, c.draws, choice)
			}
		})
	}
}

func TestImpossibleRounds(t *testing.T) {
	gone := cast.Member{ID: "ghost", Name: "Ghost", Gone: true}
	for _, c := range []struct {
		reason string
		round  cast.Round
		want   error
		who    string // the error names the member
	}{
		{"nobody is there, whoever is called", cast.Round{Force: "ash", Random: half}, cast.ErrEmpty, ""},
		{"a stranger is called", cast.Round{Members: four(), Strangers: []cast.Member{{ID: "zed"}}, Force: "zed"}, cast.ErrGone, `"zed"`},
		{"one without card is called", cast.Round{Members: []cast.Member{gone}, Force: "ghost"}, cast.ErrGone, `"ghost"`},
		{"there is nothing to answer anew", cast.Round{Kind: worldbook.Swipe, Members: four(), Random: half}, cast.ErrNoLine, ""},
		{"there is nothing to continue", cast.Round{Kind: worldbook.Continue, Members: four(), Random: half}, cast.ErrNoLine, ""},
		{"the speaker is not known any more", cast.Round{Kind: worldbook.Swipe, Members: four(), Chat: []cast.Line{{ID: "zed"}}}, cast.ErrGone, `"zed"`},
		{"nobody has the name", cast.Round{Kind: worldbook.Swipe, Members: four(), Chat: []cast.Line{{Name: "Zed"}}}, cast.ErrGone, `"Zed"`},
		{"the speaker's card is gone", cast.Round{Kind: worldbook.Continue, Members: []cast.Member{gone}, Chat: []cast.Line{{ID: "ghost"}}}, cast.ErrGone, `"ghost"`},
		{"numbers are needed", cast.Round{Members: four()}, cast.ErrNoRandom, ""},
		{"no such order", cast.Round{Members: four(), Order: "alphabetical"}, cast.ErrUnknown, ""},
		{"no such kind", cast.Round{Members: four(), Kind: "shout"}, cast.ErrUnknown, ""},
	} {
		choice, err := cast.Choose(c.round)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.who) || !gocmp.Equal(choice, cast.Choice{}) {
			t.Errorf("%s: got %v, %+v, want %v", c.reason, err, choice, c.want)
		}
	}
}

// TestChoiceString: the trace has each step and whether the member speaks.
func TestChoiceString(t *testing.T) {
	members := append(four(), cast.Member{ID: "ghost", Gone: true}, cast.Member{ID: "eve", Talkativeness: new(0.25)})
	choice, err := cast.Choose(cast.Round{Members: members, Random: half, Chat: []cast.Line{by("ash", "Reed!")}})
	want := `dov is passed over: muted
reed speaks: named
ash is passed over: spoke_last
ghost is passed over: gone
reed speaks: talkative, draw 0.5
eve is passed over: silent, draw 0.5
cyra speaks: talkative, draw 0.5
`
	if diff := gocmp.Diff(want, choice.String()); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if got := (cast.Choice{}).String(); got != "nobody speaks\n" {
		t.Errorf("nobody: %q", got)
	}
}

// Invalid numbers of a source are replaced by the nearest valid ones.
func TestBrokenSource(t *testing.T) {
	for _, x := range []float64{-1, 1, 7, math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, order := range []cast.Order{"natural", "manual", "pooled"} {
			choice, err := cast.Choose(cast.Round{Order: order, Members: four(), Random: func() float64 { return x }})
			if err != nil || len(choice.Speakers) == 0 {
				t.Errorf("%v, %s: %v %v", x, order, choice.Speakers, err)
			}
			for _, used := range choice.Draws {
				if !(used >= 0 && used < 1) {
					t.Errorf("%v, %s: the number %v was used", x, order, used)
				}
			}
		}
	}
}

// randomRound returns a random round.
func randomRound(r *rand.Rand) cast.Round {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	round := cast.Round{
		Kind:  worldbook.GenerationType(pick("", "normal", "auto", "swipe", "continue", "quiet", "impersonate")),
		Order: cast.Order(pick("", "natural", "list", "manual", "pooled")), SelfReply: r.IntN(2) == 0,
		Input: pick("", "", "Ash, Cyra?", "白露!", " "), Random: r.Float64,
	}
	for i := range r.IntN(6) {
		talk := float64(r.IntN(5)) / 4
		round.Members = append(round.Members, cast.Member{
			ID: fmt.Sprintf("m%d", r.IntN(i+2)), Name: pick("Ash", "Bo Reed", "Cyra", "白露", ""),
			Talkativeness: &talk, Muted: r.IntN(4) == 0, Gone: r.IntN(6) == 0,
		})
	}
	if r.IntN(8) == 0 {
		round.Force = pick("m0", "m1", "m9")
	}
	for range r.IntN(5) {
		round.Chat = append(round.Chat, cast.Line{
			By: cast.By(pick("", "member", "player", "narrator")), ID: pick("", "m0", "m1", "m2", "m9"),
			Name: pick("Ash", "Bo Reed", "Mara", ""), Text: pick("Cyra.", "白露", "Hm."), Hidden: r.IntN(5) == 0,
		})
	}
	return round
}

// TestChooseLaws: the choice satisfies the rules in every round.
func TestChooseLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		round := randomRound(r)
		choice, err := cast.Choose(round)
		if err != nil {
			continue
		}
		if why := brokenLaw(round, choice); why != "" {
			t.Fatalf("round %d: %s\n%+v\n%+v", i, why, round, choice)
		}
		again := round
		left := choice.Draws
		again.Random = func() float64 { x := left[0]; left = left[1:]; return x }
		if same, err := cast.Choose(again); err != nil || !gocmp.Equal(choice, same, cmpopts.EquateEmpty()) {
			t.Fatalf("round %d: its numbers lead to %+v (%v), want %+v", i, same, err, choice)
		}
	}
}

// brokenLaw returns the rule that a choice breaks. It returns "" if the choice breaks no rule.
func brokenLaw(r cast.Round, c cast.Choice) string {
	talk := r.Force == "" && (r.Kind == "" || r.Kind == worldbook.Normal || r.Kind == cast.Auto)
	asked := r.Input != "" && r.Kind != cast.Auto
	for i, id := range c.Speakers {
		if slices.Contains(c.Speakers[:i], id) {
			return id + " speaks twice"
		}
		if !slices.ContainsFunc(r.Members, func(m cast.Member) bool { return m.ID == id && !m.Gone && (!talk || !m.Muted) }) {
			return id + " may not speak"
		}
	}
	unmuted := 0
	for _, m := range r.Members {
		if !m.Muted {
			unmuted++
		}
	}
	switch {
	case !talk && len(c.Speakers) > 1:
		return "more than one speaks"
	case !talk:
	case r.Order == "list" && len(c.Draws) > 0:
		return "the list draws"
	case r.Order == "manual" && asked && len(c.Speakers)+len(c.Draws) > 0:
		return "a line is answered in the manual order"
	case (r.Order == "manual" || r.Order == "pooled") && len(c.Speakers) > 1:
		return "more than one speaks"
	case r.Order == "pooled" && len(c.Draws) != 1:
		return "the pool takes one number"
	case r.Order == "natural" && len(c.Draws) < unmuted:
		return "the shuffle takes a number for each"
	}
	return ""
}

// TestRoundTripChoice: a choice survives a JSON round trip.
func TestRoundTripChoice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		choice, err := cast.Choose(randomRound(r))
		if err != nil {
			continue
		}
		data, err := json.Marshal(choice)
		if err != nil {
			t.Fatal(err)
		}
		var back cast.Choice
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(choice, back); diff != "" {
			t.Fatal(diff)
		}
	}
}
