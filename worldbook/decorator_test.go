package worldbook

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright"
)

// TestCutSillyTavern: which lines are removed, and which act.
func TestCutSillyTavern(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, in string
		whole      bool
		on, off    bool
		rest       string
	}{
		{reason: "none", in: "text\n@@activate", rest: "text\n@@activate"},
		{reason: "one", in: "@@activate\ntext", on: true, rest: "text"},
		{reason: "both", in: "@@activate\n@@dont_activate\nt", on: true, off: true, rest: "t"},
		{reason: "a trailing blank: cut, but it does nothing", in: "@@activate \ntext", rest: "text"},
		{reason: "unknown", in: "@@depth 4\ntext", rest: "text"},
		{reason: "the fallback of an unknown one acts", in: "@@depth 4\n@@@activate\ntext", on: true, rest: "text"},
		{reason: "that of a known one does not", in: "@@activate\n@@@dont_activate\ntext", on: true, rest: "text"},
		{reason: "a fallback behind a fallback", in: "@@x\n@@@y\n@@@activate\nt", on: true, rest: "t"},
		{reason: "nothing but decorators", in: "@@activate", on: true},
		{reason: "with the quirk they stay", in: "@@activate", whole: true, on: true, rest: "@@activate"},
	} {
		on, off, rest := cutSillyTavern(row.in, row.whole)
		if on != row.on || off != row.off || rest != row.rest {
			t.Errorf("%s: %v, %v, %q", row.reason, on, off, rest)
		}
	}
}

// TestCutCard: the meaning of decorators of Card V3 and RisuAI, and their mistakes.
func TestCutCard(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, in string
		want       *decoratorRules // without Inject, where that is Append
		rest       string
		codes      []talewright.Code
	}{
		{reason: "none", in: " text", rest: " text"},
		{reason: "empty lines around them go", in: "\n@@activate\n\ntext\n", want: &decoratorRules{Activate: true}, rest: "text\n"},
		{reason: "a depth", in: "@@depth 3\nt", want: &decoratorRules{Position: new(PositionAtDepth), Depth: 3}, rest: "t"},
		{reason: "a position comes before a depth", in: "@@depth 3\n@@position before_desc\nt",
			want: &decoratorRules{Position: new(PositionBeforeCharacter)}, rest: "t"},
		{reason: "a depth below 0 is 0", in: "@@depth -3\nt", want: &decoratorRules{Position: new(PositionAtDepth)}, rest: "t"},
		{reason: "from the other end", in: "@@reverse_depth 2\nt", want: &decoratorRules{Position: new(PositionAtDepth), ReverseDepth: new(2)}, rest: "t"},
		{reason: "a depth comes before that", in: "@@reverse_depth 2\n@@end\nt", want: &decoratorRules{Position: new(PositionAtDepth)}, rest: "t"},
		{reason: "an outlet", in: "@@position pt_side\nt", want: &decoratorRules{Position: new(PositionInOutlet), Outlet: "side"}, rest: "t"},
		{reason: "a fallback for a bad value", in: "@@role god\n@@@role user\nt", want: &decoratorRules{Role: new(RoleUser)}, rest: "t", codes: []talewright.Code{codeBadValue}},
		{reason: "a bad value alone", in: "@@probability 101\nt", want: &decoratorRules{}, rest: "t", codes: []talewright.Code{codeBadValue}},
		{reason: "an unknown one", in: "@@dance\nt", want: &decoratorRules{}, rest: "t", codes: []talewright.Code{codeUnknown}},
		{reason: "a name with a capital letter", in: "@@Depth 4\n@@\nt", want: &decoratorRules{}, rest: "t", codes: []talewright.Code{codeUnknown, codeUnknown}},
		{reason: "a tab after the name", in: "@@role\tuser\nt", want: &decoratorRules{Role: new(RoleUser)}, rest: "t"},
		{reason: "a fallback behind nothing", in: "@@@activate\nt", want: &decoratorRules{}, rest: "t", codes: []talewright.Code{codeStrayFallback}},
		{reason: "twice: the first counts", in: "@@depth 1\n@@depth 2\nt", want: &decoratorRules{Position: new(PositionAtDepth), Depth: 1}, rest: "t",
			codes: []talewright.Code{codeDuplicate}},
		{reason: "lists of keys add up", in: "@@additional_keys a, b\n@@additional_keys c\nt",
			want: &decoratorRules{Additional: [][]string{{"a", "b"}, {"c"}}}, rest: "t"},
		{reason: "injecting without a place", in: "@@inject_prepend\nt", want: &decoratorRules{Inject: Prepend}, rest: "t",
			codes: []talewright.Code{codeBadValue}},
		{reason: "commas of a text", in: "@@inject_at a, b\n@@inject_replace c, d\nt",
			want: &decoratorRules{InjectAt: "a, b", Inject: Replace, Replaced: "c, d"}, rest: "t"},
	} {
		var codes []talewright.Code
		got, rest := cutCard(row.in, func(code talewright.Code, _ string) { codes = append(codes, code) })
		if row.want != nil && row.want.Inject == "" {
			row.want.Inject = Append
		}
		if diff := cmp.Diff(row.want, got, cmpopts.IgnoreUnexported(decoratorRules{})); diff != "" {
			t.Errorf("%s: %s", row.reason, diff)
		}
		if rest != row.rest || !slices.Equal(codes, row.codes) {
			t.Errorf("%s: %q left, problems %v", row.reason, rest, codes)
		}
	}
}

// TestReportNamesTheLine: a problem names its decorator.
func TestReportNamesTheLine(t *testing.T) {
	t.Parallel()
	var texts []string
	cutCard("@@dance\n@@@role god\nt", func(code talewright.Code, text string) { texts = append(texts, fmt.Sprint(code, ": ", text)) })
	want := []string{"unknown_decorator: @@dance is unknown and is ignored: correct the name, or remove it", "bad_value: @@role has no valid value and is ignored: correct it"}
	if !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
}
