package prepare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
)

// programs is an engine and its host: a function for each program, and the calls that arrived.
type programs struct {
	run   map[string]func(host template.Host) (string, error)
	calls []string
}

func (p *programs) Run(_ context.Context, program template.Program, host template.Host) (string, error) {
	return p.run[program.Source](host)
}

func (p *programs) Call(name string, args []any) (any, error) {
	call := name
	for _, arg := range args {
		if v, _ := arg.(tree.Value); v.Exists() {
			call += " " + v.String()
		} else {
			call += " undefined"
		}
	}
	p.calls = append(p.calls, call)
	return tree.Int(1), nil
}

// TestProgramsAreRepeated: a program that was recorded makes the same calls again in a replay, and
// ends with the same output or error, without an engine. A program beyond the limits needs one.
func TestProgramsAreRepeated(t *testing.T) {
	t.Parallel()
	failure := &template.Error{Code: "thrown", Name: "TypeError", Text: "no"}
	engine := &programs{run: map[string]func(template.Host) (string, error){
		"prints": func(template.Host) (string, error) { return "fog", nil },
		"calls": func(host template.Host) (string, error) {
			_, err := host.Call("setvar", []any{tree.Text("k"), tree.Value{}, tree.Int(3)})
			return "done", err
		},
		"throws": func(host template.Host) (string, error) {
			_, _ = host.Call("getvar", []any{tree.Text("k")})
			return "", failure
		},
		"breaks":        func(template.Host) (string, error) { return "", errors.New("out of time") },
		"prints a book": func(template.Host) (string, error) { return strings.Repeat("x", maxProgramBytes+1), nil },
		"sends a book": func(host template.Host) (string, error) {
			_, err := host.Call("setvar", []any{tree.Text(strings.Repeat("x", maxProgramBytes))})
			return "", err
		},
		"calls too often": func(host template.Host) (string, error) {
			for range maxProgramCalls + 5 {
				_, _ = host.Call("getvar", nil)
			}
			return "", nil
		},
	}}
	texts := func(engine template.Engine, recorded []tree.Value) *Texts {
		g, problems := game.Compile(game.Content{Extensions: game.Extensions{Engine: engine}})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		out := &Texts{}
		out.Game, out.Recorded = g, recorded
		out.templates = &Templates{texts: out}
		return out
	}
	if texts(nil, nil).engine() != nil {
		t.Error("a game without an engine has one")
	}
	for source, c := range map[string]struct {
		long  bool
		calls []string
		err   string
	}{
		"prints": {}, "calls": {calls: []string{`setvar "k" undefined 3`}}, "throws": {calls: []string{`getvar "k"`}, err: failure.Error()},
		"breaks": {err: "out of time"}, "prints a book": {long: true}, "sends a book": {long: true}, "calls too often": {long: true},
	} {
		first, live := texts(engine, nil), &programs{}
		program := template.Program{Source: source}
		out, err := first.engine().Run(t.Context(), program, live)
		record := first.Trace.Programs
		if len(record) != 1 || record[0].Get("long").Exists() != c.long || c.long && record[0].Len() != 2 {
			t.Errorf("%s: the record is %.200s", source, fmt.Sprint(record))
		}
		if text := errorText(err); text != c.err {
			t.Errorf("%s: %q", source, text)
		}
		other := tree.Object(tree.Member{Key: "source", Value: tree.Text("0123456789abcdef")}, tree.Member{Key: "output", Value: tree.Text("of a different text")})
		if again, _ := texts(engine, []tree.Value{other}).engine().Run(t.Context(), program, &programs{}); again != out {
			t.Errorf("%s after the record of a different text: %.200q", source, again)
		}
		if len(c.calls) > 0 && !slices.Equal(live.calls, c.calls) {
			t.Errorf("%s: the host heard %q", source, live.calls)
		}
		replay, heard := texts(nil, record), &programs{}
		again, failed := replay.engine().Run(t.Context(), program, heard)
		if c.long {
			if failed == nil || !strings.Contains(failed.Error(), "no JavaScript engine") {
				t.Errorf("%s: the replay has %q, %v", source, again, failed)
			}
			continue
		}
		if again != out || errorText(failed) != c.err || !slices.Equal(heard.calls, live.calls) {
			t.Errorf("%s: the replay has %q, %v and the calls %q", source, again, failed, heard.calls)
		}
		if _, is := errors.AsType[*template.Error](err); is {
			if e, ok := errors.AsType[*template.Error](failed); !ok || *e != *failure {
				t.Errorf("%s: the replay has the error %#v", source, failed)
			}
		}
		if got := replay.Trace.Programs; len(got) != 1 || !got[0].Equal(record[0]) {
			t.Errorf("%s: the replay recorded %s", source, got)
		}
	}
	full := texts(engine, nil)
	full.Trace.Programs = []tree.Value{tree.Text(strings.Repeat("x", maxProgramBytes))}
	if _, err := full.engine().Run(t.Context(), template.Program{Source: "prints"}, engine); err != nil || !full.Trace.Programs[1].Get("long").Exists() {
		t.Errorf("a turn recorded more than the limit: %v, %v", full.Trace.Programs[1], err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
