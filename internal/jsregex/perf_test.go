package jsregex_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/testkit"
)

// compileKeys compiles keys with their plans and engines.
func compileKeys(t *testing.T, keys []string) {
	for _, key := range keys {
		body, letters, _ := jsregex.SplitKey(key)
		if _, err := compile(t, body, letters).Match(""); err != nil {
			t.Error(key, err)
		}
	}
}

// TestPerfCompile compares compiling a key, with plan and engine, with regexp.Compile: the average
// of the mixed keys that it can express, and each of the trap keys separately.
func TestPerfCompile(t *testing.T) {
	testkit.Need(t)
	expressible := regexp.MustCompile(`\(\?<?[=!]|\\1`)
	var both []string
	for _, key := range mixedSet {
		if !expressible.MatchString(key) {
			both = append(both, key)
		}
	}
	testkit.AtMost(t, "mixed keys, in regexp.Compile", 20, func() float64 {
		all := testkit.Best(200, func() { compileKeys(t, mixedSet) }) / time.Duration(len(mixedSet))
		std := testkit.Best(200, func() { compileStd(t, both) }) / time.Duration(len(both))
		return float64(all) / float64(std)
	})
	for _, body := range []string{".", `\W`, `\S`, `\D`} {
		for _, letters := range []string{"i", "iu", "is"} {
			key := []string{fmt.Sprintf("/%s/%s", body, letters)}
			testkit.AtMost(t, key[0]+", in regexp.Compile", 100, func() float64 {
				return float64(testkit.Best(50, func() { compileKeys(t, key) })) /
					float64(testkit.Best(50, func() { compileStd(t, key) }))
			})
		}
	}
}

// compileStd compiles the keys with the standard library, if its syntax has the same meaning.
func compileStd(t *testing.T, keys []string) {
	for _, key := range keys {
		body, letters, _ := jsregex.SplitKey(key)
		body = strings.ReplaceAll(body, `\u4e00-\u9fff`, `\x{4e00}-\x{9fff}`)
		if letters = strings.ReplaceAll(letters, "u", ""); letters != "" {
			body = "(?" + letters + ")" + body
		}
		if _, err := regexp.Compile(body); err != nil {
			t.Error(key, err)
		}
	}
}

// TestPerfRunaway compares patterns that could run away with the standard library, which cannot run
// away.
func TestPerfRunaway(t *testing.T) {
	testkit.Need(t)
	text := strings.Repeat("a", 20000) + testkit.New(1).Text("en", 20000) + "1"
	for _, pattern := range runaways {
		std, err := regexp.Compile(strings.ReplaceAll(pattern, "[^]", `[\s\S]`))
		if err != nil { // look-aheads: no comparison is possible
			continue
		}
		re := compile(t, pattern, "")
		testkit.AtMost(t, pattern+", in regexp.MatchString", 20, func() float64 {
			ours := testkit.Best(3, func() {
				if ok, err := re.Match(text); ok || err != nil {
					t.Errorf("%s: %v %v", pattern, ok, err)
				}
			})
			theirs := testkit.Best(3, func() { std.MatchString(text) })
			return float64(ours) / float64(max(theirs, time.Microsecond))
		})
	}
}
