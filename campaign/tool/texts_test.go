package tool_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/tool"
)

// TestChineseReasons: each tool of the package has its reasons in Chinese, with the same numbers.
func TestChineseReasons(t *testing.T) {
	t.Parallel()
	tools, err := tool.Builtin().With(tool.PoolCheck(tool.PoolRules{}),
		tool.GenerateMap(tool.GenerateLimits{}), tool.GenerateCharacter(tool.GenerateLimits{}))
	if err != nil {
		t.Fatal(err)
	}
	numbers := regexp.MustCompile(`\d+`)
	for _, name := range tools.Names() {
		one, _ := tools.Get(name)
		zh := one.Translations["zh"]
		for code, english := range one.Reasons {
			if zh.Reasons[code] == "" || !slices.Equal(numbers.FindAllString(zh.Reasons[code], -1), numbers.FindAllString(english, -1)) {
				t.Errorf("%s: %s: %q, in Chinese %q", name, code, english, zh.Reasons[code])
			}
		}
	}
}
