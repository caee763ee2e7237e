package jsregex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/testkit"
)

var mixedSet = []string{
	`/dragon|wyrm|drake/i`, `/\b(?:king|queen|emperor)s?\b/i`, `/魔法|咒语|法术/`, `/(?<!no )magic(?! missile)/i`,
	`/攻击\d+次/`, `/[\u4e00-\u9fff]{1,3}学院/`, `/\b(?:sword|blade)\b\W+(?:\w+\W+){0,6}?\b(?:blood|oath)\b/i`,
	`/ring.*mordor/i`, `/\x01Ann: /`, `/\b(\w{4,}) \1\b/`,
}

// BenchmarkRegexCompile compiles and plans keys, the engine included.
func BenchmarkRegexCompile(b *testing.B) {
	sets := map[string][]string{"mixed": mixedSet}
	for _, p := range []string{".", `\W`, `\S`, `\D`} {
		for _, f := range []string{"i", "iu", "is"} {
			sets["trap"] = append(sets["trap"], "/x"+p+"y/"+f)
		}
	}
	for _, set := range []string{"mixed", "trap"} {
		b.Run("set="+set, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, key := range sets[set] {
					body, letters, _ := jsregex.SplitKey(key)
					if _, err := compile(b, body, letters).Match(""); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(sets[set])), "ns/key")
		})
	}
}

// runaways are patterns that take exponential or high polynomial time when they
// backtrack, and the AND idiom.
var runaways = []string{
	`(a+)+$`, `^(\w+\s?)+!$`, `(x+x+)+y`, `(.*)*q$`, `(?:a|aa)+$`, `^(a|a?)+$`, `^(([a-z])+.)+[A-Z]([a-z])+$`,
	`\s+$`, `(?=[^]*swordx)(?=[^]*shield)`, `(\w+)(\w+)(\w+)!`, `(?:\w+|x)(?:\w+|y)!`, `b.*a.*b.*a.*#`,
	`(?:a?){30}a{30}[!?]`, strings.Repeat(`(?:a|aa)`, 60) + `[!?]`, strings.Repeat(`(a|[a-c]b?)`, 40) + `[!?]`,
	`(?:a+){0,6}[!?]`, `[a-z]+[A-Z]*[a-z]+!`,
}

// BenchmarkRegexRunaway matches them against 40 KB without a match.
func BenchmarkRegexRunaway(b *testing.B) {
	text := strings.Repeat("a", 20000) + testkit.New(1).Text("en", 20000) + "1"
	for _, pattern := range runaways {
		b.Run(fmt.Sprintf("pattern=%s", pattern), func(b *testing.B) {
			b.ReportAllocs()
			re := compile(b, pattern, "")
			for b.Loop() {
				if ok, err := re.Match(text); ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

// TestRunawaysAreTame: these regexes end without reaching a limit.
func TestRunawaysAreTame(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a", 3000) + " b1"
	for _, pattern := range runaways {
		for _, letters := range []string{"", "y"} {
			re := compile(t, pattern, letters)
			if ok, err := re.Match(text); ok || err != nil || re.RunAway() {
				t.Errorf("/%s/%s: %v %v, runs away: %v", pattern, letters, ok, err, re.RunAway())
			}
		}
	}
}
