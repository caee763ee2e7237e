package filltest

import (
	"context"
	_ "embed" // of the facts
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/memory"
)

// Fact is a statement that is mentioned once, and the player's question much later.
type Fact struct{ Told, Asked string }

//go:embed facts_en.txt
var english string

//go:embed facts_zh.txt
var chinese string

// Facts returns the facts of a language, "en" or "zh".
func Facts(language string) []Fact {
	text := english
	if language == "zh" {
		text = chinese
	}
	var out []Fact
	for line := range strings.Lines(text) {
		if told, asked, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && !strings.HasPrefix(told, "#") {
			out = append(out, Fact{told, asked})
		}
	}
	return out
}

// Saga makes turns of everyday play, which also name the people, places and things of the facts.
// The same seed makes the same turns.
type Saga struct {
	state uint64
	words words
}

// NewSaga returns a saga in a language.
func NewSaga(language string, seed uint64) *Saga {
	s := &Saga{state: seed, words: inEnglish}
	if language == "zh" {
		s.words = inChinese
	}
	return s
}

// below returns a random number from 0 to n-1 (splitmix64).
func (s *Saga) below(n int) int {
	s.state += 0x9e3779b97f4a7c15
	x := s.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) >> 33 % uint64(n))
}

// sentence chooses a sentence and fills in its placeholders.
func (s *Saga) sentence(list []string) string {
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
func (s *Saga) Turn(index int, told string) memory.Turn {
	sentences := make([]string, 6+s.below(7))
	for i := range sentences {
		sentences[i] = s.sentence(s.words.events)
	}
	if told != "" {
		sentences[s.below(len(sentences))] = told
	}
	return memory.Turn{ID: TurnID(index), Parent: TurnID(index - 1), Index: index,
		Player: s.sentence(s.words.lines), Text: strings.Join(sentences, s.words.between)}
}

// TurnID returns the ID of the turn with an index.
func TurnID(index int) string { return fmt.Sprintf("turn_%04d", index) }

// Play makes n turns with the facts in some of them. It also returns the ID of the turn of each
// fact.
func (s *Saga) Play(n int, facts []Fact) (turns []memory.Turn, places []string) {
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
			told, places[f] = facts[f].Told, TurnID(i)
		}
		turns = append(turns, s.Turn(i, told))
	}
	return turns, places
}

// Memories is a memory under test.
type Memories interface {
	Remember(ctx context.Context, campaign string, turn memory.Turn) error
	Recall(ctx context.Context, q memory.Query) ([]memory.Item, error)
}

// MemoryScore counts the facts among the first five items, and among all items within 600 tokens.
type MemoryScore struct {
	Asked, AtFive, Within int
	Missed                []string // questions whose fact was not among the first five
}

func (s MemoryScore) String() string {
	return fmt.Sprintf("recall@5 %.3f (%d of %d), within 600 tokens %.3f", s.Recall(), s.AtFive, s.Asked, float64(s.Within)/float64(s.Asked))
}

// Recall returns the share of the facts that was among the first five items.
func (s MemoryScore) Recall() float64 { return float64(s.AtFive) / float64(s.Asked) }

// Examine plays a campaign of n turns and asks for every fact after the last one.
func (s *Saga) Examine(ctx context.Context, m Memories, n int, facts []Fact) (MemoryScore, error) {
	turns, places := s.Play(n, facts)
	for _, turn := range turns {
		if err := m.Remember(ctx, "c", turn); err != nil {
			return MemoryScore{}, err
		}
	}
	var score MemoryScore
	for i, f := range facts {
		items, err := m.Recall(ctx, memory.Query{Campaign: "c", Head: TurnID(n), Limit: 600,
			Texts: []string{f.Asked, turns[n-1].Text}})
		if err != nil {
			return MemoryScore{}, err
		}
		score.Asked++
		rank := Rank(items, places[i])
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

// Rank returns the index of a turn among items, or their number if it is missing.
func Rank(items []memory.Item, turnID string) int {
	for i, item := range items {
		if item.TurnID == turnID {
			return i
		}
	}
	return len(items)
}
