package memvars_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestTranscripts plays the scenarios in testdata/transcripts.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	testkit.Run(t, "testdata/transcripts/*.txt", func(t *testing.T) func(testkit.Case) string {
		s := &scene{t: t, sys: defaultSystem(t)}
		return s.handle
	})
}

// scene is the state of one transcript.
type scene struct {
	t     *testing.T
	sys   *memvars.System
	doc   tree.Document
	state memvars.State
}

func (s *scene) handle(c testkit.Case) string {
	switch c.Name {
	case "options":
		var o memvars.Options
		if err := json.Unmarshal([]byte(c.Input), &o); err != nil {
			return err.Error()
		}
		sys, problems := memvars.Compile(o)
		if err := problems.Err(); err != nil {
			return err.Error()
		}
		s.sys = sys
		return ""
	case "doc":
		d, err := tree.ParseDocument([]byte(c.Input))
		if err != nil {
			return err.Error()
		}
		s.doc, s.state = d, s.sys.Begin(d)
		return ""
	case "parse":
		return describeOps(s.sys.Parse(c.Input))
	case "apply", "turn":
		return s.message(c)
	case "pass":
		doc, res := s.sys.RunPass(c.Words[0], s.doc, s.state, memvars.Turn{Reply: c.Input})
		s.doc = doc
		return describe(res)
	case "get":
		v, ok := s.doc.Get(c.Input)
		if !ok {
			return "nothing"
		}
		return fmt.Sprint(v)
	case "render":
		how := memvars.RenderOptions{Format: c.Arg("format", ""), LeafStyle: c.Arg("style", "")}
		if part := c.Arg("part", ""); part != "" {
			how.Part, _ = tree.ParsePath(part)
		}
		return s.sys.Render(s.doc, how)
	case "dump":
		return s.doc.String()
	}
	s.t.Fatalf("%s: unknown command %s", c.Pos, c.Name)
	return ""
}

func (s *scene) message(c testkit.Case) string {
	actor := memvars.Actor(c.Arg("as", "ai"))
	doc, res := s.sys.Apply(s.doc, c.Input, actor)
	s.doc = doc
	out := describe(res)
	if c.Name == "turn" {
		s.doc, s.state, res = s.sys.EndTurn(s.doc, s.state, memvars.Turn{Reply: c.Input})
		out += describe(res)
	}
	return out
}

func describeOps(ops []memvars.Op) string {
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintf(&b, "%d:%d %s", op.Pos.Line, op.Pos.Col, op)
		if op.Fault != nil {
			fmt.Fprintf(&b, " <%s", op.Fault.Code)
			if op.Fault.At.Line > 0 {
				fmt.Fprintf(&b, " at %d:%d", op.Fault.At.Line, op.Fault.At.Col)
			}
			b.WriteByte('>')
		}
		for _, a := range op.Args {
			if a.Code != "" || len(a.Warnings) > 0 {
				fmt.Fprintf(&b, " <%s%s %v>", a.Code, a.Text, a.Warnings)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func describe(res memvars.Result) string {
	var b strings.Builder
	for _, c := range res.Calls {
		fmt.Fprintf(&b, "%d:%d %s %s", c.Line, c.Col, c.Op, c.Status)
		if c.Code != "" {
			fmt.Fprintf(&b, " %s", c.Code)
		}
		if len(c.Warnings) > 0 {
			fmt.Fprintf(&b, " %v", c.Warnings)
		}
		if c.Hint != "" {
			fmt.Fprintf(&b, " (%s)", c.Hint)
		}
		b.WriteByte('\n')
	}
	for _, c := range res.Changes {
		fmt.Fprintf(&b, "%s: %s: %s -> %s\n", c.By, c.Path, orNothing(c.Old), orNothing(c.New))
	}
	for _, e := range res.Effects {
		fmt.Fprintf(&b, "effect %s %s of %s: %s\n", e.Kind, e.Path, e.World, e.Data)
	}
	for _, n := range res.Notes {
		fmt.Fprintf(&b, "note %s %s: %s\n", n.Pass, n.Path, n.Text)
	}
	if res.Problems != nil {
		fmt.Fprintln(&b, res.Problems)
	}
	return b.String()
}

func orNothing(v tree.Value) string {
	if !v.Exists() {
		return "nothing"
	}
	return v.String()
}
