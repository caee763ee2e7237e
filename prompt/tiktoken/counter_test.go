package tiktoken_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tiktoken"
)

var _ prompt.TokenCounter = (*tiktoken.Counter)(nil)

func open(t testing.TB, encoding string) *tiktoken.Counter {
	t.Helper()
	counter, err := tiktoken.New(encoding)
	if err != nil {
		t.Fatal(err)
	}
	return counter
}

// The counts that OpenAI publishes for its encodings, and counts that follow from a token in the
// vocabulary.
func TestCount(t *testing.T) {
	t.Parallel()
	encodings := []string{"o200k_base", "cl100k_base", "p50k_base", "p50k_edit", "r50k_base"}
	for _, tc := range []struct {
		text   string
		want   [5]int
		reason string
	}{
		{"", [5]int{}, "nothing"},
		{"antidisestablishmentarianism", [5]int{6, 6, 5, 5, 5}, "published"},
		{"2 + 2 = 4", [5]int{7, 7, 5, 5, 5}, "published"},
		{"お誕生日おめでとう", [5]int{8, 9, 14, 14, 14}, "published"},
		{"\n \n", [5]int{1, 1, 3, 3, 3}, "a token of the newer vocabularies"},
		{"a\n \nb", [5]int{3, 3, 5, 5, 5}, "the same inside a text"},
		{"!\n \nb", [5]int{3, 3, 5, 5, 5}, "the mark takes the first line end"},
		{"x\r\n  \r\n  y", [5]int{5, 5, 8, 8, 9}, "blanks before a word stay with it"},
		{"<|endoftext|>", [5]int{7, 7, 7, 7, 7}, "special tokens are text"},
		{"\xff", [5]int{1, 1, 1, 1, 1}, "a wrong byte is U+FFFD"},
		{"a\x7f\x7fb", [5]int{4, 4, 4, 4, 4}, "every character counts"},
		{"a\xffb", [5]int{3, 3, 3, 3, 3}, "the same inside a text"},
	} {
		for i, encoding := range encodings {
			if got := open(t, encoding).Count(tc.text); got != tc.want[i] {
				t.Errorf("%s: Count(%q) = %d, want %d: %s",
					encoding, tc.text, got, tc.want[i], tc.reason)
			}
		}
	}
}

func TestForModel(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ model, want, reason string }{
		{"gpt-4o", "o200k_base", "in the table"},
		{"gpt-4o-mini-2024-07-18", "o200k_base", "with a date"},
		{"gpt-4", "cl100k_base", "not gpt-4o"},
		{"gpt-4-turbo", "cl100k_base", "a variant"},
		{"gpt-4.1-nano", "o200k_base", "not gpt-4"},
		{"gpt-5.1", "o200k_base", "a minor version"},
		{"o3-mini", "o200k_base", "reasoning models"},
		{"GPT-35-Turbo", "cl100k_base", "as Azure writes it"},
		{"openai/gpt-4o-mini:free", "o200k_base", "as OpenRouter writes it"},
		{"ft:gpt-4o-mini:studio::abc", "o200k_base", "tuned, not gpt-4"},
		{"text-embedding-3-small", "cl100k_base", "embeddings"},
		{"gpt-4.7", "", "not a variant of gpt-4: nobody knows"},
		{"gpt-50", "", "another number"},
		{"claude-sonnet-4", "", "another vendor"},
		{"meta-llama/gpt-4o", "", "another vendor's name"},
		{"", "", "no name"},
	} {
		counter, err := tiktoken.ForModel(tc.model)
		switch {
		case tc.want == "" && !errors.Is(err, tiktoken.ErrUnknownModel):
			t.Errorf("ForModel(%q): error %v, want ErrUnknownModel: %s", tc.model, err, tc.reason)
		case tc.want != "" && err != nil:
			t.Errorf("ForModel(%q): %v: %s", tc.model, err, tc.reason)
		case tc.want != "" && counter.Encoding() != tc.want:
			t.Errorf("ForModel(%q) = %s, want %s: %s", tc.model, counter.Encoding(), tc.want, tc.reason)
		}
	}
}

func TestNewUnknown(t *testing.T) {
	t.Parallel()
	_, err := tiktoken.New("o200k")
	if !errors.Is(err, tiktoken.ErrUnknownEncoding) || !strings.Contains(err.Error(), "o200k_base") {
		t.Errorf("error %v, want ErrUnknownEncoding with the names", err)
	}
}

// One counter is used by many goroutines, also for the first blank line.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	counter := open(t, "o200k_base")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if n := counter.Count("The dragon\n \nsleeps. 巨龙在沉睡。"); n != 13 {
					t.Errorf("Count = %d, want 13", n)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Texts that are slow in simple implementations. A quadratic one would take minutes.
func TestRepeats(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"o200k_base", "cl100k_base"} {
		counter := open(t, encoding)
		for _, unit := range []string{" ", "a", "!", "\n ", " \n", "\r\n\t", "\u3000\n", "世"} {
			text := strings.Repeat(unit, 50_000)
			if n := counter.Count(text); n < 250 || n > len(text) {
				t.Errorf("%s: 50,000 times %q = %d tokens", encoding, unit, n)
			}
		}
	}
}

// A host's time limit makes the count an upper bound.
func TestTimeLimit(t *testing.T) {
	before := regexp2.DefaultMatchTimeout
	defer func() { regexp2.DefaultMatchTimeout = before }()
	regexp2.DefaultMatchTimeout = time.Nanosecond
	counter := open(t, "o200k_base")
	text := strings.Repeat("word\n \n", 1<<16)
	if n := counter.Count(text); n < 1<<17 || n > len(text) {
		t.Errorf("Count = %d of %d bytes", n, len(text))
	}
}

// The built-in estimator compared with the exact count, on the documents of its specification.
func TestEstimator(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../shared/seeds/*.txt")
	if err != nil || len(files) == 0 {
		t.Skip("no ../shared/seeds beside the repository")
	}
	counter := open(t, "o200k_base")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		exact, estimate := counter.Count(string(data)), prompt.EstimateTokens(string(data))
		off := 100 * (float64(estimate)/float64(exact) - 1)
		t.Logf("%s: %d tokens, estimated %d (%+.1f %%)", filepath.Base(file), exact, estimate, off)
		if off < -15 || off > 15 {
			t.Errorf("%s: the estimate is %+.1f %% off", filepath.Base(file), off)
		}
	}
}
