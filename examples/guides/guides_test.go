package guides

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
)

// block is a block of a page. Name is the file above it. Lines after $ in a block of the kind console are
// commands.
type block struct{ name, kind, body string }

var (
	blockOf  = regexp.MustCompile("(?s)(?:(?:`([^`\n]+)`:)?\n)?\n```(\\w*)\n(.*?)\n```\n")
	testOf   = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	packages = strings.NewReplacer("package main\n", "package %s\n", "\nfunc main() {", "\nfunc Main() {")
)

// TestGuides (EX-19) does what the pages of this folder say, in empty folders: it writes their files, runs
// their commands, and compares what they print. All programs are built together as one command that is
// called go: "go run ." calls main of the program in the present folder, and "go test ." its tests.
// Commands of blocks without the kind console are for the reader. Without FULL all programs are built,
// and the commands of one page run.
func TestGuides(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t) // the programs are built without it
	pages, err := filepath.Glob("*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	guides, programs := map[string][]block{}, map[string]string{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range blockOf.FindAllStringSubmatch(string(text), -1) {
			b := block{m[1], m[2], m[3]}
			guides[page] = append(guides[page], b)
			if b.kind == "go" && b.name != "" {
				if _, twice := programs[b.name]; twice {
					t.Errorf("%s: there are two files %s", page, b.name)
				}
				programs[b.name] = b.body + "\n"
				if tidy, err := format.Source([]byte(programs[b.name])); err != nil || string(tidy) != programs[b.name] {
					t.Errorf("%s: %s is not formatted: %v", page, b.name, err)
				}
			}
		}
	}
	bin := build(t, programs)
	for page, blocks := range guides {
		if page != "TAVERN.md" && !testkit.Full() {
			continue
		}
		t.Run(page, func(t *testing.T) { follow(t, bin, blocks) })
	}
}

// build builds all programs as one, and returns its folder.
func build(t *testing.T, programs map[string]string) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	bin, replaced := t.TempDir(), map[string]string{}
	add := func(name, text string) {
		file := filepath.Join(bin, strings.ReplaceAll(name, "/", "-")) // errors of the compiler name it
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replaced[filepath.Join(here, "all", name)] = file
	}
	calls, tests := map[string]string{}, map[string]string{}
	for name, text := range programs {
		folder := path.Dir(name)
		add(strings.Replace(name, "_test.go", "_checks.go", 1), fmt.Sprintf(packages.Replace(strings.ReplaceAll(text, "%", "%%")), folder))
		for _, m := range testOf.FindAllStringSubmatch(text, -1) {
			tests[folder] += fmt.Sprintf("{Name: %q, F: %s.%s},", m[1], folder, m[1])
		}
		calls[folder] = ""
	}
	main := "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"os/exec\"\n\t\"path/filepath\"\n\t\"testing\"\n"
	cases := ""
	for folder := range calls {
		main += fmt.Sprintf("\t\"github.com/talewright/talewright/examples/guides/all/%s\"\n", folder)
		cases += fmt.Sprintf("\tcase \"run %s\":\n\t\t%s.Main()\n\tcase \"check %s\":\n\t\ttesting.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{%s}, nil, nil)\n",
			folder, folder, folder, tests[folder])
	}
	add("main.go", main+`)

func main() {
	folder, _ := os.Getwd()
	folder = filepath.Base(folder)
	verb := os.Args[1]
	if verb == "test" {
		if out, err := exec.Command(os.Args[0], "check", ".").CombinedOutput(); err != nil {
			fmt.Printf("%s%v\n", out, err)
			os.Exit(1)
		}
		fmt.Printf("ok  \t%s\t0.01s\n", folder)
		return
	}
	os.Args = append(os.Args[:1], os.Args[3:]...)
	switch verb + " " + folder {
`+cases+"\t}\n}\n")
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "overlay.json"), overlay, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-overlay", filepath.Join(bin, "overlay.json"), "-o", filepath.Join(bin, "go"), "./all")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// follow writes the files of a page and runs its commands. In what a command prints, … stands for any text.
func follow(t *testing.T, bin string, blocks []block) {
	dir, commands := t.TempDir(), 0
	for _, b := range blocks {
		switch {
		case b.name != "":
			file := filepath.Join(dir, filepath.FromSlash(b.name))
			err := os.MkdirAll(filepath.Dir(file), 0o700)
			if err == nil {
				err = os.WriteFile(file, []byte(b.body+"\n"), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		case b.kind == "console":
			for step := range strings.SplitSeq("\n"+b.body, "\n$ ") {
				line, want, _ := strings.Cut(step, "\n")
				if line == "" {
					continue
				}
				commands++
				shell := exec.CommandContext(t.Context(), "sh", "-c", line)
				shell.Dir, shell.Env = dir, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
				out, _ := shell.CombinedOutput() // the output says what is wrong
				got := strings.TrimSuffix(string(out), "\n")
				if pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", "(?s:.*)"); !regexp.MustCompile("^" + pattern + "$").MatchString(got) {
					t.Errorf("$ %s\n%s", line, cmp.Diff(want, got))
				}
			}
		case !slices.Contains([]string{"sh", "go"}, b.kind):
			t.Errorf("a block is neither a file nor commands:\n%s", b.body)
		}
	}
	if commands == 0 {
		t.Error("the guide has no commands")
	}
}
