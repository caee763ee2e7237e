package memvars_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestDocumentedCalls: each call that the documentation of this package lists has a correct number
// of arguments, and a call with one argument more than the longest is refused.
func TestDocumentedCalls(t *testing.T) {
	t.Parallel()
	call := regexp.MustCompile(`\b([a-z_]+)\(([a-z]+(?:, '?[a-z]+'?)*)\)`)
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "# The commands")
	if !ok {
		t.Fatal("doc.go does not list the commands")
	}
	longest := map[string]int{}
	for _, m := range call.FindAllStringSubmatch(text, -1) {
		n := strings.Count(m[2], ",") + 1
		code := codeOf(t, m[1], n)
		if code == memvars.UnknownCommand {
			continue
		}
		longest[m[1]] = max(longest[m[1]], n)
		if code == memvars.BadArity {
			t.Errorf("%s has a wrong number of arguments", m[0])
		}
	}
	for _, name := range []string{"set_attribute", "set_status", "memory", "delete"} {
		if longest[name] == 0 {
			t.Errorf("%s is not documented", name)
		}
		if code := codeOf(t, name, longest[name]+1); code != memvars.BadArity {
			t.Errorf("%s with one argument too many: %q", name, code)
		}
	}
}

// codeOf returns the code of a command with the given number of arguments.
func codeOf(t *testing.T, name string, arguments int) memvars.Code {
	t.Helper()
	args := strings.TrimSuffix(strings.Repeat("'a', ", arguments), ", ")
	_, res := memvars.Apply(tree.Document{}, name+"("+args+");", memvars.AI, memvars.Options{})
	if len(res.Calls) != 1 {
		t.Fatalf("%s(%s): %v", name, args, res.Calls)
	}
	return res.Calls[0].Code
}
