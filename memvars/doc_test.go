package memvars_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

// TestDocumentedCalls: the documentation of this package and of package command lists the same
// calls of all commands. Each has a correct number of arguments, and a call with one argument more
// than the longest is refused.
func TestDocumentedCalls(t *testing.T) {
	t.Parallel()
	call := regexp.MustCompile(`\b([a-z_]+)\(([a-z]+(?:, '?[a-z]+'?)*)\)`)
	listed := func(file, begin string) map[string]bool {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, text, ok := strings.Cut(string(data), begin)
		if !ok {
			t.Fatalf("%s has no %q", file, begin)
		}
		calls := map[string]bool{}
		for _, m := range call.FindAllStringSubmatch(text, -1) {
			if command.Known(m[1]) {
				calls[m[0]] = true
			}
		}
		return calls
	}
	here, there := listed("doc.go", "# The commands"), listed("command/doc.go", "The calls that")
	longest := map[string]int{}
	for form := range here {
		m := call.FindStringSubmatch(form)
		n := strings.Count(m[2], ",") + 1
		longest[m[1]] = max(longest[m[1]], n)
		if !there[form] {
			t.Errorf("package command does not list %s", form)
		}
		if code := codeOf(t, m[1], n); code == command.BadArity {
			t.Errorf("%s has a wrong number of arguments", form)
		}
	}
	for form := range there {
		if !here[form] {
			t.Errorf("package memvars does not list %s", form)
		}
	}
	for _, name := range []string{"set_attribute", "set_status", "memory", "delete"} {
		if longest[name] == 0 {
			t.Errorf("%s is not documented", name)
		}
		if code := codeOf(t, name, longest[name]+1); code != command.BadArity {
			t.Errorf("%s with one argument too many: %q", name, code)
		}
	}
}

// codeOf returns the code of a command with the given number of arguments.
func codeOf(t *testing.T, name string, arguments int) command.Code {
	t.Helper()
	args := strings.TrimSuffix(strings.Repeat("'a', ", arguments), ", ")
	_, res := memvars.Apply(tree.Document{}, name+"("+args+");", memvars.AI, memvars.Options{})
	if len(res.Calls) != 1 {
		t.Fatalf("%s(%s): %v", name, args, res.Calls)
	}
	return res.Calls[0].Code
}
