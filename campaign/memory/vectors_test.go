package memory_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/worldbook"
)

// TestMeaning checks that text with different words is found.
func TestMeaning(t *testing.T) {
	t.Parallel()
	m := openVectors(t, memory.VectorConfig{Embedder: &scripted{}})
	rememberIn(t, m,
		memory.Turn{ID: "t1", Index: 1, Text: "Hedda forged a sword."},
		memory.Turn{ID: "t2", Parent: "t1", Index: 2, Text: "It rains all night."},
		memory.Turn{ID: "t3", Parent: "t2", Index: 3, Text: "霍大娘打造长剑。"})
	for line, want := range map[string]string{"Hedda's weapon": "t1", "谁打造的刀刃？": "t3"} {
		items := recallNear(t, m, memory.Query{Head: "t3", Texts: []string{line}, Limit: 600})
		if len(items) == 0 || items[0].TurnID != want || items[0].Score <= 0 || items[0].Score > 1 {
			t.Errorf("%s: %+v", line, items)
		}
	}
}

// TestPlantedFactsByMeaning checks that facts that appear once in a campaign of 1,000 turns are found. The
// scripted vectors only know words and how rare they are.
func TestPlantedFactsByMeaning(t *testing.T) {
	t.Parallel()
	counting := &scripted{}
	for _, language := range []string{"en", "zh"} {
		counting.worth = rarities(newSaga(language, 1).Play(1000, plantedFacts(language)))
		score, err := newSaga(language, 1).Examine(t.Context(), openVectors(t, memory.VectorConfig{Embedder: counting}), 1000, plantedFacts(language))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v", language, score)
		if score.recall() < 0.6 {
			t.Errorf("%s: %v", language, score)
		}
	}
}

// rarities returns the weights of the words of turns: rarer words weigh more.
func rarities(turns []memory.Turn, _ []string) map[string]float32 {
	counts, passages := map[string]float64{}, 0.0
	for _, turn := range turns {
		for _, p := range turn.Passages() {
			passages++
			own := words(p.Text)
			slices.Sort(own)
			for _, word := range slices.Compact(own) {
				counts[word]++
			}
		}
	}
	out := map[string]float32{}
	for word, n := range counts {
		out[word] = float32(math.Log(passages / n))
	}
	return out
}

// vectorBook is an oracle: it compares every passage of every turn.
type vectorBook struct{ book }

func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(v))
	for i := range v {
		out[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return out
}

func (b *vectorBook) recall(q memory.Query) []memory.Item {
	direction, weight := make([]float32, length), float32(1)
	for _, text := range q.Texts {
		for i, x := range unit(vector(text)) {
			direction[i] += weight * x
		}
		weight /= 4
	}
	direction = unit(direction)
	type scored struct {
		memory.Item
		index int
		dot   float32 // as exact as it can be
	}
	var all []scored
	for _, t := range b.turns {
		if !b.leads(t.ID, q.Head) || q.Before > 0 && t.Index >= q.Before ||
			q.Viewer != "" && len(t.Witnesses) > 0 && !slices.Contains(t.Witnesses, q.Viewer) {
			continue
		}
		for _, p := range t.Passages() {
			s := scored{memory.Item{ID: p.ID, TurnID: t.ID, Hash: t.Hash(), Text: p.Text, Witnesses: t.Witnesses}, t.Index, 0}
			dot := 0.0
			for i, x := range unit(vector(p.Text)) {
				dot += float64(direction[i]) * float64(x)
			}
			if s.dot = float32(dot); s.dot <= 0 {
				continue
			}
			s.Score = math.Round(float64(s.dot)*1e6) / 1e6
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(x, y scored) int {
		return cmp.Or(-cmp.Compare(x.dot, y.dot), -cmp.Compare(x.index, y.index), -cmp.Compare(x.TurnID, y.TurnID), cmp.Compare(x.ID, y.ID))
	})
	var out []memory.Item
	returned := map[string]bool{}
	for _, s := range all {
		key := fmt.Sprintf("%q%q", s.Text, s.Witnesses)
		if returned[key] {
			continue
		}
		returned[key] = true
		if q.Limit -= tokens.Estimate(s.Text); q.Limit < 0 || len(out) == memory.MaxItems {
			break
		}
		out = append(out, s.Item)
	}
	return out
}

// TestMemoryIsTheOracle remembers, replaces and undoes random turns. The answer must equal a
// comparison with every passage that may be found.
func TestMemoryIsTheOracle(t *testing.T) {
	t.Parallel()
	words := strings.Fields("key keys wolf tower! 铜钥匙 狼， weapon sword rain rain")
	answered := 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := func(n int) string {
			out := make([]string, 1+r.IntN(n))
			for i := range out {
				out[i] = words[r.IntN(len(words))]
			}
			return strings.Join(out, " ")
		}
		m, oracle := openVectors(t, memory.VectorConfig{Embedder: &scripted{}, Batch: 1 + r.IntN(3)}), &vectorBook{}
		for range 50 {
			n := len(oracle.turns)
			turn := memory.Turn{ID: fmt.Sprint("t", n), Parent: fmt.Sprint("t", n-1-r.IntN(2)), Index: n, Player: text(3), Text: text(100)}
			if r.IntN(3) == 0 {
				turn.Witnesses = []string{"mara"}
			}
			if r.IntN(4) == 0 {
				turn.Summary = text(100)
			}
			if n > 0 && r.IntN(4) == 0 {
				i := r.IntN(n)
				old := oracle.turns[i]
				turn.ID, turn.Parent, turn.Index = old.ID, old.Parent, old.Index
			}
			oracle.remember(turn)
			rememberIn(t, m, turn)
			q := memory.Query{Texts: []string{text(4), text(20)}, Limit: r.IntN(3000), Before: r.IntN(2) * r.IntN(n+2),
				Head: []string{"", fmt.Sprint("t", r.IntN(n+2))}[r.IntN(2)], Viewer: []string{"", "mara", "orrin"}[r.IntN(3)]}
			got, want := recallNear(t, m, q), oracle.recall(q)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %d, %d turns, %+v: %s", seed, len(oracle.turns), q, diff)
			}
			answered += len(got)
		}
	}
	if answered < 1000 {
		t.Errorf("only %d items in all", answered)
	}
}

// TestRestart checks that after a restart every turn is remembered again from the folder, without
// the embedder. Only new texts cost a request.
func TestRestart(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "vectors")
	turns, _ := newSaga("en", 1).Play(30, nil)
	q := memory.Query{Head: turnID(30), Texts: []string{"Hedda and the mule"}, Limit: 600}
	first := &scripted{}
	m := openVectors(t, memory.VectorConfig{Embedder: first, Folder: folder})
	rememberIn(t, m, turns...)
	want := recallNear(t, m, q)

	second := &scripted{}
	m = openVectors(t, memory.VectorConfig{Embedder: second, Folder: folder})
	if seen, err := m.Has(t.Context(), "c", turnID(30)); seen || err != nil {
		t.Errorf("seen: %v, %v", seen, err)
	}
	rememberIn(t, m, turns...)
	if n := second.asked(); n != 0 || first.asked() == 0 {
		t.Errorf("%d texts were asked for again", n)
	}
	if diff := gocmp.Diff(want, recallNear(t, m, q)); diff != "" || len(want) == 0 {
		t.Errorf("%d items: %s", len(want), diff)
	}
	second.asked()
	turns[3].Text = "Another text."
	rememberIn(t, m, turns[3])
	if n := second.asked(); n != 1 {
		t.Errorf("%d texts were asked for after an edit", n)
	}

	third := &scripted{} // a different model
	m = openVectors(t, memory.VectorConfig{Embedder: third, Folder: folder, Model: "other"})
	rememberIn(t, m, turns[0])
	if third.asked() == 0 {
		t.Error("vectors of another model were used")
	}
	if err := m.Forget("c"); err != nil {
		t.Error(err)
	}
	if had, err := m.Has(t.Context(), "c", turns[0].ID); had || err != nil {
		t.Errorf("after Forget it has the turn: %t, %v", had, err)
	}
	if items := recallNear(t, m, q); len(items) != 0 {
		t.Errorf("after Forget: %v", items)
	}
}

// TestDamagedFolder checks that a folder is a cache: lines that a crash cut, or that anything else
// damaged, cost a request, and the rest is read. The file is written again when most of it is out of
// date.
func TestDamagedFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	turn := func(i int, text string) memory.Turn {
		return memory.Turn{ID: fmt.Sprint("t", i), Parent: fmt.Sprint("t", i-1), Index: i, Text: text}
	}
	story := []memory.Turn{turn(1, "The wolf."), turn(2, "A tower."), turn(3, "The key.")}
	rememberIn(t, openVectors(t, memory.VectorConfig{Embedder: &scripted{}, Folder: folder}), story...)
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	begin := strings.Index(lines[2], `"Vector":"`) + len(`"Vector":"`)
	infinite := lines[2][:begin] + "AACAfw" + lines[2][begin+6:] // the first number
	for reason, text := range map[string]string{
		"the last line was cut":     string(whole[:len(whole)-20]),
		"the first line is missing": strings.Join(lines[2:], ""),
		"a line has no vector":      lines[0] + lines[1] + `{"ID":"t2","Vector":5}` + "\n" + lines[3],
		"a line has no ID":          lines[0] + lines[1] + `{"Text":"A tower."}` + "\n" + lines[3],
		"a line is noise":           lines[0] + lines[1] + "noise\n" + lines[3],
		"a number is damaged":       lines[0] + lines[1] + infinite + lines[3],
	} {
		if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, want := range []int{1, 0} { // the repaired file is whole
			s := &scripted{}
			m := openVectors(t, memory.VectorConfig{Embedder: s, Folder: folder})
			rememberIn(t, m, story...)
			if n := s.asked(); n != want {
				t.Errorf("%s: %d texts were asked for, want %d", reason, n, want)
			}
			if got := ids(recallNear(t, m, memory.Query{Texts: []string{"tower"}, Limit: 600})); got != "t2" {
				t.Errorf("%s: found %s", reason, got)
			}
		}
	}
	m := openVectors(t, memory.VectorConfig{Embedder: &scripted{}, Folder: folder})
	for i := range 20 {
		rememberIn(t, m, story[0], turn(1, fmt.Sprint("The wolf, and again: ", i)))
	}
	grown := len(read(t, files[0]))
	s := &scripted{}
	rememberIn(t, openVectors(t, memory.VectorConfig{Embedder: s, Folder: folder}), turn(1, "The wolf, and again: 19"), story[1], story[2])
	if now := len(read(t, files[0])); now > grown/3 || s.asked() != 0 {
		t.Errorf("the file has %d bytes of %d", now, grown)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestUnreadableFolder checks that the error for an unreadable folder names it.
func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := memory.OpenVectors(memory.VectorConfig{Embedder: &scripted{}, Folder: file}); err == nil || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
	if _, err := memory.OpenVectors(memory.VectorConfig{}); !errors.Is(err, memory.ErrNoEmbedder) {
		t.Error(err)
	}
}

// TestBrokenFolder: every error of a file says what was to be done, and the memory keeps what it had.
func TestBrokenFolder(t *testing.T) {
	t.Parallel()
	turn := func(i int, text string) memory.Turn {
		return memory.Turn{ID: fmt.Sprint("t", i), Parent: fmt.Sprint("t", i-1), Index: i, Text: text}
	}
	book := worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1", Content: "A tower."}}}
	config := memory.VectorConfig{Embedder: &scripted{}, Folder: t.TempDir()}
	m := openVectors(t, config)
	rememberIn(t, m, turn(1, "The wolf."))
	lore, err := m.Lore(t.Context(), book)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(config.Folder, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files { // a folder with a file in it is in the place of the file
		if err := cmp.Or(os.Remove(file), os.Mkdir(file, 0o700), os.WriteFile(filepath.Join(file, "x"), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	_, afresh := openVectors(t, config).Lore(t.Context(), book)
	_, wider := m.Lore(t.Context(), worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "2", Content: "A bridge."}}})
	for want, err := range map[string]error{
		`memory: open campaign "c": `:                          openVectors(t, config).Remember(t.Context(), "c", turn(1, "The wolf.")),
		`memory: open lore "": `:                               afresh,
		`campaign "c", turn "t2": memory: keep vectors: open `: m.Remember(t.Context(), "c", turn(2, "A bridge.")),
		`memory: delete vectors: `:                             m.Remember(t.Context(), "c", turn(1, "")),
		`memory: keep vectors: open `:                          wider,
		`memory: forget "c": `:                                 m.Forget("c"),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if found, err := lore.Retrieve(t.Context(), []worldbook.Message{{Text: "tower"}}, 1); err != nil || len(found) != 1 {
		t.Errorf("found %v, %v", found, err)
	}
	config.Folder = t.TempDir()
	if err := os.Mkdir(filepath.Join(config.Folder, filepath.Base(files[0])+".new"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(config.Folder, filepath.Base(files[1])+".new"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := openVectors(t, config).Remember(t.Context(), "c", turn(1, "The wolf.")); err == nil || !strings.Contains(err.Error(), ".new") {
		t.Errorf("a file that cannot be written again: %v", err)
	}
}

// TestVectorsOfAnotherLength: a folder has vectors of a different length under the same model name.
func TestVectorsOfAnotherLength(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	rememberIn(t, openVectors(t, memory.VectorConfig{Embedder: &scripted{}, Folder: folder}), memory.Turn{ID: "t1", Index: 1, Text: "The wolf."})
	short := func(v [][]float32) ([][]float32, error) {
		for i := range v {
			v[i] = []float32{1, 2, 3}
		}
		return v, nil
	}
	m := openVectors(t, memory.VectorConfig{Embedder: &scripted{wrong: short}, Folder: folder})
	if _, err := m.Lore(t.Context(), worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1", Content: "A tower."}}}); err != nil {
		t.Error(err)
	}
	rest := memory.Turn{ID: "t2", Index: 2, Text: "The key."}
	if err := m.Remember(t.Context(), "c", rest); err != nil {
		t.Error(err)
	}
	_, err := m.Recall(t.Context(), memory.Query{Campaign: "c", Texts: []string{"wolf"}, Limit: 600})
	if !errors.Is(err, memory.ErrVectors) || !strings.Contains(err.Error(), "3 numbers, stored ones have 512") {
		t.Error(err)
	}
	if err := m.Forget("c"); err != nil {
		t.Error(err)
	}
	if seen, err := m.Has(t.Context(), "c", "t2"); seen || err != nil {
		t.Errorf("after it was forgotten: %t, %v", seen, err)
	}
	kept := openVectors(t, memory.VectorConfig{Embedder: &scripted{}})
	rememberIn(t, kept, rest)
	if err := kept.Forget("c"); err != nil || len(recallNear(t, kept, memory.Query{Texts: []string{"key"}, Limit: 600})) > 0 {
		t.Errorf("without a folder: %v", err)
	}
}

// TestForgetsTheOldest checks that a campaign keeps the configured number of passages, from the
// newest turns.
func TestForgetsTheOldest(t *testing.T) {
	t.Parallel()
	s := &scripted{}
	m := openVectors(t, memory.VectorConfig{Embedder: s, Passages: 3})
	for i := 1; i <= 9; i++ {
		rememberIn(t, m, memory.Turn{ID: fmt.Sprint("t", i), Parent: fmt.Sprint("t", i-1), Index: i, Text: fmt.Sprint("key ", i)})
	}
	s.asked()
	rememberIn(t, m, memory.Turn{ID: "t1", Index: 1, Text: "key, after an edit"})
	if n := s.asked(); n != 0 {
		t.Errorf("%d texts of a turn that is forgotten were asked for", n)
	}
	if got := ids(recallNear(t, m, memory.Query{Texts: []string{"key"}, Limit: 600})); got != "t9 t8 t7" {
		t.Errorf("found %s", got)
	}
	if seen, err := m.Has(t.Context(), "c", "t1"); !seen || err != nil {
		t.Errorf("the first turn: %v, %v", seen, err)
	}
}

// TestFailures checks that failures of the embedder are errors with the right types, and change
// nothing.
func TestFailures(t *testing.T) {
	t.Parallel()
	busy := &llm.Error{Code: llm.CodeRateLimit, Retry: true}
	one := func(change func([]float32) []float32) func([][]float32) ([][]float32, error) {
		return func(v [][]float32) ([][]float32, error) { v[0] = change(v[0]); return v, nil }
	}
	for _, c := range []struct {
		reason string
		wrong  func([][]float32) ([][]float32, error)
		is     error
	}{
		{"a busy server", func([][]float32) ([][]float32, error) { return nil, busy }, busy},
		{"none", func([][]float32) ([][]float32, error) { return nil, nil }, memory.ErrVectors},
		{"too many", func(v [][]float32) ([][]float32, error) { return append(v, v[0]), nil }, memory.ErrVectors},
		{"empty", one(func([]float32) []float32 { return nil }), memory.ErrVectors},
		{"all 0", one(func(v []float32) []float32 { return make([]float32, len(v)) }), memory.ErrVectors},
		{"another length", one(func(v []float32) []float32 { return v[1:] }), memory.ErrVectors},
		{"no number", one(func(v []float32) []float32 { v[3] = float32(math.NaN()); return v }), memory.ErrVectors},
		{"infinite", one(func(v []float32) []float32 { v[3] = float32(math.Inf(1)); return v }), memory.ErrVectors},
	} {
		s := &scripted{}
		m := openVectors(t, memory.VectorConfig{Embedder: s})
		rememberIn(t, m, memory.Turn{ID: "t1", Index: 1, Text: "key"})
		q := memory.Query{Campaign: "c", Texts: []string{"key"}, Limit: 600}
		s.wrong = c.wrong
		if err := m.Remember(t.Context(), "c", memory.Turn{ID: "t2", Parent: "t1", Index: 2, Text: "key, key"}); !errors.Is(err, c.is) {
			t.Errorf("%s: remember: %v", c.reason, err)
		}
		if err := m.Remember(t.Context(), "c", memory.Turn{ID: "t1", Index: 1, Text: "another key"}); !errors.Is(err, c.is) {
			t.Errorf("%s: replace: %v", c.reason, err)
		}
		if _, err := m.Recall(t.Context(), q); !errors.Is(err, c.is) {
			t.Errorf("%s: recall: %v", c.reason, err)
		}
		s.wrong = nil
		if seen, err := m.Has(t.Context(), "c", "t2"); seen || err != nil {
			t.Errorf("%s: seen: %v, %v", c.reason, seen, err)
		}
		if items := recallNear(t, m, q); len(items) != 1 || items[0].Text != "key" {
			t.Errorf("%s: after the failure: %v", c.reason, items)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := openVectors(t, memory.VectorConfig{Embedder: &scripted{}})
	_, recalled := m.Recall(ctx, memory.Query{})
	_, seen := m.Has(ctx, "c", "t")
	for _, err := range []error{m.Remember(ctx, "c", memory.Turn{}), recalled, seen} {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestJunkBeforeAnythingIsKnown checks that unusable vectors are refused as a whole, also if they
// are the first of a campaign. Later vectors are stored and found.
func TestJunkBeforeAnythingIsKnown(t *testing.T) {
	t.Parallel()
	for reason, junk := range map[string]func([][]float32) ([][]float32, error){
		"two lengths, the short one first": func(v [][]float32) ([][]float32, error) { v[0] = v[0][:1]; v[0][0] = 1; return v, nil },
		"two lengths, the short one last":  func(v [][]float32) ([][]float32, error) { v[len(v)-1] = []float32{1}; return v, nil },
		"one without a number":             func(v [][]float32) ([][]float32, error) { v[0] = []float32{1, 2}; v[1] = nil; return v, nil },
		"too few, of one number":           func(v [][]float32) ([][]float32, error) { return [][]float32{{1}}, nil },
	} {
		s := &scripted{wrong: junk}
		m := openVectors(t, memory.VectorConfig{Embedder: s})
		long := memory.Turn{ID: "t1", Index: 1, Text: strings.Repeat("The key lies under the stone by the gate. ", 60)}
		if len(long.Passages()) < 2 {
			t.Fatal("the turn needs two passages")
		}
		if err := m.Remember(t.Context(), "c", long); !errors.Is(err, memory.ErrVectors) || !strings.Contains(err.Error(), `campaign "c", turn "t1"`) {
			t.Errorf("%s: %v", reason, err)
		}
		if seen, err := m.Has(t.Context(), "c", "t1"); seen || err != nil {
			t.Errorf("%s: half of it is remembered: %v, %v", reason, seen, err)
		}
		s.wrong = nil
		rememberIn(t, m, memory.Turn{ID: "t1", Index: 1, Text: "key"})
		if items := recallNear(t, m, memory.Query{Campaign: "c", Texts: []string{"key"}, Limit: 600}); len(items) != 1 {
			t.Errorf("%s: afterwards %v", reason, items)
		}
		if items := recallNear(t, m, memory.Query{Campaign: "another", Texts: []string{"key"}, Limit: 600}); len(items) != 0 {
			t.Errorf("%s: another campaign knows %v", reason, items)
		}
	}
}

// TestOptions checks that the prefixes of texts are sent, and that passages below Least are left
// out.
func TestOptions(t *testing.T) {
	t.Parallel()
	s := &scripted{}
	m := openVectors(t, memory.VectorConfig{Embedder: s, Passage: "passage: ", Query: "query: ", Least: 0.4})
	rememberIn(t, m, memory.Turn{ID: "t1", Text: "wolf"}, memory.Turn{ID: "t2", Text: "wolf, tower, rain, night and the long road home"})
	got := ids(recallNear(t, m, memory.Query{Texts: []string{"wolf"}, Limit: 600}))
	if want := []string{"passage: wolf", "passage: wolf, tower, rain, night and the long road home", "query: wolf"}; !slices.Equal(s.texts, want) {
		t.Errorf("sent: %q", s.texts)
	}
	if got != "t1" {
		t.Errorf("found %s", got)
	}
}

// TestNothingToFind checks that the embedder is not asked if nothing can be found.
func TestNothingToFind(t *testing.T) {
	t.Parallel()
	s := &scripted{}
	m := openVectors(t, memory.VectorConfig{Embedder: s})
	rememberIn(t, m, memory.Turn{ID: "t1", Index: 1, Text: "key", Witnesses: []string{"mara"}})
	s.asked()
	for _, q := range []memory.Query{
		{Head: "t2", Limit: 600}, {Head: "t1", Before: 1, Limit: 600}, {Viewer: "orrin", Limit: 600}, {Limit: 0}, {Campaign: "d", Limit: 600},
	} {
		q.Texts = []string{"key"}
		if items := recallNear(t, m, q); len(items) != 0 || s.asked() != 0 {
			t.Errorf("%+v: %v", q, items)
		}
	}
	rememberIn(t, m, memory.Turn{ID: "t1", Index: 1, Text: "key"}) // now all may know it
	if items := recallNear(t, m, memory.Query{Texts: []string{"key"}, Public: true, Limit: 600}); len(items) != 1 {
		t.Errorf("for everybody: %v", items)
	}
	if items := recallNear(t, m, memory.Query{Texts: []string{"key"}, Viewer: "orrin", Limit: 600}); len(items) != 1 {
		t.Errorf("a turn that all may know by now: %v", items)
	}
	s.asked()
	if items := recallNear(t, m, memory.Query{Texts: []string{"", " "}, Limit: 600}); len(items) != 0 || s.asked() != 0 {
		t.Errorf("no texts: %v", items)
	}
}

// TestVectorsConcurrently writes and queries campaigns at the same time.
func TestVectorsConcurrently(t *testing.T) {
	t.Parallel()
	m := openVectors(t, memory.VectorConfig{Embedder: &scripted{}, Passages: 10})
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			campaign := fmt.Sprint("c", worker/2)
			for i := range 30 {
				turn := memory.Turn{ID: fmt.Sprint("t", i), Parent: fmt.Sprint("t", i-1), Index: i, Text: fmt.Sprint("key ", i)}
				if err := m.Remember(t.Context(), campaign, turn); err != nil {
					t.Error(err)
				}
				items, err := m.Recall(t.Context(), memory.Query{Campaign: campaign, Texts: []string{"key"}, Limit: 600})
				if err != nil || len(items) == 0 {
					t.Errorf("%v, %v", items, err)
				}
			}
		})
	}
	group.Wait()
}
