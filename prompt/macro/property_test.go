package macro_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
)

// randomTemplate joins pieces whose macros never return a macro or half of one.
func randomTemplate(r *rand.Rand, depth int) string {
	pieces := []string{
		"word ", "雾", "\n", " { ", " } ", "{{user}}", "{{nope}}", "<char>", "{{else}}", "{{trim}}",
		"{{// note}}", "{{noop}}", "{{reverse::ab}}", "{{random::a::b}}", "{{pick::x::y}}",
		"{{roll::d6}}",
		"{{setvar::v::1}}", "{{.v++}}", "{{getvar::v}}", "{{/if}}", "{{user::x}}",
		"{{space::2000}}",
		"{{date}}", "{{time}}", "{{newline::2}}",
	}
	var b strings.Builder
	for range 1 + r.IntN(6) {
		if depth == 0 || r.IntN(3) > 0 {
			b.WriteString(pieces[r.IntN(len(pieces))])
			continue
		}
		inner := randomTemplate(r, depth-1)
		b.WriteString([]string{
			"{{if 1}}" + inner + "{{/if}}", "{{#if .v}}" + inner + "{{else}}no{{/if}}",
			"{{nope::" + inner + "}}", "{{nope}}" + inner + "{{/nope}}", "{{setvar::w::x}}" + inner,
		}[r.IntN(5)])
	}
	return b.String()
}

// TestExpandingTwice checks that a second expansion changes nothing if no macro returns a macro,
// and that stored values can be stored as JSON: PR-08.
func TestExpandingTwice(t *testing.T) {
	t.Parallel()
	rounds := uint64(4000)
	if testkit.Race {
		rounds = 500
	}
	left := 0 // number of results in which macros stay as written
	for seed := range rounds {
		r := rand.New(rand.NewPCG(seed, 4))
		text := randomTemplate(r, 3)
		run := macro.NewRun(macro.Env{User: "Mara", Char: "Orin", Random: r.Float64})
		once := run.Expand(text, macro.Full)
		if twice := run.Expand(once, macro.Full); twice != once {
			t.Fatalf("seed %d: %q gives %q, then %q", seed, text, once, twice)
		}
		if strings.Contains(once, "{{") {
			left++
		}
		vars, _ := run.Vars()
		if _, err := json.Marshal(vars); err != nil {
			t.Errorf("seed %d: %q: %v", seed, text, err)
		}
	}
	if left < int(rounds)/10 || left > int(rounds)*9/10 {
		t.Errorf("macros stay in %d of %d results: the generator is off", left, rounds)
	}
}

// TestRecordedTemplatesTwice is the same for the templates of the recorded cases.
func TestRecordedTemplatesTwice(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, text := range seedTemplates(t) {
		env := macro.Env{User: "Mara", Char: "Orin", Random: func() float64 { return 0 }}
		once, trace := macro.Expand(text, env)
		if strings.Contains(once, "{{") || strings.Contains(text, `\`) || len(trace.Problems) > 0 {
			continue // an escape can create a macro, a missing source keeps one
		}
		checked++
		if twice, _ := macro.Expand(once, env); twice != once {
			t.Errorf("%q gives %q, then %q", text, once, twice)
		}
	}
	if checked < 50 {
		t.Errorf("only %d templates were fit for it", checked)
	}
}
