package conflict_test

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// maxFalseAlarms is the maximum number of blocks for a thousand sentences of authors, in which
// nothing was settled. Authors write about the past, other worlds and existing facts, so every
// block is a false alarm.
const maxFalseAlarms = 5.0

// CA-57: texts of authors, read as narrations. Their most frequent names are tracked, and their
// most frequent places are known.
func TestRealProse(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", "lorebooks", "*"))
	if err != nil || len(paths) == 0 {
		t.Skip("no lorebooks in ../shared/data/lorebooks beside the repository")
	}
	sentences, blocks := 0, 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\t`, " ").Replace(string(data))
		view := viewOf(text)
		for paragraph := range strings.SplitSeq(text, "\n") {
			sentences += len(sentenceEnd.FindAllString(paragraph, -1))
			for _, c := range conflict.Detect(paragraph, nil, view, conflict.Options{}) {
				if c.Severity == conflict.Block {
					blocks++
					t.Logf("%s %s %s: %s\n\t%s", filepath.Base(path), c.Kind, c.EntityID, c.Quote, around(paragraph, c.Quote))
				}
			}
		}
	}
	rate := 1000 * float64(blocks) / float64(max(sentences, 1))
	t.Logf("%d blocks in %d sentences: %.2f in a thousand", blocks, sentences, rate)
	if rate > maxFalseAlarms {
		t.Errorf("%.2f blocks in a thousand sentences, want at most %.2f", rate, maxFalseAlarms)
	}
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?。！？](\s|"|$|\p{Han})`)
	properName  = regexp.MustCompile(`[a-z,] ([A-Z][a-z]{2,})\b`)
	placeName   = regexp.MustCompile(`\b(?:in|to|into|at|inside) the ([A-Za-z][a-z]{3,})\b`)
	hanPlace    = regexp.MustCompile(`[在到入进往](\p{Han}{2})(?:[，。的里中内])`)
)

// viewOf tracks the most frequent names of a text and knows its most frequent places.
func viewOf(text string) conflict.View {
	view := conflict.View{ActorID: "you", Party: []string{"you"}, CheckAllowed: true, Characters: []conflict.Character{
		{ID: "you", Name: "主角", HP: conflict.HP{Current: 17, Max: 23}, AliveState: "alive", AreaID: "nowhere"}}}
	for _, name := range mostFrequent(properName, text, 8) {
		view.Characters = append(view.Characters, conflict.Character{
			ID: name, Name: name, HP: conflict.HP{Current: 17, Max: 23}, AliveState: "alive", AreaID: "nowhere"})
	}
	for _, name := range append(mostFrequent(placeName, text, 8), mostFrequent(hanPlace, text, 8)...) {
		view.Areas = append(view.Areas, conflict.Area{ID: name, Name: name})
	}
	return view
}

func mostFrequent(pattern *regexp.Regexp, text string, n int) []string {
	counts := map[string]int{}
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		counts[m[1]]++
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	return names[:min(n, len(names))]
}

// around returns the text around a quotation.
func around(text, quote string) string {
	i := strings.Index(text, quote)
	return strings.ToValidUTF8(text[max(0, i-90):min(len(text), i+len(quote)+60)], "")
}
