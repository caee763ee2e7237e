package memvars_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// cases are the recorded cases. Package mvu runs the cases of the other layer.
var cases = testkit.Suite{Dir: filepath.Join("testdata", "conformance")}

// fixture returns a start document that several cases use.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(cases.Folder(), "fixtures", name+".json"))
	if err != nil {
		data, err = os.ReadFile(filepath.Join(cases.Dir, "fixtures", name+".json"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

type seedCase struct {
	ID, Title, Topic, Layer, Basis string
	Note                           any

	Initial struct {
		Fixture string
		Vars    json.RawMessage
		JSON    string `json:"json"`
	}
	Options memvars.Options
	Steps   []seedStep
	Expect  struct {
		Diff       []seedEvent
		Commands   *int
		PerMessage []struct {
			I      *int
			Status []string
			Events int
		} `json:"per_message"`
		Checkpoints []struct {
			AfterTurn int `json:"after_turn"`
			Diff      []seedEvent
		}
		Effects      []memvars.Effect
		Final        json.RawMessage
		RebuildEqual *bool `json:"rebuild_equal"`
	}
	History []struct{ Role, Text string }
}

type seedStep struct {
	Do     string
	Actor  memvars.Actor
	Text   string
	Path   []any
	Name   string
	Vars   json.RawMessage
	Expect json.RawMessage
}

type seedEvent struct {
	Path     []any
	By       string
	Old, New tree.Value
}

func (e seedEvent) path() tree.Path { return pathOf(e.Path) }

// pathOf returns a path of a case, in which keys are texts and list indexes are numbers.
func pathOf(segments []any) tree.Path {
	p := make(tree.Path, len(segments))
	for i, seg := range segments {
		switch s := seg.(type) {
		case string:
			p[i] = s
		case float64:
			p[i] = strconv.Itoa(int(s))
		}
	}
	return p
}

// TestConformance runs the recorded cases of the seed layer (MV-01 to MV-33). A missing member of a
// case means none: no event, no effect, no change.
func TestConformance(t *testing.T) {
	cases.Run(t, func(t *testing.T, file string, data []byte) []testkit.RecordedCase {
		t.Helper()
		var head struct{ Layer string }
		if err := json.Unmarshal(data, &head); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if head.Layer != "seed" {
			return nil
		}
		var f struct {
			Layer, Topic string
			Note         any
			Cases        []seedCase
		}
		decode(t, data, &f)
		var out []testkit.RecordedCase
		for _, c := range f.Cases {
			out = append(out, testkit.RecordedCase{Name: c.ID, Run: func(t *testing.T) { runSeedCase(t, c) }})
		}
		return out
	})
}

func load(t *testing.T, data []byte) tree.Document {
	t.Helper()
	d, err := tree.ParseDocument(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func initialOf(t *testing.T, c seedCase) tree.Document {
	t.Helper()
	switch {
	case c.Initial.Fixture != "":
		return load(t, fixture(t, c.Initial.Fixture))
	case c.Initial.JSON != "":
		return load(t, []byte(c.Initial.JSON))
	}
	return load(t, c.Initial.Vars)
}

// player is a session for the steps of a case.
type player struct {
	sys     *memvars.System
	initial tree.Document
	doc     tree.Document
	state   memvars.State
	heard   []string
	history []memvars.Message
	saved   map[string]player
}

func runSeedCase(t *testing.T, c seedCase) {
	sys, problems := memvars.Compile(c.Options)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	p := &player{sys: sys, initial: initialOf(t, c), saved: map[string]player{}}
	p.doc, p.state = p.initial, sys.Begin(p.initial)
	if c.History != nil {
		runCampaign(t, p, c)
		return
	}
	for i, s := range c.Steps {
		p.step(t, fmt.Sprintf("step %d (%s)", i, s.Do), s)
	}
	p.sameDiff(t, "diff", c.Expect.Diff)
}

// sameDiff checks that the expected net changes lead from the initial document to the current one.
func (p *player) sameDiff(t *testing.T, where string, diff []seedEvent) {
	t.Helper()
	want := p.initial
	for _, e := range diff {
		if old := p.initial.Lookup(e.path()); !approx(old, e.Old) {
			t.Errorf("%s: %s was %v at first, not %v", where, e.path(), old, e.Old)
		}
		want = patch(t, want, e)
	}
	sameValue(t, where, p.doc.Root(), want.Root())
}

// patch applies an expected net change.
func patch(t *testing.T, d tree.Document, e seedEvent) tree.Document {
	t.Helper()
	edit := d.Edit()
	var err error
	if e.New.Exists() {
		err = edit.Set(e.path(), e.New)
	} else {
		err = edit.Delete(e.path())
	}
	if err != nil {
		t.Fatal(err)
	}
	return edit.Document()
}

func (p *player) step(t *testing.T, where string, s seedStep) {
	t.Helper()
	switch s.Do {
	case "apply", "turn":
		p.message(t, where, s)
	case "read":
		var want map[string]struct {
			Value   tree.Value
			Missing bool
		}
		decode(t, s.Expect, &want)
		for path, w := range want {
			got, ok := p.doc.Get(path)
			if ok == w.Missing {
				t.Errorf("%s: %s: found %v", where, path, ok)
			}
			v, err := tree.Of(got)
			if ok && (err != nil || !approx(v, w.Value)) {
				t.Errorf("%s: %s = %v, want %v", where, path, v, w.Value)
			}
		}
	case "render":
		var want struct{ Value tree.Value }
		decode(t, s.Expect, &want)
		text := p.sys.Render(p.doc, memvars.RenderOptions{Part: pathOf(s.Path)})
		got, err := tree.ParseValue([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		sameValue(t, where, got, want.Value)
	case "keys":
		var want struct{ Keys []string }
		decode(t, s.Expect, &want)
		var got []string
		for k := range p.doc.Lookup(pathOf(s.Path)).Members() {
			got = append(got, k)
		}
		if !slices.Equal(got, want.Keys) {
			t.Errorf("%s: keys %q, want %q", where, got, want.Keys)
		}
	case "dump":
		var want struct{ Text string }
		decode(t, s.Expect, &want)
		if got := p.doc.Lookup(pathOf(s.Path)).String(); got != want.Text {
			t.Errorf("%s:\n%s, want\n%s", where, got, want.Text)
		}
	case "snapshot":
		p.heard, p.history = slices.Clip(p.heard), slices.Clip(p.history)
		p.saved[s.Name] = *p
	case "restore":
		saved, known := p.saved[s.Name]
		if !known {
			t.Fatalf("%s: no snapshot %q", where, s.Name)
		}
		*p = saved
	case "tamper":
		p.doc = load(t, s.Vars)
	case "rebuild":
		p.rebuild(t, where, s)
	default:
		t.Fatalf("%s: unknown step", where)
	}
}

func (p *player) rebuild(t *testing.T, where string, s seedStep) {
	t.Helper()
	doc, state := p.sys.Rebuild(p.initial, p.history)
	if s.Expect == nil {
		p.doc, p.state = doc, state
		return
	}
	var want struct{ Equal bool }
	decode(t, s.Expect, &want)
	if got, live := doc.String(), p.doc.String(); (got == live) != want.Equal {
		t.Errorf("%s: rebuilt\n%s\nlive\n%s\nequal should be %v", where, got, live, want.Equal)
	}
}

// decode reads the expectation of a step. A member that the test does not compare is an error.
func decode(t *testing.T, data []byte, dst any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(dst); err != nil {
		t.Fatal(err)
	}
}

func (p *player) message(t *testing.T, where string, s seedStep) {
	t.Helper()
	actor := s.Actor
	if s.Do == "turn" {
		actor = memvars.AI
	}
	p.history = append(p.history, memvars.Message{Actor: actor, Text: s.Text})
	before := p.doc
	doc, result := p.sys.Apply(p.doc, s.Text, actor)
	p.doc = doc
	effects := result.Effects
	var turn memvars.Result
	if s.Do == "turn" {
		p.doc, p.state, turn = p.sys.EndTurn(p.doc, p.state,
			memvars.Turn{Reply: s.Text, Player: p.heard})
		p.heard = nil
		effects = append(effects, turn.Effects...)
	} else if actor == memvars.User {
		p.heard = append(p.heard, s.Text)
	}
	if len(result.Changes) == 0 && !doc.Same(before) {
		t.Errorf("%s: another version without a change", where)
	}
	if s.Expect == nil {
		return
	}
	var want struct {
		Results    []map[string]any
		Events     []seedEvent
		TurnEvents []seedEvent `json:"turn_events"`
		Effects    []memvars.Effect
	}
	decode(t, s.Expect, &want)
	sameResults(t, where, result.Calls, want.Results)
	sameEvents(t, where+" events", result.Changes, want.Events)
	sameEvents(t, where+" turn events", turn.Changes, want.TurnEvents)
	sameEffects(t, where, effects, want.Effects)
}

func sameResults(t *testing.T, where string, got []memvars.CallResult, want []map[string]any) {
	t.Helper()
	var g, w []string
	for _, c := range got {
		m := map[string]any{"op": c.Op, "line": c.Line, "col": c.Col, "status": c.Status}
		if c.Code != "" {
			m["code"] = c.Code
		}
		if c.At != nil {
			m["at"] = []int{c.At.Line, c.At.Col}
		}
		if len(c.Warnings) > 0 {
			m["warnings"] = c.Warnings
		}
		if c.Reason != "" {
			m["reason"] = c.Reason
		}
		g = append(g, jsonText(m))
	}
	for _, m := range want {
		w = append(w, jsonText(m))
	}
	if !slices.Equal(g, w) {
		t.Errorf("%s results:\n%s\nwant\n%s", where, strings.Join(g, "\n"), strings.Join(w, "\n"))
	}
}

func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func eventText(p tree.Path, by string, old, new tree.Value) string {
	return fmt.Sprintf("%s by %s: %v -> %v", p, by, old, new)
}

func sameEvents(t *testing.T, where string, got []tree.Change, want []seedEvent) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		g, w := got[i], want[i]
		ok = slices.Equal(g.Path, w.path()) && g.By == w.By && approx(g.Old, w.Old) && approx(g.New, w.New)
	}
	if ok {
		return
	}
	var b strings.Builder
	for _, g := range got {
		fmt.Fprintln(&b, "got ", eventText(g.Path, g.By, g.Old, g.New))
	}
	for _, w := range want {
		fmt.Fprintln(&b, "want", eventText(w.path(), w.By, w.Old, w.New))
	}
	t.Errorf("%s:\n%s", where, b.String())
}

func sameEffects(t *testing.T, where string, got, want []memvars.Effect) {
	t.Helper()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		g, w := got[i], want[i]
		ok = g.Kind == w.Kind && slices.Equal(g.Path, w.Path) && g.World == w.World && approx(g.Data, w.Data)
	}
	if !ok {
		t.Errorf("%s effects: %s, want %s", where, jsonText(got), jsonText(want))
	}
}

// approx compares values. Numbers may differ in the last digits of a division, but must be equal if
// they have more digits than a float.
func approx(a, b tree.Value) bool {
	if a.Equal(b) {
		return true
	}
	x, okX := a.AsFloat()
	y, okY := b.AsFloat()
	if okX && okY {
		return math.Abs(x) < 1<<53 && math.Abs(x-y) <= 1e-12*max(1, math.Abs(x))
	}
	if a.Kind() != b.Kind() || a.Len() != b.Len() || a.Len() == 0 {
		return false
	}
	for i := range a.Len() {
		other := b.At(i)
		if a.IsObject() {
			other = b.Get(a.KeyAt(i))
		}
		if !approx(a.At(i), other) {
			return false
		}
	}
	return true
}

func sameValue(t *testing.T, where string, got, want tree.Value) {
	t.Helper()
	if approx(got, want) {
		return
	}
	g, errG := tree.NewDocument(got)
	w, errW := tree.NewDocument(want)
	if errG != nil || errW != nil {
		t.Errorf("%s: %v, want %v", where, got, want)
		return
	}
	for _, c := range tree.Diff(w, g) {
		t.Errorf("%s: %s is %v, want %v", where, c.Path, c.New, c.Old)
	}
}
