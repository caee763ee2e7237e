package memvars_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestNumbersOfManyDigits: comparing, adding or keeping a number of a million digits costs no more
// than its text. A command with such a number is refused (MV-27).
func TestNumbersOfManyDigits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 1_000_000)
	doc := load(t, []byte(`{"stat_data":{"world_shard":{"task":{"time_limit":[`+long+`,""],"time_left":[`+long+`.5,""]}},`+
		`"日期":["3月1日",""],"n":1,"t":"x"},"assa_data":{"map":{"m":{"resources":{"ore":["1/d",`+long+`],"oil":["1/d","`+long+`"]}}},`+
		`"global_set":{"背包":{"rope":{"num":`+long+`}}}}}`))
	sys, problems := memvars.Compile(memvars.Options{SignedDelta: true})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	state := sys.Begin(doc)
	for range 3 {
		doc, _ = sys.Apply(doc, "memory('global_set.背包.rope', 'x', 1); set_status('日期', '3月2日')", memvars.AI)
		doc, state, _ = sys.EndTurn(doc, state, memvars.Turn{})
	}
	for text, want := range map[string]memvars.Code{
		"set_status('n', " + long + ")":              memvars.TooLong,
		"memory('map', 'n', [" + long + "])":         memvars.TooLong,
		"memory('map', 'n', '{\"a\":" + long + "}')": memvars.TooLong,
		"set_status('n', '" + long + "')":            memvars.TypeMismatch,
		"set_status('t', '" + long + "')":            "",
		"set_status('n', '+" + long + "')":           "",
	} {
		after, res := sys.Apply(doc, text, memvars.AI)
		if got := res.Calls[0].Code; got != want || want != "" && !after.Same(doc) {
			t.Errorf("%.40s: %s, want %q", text, got, want)
		}
	}
	n := tree.Number(long)
	if n.Cmp(n+"1") != -1 || n.Cmp("-"+n) != 1 || n.Cmp(n+".0") != 0 || n.Cmp("1e1000000") != -1 {
		t.Error("numbers of a million digits are in the wrong order")
	}
	if got := n.Add("1"); len(got) > tree.MaxDigits {
		t.Errorf("a sum of %d digits", len(got))
	}
}
