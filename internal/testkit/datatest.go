package testkit

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file runs transcripts: text files of commands and their outputs, which a person can read and
// review.
//
// A transcript is a list of cases separated by empty lines:
//
//	# a comment
//	command word key=value key="a value with blanks"
//	input lines, if any
//	----
//	expected output
//
// An output that contains an empty line is enclosed in two lines "----" on both sides. Run calls
// the handler for every case in order and compares the outputs. With the flag -update it rewrites
// the files instead. Read the difference before you commit it: a transcript describes how the code
// should behave.

// update reports whether the flag -update is set. Package campaigntest has the same flag; the first
// declaration is used by both.
var update = declareUpdate()

func declareUpdate() func() bool {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "rewrite the transcripts with what the code answers")
	}
	return func() bool { return flag.Lookup("update").Value.String() == "true" }
}

// Case is one command of a transcript.
type Case struct {
	Pos   string // file:line of the command
	Name  string // first word
	Words []string
	Args  map[string]string
	Input string
}

// Arg returns an argument's value, or def if it is not given.
func (c Case) Arg(key, def string) string {
	if v, ok := c.Args[key]; ok {
		return v
	}
	return def
}

// Run runs every transcript that matches the pattern as a separate subtest. newHandler makes a
// handler for each file, so that files do not share state.
func Run(t *testing.T, pattern string, newHandler func(t *testing.T) func(Case) string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no transcript matches %s", pattern)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		t.Run(name, func(t *testing.T) { runFile(t, path, newHandler(t)) })
	}
}

func runFile(t *testing.T, path string, handle func(Case) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := parse(path, string(data))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, c := range cases {
		out.WriteString(c.head)
		if c.Name == "" {
			continue // trailing comments
		}
		got := handle(c.Case)
		if got != "" && !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		if !update() && got != c.want {
			t.Errorf("%s: %s (-want +got):\n%s", c.Pos, c.Name, cmp.Diff(c.want, got))
		}
		writeOutput(&out, got)
	}
	if update() {
		text := strings.TrimRight(out.String(), "\n") + "\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func writeOutput(b *strings.Builder, got string) {
	if strings.Contains(got, "\n\n") || strings.HasPrefix(got, "\n") {
		fmt.Fprintf(b, "----\n----\n%s----\n----\n", got)
		return
	}
	fmt.Fprintf(b, "----\n%s", got)
}

// parsed is a case with the text before its output, as it is in the file.
type parsed struct {
	Case
	head string
	want string
}

func parse(path, text string) ([]parsed, error) {
	lines := strings.SplitAfter(text, "\n")
	var out []parsed
	for i := 0; i < len(lines); {
		start := i
		for i < len(lines) && skippable(lines[i]) {
			i++
		}
		p := parsed{}
		if i >= len(lines) {
			p.head = strings.Join(lines[start:], "")
			out = append(out, p)
			break
		}
		p.Pos = fmt.Sprintf("%s:%d", path, i+1)
		if err := p.command(strings.TrimSpace(lines[i])); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Pos, err)
		}
		i++
		from := i
		for i < len(lines) && strings.TrimRight(lines[i], "\r\n") != "----" {
			i++
		}
		if i >= len(lines) {
			return nil, fmt.Errorf("%s: no line ---- after the command", p.Pos)
		}
		p.Input = strings.TrimRight(strings.Join(lines[from:i], ""), "\n")
		p.head = strings.Join(lines[start:i], "")
		p.want, i = readOutput(lines, i+1)
		out = append(out, p)
	}
	return out, nil
}

func skippable(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

func readOutput(lines []string, i int) (string, int) {
	isBar := func(i int) bool {
		return i < len(lines) && strings.TrimRight(lines[i], "\r\n") == "----"
	}
	from := i
	if isBar(i) {
		from++
		for i = from; i < len(lines) && !(isBar(i) && isBar(i+1)); i++ {
		}
		return strings.Join(lines[from:i], ""), min(i+2, len(lines))
	}
	for i < len(lines) && strings.TrimSpace(lines[i]) != "" {
		i++
	}
	return strings.Join(lines[from:i], ""), i
}

// command splits the command line into words and key=value arguments.
func (p *parsed) command(line string) error {
	p.Args = map[string]string{}
	for line != "" {
		word, rest, err := nextWord(line)
		if err != nil {
			return err
		}
		line = strings.TrimLeft(rest, " \t")
		key, value, isArg := strings.Cut(word, "=")
		switch {
		case p.Name == "":
			p.Name = word
		case isArg:
			if strings.HasPrefix(value, `"`) {
				if value, err = strconv.Unquote(value); err != nil {
					return fmt.Errorf("bad quotes in %s", word)
				}
			}
			p.Args[key] = value
		default:
			p.Words = append(p.Words, word)
		}
	}
	return nil
}

// nextWord returns the text up to the first blank that is not between quotation marks.
func nextWord(line string) (word, rest string, err error) {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case (c == ' ' || c == '\t') && !quoted:
			return line[:i], line[i:], nil
		}
	}
	if quoted {
		return "", "", fmt.Errorf("unclosed quotation mark")
	}
	return line, "", nil
}

// Golden compares a text with a file, or writes the file with the flag -update.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	if update() {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: run this test with -update to write it", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got): if this is intended, run the test with -update and review the difference\n%s", file, diff)
	}
}
