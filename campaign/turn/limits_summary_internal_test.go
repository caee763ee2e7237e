package turn

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/memvars/tree"
)

// TestSummaryIsLimited: each part of a summary has a limit of its own. A summary within the limits
// does not change, and a limited summary stays as it is.
func TestSummaryIsLimited(t *testing.T) {
	t.Parallel()
	most, longer := strings.Repeat("x", maxSummary), strings.Repeat("x", maxSummary+1)
	facts := func(n int) tree.Value { return tree.Text(strings.Repeat("x", n)) }
	pin := strings.Repeat("x", maxSummary/4-callCost)
	member := func(n int) map[string]json.RawMessage {
		return map[string]json.RawMessage{"k": make(json.RawMessage, n)}
	}
	private := func(text string, facts tree.Value) []state.AudiencePart {
		return []state.AudiencePart{{Witnesses: []string{"ann"}, Text: text, Facts: facts}}
	}
	for reason, c := range map[string]struct {
		in, want state.Summary
		cut      bool
	}{
		"nothing":         {},
		"the limits":      {in: state.Summary{Text: most, Facts: facts(maxSummary - 2), Pins: []string{pin, pin, pin, pin}, Extra: member(maxSummary - callCost - 1)}},
		"a text":          {in: state.Summary{Text: longer, Version: 3}, want: state.Summary{Text: most, Version: 3}, cut: true},
		"facts":           {in: state.Summary{Text: "t", Facts: facts(maxSummary - 1)}, want: state.Summary{Text: "t"}, cut: true},
		"many facts":      {in: state.Summary{Facts: tree.Array(make([]tree.Value, maxSummary)...)}, cut: true},
		"pins":            {in: state.Summary{Pins: []string{pin, pin, pin, pin, ""}}, want: state.Summary{Pins: []string{pin, pin, pin, pin}}, cut: true},
		"unknown members": {in: state.Summary{Extra: member(maxSummary - callCost)}, cut: true},
		"an ID":           {in: state.Summary{CoversThrough: longer}, want: state.Summary{CoversThrough: longer[:draft.MaxText]}},
		"a private text":  {in: state.Summary{Private: private(longer, facts(2))}, want: state.Summary{Private: private(most, facts(2))}, cut: true},
		"private facts":   {in: state.Summary{Private: private("t", facts(maxSummary))}, want: state.Summary{Private: private("t", tree.Value{})}, cut: true},
	} {
		if !c.cut && c.want.CoversThrough == "" {
			c.want = c.in
		}
		got := Summarized{Summary: c.in}.cleaned().(Summarized)
		if !sameSummary(got.Summary, c.want) || got.Cut != c.cut {
			t.Errorf("%s: cut: %v, text of %d bytes, %d pins, %d members", reason, got.Cut, len(got.Summary.Text), len(got.Summary.Pins), len(got.Summary.Extra))
		}
		if again := got.cleaned().(Summarized); !sameSummary(again.Summary, got.Summary) || again.Cut != c.cut {
			t.Errorf("%s: a limited summary changes", reason)
		}
	}
}

func sameSummary(a, b state.Summary) bool {
	return a.Text == b.Text && a.Facts.Equal(b.Facts) && slices.Equal(a.Pins, b.Pins) && a.Version == b.Version && a.CoversThrough == b.CoversThrough &&
		slices.EqualFunc(a.Private, b.Private, func(a, b state.AudiencePart) bool {
			return slices.Equal(a.Witnesses, b.Witnesses) && a.Text == b.Text && a.Facts.Equal(b.Facts)
		}) &&
		maps.EqualFunc(a.Extra, b.Extra, func(a, b json.RawMessage) bool { return len(a) == len(b) })
}
