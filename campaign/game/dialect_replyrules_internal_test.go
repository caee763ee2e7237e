package game

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/rules"
)

// TestSlowReplyRules: a reply rule whose pattern takes too long finds nothing and gives a warning.
// Too many passages give a refusal.
func TestSlowReplyRules(t *testing.T) {
	t.Parallel()
	slow := rules.ReplyRule{ID: "slow", Match: rules.ReplyMatch{Pattern: `(.+)(.+)(.+)[，。]\1\2\3x`}}
	set, _ := rules.CompileReplies([]rules.ReplyRule{slow}, nil)
	got := readPassages(set, strings.Repeat("山高月小", 1000), "too many")
	if len(got) == 0 || got[len(got)-1].Warning != "the pattern of reply rule slow takes too long on this reply" {
		t.Errorf("%+v", got)
	}
	set, _ = rules.CompileReplies([]rules.ReplyRule{{ID: "tag", Match: rules.ReplyMatch{Tag: "s"}}}, nil)
	got = readPassages(set, strings.Repeat("<s>x</s>", 5000), "too many")
	if len(got) == 0 || got[len(got)-1].Refused != "too many" || got[0].From != got[0].To {
		t.Errorf("%d spans, the last is %+v", len(got), got[len(got)-1])
	}
}
