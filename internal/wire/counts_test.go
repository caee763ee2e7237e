package wire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
)

// Counts are summed over reports. Other members are kept within limits, and unreadable counts are
// reported.
func TestCounts(t *testing.T) {
	t.Parallel()
	sum := func(count map[string]int) llm.Usage {
		return llm.Usage{PromptTokens: count["in"], CompletionTokens: count["out"]}
	}
	for _, test := range []struct {
		reason  string
		reports []string
		want    string
	}{
		{"none", nil, "<nil>"},
		{"null", []string{"null"}, "<nil>"},
		{"an object without counts", []string{"{}", `{"tier":"x","in":null}`}, "<nil>"},
		{"later ones replace earlier ones", []string{`{"in":5,"out":1}`, `{"out":"7"}`}, "{{5 7 0 0 0 map[]}}"},
		{"other members are kept", []string{`{"in":5.0,"tier":"x"}`}, `{{5 0 0 0 0 map[tier:[34 120 34]]}}`},
		{"no count", []string{`{"in":5}`, `{"in":-1}`}, `{usage_unreadable in is "-1"}`},
		{"no object", []string{`[5]`}, `{usage_unreadable usage is not an object: "[5]"}`},
	} {
		var c Counts
		for _, report := range test.reports {
			c.Add(Value(report), "in", "out")
		}
		if got := fmt.Sprint(c.Report(sum)); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
	var c Counts
	for i := range 1000 {
		c.Add(Value(fmt.Sprintf(`{"in":1,"x%d":1,"long%d":"%s"}`, i, i, strings.Repeat("x", 5000))), "in")
	}
	report, _ := c.Report(sum).(llm.UsageReport)
	if len(report.Usage.Extra) != maxExtra {
		t.Errorf("%d unknown members are kept, want %d", len(report.Usage.Extra), maxExtra)
	}
}

// Each kind is recorded once, up to a limit.
func TestNotes(t *testing.T) {
	t.Parallel()
	var n Notes
	for i := range 1000 {
		n.Add("part", "same")
		n.Add("part", fmt.Sprint("kind ", i))
	}
	got := n.Warnings()
	if len(got) != maxNotes || got[0] != (llm.Warning{Code: UnknownPart, Detail: `part "same"`}) {
		t.Errorf("%d notes, the first %v", len(got), got[0])
	}
}
