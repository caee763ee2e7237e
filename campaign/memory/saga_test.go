package memory_test

import (
	"context"
	_ "embed" // of the facts
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/memory"
)

// fact is a statement that is mentioned once, and the player's question much later.
type fact struct{ Told, Asked string }

//go:embed testdata/facts_en.txt
var englishFacts string

//go:embed testdata/facts_zh.txt
var chineseFacts string

// plantedFacts returns the facts of a language, "en" or "zh".
func plantedFacts(language string) []fact {
	text := englishFacts
	if language == "zh" {
		text = chineseFacts
	}
	var out []fact
	for line := range strings.Lines(text) {
		if told, asked, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && !strings.HasPrefix(told, "#") {
			out = append(out, fact{told, asked})
		}
	}
	return out
}

// saga makes turns of everyday play, which also name the people, places and things of the facts.
// The same seed makes the same turns.
type saga struct {
	state uint64
	words sagaWords
}

// newSaga returns a saga in a language.
func newSaga(language string, seed uint64) *saga {
	s := &saga{state: seed, words: inEnglish}
	if language == "zh" {
		s.words = inChinese
	}
	return s
}

// below returns a random number from 0 to n-1 (splitmix64).
func (s *saga) below(n int) int {
	s.state += 0x9e3779b97f4a7c15
	x := s.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) >> 33 % uint64(n))
}

// sentence chooses a sentence and fills in its placeholders.
func (s *saga) sentence(list []string) string {
	text := list[s.below(len(list))]
	for strings.Contains(text, "{") {
		text = strings.Replace(text, "{who}", s.words.who[s.below(len(s.words.who))], 1)
		text = strings.Replace(text, "{where}", s.words.where[s.below(len(s.words.where))], 1)
		text = strings.Replace(text, "{what}", s.words.what[s.below(len(s.words.what))], 1)
	}
	return text
}

// Turn makes a turn of 6 to 12 sentences. If the list told is not empty, one of its texts is the
// fact.
func (s *saga) Turn(index int, told string) memory.Turn {
	sentences := make([]string, 6+s.below(7))
	for i := range sentences {
		sentences[i] = s.sentence(s.words.events)
	}
	if told != "" {
		sentences[s.below(len(sentences))] = told
	}
	return memory.Turn{ID: turnID(index), Parent: turnID(index - 1), Index: index,
		Player: s.sentence(s.words.lines), Text: strings.Join(sentences, s.words.between)}
}

// turnID returns the ID of the turn with an index.
func turnID(index int) string { return fmt.Sprintf("turn_%04d", index) }

// Play makes n turns with the facts in some of them. It also returns the ID of the turn of each
// fact.
func (s *saga) Play(n int, facts []fact) (turns []memory.Turn, places []string) {
	at := map[int]int{}
	for len(at) < len(facts) {
		i := 1 + s.below(n*9/10)
		if _, taken := at[i]; !taken {
			at[i] = len(at)
		}
	}
	places = make([]string, len(facts))
	for i := 1; i <= n; i++ {
		told := ""
		if f, ok := at[i]; ok {
			told, places[f] = facts[f].Told, turnID(i)
		}
		turns = append(turns, s.Turn(i, told))
	}
	return turns, places
}

// memoryScore counts the facts among the first five items, and among all items within 600 tokens.
type memoryScore struct {
	Asked, AtFive, Within int
	Missed                []string // questions whose fact was not among the first five
}

func (s memoryScore) String() string {
	return fmt.Sprintf("recall@5 %.3f (%d of %d), within 600 tokens %.3f", s.recall(), s.AtFive, s.Asked, float64(s.Within)/float64(s.Asked))
}

// recall returns the share of the facts that was among the first five items.
func (s memoryScore) recall() float64 { return float64(s.AtFive) / float64(s.Asked) }

// Examine plays a campaign of n turns and asks for every fact after the last one.
func (s *saga) Examine(ctx context.Context, m remembering, n int, facts []fact) (memoryScore, error) {
	turns, places := s.Play(n, facts)
	for _, turn := range turns {
		if err := m.Remember(ctx, "c", turn); err != nil {
			return memoryScore{}, err
		}
	}
	var score memoryScore
	for i, f := range facts {
		items, err := m.Recall(ctx, memory.Query{Campaign: "c", Head: turnID(n), Limit: 600,
			Texts: []string{f.Asked, turns[n-1].Text}})
		if err != nil {
			return memoryScore{}, err
		}
		score.Asked++
		rank := rankOf(items, places[i])
		if rank < 5 {
			score.AtFive++
		} else {
			score.Missed = append(score.Missed, f.Asked)
		}
		if rank < len(items) {
			score.Within++
		}
	}
	return score, nil
}

// rankOf returns the index of a turn among items, or their number if it is missing.
func rankOf(items []memory.Item, turnID string) int {
	for i, item := range items {
		if item.TurnID == turnID {
			return i
		}
	}
	return len(items)
}

// TestSagaIsRepeatable: the same seed makes the same turns, and every language has facts.
func TestSagaIsRepeatable(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		if len(plantedFacts(language)) == 0 {
			t.Errorf("%s has no facts", language)
		}
		one, two, other := newSaga(language, 1), newSaga(language, 1), newSaga(language, 2)
		same := true
		for i := range 20 {
			a := one.Turn(i+1, "")
			if b := two.Turn(i+1, ""); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: turn %d: %+v and %+v", language, i+1, a, b)
			}
			same = same && reflect.DeepEqual(a, other.Turn(i+1, ""))
		}
		if same {
			t.Errorf("%s: two seeds make one saga", language)
		}
	}
	items := []memory.Item{{TurnID: turnID(4)}, {TurnID: turnID(2)}}
	if rankOf(items, turnID(2)) != 1 || rankOf(items, turnID(3)) != 2 {
		t.Error("rankOf is not the place among the items")
	}
}
