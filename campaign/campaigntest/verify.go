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

// load reads and parses a scenario. It also returns its text.
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
	return p.verifyScenario(ctx, s)
}

// begin starts the campaign of a scenario. See outside.neverRunsOut.
func (g *Game) begin(s Scenario, neverRunsOut bool) (*session, error) {
	setup := g.setup
	if s.Setup != nil {
		var err error
		if setup, err = withMembers(g.setup, s.Setup); err != nil {
			return nil, fmt.Errorf("%s: setup: %w", s.File, err)
		}
	}
	p, err := g.compiled.newSession(setup, neverRunsOut)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return p, nil
}

// withMembers returns a setup with some members replaced by the members of a JSON object.
func withMembers(s state.Setup, object json.RawMessage) (state.Setup, error) {
	data, err := openjson.Marshal(s)
	if err != nil {
		return s, err
	}
	members := map[string]json.RawMessage{}
	for _, part := range [][]byte{data, object} {
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
	unknown := maps.Clone(out.Extra) // decoding puts unknown members there
	maps.DeleteFunc(unknown, func(name string, _ json.RawMessage) bool {
		_, ofSetup := s.Extra[name]
		return ofSetup
	})
	return out, unknownMember("a setup", unknown, openjson.Names[state.Setup]())
}

// unknownMember returns an error if there are unknown members. Decoding keeps them, so a misspelled
// name would go unnoticed. what names the object, and known lists its members.
func unknownMember(what string, unknown map[string]json.RawMessage, known []string) error {
	if len(unknown) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(unknown)))
	return errors.New(unknownName("member of "+what, first, known).got)
}

// verifyScenario plays the steps and checks the goals.
func (p *session) verifyScenario(ctx context.Context, s Scenario) (Report, error) {
	r := Report{File: s.File}
	for i, step := range s.Steps {
		m, err := p.playStep(ctx, step)
		if err != nil {
			return r, fmt.Errorf("%s: %s: %w", fileLine(s.File, step.Line), title(step), err)
		}
		happened := m.describe()
		r.Happened = append(r.Happened, happened)
		faults := append(m.faults, laws{&m}.broken()...)
		nextDo := ""
		if i+1 < len(s.Steps) {
			nextDo = s.Steps[i+1].Do
		}
		faults = append(faults, m.checkWants(s.File, step.Wants, nextDo)...)
		if step.Recorded && step.Happened != happened {
			faults = append(faults, "it went otherwise than recorded (-recorded +now):\n"+indented(lineDiff(step.Happened, happened)))
		}
		if len(faults) > 0 {
			r.Faults = append(r.Faults, withPlace(fileLine(s.File, step.Line), m.describeFaults(faults)))
		}
	}
	end := snapshot{game: p.game, before: p.last.after, after: p.last.after}
	for _, c := range s.Goals {
		if fault := end.verify(c); fault != "" {
			r.Faults = append(r.Faults, withPlace(fileLine(s.File, c.Line), strings.Replace(fault, "want", "goal", 1)))
		}
	}
	r.Faults = append(r.Faults, p.checkEnd(ctx)...)
	return r, nil
}

// checkWants checks what a step of a file wants. nextDo is the word of the next step, or "". A step
// that did not end well is a fault, unless a check or the next step expects that.
func (m *snapshot) checkWants(file string, wants []ScenarioCheck, nextDo string) (faults []string) {
	for _, c := range wants {
		if fault := m.verify(c); fault != "" {
			faults = append(faults, withPlace(fileLine(file, c.Line), fault))
		}
	}
	if slices.ContainsFunc(wants, acceptsFailure) || answersOutcome(m.outcome, nextDo) {
		return faults
	}
	if fault := m.unexpectedEnd(); fault != "" {
		faults = append(faults, fault)
	}
	return faults
}

// fileLine returns a file and line as compilers write them. Without a line, which is 0, it returns the
// file.
func fileLine(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// withPlace returns a text after its place in a file. The place may be "".
func withPlace(at, text string) string {
	if at == "" {
		return text
	}
	return at + ": " + text
}

// lineDiff lists the lines of two texts. "-" marks lines that only the first has, "+" marks lines
// that only the second has.
func lineDiff(old, now string) string {
	isEnd := func(r rune) bool { return r == '\n' }
	a, b := strings.FieldsFunc(old, isEnd), strings.FieldsFunc(now, isEnd)
	return utf8text.Diff(a, b, len(a)+len(b))
}
