package declared_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// scene is a state before and after the calls of an answer: c1 took three hit points of Lin, c2
// moved her into the crypt, c3 rolled, c4 changed her card and the rules. A rule took one hit point of Su.
func scene() (before, after conflict.View) {
	before = conflict.View{
		ActorID: "lin", Party: []string{"lin", "su"},
		Characters: []conflict.Character{
			{ID: "lin", Name: "Lin", Aliases: []string{"林远"}, AliveState: "alive", AreaID: "gate", HP: conflict.HP{Current: 10, Max: 10}},
			{ID: "su", Name: "Su", Aliases: []string{"苏"}, AliveState: "alive", AreaID: "gate", HP: conflict.HP{Current: 6, Max: 8}},
			{ID: "bo", Name: "Bo", AliveState: "alive", AreaID: "gate", HP: conflict.HP{Current: 4, Max: 9}},
			{ID: "kai", Name: "Kai", AliveState: "alive", AreaID: "gate", HP: conflict.HP{Current: 4, Max: 4}},
		},
		Areas: []conflict.Area{{ID: "gate", Name: "Gate", Aliases: []string{"大门"}}, {ID: "crypt", Name: "Crypt", Aliases: []string{"墓室"}},
			{ID: "niche", Name: "Niche", Parent: "crypt"}},
		CheckAllowed: true,
	}
	after = before
	after.Characters = slices.Clone(before.Characters)
	after.Characters[0].HP.Current, after.Characters[0].AreaID = 7, "niche"
	after.Characters[1].HP.Current = 5
	after.Characters[2].HP.Current = 8
	after.Actions = []conflict.Action{
		{HP: []conflict.HPChange{{CharacterID: "su", Requested: -1, Effective: -1, After: 5}}, Rolls: []conflict.Roll{{CharacterID: "su", Roll: 12, Total: 12}}},
		{ID: "c1", Tool: "hp_delta", HP: []conflict.HPChange{{CharacterID: "lin", Requested: -3, Effective: -3, After: 7}}},
		{ID: "c2", Tool: "move", Moves: []conflict.Move{{CharacterID: "lin", From: "gate", To: "niche"}}},
		{ID: "c3", Tool: "check", Rolls: []conflict.Roll{{CharacterID: "lin", Roll: 11, Total: 14}}},
		{ID: "c4", Tool: "train", Affects: []string{conflict.FieldCard, conflict.FieldWorldRules, "gold"}, CharacterIDs: []string{"lin"}},
		{ID: "c6", Tool: "bless", Affects: []string{conflict.FieldCard}},
		{ID: "c7", Tool: "brew", HP: []conflict.HPChange{{CharacterID: "bo", Requested: 4, Effective: 2, After: 6}, {CharacterID: "bo", Requested: 3, Effective: 3, After: 9},
			{CharacterID: "bo", Requested: -1, Effective: -1, After: 8}}},
		{ID: "c5", Tool: "check", Rolls: []conflict.Roll{{CharacterID: "su", Roll: 3, Total: 5}}},
	}
	return before, after
}

func list(t testing.TB, text string) tree.Value {
	t.Helper()
	if text == "" {
		return tree.Value{}
	}
	v, err := tree.ParseValue([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func check(t testing.TB, text, claims string, opts conflict.Options) []conflict.Conflict {
	t.Helper()
	before, after := scene()
	return declared.Check(declared.Answer{
		List: list(t, claims), Narration: text, Before: before, After: after, Refused: []string{"c9"},
		Findings: conflict.Detect(text, nil, after, opts),
	}, opts)
}

func told(found []conflict.Conflict) string {
	var out []string
	for _, c := range found {
		out = append(out, fmt.Sprintf("%s %s %q", c.Kind, c.Severity, c.Quote))
	}
	return strings.Join(out, "; ")
}

// TestClaims is the table of package declared (CA-57): a text, its list, and the findings.
func TestClaims(t *testing.T) {
	t.Parallel()
	const lost, arrived = "Lin loses 3 HP.", "You enter the Crypt."
	for _, c := range []struct{ text, claims, want, reason string }{
		{"Dust falls.", "", "", "a text that claims nothing needs no list"},
		{"Su stands at the Gate.", "", "", "what was so before is no claim"},
		{lost, "", `claim_unlisted block "loses 3 HP"`, "it is true, and not listed"},
		{lost, `[{"kind": "hp", "who": "lin", "amount": -3, "call": "c1"}]`, "", "listed, and settled by the call"},
		{lost, `[{"kind": "HP", "who": "Lin", "amount": "-3", "call": "c1", "mood": 1}]`, "", "names and numbers as models write them"},
		{lost, `{"kind": "hp", "amount": -3, "call": "c1"}`, "", "one claim, of the acting character"},
		{lost, `[{"kind": "hp", "who": "lin", "amount": -3}]`, "", "the turn has settled it"},
		{lost, `[{"kind": "hp", "who": "lin", "amount": -3, "call": "c8"}]`, `claim_unsupported block "loses 3 HP"`, "there is no such call"},
		{lost, `[{"kind": "hp", "who": "lin", "amount": -3, "call": "c9"}]`, `claim_unsupported block "loses 3 HP"`, "it was refused"},
		{lost, `[{"kind": "hp", "who": "lin", "amount": -3, "call": "c2"}]`, `claim_unsupported block "loses 3 HP"`, "a move takes no hit points"},
		{lost, `[{"kind": "hp", "who": "lin", "amount": -3, "call": "c1"}, {"kind": "hp", "who": "lin", "amount": -3, "call": "c1"}]`,
			`claim_unsupported block "loses 3 HP"`, "one change supports one claim"},
		{lost, `[{"kind": "hp", "who": "lin", "amount": -2, "call": "c1"}]`,
			`claim_unsupported block ""; claim_unlisted block "loses 3 HP"`, "another amount than the text tells"},
		{lost, `[{"kind": "hp", "who": "su", "amount": -3, "call": "c1", "quote": "loses 3"}]`,
			`claim_unsupported block "loses 3"; claim_unlisted block "loses 3 HP"`, "another character; the claim brings its quote"},
		{lost, `[{"kind": "hp", "who": "goblin", "amount": -9, "call": "c1"}, {"kind": "hp", "amount": -3, "call": "c1"}]`, "", "who is not tracked has no state"},
		{"Lin loses 3 HP and has 7 HP left.", `[{"kind": "hp", "amount": -3, "call": "c1"}]`, "", "what is left follows from the change"},
		{"Lin loses 3 HP.", `[{"kind": "hp", "value": 7, "call": "c1"}]`, `claim_unlisted block "loses 3 HP"`, "the change does not follow from what is left"},
		{"Su loses 1 HP.", `[{"kind": "hp", "who": "su", "amount": -1}]`, "", "a rule took it, no call"},
		{"Lin loses 5 HP.", `[{"kind": "hp", "who": "lin", "amount": -5, "call": "c1"}]`,
			`hp_amount_mismatch block "loses 5 HP"; claim_unsupported block "loses 5 HP"`, "what is false stays false"},
		{arrived, `[{"kind": "place", "place": "niche", "call": "c2"}]`, "", "a place within the one that is told"},
		{arrived, `[{"kind": "place", "place": "Crypt"}]`, "", "it is so"},
		{arrived, `[{"kind": "place", "place": "crypt", "call": "c1"}]`, `claim_unsupported block "enter the Crypt"`, "the call moved nobody"},
		{arrived, `[{"kind": "place", "place": "moon", "call": "c2"}]`,
			`claim_unsupported block ""; claim_unlisted block "enter the Crypt"`, "no such place"},
		{"Lin rolls a 14.", `[{"kind": "roll", "value": 14, "call": "c3"}]`, "", "the total of the roll"},
		{"Lin rolls a 14.", `[{"kind": "roll", "value": 15, "call": "c5"}]`, `claim_unsupported block ""; claim_unlisted block "rolls a 14"`, "a call that rolled a different number"},
		{"Lin loses 3 HP.", `[{"kind": "hp", "amount": -1, "call": "c1"}, {"kind": "hp", "amount": -2, "call": "c1"}]`, `claim_unsupported block ""; claim_unsupported block ""`, "the parts of a loss list it"},
		{"Su rolls a 12.", `[{"kind": "roll", "value": 11}]`, `claim_unlisted block "rolls a 12"`, "the roll of a rule belongs to no call"},
		{"Lin is bleeding.", `[{"kind": "hp", "amount": -3, "call": "c1"}]`, "", "a loss is a wound"},
		{arrived, `[{"kind": "hp", "amount": -3, "call": "c1"}]`, `claim_unlisted block "enter the Crypt"`, "a loss is no place"},
		{"Lin loses 3 HP and has 9 HP left.", `[{"kind": "hp", "amount": -3, "call": "c1"}]`, `hp_value_mismatch block "has 9 HP left"`, "less was left"},
		{"Lin rolls a 14.", "", `claim_unlisted block "rolls a 14"`, "not listed"},
		{"Lin rolls a 14.", `[{"kind": "roll", "value": 15, "call": "c3"}]`, `claim_unsupported block "rolls a 14"`, "another number, of the call that rolled"},
		{"Su is fully healed.", "", `wound_unsettled block "fully healed"`, "a warning blocks where it is not listed"},
		{"Lin is bleeding.", `[{"kind": "wound", "who": "lin", "call": "c1"}]`, "", "the loss supports it"},
		{"Lin's strength increases.", `[{"kind": "card", "who": "lin", "call": "c4"}]`, "", "the tool changes cards"},
		{"Lin's strength increases.", `[{"kind": "card", "who": "lin", "call": "c1"}]`, `claim_unsupported block "strength increases"`, "this one does not"},
		{"Dust falls.", `[{"kind": "rules", "call": "c4"}]`, "", "the tool changes the rules of the world"},
		{"Dust falls.", `[{"kind": "goal", "call": "c4"}]`, `claim_unsupported block ""`, "it does not change the goal"},
		{"Dust falls.", `[{"kind": "goal", "who": "goblin", "call": "c4"}]`, `claim_unsupported block ""`, "the goal belongs to no character"},
		{"Dust falls.", `[{"kind": "gold", "call": "c4"}]`, "", "a field of a host's own tool"},
		{"Dust falls.", `[{"kind": "silver", "call": "c4"}]`, `claim_unsupported block ""`, "another one"},
		{"Lin has 7 HP left.", `[{"kind": "hp", "value": 7}]`, "", "it is so"},
		{"Lin has 7 HP left.", `[{"kind": "hp", "value": 7, "call": "c1"}]`, "", "the call left as many"},
		{"Dust falls.", `[{"kind": "hp", "value": 7, "call": "c2"}]`, `claim_unsupported block ""`, "it is so, but not by the call"},
		{"Dust falls.", `[{"kind": "hp", "value": 6}]`, `claim_unsupported block ""`, "a different number than the state has"},
		{lost, `[{"kind": "hp", "value": 7, "call": "c1"}, {"kind": "hp", "amount": -3, "call": "c1"}]`, "", "what is left, and the change"},
		{"Lin loses 3 HP.", `[{"kind": "hp", "amount": -1, "call": "c1"}, {"kind": "hp", "amount": -2, "call": "c1"}, {"kind": "hp", "amount": 1, "call": "c1"}]`,
			`claim_unsupported block ""; claim_unsupported block ""; claim_unsupported block ""`, "the losses list it, without the gain"},
		{"Lin rolls an 11.", `[{"kind": "roll", "value": 11, "call": "c3"}]`, "", "the die of the roll"},
		{"Lin rolls an 11.", `[{"kind": "roll", "value": 14, "call": "c3"}]`, "", "the total lists the die"},
		{"Su's strength increases.", `[{"kind": "card", "who": "su", "call": "c6"}]`, "", "the call names no character"},
		{"Dust falls.", `[{"kind": "card", "who": "su", "call": "c4"}]`, `claim_unsupported block ""`, "the call changed a different card"},
		{"Su dies.", `[{"kind": "life", "who": "su", "state": "dead"}]`,
			`life_state_unsettled block "dies"; claim_unsupported block "dies"`, "nobody died"},
		{lost, `"all of it"`, `claims_malformed block ""; claim_unlisted block "loses 3 HP"`, "no list"},
		{lost, `[7, {"kind": "hp", "amount": -3, "call": "c1"}]`, `claims_malformed block ""`, "what can be read counts"},
		{lost, `[{"kind": "hp", "amount": 1e99}]`, `claims_malformed block ""; claim_unlisted block "loses 3 HP"`, "no whole number"},
		{"Dust falls.", `[{"kind": "hp", "who": "kai", "value": 4}]`, "", "nothing has changed it"},
		{"Dust falls.", `[{"kind": "hp", "who": "bo", "amount": 2, "call": "c7"}]`, "", "the part of a change that took effect"},
		{"Bo gains 4 HP.", `[{"kind": "hp", "who": "bo", "amount": 2}, {"kind": "hp", "who": "bo", "amount": 3}, {"kind": "hp", "who": "bo", "amount": -1}]`, "", "the sum of gains and a loss lists it"},
		{"Bo gains 5 HP.", `[{"kind": "hp", "who": "bo", "amount": 2}, {"kind": "hp", "who": "bo", "amount": 3}, {"kind": "hp", "who": "bo", "amount": -1}]`, "", "the gains without the loss list it"},
		{"Lin has 7 HP left.", `[{"kind": "hp", "value": 10}]`, `claim_unsupported block ""; claim_unlisted block "has 7 HP left"`, "a different value lists nothing"},
		{"Su passes out.", `[{"kind": "life", "who": "su", "state": "dead"}]`, `life_state_unsettled block "passes out"; claim_unsupported block "passes out"`, "who is dead is also down"},
		{"Su rolls a 12.", `[{"kind": "roll", "value": 12}]`, "", "the roll of a rule"},
		{"Lin is bleeding.", `[{"kind": "card", "who": "lin", "call": "c4"}]`, `claim_unlisted block "bleeding"`, "a change of the card is no wound"},
		{"Dust falls.", `[{"kind": "goal", "quote": "the war is won"}]`, `claim_unsupported block ""`, "a quote that is not in the text"},
		{"林远失去3点生命值。", "", `claim_unlisted block "失去3点生命值"`, "Chinese"},
		{"林远失去3点生命值。", `[{"kind": "hp", "who": "林远", "amount": -3, "call": "c1"}]`, "", "by the name in the text"},
		{"你走进墓室。", `[{"kind": "place", "who": "lin", "place": "墓室", "call": "c2"}]`, "", "likewise a place"},
		{"苏痊愈了。", "", `wound_unsettled block "痊愈"`, "a warning"},
	} {
		if got := told(check(t, c.text, c.claims, conflict.Options{})); got != c.want {
			t.Errorf("%s %s: %s\n got %s\nwant %s", c.text, c.claims, c.reason, got, c.want)
		}
	}
}

// TestFactsOfClaims: the conflict of an unsupported claim has everything that the claim says, and the
// facts that are true instead.
func TestFactsOfClaims(t *testing.T) {
	t.Parallel()
	for claim, want := range map[string]string{
		`[{"kind": "roll", "value": 15, "call": "c3"}]`:                   "map[call:c3 claimed_value:15] map[call:settles something else rolls:1]",
		`[{"kind": "hp", "who": "lin", "amount": -9, "call": "c1"}]`:      "map[call:c1 claimed_delta:-9] map[applied_delta:-3 call:settles something else hp:7]",
		`[{"kind": "place", "place": "moon"}]`:                            "map[claimed_place:moon] map[area_id:niche]",
		`[{"kind": "life", "who": "lin", "state": "dead", "call": "c1"}]`: "map[call:c1 claimed_alive_state:dead] map[alive_state:alive call:settles something else]",
		`[{"kind": "wound", "who": "lin", "call": "c2"}]`:                 "map[call:c2] map[applied_delta:0 call:settles something else hp:7]",
		`[{"kind": "goal", "call": "c2"}]`:                                "map[call:c2] map[call:settles something else changed:false]",
		`[{"kind": "map", "call": "c2"}]`:                                 "map[call:c2] map[call:settles something else changed:false]",
	} {
		found := check(t, "Dust falls.", claim, conflict.Options{})
		if len(found) != 1 || fmt.Sprint(found[0].Found, found[0].Expected) != want {
			t.Errorf("%s: %v %v", claim, found[0].Found, found[0].Expected)
		}
	}
}

// TestClaimsObeyTheOptions: the modes and the level of the detector also apply to lists.
func TestClaimsObeyTheOptions(t *testing.T) {
	t.Parallel()
	const text, claims = "Lin loses 3 HP. Su is fully healed.", `[{"kind": "place", "place": "gate", "call": "c2"}]`
	level := func(l conflict.Level) conflict.Options {
		return conflict.Options{Detectors: map[string]conflict.Level{"claims": l}}
	}
	for _, c := range []struct {
		opts conflict.Options
		want string
	}{
		{conflict.Options{}, `wound_unsettled block "fully healed"; claim_unsupported block ""; claim_unlisted block "loses 3 HP"`},
		{conflict.Options{Mode: conflict.WarnOnly}, `wound_unsettled warn "fully healed"; claim_unsupported warn ""; claim_unlisted warn "loses 3 HP"`},
		{conflict.Options{Mode: conflict.Off}, ""},
		{level(conflict.LevelWarn), `wound_unsettled warn "fully healed"; claim_unsupported warn ""; claim_unlisted warn "loses 3 HP"`},
		{level(conflict.LevelOff), `wound_unsettled warn "fully healed"`},
	} {
		if got := told(check(t, text, claims, c.opts)); got != c.want {
			t.Errorf("%+v:\n got %s\nwant %s", c.opts, got, c.want)
		}
	}
}

// TestClaimsOfALongerText: text that was judged before is not checked again.
func TestClaimsOfALongerText(t *testing.T) {
	t.Parallel()
	before, after := scene()
	a := declared.Answer{Known: "Lin rolls a 14.", Narration: "Lin rolls a 14. Lin loses 3 HP.", Before: before, After: after}
	if got := told(declared.Check(a, conflict.Options{})); got != `claim_unlisted block "loses 3 HP"` {
		t.Error(got)
	}
}

// TestClaimsSayWhatIsSo: a finding has the facts of the state, in the language of the text. The
// arguments are not modified.
func TestClaimsSayWhatIsSo(t *testing.T) {
	t.Parallel()
	got := check(t, "林远失去3点生命值。", `[{"kind": "hp", "who": "lin", "amount": -3, "call": "c9"}]`, conflict.Options{})
	if len(got) != 1 || got[0].EntityID != "lin" || got[0].Detector != "claims" || !strings.Contains(got[0].Instruction, "没有依据") {
		t.Fatalf("%+v", got)
	}
	if diff := cmp.Diff([]conflict.Facts{{"call": "refused"}, {"call": "c9", "claimed_delta": -3}}, []conflict.Facts{got[0].Expected, got[0].Found}); diff != "" {
		t.Error(diff)
	}
	got = check(t, "Dust falls.", `[{"kind": "hp", "who": "lin", "amount": 4, "call": "c1"}]`, conflict.Options{})
	if diff := cmp.Diff(conflict.Facts{"call": "settles something else", "hp": 7, "applied_delta": -3}, got[0].Expected); diff != "" {
		t.Error(diff)
	}
	got = check(t, "Dust falls.", `[{"kind": "goal", "who": "lin", "call": "c4"}]`, conflict.Options{})
	if len(got) != 1 || got[0].EntityID != "" {
		t.Errorf("a claim about the goal is about no character: %+v", got)
	}
}

// TestClaimsOfAmounts: a change of hit points supports a claim of what was requested and of what was
// applied. Several changes support a claim of their sum, once.
func TestClaimsOfAmounts(t *testing.T) {
	t.Parallel()
	change := func(requested, effective int) conflict.HPChange {
		return conflict.HPChange{CharacterID: "su", Requested: requested, Effective: effective}
	}
	const unsupported = "claim_unsupported"
	for _, c := range []struct {
		changes []conflict.HPChange
		amounts []int
		want    []string
		reason  string
	}{
		{[]conflict.HPChange{change(-9, -6)}, []int{-9}, nil, "requested"},
		{[]conflict.HPChange{change(-9, -6)}, []int{-6}, nil, "applied"},
		{[]conflict.HPChange{change(-9, -6)}, []int{-3}, []string{unsupported}, "neither"},
		{[]conflict.HPChange{change(-2, -1), change(-3, -3)}, []int{-5}, nil, "the sum of the requests"},
		{[]conflict.HPChange{change(-2, -1), change(-3, -3)}, []int{-4}, nil, "the sum of what was applied"},
		{[]conflict.HPChange{change(-2, -1), change(-3, -3)}, []int{-5, -5}, []string{unsupported}, "the sum supports one claim"},
		{[]conflict.HPChange{change(-3, -3)}, []int{-1, -3}, []string{unsupported}, "a claim of a different amount uses no change"},
		{[]conflict.HPChange{change(-2, -2)}, []int{0}, []string{unsupported}, "no change of nothing"},
		{nil, []int{0}, []string{unsupported}, "no change"},
	} {
		before, after := scene()
		after.Actions = []conflict.Action{{ID: "c1", HP: c.changes}}
		var claims []string
		for _, n := range c.amounts {
			claims = append(claims, fmt.Sprintf(`{"kind": "hp", "who": "su", "amount": %d, "call": "c1"}`, n))
		}
		var got []string
		for _, f := range declared.Check(declared.Answer{Narration: "Dust falls.", Before: before, After: after,
			List: list(t, "["+strings.Join(claims, ",")+"]")}, conflict.Options{}) {
			got = append(got, f.Kind)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v claims %v: %s: got %v, want %v", c.changes, c.amounts, c.reason, got, c.want)
		}
	}
}

// TestClaimsOfTheState: a claim without a call is supported by the life state of its character.
func TestClaimsOfTheState(t *testing.T) {
	t.Parallel()
	for place, supported := range map[string]bool{"niche": true, "crypt": true, "gate": false} {
		if found := check(t, "Dust falls.", fmt.Sprintf(`[{"kind": "place", "who": "lin", "place": %q}]`, place), conflict.Options{}); (len(found) == 0) != supported {
			t.Errorf("Lin is in the niche of the crypt, claimed is %s: %s", place, told(found))
		}
	}
	for _, c := range []struct {
		who, state string
		supported  bool
	}{
		{"su", "downed", true}, {"su", "unconscious", true}, {"su", "alive", true}, {"su", "dead", false},
		{"lin", "downed", false}, {"lin", "alive", true},
	} {
		before, after := scene()
		after.Characters[1].Unconscious = true
		found := declared.Check(declared.Answer{Narration: "Dust falls.", Before: before, After: after,
			List: list(t, fmt.Sprintf(`[{"kind": "life", "who": %q, "state": %q}]`, c.who, c.state))}, conflict.Options{})
		if supported := len(found) == 0; supported != c.supported {
			t.Errorf("%s %s: %s", c.who, c.state, told(found))
		}
	}
}

// TestReadBounds: a hostile list is limited, and each claim has valid values.
func TestReadBounds(t *testing.T) {
	t.Parallel()
	long := "[" + strings.Repeat(`{"kind":"map"},`, 64) + `{"kind":"map"}]`
	if claims, problem := declared.Read(list(t, long)); claims != nil || problem != "65 claims are more than 64" {
		t.Errorf("%d claims, %q", len(claims), problem)
	}
	claims, problem := declared.Read(list(t, `[{"kind":"map","call":"`+strings.Repeat("é", 500)+`","who":5,"quote":["x"]}]`))
	if problem != "" || len(claims) != 1 || len(claims[0].Call) > 256 || claims[0].Who != "" || claims[0].Quote != "" {
		t.Errorf("%+v %q", claims, problem)
	}
	for _, c := range []struct{ in, want string }{
		{`7`, "claims is no list"}, {`[null]`, "claim 1: it is not an object"}, {`[{}]`, "claim 1: it has no kind"},
		{`[{"kind":"hp"}]`, "claim 1: hp has either"}, {`[{"kind":"hp","amount":1,"value":2}]`, "claim 1: hp has either"},
		{`[{"kind":"map"},{"kind":"life"}]`, "claim 2: life has a state"}, {`[{"kind":"place"}]`, "claim 1: place has"},
		{`[{"kind":"roll","value":1.5}]`, "claim 1: roll has"},
		{`[{"kind":"roll","value":1099511627776}]`, ""}, {`[{"kind":"roll","value":-1099511627776}]`, ""},
		{`[{"kind":"roll","value":1099511627777}]`, "claim 1: roll has"}, {`[{"kind":"roll","value":-1099511627777}]`, "claim 1: roll has"}, {`null`, ""}, {`[]`, ""},
	} {
		if _, problem := declared.Read(list(t, c.in)); !strings.HasPrefix(problem, c.want) || (c.want == "") != (problem == "") {
			t.Errorf("%s: %q, want %q", c.in, problem, c.want)
		}
	}
}

// TestNoListHelpsALie: a text that contradicts the state stays blocked, whatever the list says.
func TestNoListHelpsALie(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(15, 9))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	for range 3000 {
		var claims []string
		for range r.IntN(5) {
			claims = append(claims, fmt.Sprintf(`{"kind":%s,"who":%s,"amount":%s,"value":%s,"state":%s,"place":%s,"call":%s}`,
				pick(`"hp"`, `"life"`, `"place"`, `"wound"`, `"roll"`, `"card"`, `"hp_change_unsettled"`, `"hp.current"`, `7`),
				pick(`"lin"`, `"su"`, `"x"`, `null`), pick(`-9`, `-3`, `"-9"`, `null`, `1e9`), pick(`1`, `14`, `null`),
				pick(`"dead"`, `"alive"`, `null`), pick(`"crypt"`, `"gate"`, `null`), pick(`"c1"`, `"c2"`, `"c9"`, `"c8"`, `""`, `null`)))
		}
		text := pick("Lin loses 9 HP.", "Su dies.", "Su enters the Crypt.", "Lin rolls a 2.", "Lin has 1 HP left.")
		if found := check(t, text, "["+strings.Join(claims, ",")+"]", conflict.Options{}); !conflict.Blocking(found) {
			t.Fatalf("%s passes with %s", text, claims)
		}
	}
}

// TestGrowth: the cost of a list is linear in its length.
func TestGrowth(t *testing.T) {
	atoms := []testkit.Atom{
		{Head: "[", Open: `{"kind":"hp","amount":-3,"call":"c1"},`, Tail: `{"kind":"map"}]`},
		testkit.Nest("[", "", "]"), testkit.Nest(`{"kind":`, `"hp"`, "}"),
		{Head: `{"kind":"`, Open: "hp", Tail: `"}`}, {Head: `[{"kind":"map","quote":"`, Open: "Lin loses 3 HP. ", Tail: `"}]`},
		{Head: `[{"kind":"hp","amount":"`, Open: "9", Tail: `"}]`},
	}
	testkit.Growth(t, testkit.Reader{Name: "list", Atoms: atoms, Read: func(text string) {
		if v, err := tree.ParseValue([]byte(text)); err == nil {
			declared.Read(v)
		}
	}}, testkit.Reader{Name: "check", Atoms: []testkit.Atom{testkit.Repeat("Lin loses 3 HP. "), testkit.Repeat("Su is bleeding. "),
		testkit.Repeat("林远失去3点生命值。")}, Read: func(text string) { check(t, text, `[{"kind":"hp","amount":-3,"call":"c1"}]`, conflict.Options{}) }},
		testkit.Reader{Name: "findings that all differ", Atoms: []testkit.Atom{testkit.Repeat("Lin loses # HP. ")}, Read: func(text string) {
			check(t, numbered(text), `[]`, conflict.Options{})
		}})
}

// numbered makes the sentences of a text different.
func numbered(text string) string {
	var out strings.Builder
	for i, part := range strings.Split(text, "#") {
		if i > 0 {
			out.WriteString(strconv.Itoa(i))
		}
		out.WriteString(part)
	}
	return out.String()
}

// TestClaimsOfLife: a change of a life state supports a claim about its character. Death also
// supports "downed", as do no hit points.
func TestClaimsOfLife(t *testing.T) {
	t.Parallel()
	dead := conflict.Action{ID: "c5", Lives: []conflict.LifeChange{{CharacterID: "su", After: "dead"}}}
	woken := conflict.Action{ID: "c5", Lives: []conflict.LifeChange{{CharacterID: "su", After: "alive"}}}
	beaten := conflict.Action{ID: "c5", HP: []conflict.HPChange{{CharacterID: "su", Requested: -6, Effective: -6}}}
	hurt := conflict.Action{ID: "c5", HP: []conflict.HPChange{{CharacterID: "su", Requested: -2, Effective: -2, After: 4}}}
	for _, c := range []struct {
		action     conflict.Action
		who, state string
		supported  bool
	}{
		{dead, "su", "dead", true}, {dead, "su", "downed", true}, {dead, "su", "unconscious", true}, {dead, "su", "alive", false},
		{dead, "lin", "dead", false}, {dead, "lin", "downed", false},
		{woken, "su", "revived", true}, {woken, "su", "downed", false}, {woken, "su", "dead", false},
		{beaten, "su", "downed", true}, {beaten, "su", "dead", false}, {beaten, "lin", "downed", false}, {hurt, "su", "downed", false},
	} {
		before, after := scene()
		after.Actions = []conflict.Action{c.action}
		found := declared.Check(declared.Answer{Narration: "Dust falls.", Before: before, After: after,
			List: list(t, fmt.Sprintf(`[{"kind": "life", "who": %q, "state": %q, "call": "c5"}]`, c.who, c.state))}, conflict.Options{})
		if supported := len(found) == 0; supported != c.supported {
			t.Errorf("%s %s by %+v: %s", c.who, c.state, c.action, told(found))
		}
	}
}

// TestClaimsAboutAHostsFinding: a finding of a host's own detector is listed by a claim of its field,
// its kind or its detector. Without one its warning blocks.
func TestClaimsAboutAHostsFinding(t *testing.T) {
	t.Parallel()
	gold := conflict.Named{Name: "purse", Kinds: []string{"gold_spent"}, Detector: conflict.DetectorFunc(func(*conflict.Reading) []conflict.Conflict {
		return []conflict.Conflict{{Kind: "gold_spent", Detector: "purse", Field: "gold", Severity: conflict.Warn, Quote: "three coins", EntityID: "su"}}
	})}
	// The finding is about Su. Claims of a host's own kind are about nobody.
	for claim, want := range map[string]conflict.Severity{"gold": conflict.Warn, "gold_spent": conflict.Warn, "purse": conflict.Warn, "silver": conflict.Block} {
		found := check(t, "She pays three coins.", `[{"kind": "`+claim+`", "call": "c4"}]`, conflict.Options{Extra: []conflict.Named{gold}})
		if !slices.ContainsFunc(found, func(c conflict.Conflict) bool { return c.Kind == "gold_spent" && c.Severity == want }) {
			t.Errorf("a claim of %s: %s, want %s", claim, told(found), want)
		}
	}
}
