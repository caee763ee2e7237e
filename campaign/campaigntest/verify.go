package campaigntest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
)

// The flag -update is shared: a different golden-file package may already have declared it with the
// same meaning.
var _ = declareUpdate()

func declareUpdate() bool {
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write the recordings of scenarios again")
	}
	return true
}

// updating reports whether the test was started with -update.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}

// Run plays every scenario of a file system that matches a pattern. Each is a subtest named after
// its file. All mistakes of a file are reported at once, each with its line. Every failed check is
// reported with what happened instead, and why.
//
// With the flag -update, Run writes what happened below the lines "----". The file system must be
// writable: os.DirFS, or one with a method WriteFile(name string, data []byte, perm fs.FileMode)
// error. A package that declares a flag with this name must first check with flag.Lookup that it
// does not exist.
func Run(t *testing.T, fsys fs.FS, pattern string, content game.Content, setup state.Setup) {
	t.Helper()
	g, err := Prepare(content, setup)
	if err != nil {
		t.Fatalf("the content has mistakes:\n%v", err)
	}
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("no scenario matches %s", pattern)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(name, filepath.Ext(name)), func(t *testing.T) { runFile(t, g, fsys, name) })
	}
}

// runFile plays one scenario.
func runFile(t *testing.T, g *Game, fsys fs.FS, name string) {
	t.Helper()
	if updating() {
		if err := g.Update(t.Context(), fsys, name); err != nil {
			t.Fatal(err)
		}
	}
	s, _, err := load(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	report, err := g.Verify(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range report.Faults {
		t.Error(fault)
	}
}

func load(fsys fs.FS, name string) (s Scenario, text string, err error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return s, "", err
	}
	s, problems := ParseScenario(name, string(data))
	if err := problems.Err(); err != nil {
		return s, "", fmt.Errorf("the scenario has mistakes:\n%w", err)
	}
	return s, string(data), nil
}

// Update plays a scenario and writes what happened below its lines "----"; see [Run].
func (g *Game) Update(ctx context.Context, fsys fs.FS, name string) error {
	s, text, err := load(fsys, name)
	if err != nil {
		return err
	}
	report, err := g.Verify(ctx, s)
	if err != nil {
		return err
	}
	now, err := s.Record(text, func(step int) string { return report.Happened[step] })
	if err == nil && now != text {
		err = write(fsys, name, []byte(now))
	}
	return err
}

// write writes a file to a file system that supports it.
func write(fsys fs.FS, name string, data []byte) error {
	const perm = 0o644
	if w, is := fsys.(interface {
		WriteFile(name string, data []byte, perm fs.FileMode) error
	}); is {
		return w.WriteFile(name, data, perm)
	}
	if dir := reflect.ValueOf(fsys); dir.Type() == reflect.TypeOf(os.DirFS("")) && dir.Kind() == reflect.String {
		return os.WriteFile(filepath.Join(dir.String(), filepath.FromSlash(name)), data, perm)
	}
	return fmt.Errorf("campaigntest: %T cannot be written to: use os.DirFS for -update", fsys)
}

// Report is the result of a scenario.
type Report struct {
	File string `json:"file,omitempty"`
	// Faults lists what was wrong, each as a text of several lines: the step, the failed check, why
	// it failed, and what happened.
	Faults []string `json:"faults,omitempty"`
	// Happened describes the results of each step.
	Happened []string `json:"happened"`
}

// Game is content that was compiled once and can be played many times, one game after the other. It
// belongs to one goroutine.
type Game struct {
	compiled compiled
	setup    state.Setup
}

// Prepare compiles content for [Game.Verify]. The error lists everything that is wrong with it.
func Prepare(content game.Content, setup state.Setup) (*Game, error) {
	c, err := compile(content)
	if err != nil {
		return nil, err
	}
	return &Game{c, setup}, nil
}

// Verify plays a scenario to its end, also after faults. An error means that the scenario cannot be
// played: its setup is wrong, an instruction cannot be read, or the store fails.
func (g *Game) Verify(ctx context.Context, s Scenario) (Report, error) {
	p, err := g.begin(s, false)
	if err != nil {
		return Report{File: s.File}, err
	}
	return p.verify(ctx, s)
}

// begin starts the campaign of a scenario.
func (g *Game) begin(s Scenario, quiet bool) (*session, error) {
	setup := g.setup
	if s.Setup != nil {
		var err error
		if setup, err = changed(g.setup, s.Setup); err != nil {
			return nil, fmt.Errorf("%s: setup: %w", s.File, err)
		}
	}
	p, err := g.compiled.party(setup, quiet)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return p, nil
}

// changed returns a setup with some members replaced by the members of a JSON object.
func changed(s state.Setup, with json.RawMessage) (state.Setup, error) {
	data, err := openjson.Marshal(s)
	if err != nil {
		return s, err
	}
	members := map[string]json.RawMessage{}
	for _, part := range [][]byte{data, with} {
		if err := json.Unmarshal(part, &members); err != nil {
			return s, err
		}
	}
	if data, err = json.Marshal(members); err != nil {
		return s, err
	}
	var out state.Setup
	if err := json.Unmarshal(data, &out); err != nil {
		return s, err
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		_, known := s.Extra[name]
		_, kept := out.Extra[name]
		return known || !kept
	})
	return out, strange("a setup", members, openjson.Names[state.Setup]())
}

// strange returns an error for members that do not belong to something. Decoding keeps unknown
// members, so a misspelled name would go unnoticed.
func strange(what string, members map[string]json.RawMessage, known []string) error {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		return errors.New(unknownName("member of "+what, name, known).got)
	}
	return nil
}

// verify plays the steps and checks the goals.
func (p *session) verify(ctx context.Context, s Scenario) (Report, error) {
	r := Report{File: s.File}
	for i, step := range s.Steps {
		m, err := p.play(ctx, step)
		if err != nil {
			return r, fmt.Errorf("%s: %s: %w", place(s.File, step.Line), title(step), err)
		}
		happened := m.happened()
		r.Happened = append(r.Happened, happened)
		faults := append(m.faults, laws{&m}.broken()...)
		next := ""
		if i+1 < len(s.Steps) {
			next = s.Steps[i+1].Do
		}
		faults = append(faults, p.wanted(s.File, m, step.Wants, next)...)
		if step.Recorded && step.Happened != happened {
			faults = append(faults, "it went otherwise than recorded (-recorded +now):\n"+indented(lineDiff(step.Happened, happened)))
		}
		if len(faults) > 0 {
			r.Faults = append(r.Faults, placed(place(s.File, step.Line), m.tell(faults)))
		}
	}
	atLast := snapshot{game: p.game, before: p.last.after, after: p.last.after}
	for _, c := range s.Goals {
		if fault := atLast.verify(c); fault != "" {
			r.Faults = append(r.Faults, placed(place(s.File, c.Line), strings.Replace(fault, "want", "goal", 1)))
		}
	}
	r.Faults = append(r.Faults, p.atEnd(ctx)...)
	return r, nil
}

// wanted checks the results of a step; next is the word of the step after it.
func (p *session) wanted(file string, m snapshot, wants []ScenarioCheck, next string) (faults []string) {
	unmet := m.unmet()
	if awaits(m.outcome, next) {
		unmet = ""
	}
	for _, c := range wants {
		if excuses(c) {
			unmet = ""
		}
		if fault := m.verify(c); fault != "" {
			faults = append(faults, placed(place(file, c.Line), fault))
		}
	}
	if unmet != "" {
		faults = append(faults, unmet)
	}
	return faults
}

// place returns a file and line as compilers write them; only the file if the line is 0.
func place(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// placed returns a text with its place before it.
func placed(at, text string) string {
	if at == "" {
		return text
	}
	return at + ": " + text
}

// mostCompared is the largest number of lines for a comparison line by line.
const mostCompared = 1000

// lineDiff lists the lines of two texts. "-" marks lines that only the first has, "+" marks lines
// that only the second has.
func lineDiff(old, now string) string {
	a, b := strings.SplitAfter(old, "\n"), strings.SplitAfter(now, "\n")
	if len(a) > mostCompared || len(b) > mostCompared {
		a, b = []string{utf8text.Clip(old, 4000) + "\n"}, []string{utf8text.Clip(now, 4000) + "\n"}
	}
	// longest[i][j] is the number of lines that a[i:] and b[j:] share in order.
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var out strings.Builder
	put := func(sign, line string) {
		if line != "" {
			out.WriteString(sign + " " + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			put(" ", a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			put("-", a[i])
			i++
		default:
			put("+", b[j])
			j++
		}
	}
	return out.String()
}
