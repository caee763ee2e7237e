package conflict_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/testkit"
)

// An asked is the result of reading, suspecting and asking over the cases of one language.
type asked struct {
	read, oracle, noisy score
	questions, cases    int
	innocents, askedOf  int // innocent cases, and those with a question
	ordinary, askedOrd  int // the same, of the cases that are tagged as ordinary
}

func (a *asked) String() string {
	return fmt.Sprintf("read precision %.1f recall %.1f; asked precision %.1f recall %.1f questions %.2f innocents asked %.1f; noisy precision %.1f recall %.1f",
		a.read.precision(), a.read.recall(), a.oracle.precision(), a.oracle.recall(),
		float64(a.questions)/float64(max(a.cases, 1)), percent(a.askedOf, a.innocents),
		a.noisy.precision(), a.noisy.recall())
}

// oracle answers questions with the labels of a case.
func oracle(c narrationCase, questions []conflict.Question) (out []conflict.Verdict) {
	for _, q := range questions {
		a := conflict.Verdict{N: q.N, Asserted: "no"}
		for _, want := range c.ExpectBlock {
			if askFamily(q.Kind) == family(want.Kind) && (want.EntityID == "" || slices.Contains(q.Who, want.EntityID)) {
				a = affirmed(q, want.EntityID)
				break
			}
		}
		out = append(out, a)
	}
	return out
}

func affirmed(q conflict.Question, who string) conflict.Verdict {
	a := conflict.Verdict{N: q.N, Asserted: "yes", EntityID: who}
	if len(q.Values) > 0 {
		a.Value = &q.Values[len(q.Values)-1]
	}
	if len(q.Places) > 0 {
		a.Place = q.Places[0]
	}
	return a
}

// askFamily returns the family of conflicts that a kind of question is about.
func askFamily(kind string) string {
	switch kind {
	case "hp_loss", "hp_gain", "hp", "hp_value", "hp_part", "hp_full", "hp_empty":
		return family("hp_change_unsettled")
	case "dead", "unconscious", "fallen", "alive":
		return "life_state_unsettled"
	case "arrival", "presence":
		return family("location_unsettled")
	case "rule":
		return "world_rule_rewrite"
	case "map":
		return "map_rewrite"
	case "card":
		return "card_rewrite"
	case "goal":
		return "goal_rewrite"
	}
	return "dice_claim_unsettled"
}

// askedScores reads, suspects and asks about the cases of a file.
func askedScores(t *testing.T, path string) map[string]*asked {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file narrationFile
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(20, 26))
	out := map[string]*asked{}
	for _, c := range file.Cases {
		for _, key := range []string{c.Lang, c.Lang + " " + c.Kind} {
			if out[key] == nil {
				out[key] = &asked{}
			}
		}
		r := conflict.Read(c.Text, nil, file.Fixtures[c.Fixture].with(t, c.Overrides).view())
		found := conflict.Detect(c.Text, nil, r.View, conflict.Options{})
		questions := conflict.Suspect(r, found, conflict.Options{})
		answers := oracle(c, questions)
		right, _ := conflict.Decide(r, questions, answers, found, conflict.Options{})
		for i, a := range answers {
			if random.IntN(10) > 0 {
				continue
			}
			answers[i] = conflict.Verdict{N: a.N, Asserted: "no"}
			if q := questions[i]; a.Asserted == "no" {
				who := ""
				if len(q.Who) > 0 {
					who = q.Who[random.IntN(len(q.Who))]
				}
				answers[i] = affirmed(q, who)
			}
		}
		wrong, _ := conflict.Decide(r, questions, answers, found, conflict.Options{})
		for _, key := range []string{c.Lang, c.Lang + " " + c.Kind} {
			a := out[key]
			a.cases++
			a.questions += len(questions)
			a.read.add(c, blocks(found))
			good := a.oracle.add(c, blocks(right))
			a.noisy.add(c, blocks(wrong))
			if len(c.ExpectBlock) == 0 {
				a.innocents++
				if len(questions) > 0 {
					a.askedOf++
				}
				if strings.HasPrefix(c.Why, "ordinary:") {
					a.ordinary++
					a.askedOrd += min(1, len(questions))
				}
			}
			if show := os.Getenv("TALEWRIGHT_NARRATIONS_ERRORS"); show != "" && key == c.Lang {
				if !good && strings.Contains(show, "missed") || len(c.ExpectBlock) == 0 && len(questions) > 0 && strings.Contains(show, "asked") {
					t.Logf("%s %s\n\t%s\n\twant %v\n\tgot %v\n\tquestions %+v", c.ID, c.Kind, c.Text, c.ExpectBlock, blocks(right), questions)
				}
			}
		}
	}
	return out
}

// checkAsked prints the results, languages last, and fails below the floors.
func checkAsked(t *testing.T, got map[string]*asked, floors map[string]askedFloor) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if strings.Contains(key, " ") {
			fmt.Printf("  %-16s %v\n", key, got[key])
		}
	}
	for _, lang := range slices.Sorted(maps.Keys(got)) {
		if strings.Contains(lang, " ") {
			continue
		}
		a, least := got[lang], floors[lang]
		fmt.Printf("%s: %v\n", lang, a)
		perText := float64(a.questions) / float64(a.cases)
		if share := percent(a.askedOrd, a.ordinary); a.ordinary > 0 && least.questions > 0 && share > least.ordinary {
			t.Errorf("%s: %.1f per cent of the ordinary texts are asked about, want at most %.0f", lang, share, least.ordinary)
		}
		if share := percent(a.askedOf, a.innocents); least.questions > 0 && share > maxInnocents {
			t.Errorf("%s: %.1f per cent of the harmless texts are asked about, want at most %d", lang, share, maxInnocents)
		}
		if a.oracle.recall() < least.recall || a.oracle.precision() < least.precision || a.noisy.precision() < least.noisy || least.questions > 0 && perText > least.questions {
			t.Errorf("%s: asked precision %.1f recall %.1f, noisy precision %.1f, %.2f questions, want %+v",
				lang, a.oracle.precision(), a.oracle.recall(), a.noisy.precision(), perText, least)
		}
	}
}

// maxInnocents is the maximum share of harmless texts with a question, in per cent. Most were written to be tricky.
const maxInnocents = 33

// An askedFloor has the limits of an asked score. Only texts that are tagged as ordinary show how often a game is asked
// without need.
type askedFloor struct{ precision, recall, noisy, questions, ordinary float64 }

// CA-57: reading, suspecting and asking, with an oracle that knows the labels, and with 10 per cent
// of its answers wrong: CA-59.
func TestNarrationsAsked(t *testing.T) {
	testkit.WithoutRace(t)
	if path, other := os.LookupEnv("TALEWRIGHT_NARRATIONS"); other {
		checkAsked(t, askedScores(t, path), nil)
		return
	}
	for _, name := range []string{"narrations", "fresh", "more", "lots", "paragraphs", "replies", "hints", "scenes", "scenes2", "lot-1129a", "lot-1129b", "lot-1129c", "lot-1129d", "lot-1129e", "lot-1130a", "lot-1130b", "lot-1130c", "lot-1130d", "lot-1130e", "lot-1130f", "lot-1130g", "lot-1130h", "lot-1130i", "lot-1130j", "lot-1130k"} {
		fmt.Println(name)
		floors := map[string]askedFloor{"zh": {98, 94, 93, 1, 15}, "en": {98, 90, 93, 1, 15}}
		if name == "paragraphs" || name == "replies" { // few patterns were written for them
			floors = map[string]askedFloor{"zh": {98, 88, 93, 1, 15}, "en": {98, 88, 93, 1, 15}}
		}
		if name == "scenes2" || name == "lot-1129b" || name == "lot-1129e" {
			floors = map[string]askedFloor{"zh": {98, 88, 93, 1, 15}, "en": {98, 85, 93, 1, 15}}
		}
		if strings.HasPrefix(name, "lot-1130") { // few patterns were written for them
			floors = map[string]askedFloor{"zh": {98, 86, 93, 1, 15}, "en": {98, 82, 90, 1, 15}}
		}
		if name > "lot-1130e" && name < "m" { // a tenth to a third of the claims are hints; nothing was fitted to the last lot
			floors = map[string]askedFloor{"zh": {96, 78, 88, 1, 26}, "en": {96, 70, 85, 1, 26}}
		}
		if name == "hints" {
			floors = map[string]askedFloor{"zh": {98, 80, 93, 1, 15}, "en": {98, 75, 93, 1, 15}}
		}
		checkAsked(t, askedScores(t, filepath.Join("testdata", "narrations", name+".json")), floors)
	}
}

// TestPlacesOfAnswers: an answer names a place of the question by its ID, its name or an alias.
func TestPlacesOfAnswers(t *testing.T) {
	t.Parallel()
	view := conflict.View{ActorID: "lin", Characters: []conflict.Character{{ID: "lin", Name: "Lin"}},
		Areas: []conflict.Area{{ID: "mill", Name: "Old Mill", Aliases: []string{"Grinder"}}, {ID: "yard", Name: "Yard"}}}
	const text = "Lin is there."
	q := []conflict.Question{{N: 1, Kind: "arrival", Quote: text, Sentences: text, Who: []string{"lin"}, Places: []string{"mill", "yard"}}}
	for place, open := range map[string]int{"mill": 0, "old mill": 0, "grinder": 0, " Yard ": 0, "moon": 1, "": 1} {
		_, got := conflict.Decide(conflict.Read(text, nil, view), q, []conflict.Verdict{{N: 1, Asserted: "yes", EntityID: "lin", Place: place}}, nil, conflict.Options{})
		if len(got) != open {
			t.Errorf("%q: open %v", place, got)
		}
	}
}
