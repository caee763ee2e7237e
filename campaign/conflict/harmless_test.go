package conflict_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
)

// plainClaims are claims that are read or asked about whatever harmless clause is beside them.
var plainClaims = map[string][]sentenceCase{
	"zh": {
		{"苏晴失去了5点生命值", suChange, "loss"}, {"苏晴恢复了3点生命值", suChange, "gain"}, {"苏晴的生命值降到2", suValue, "value"},
		{"苏晴断了气", suLife, "death"}, {"苏晴昏了过去", suLife, "faint"}, {"苏晴走进大厅", suThere, "arrival"}, {"苏晴升到了5级", suCard, "level"},
	},
	"en": {
		{"Su loses 5 hit points", suChange, "loss"}, {"Su regains 3 hit points", suChange, "gain"}, {"Su's hit points drop to 2", suValue, "value"},
		{"Su dies", suLife, "death"}, {"Su passes out", suLife, "faint"}, {"Su walks into the Hall", suThere, "arrival"}, {"Su levels up", suCard, "level"},
	},
}

// The scope of a mood is its clause. So a plain claim is found before and after a harmless clause. The
// harmless clause alone is not blocked, and causes no question.
func TestHarmlessClauses(t *testing.T) {
	t.Parallel()
	view := town()
	for lang, claims := range plainClaims {
		data, err := os.ReadFile(filepath.Join("testdata", "harmless_"+lang+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		comma, stop, n, asked, hidden := "，", "。", 0, 0, 0
		if lang == "en" {
			comma, stop = ", and ", "."
		}
		for clause := range strings.Lines(string(data)) {
			if clause = strings.TrimSpace(clause); clause == "" || strings.HasPrefix(clause, "#") {
				continue
			}
			n++
			checkSentences(t, view, []sentenceCase{{clause + stop, "", "harmless"}})
			if len(conflict.Suspect(conflict.Read(clause+stop, nil, view), nil, conflict.Options{})) > 0 {
				asked++
				t.Logf("asked about: %s", clause)
			}
			for _, c := range claims {
				for _, text := range []string{clause + comma + c.text + stop, c.text + comma + clause + stop} {
					found := conflict.Detect(text, nil, view, conflict.Options{})
					if !conflict.Blocking(found) && !isAsked(text, view, found, c.want) {
						hidden++
						t.Logf("hidden: %s", text)
					}
				}
			}
		}
		t.Logf("%s: %d clauses, %d asked about, %d of %d claims hidden", lang, n, asked, hidden, 2*n*len(claims))
		if n != 100 || asked > 0 || hidden > maxHidden {
			t.Errorf("%s: %d clauses, %d asked about, %d claims hidden", lang, n, asked, hidden)
		}
	}
}

// maxHidden is the maximum number of claims that harmless clauses hide.
const maxHidden = 0
