package prepare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
)

// recordedEngine runs the programs of templates and records them in the trace of the turn. In the
// replay of a turn it repeats the recorded calls of the host, which draw numbers and write variables,
// and returns the recorded output. So a replay needs no engine.
type recordedEngine struct {
	now  *Templates
	size int // bytes of the arguments and outputs that the turn has recorded
}

// engine returns the engine for the templates of the turn, or nil.
func (t *Texts) engine() template.Engine {
	if t.Game.Content().Extensions.Engine == nil && len(t.Recorded) == 0 {
		return nil
	}
	e := &recordedEngine{now: t.templates}
	for _, program := range t.Trace.Programs {
		e.size += len(program.String())
	}
	return e
}

// The limits of the recorded programs of a turn. A program beyond them runs again in a replay.
const (
	maxProgramCalls = 10_000
	maxProgramBytes = 256 << 10 // of arguments and outputs
)

// Run runs a program, or repeats it.
func (e *recordedEngine) Run(ctx context.Context, p template.Program, host template.Host) (string, error) {
	t := e.now.texts
	sum := sha256.Sum256([]byte(p.Source))
	source := tree.Text(hex.EncodeToString(sum[:8]))
	if n := len(t.Trace.Programs); n < len(t.Recorded) && t.Recorded[n].Get("source").Equal(source) && !t.Recorded[n].Get("long").Exists() {
		t.Trace.Programs = append(slices.Clip(t.Trace.Programs), t.Recorded[n])
		return repeated(t.Recorded[n], host)
	}
	engine := t.Game.Content().Extensions.Engine
	if engine == nil {
		return "", errors.New("there is no JavaScript engine, and the record has no output of this text")
	}
	calls := &recordedHost{host: host}
	out, err := engine.Run(ctx, p, calls)
	members := []tree.Member{{Key: "source", Value: source}}
	switch failed, ok := errors.AsType[*template.Error](err); {
	case len(calls.list) > maxProgramCalls || e.size+calls.size+len(out) > maxProgramBytes:
		members = append(members, tree.Member{Key: "long", Value: tree.Bool(true)})
	case ok:
		members = append(members, tree.Member{Key: "error", Value: tree.Array(tree.Text(string(failed.Code)), tree.Text(failed.Name), tree.Text(failed.Text))})
	case err != nil:
		members = append(members, tree.Member{Key: "error", Value: tree.Array(tree.Text(err.Error()))})
	default:
		members = append(members, tree.Member{Key: "output", Value: tree.Text(out)})
	}
	if members[1].Key != "long" {
		e.size += calls.size + len(out)
		if len(calls.list) > 0 {
			members = append(members, tree.Member{Key: "calls", Value: tree.Array(calls.list...)})
		}
	}
	t.Trace.Programs = append(slices.Clip(t.Trace.Programs), tree.Object(members...))
	return out, err
}

// repeated makes the recorded calls of a program and returns its output.
func repeated(program tree.Value, host template.Host) (string, error) {
	for _, call := range program.Get("calls").Elements() {
		name, _ := call.At(0).AsText()
		args := make([]any, max(call.Len()-1, 0))
		for i := range args {
			args[i] = call.At(i + 1).At(0) // absent for undefined
		}
		_, _ = host.Call(name, args)
	}
	text := func(i int) string { s, _ := program.Get("error").At(i).AsText(); return s }
	switch program.Get("error").Len() {
	case 0:
		out, _ := program.Get("output").AsText()
		return out, nil
	case 1:
		return "", errors.New(text(0))
	}
	return "", &template.Error{Code: talewright.Code(text(0)), Name: text(1), Text: text(2)}
}

// recordedHost records the calls of a program: the name, and a list with each argument, empty for
// undefined.
type recordedHost struct {
	host template.Host
	list []tree.Value
	size int // bytes of the arguments
}

// Call records a call and passes it on.
func (h *recordedHost) Call(name string, args []any) (any, error) {
	if len(h.list) <= maxProgramCalls && h.size <= maxProgramBytes {
		call := []tree.Value{tree.Text(name)}
		for _, arg := range args {
			if v, _ := arg.(tree.Value); v.Exists() {
				call = append(call, tree.Array(v))
				h.size += len(v.String())
			} else {
				call = append(call, tree.Array())
			}
		}
		h.list = append(h.list, tree.Array(call...))
	}
	return h.host.Call(name, args)
}
