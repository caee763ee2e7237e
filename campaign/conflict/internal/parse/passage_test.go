package parse_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
	"github.com/talewright/talewright/campaign/conflict/internal/parse"
)

// A word inside a name is not a word of the lexicon.
func TestNamesHideWords(t *testing.T) {
	t.Parallel()
	xia := parse.Named{ID: "xia", Name: "夏可"}
	p := parse.New("夏可停止了呼吸。", parse.Cast{People: []parse.Named{xia}})
	if len(p.Words.All(lexicon.Modal)) > 0 || !p.Asserted(lexicon.Between(2, 7)) {
		t.Errorf("可 of the name is read as a modal word: %v", p.Words.All(lexicon.Modal))
	}
}
