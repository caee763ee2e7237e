package game

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/rules"
)

// TestLiveNarrationIsWhatStays: with random answers, all text that is shown while an answer is
// streamed is at the same place in the end, and the final text is complete.
func TestLiveNarrationIsWhatStays(t *testing.T) {
	t.Parallel()
	pieces := []string{"You wait.", " ", "\n", "\n", "\n\n", "[hp: -1]", "[hp: +2]", "[hp: {", "}]", "[Keep out]", "[hp: \"", "\"", "]", "[", "[hp:", "-1]",
		"(slowly)", "set_status('a', 1);", "<updateMemory>", "</updateMemory>", "<b>", "【状态】hp: 1【/状态】", "【x】", "。尘", "  ", "\t", "- ", "`"}
	vars := []rules.Variable{{ID: "hp", Type: rules.TypeNumber}}
	tagged := []rules.ReplyRule{{ID: "s", Match: rules.ReplyMatch{Tag: "状态"}, Hide: true, To: []rules.ReplyRoute{{Kind: rules.ReplyFields}}}}
	for _, content := range []Content{{}, {Rules: Rules{Variables: vars}}, {Rules: Rules{Variables: vars, ReplyRules: tagged}}} {
		game, problems := Compile(content)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 3000 {
			var b strings.Builder
			for range 1 + r.IntN(12) {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
			raw := b.String()
			final := game.Read(answer.Read(raw, nil).Text, game.Scope()).Shown
			n := Narrator{Game: game}
			var live strings.Builder
			for at := 0; at < len(raw); {
				end := min(len(raw), at+1+r.IntN(9))
				live.WriteString(n.Write(raw[at:end]))
				if at = end; !strings.HasPrefix(final, live.String()) {
					t.Fatalf("%q: shown %q, in the end %q", raw, live.String(), final)
				}
			}
			if rest, again := n.Finish(); again || live.String()+rest != final {
				t.Fatalf("%q: shown %q and %q, in the end %q", raw, live.String(), rest, final)
			}
		}
	}
}
