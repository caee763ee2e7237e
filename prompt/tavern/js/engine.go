package js

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"modernc.org/quickjs"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
)

// Options limit a text. A zero value of a field means its default.
type Options struct {
	// Time limits the run of one text; the default is one second.
	Time time.Duration
	// Memory limits the bytes of the values of one text; the default is 16 MiB.
	Memory int
	// Calls limits the depth of calls; the default is 500.
	Calls int
}

// prelude prepares the globals of a text: it removes what a text must not have, and adds the
// functions of templates. It keeps the functions that it needs, so that a text that changes the
// globals harms only itself.
//
//go:embed prelude.js
var prelude string

// engine implements [template.Engine].
type engine struct{ options Options }

// New returns an engine with limits. It is safe for concurrent use.
func New(o Options) template.Engine {
	if o.Time <= 0 {
		o.Time = time.Second
	}
	if o.Memory <= 0 {
		o.Memory = 16 << 20
	}
	if o.Calls <= 0 {
		o.Calls = 500
	}
	return engine{o}
}

// Run implements [template.Engine].
func (e engine) Run(ctx context.Context, p template.Program, host template.Host) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return "", fmt.Errorf("js: no virtual machine: %w", err)
	}
	defer vm.Close()
	vm.SetMemoryLimit(uintptr(e.options.Memory))
	vm.SetMaxStackSize(uintptr(e.options.Calls))
	if err := vm.SetEvalTimeout(e.options.Time); err != nil {
		return "", fmt.Errorf("js: %w", err)
	}
	defer context.AfterFunc(ctx, vm.Interrupt)()
	r := run{host: host, allowed: map[string]bool{"Math.random": true}, time: e.options.Time, until: time.Now().Add(e.options.Time)}
	if err = r.start(vm, p); err == nil {
		err = r.finish(vm)
	}
	if err != nil {
		return "", cmp.Or(ctx.Err(), err)
	}
	return r.out, nil
}

// start prepares the globals and runs the text up to its first promise.
func (r *run) start(vm *quickjs.VM, p template.Program) error {
	for _, name := range slices.Concat(p.Functions, p.Values) {
		r.allowed[name] = true
	}
	names, err := json.Marshal(struct {
		Functions, Values []string
		MaxOutput         int
	}{p.Functions, p.Values, p.MaxOutput})
	if err = errors.Join(err, vm.RegisterHostFunc("__host", r.call), vm.RegisterHostFunc("__done", r.done)); err != nil {
		return fmt.Errorf("js: %w", err)
	}
	if _, err := vm.Eval(prelude+"("+string(names)+");", quickjs.EvalGlobal); err != nil {
		return failure(err)
	}
	// The source is the body of a function. A source that closes the function itself gains nothing:
	// the globals are already prepared.
	if _, err := vm.Eval("__check(async function () {\n"+p.Source+"\n});", quickjs.EvalGlobal); err != nil {
		return failure(err)
	}
	return nil
}

// finish runs the promises until the text has ended.
func (r *run) finish(vm *quickjs.VM) error {
	hasPromises, isLate := true, false
	for n := 0; hasPromises && !isLate && n < maxDrains; n++ {
		jobs, err := vm.ExecutePendingJobs()
		if err != nil && !r.ended {
			return failure(err)
		}
		hasPromises, isLate = jobs > 0 && !r.ended, time.Now().After(r.until)
	}
	switch {
	case r.ended:
		return r.failed
	case isLate:
		return limit("steps", "the text runs longer than "+r.time.String())
	case hasPromises:
		return limit("steps", "the text makes promises without end")
	}
	return errors.New("the text waits for a promise that nothing resolves")
}

// maxDrains limits how often the queue of promises is emptied. One drain has a limit of its own.
const maxDrains = 100

// run is the run of one text.
type run struct {
	host    template.Host
	allowed map[string]bool
	time    time.Duration // the limit
	until   time.Time
	out     string
	failed  error
	ended   bool
}

// call passes a call to the host. The arguments are the name, and for each argument of the call its
// JSON, or an empty text for undefined. The result is written in the same way.
func (r *run) call(args []any) (any, error) {
	name, _ := text(args, 0)
	if !r.allowed[name] {
		return nil, errors.New("there is no name " + name)
	}
	if defined, ok := text(args, 1); ok && name == "define" {
		if v, err := tree.ParseValue([]byte(defined)); err == nil {
			key, _ := v.AsText()
			r.allowed[key] = true
		}
	}
	var list []any
	for i := range args[1:] {
		data, ok := text(args, i+1)
		if !ok || data == "" {
			list = append(list, tree.Value{})
			continue
		}
		v, err := tree.ParseValue([]byte(data))
		if err != nil {
			return nil, errors.New("a value cannot be passed: " + err.Error())
		}
		list = append(list, v)
	}
	result, err := r.host.Call(name, list)
	if err != nil {
		if e, ok := errors.AsType[*template.Error](err); ok {
			r.remember(e)
			return nil, errors.New(e.Text)
		}
		r.remember(&template.Error{Code: "thrown", Text: err.Error()})
		return nil, err
	}
	v, _ := result.(tree.Value)
	if !v.Exists() {
		return "", nil
	}
	return v.String(), nil
}

// remember keeps an error of the host, so that it has its code if the text does not catch it.
func (r *run) remember(e *template.Error) { r.failed = e }

// done takes the result of the text: what it printed, or the name and the message of its error.
func (r *run) done(args []any) (any, error) {
	ofHost := r.failed
	r.ended, r.failed = true, nil
	if name, ok := text(args, 1); ok {
		message, _ := text(args, 2)
		r.failed = coded(name, message)
		if e, ok := ofHost.(*template.Error); ok && strings.Contains(message, e.Text) {
			r.failed = e
		}
		return nil, nil
	}
	r.out, _ = text(args, 0)
	return nil, nil
}

func text(args []any, i int) (string, bool) {
	if i >= len(args) {
		return "", false
	}
	s, ok := args[i].(string)
	return s, ok
}

func limit(name, text string) error {
	return &template.Error{Code: template.Limit, Name: name, Text: text + ": make it smaller"}
}

// failure converts an error of QuickJS.
func failure(err error) error {
	if e, ok := errors.AsType[*quickjs.Error](err); ok {
		return coded(e.Name, e.Message)
	}
	return coded("InternalError", err.Error())
}

// coded returns the error with the name of a class of JavaScript.
func coded(name, message string) error {
	if name == "" && message == "null" { // QuickJS throws null if there is no memory for an error
		return limit("memory", "the values of the text take too much memory, or it throws null")
	}
	if name == "InternalError" {
		switch {
		case strings.Contains(message, "interrupted"):
			return limit("steps", "the text runs too long")
		case strings.Contains(message, "memory"):
			return limit("memory", "the values of the text take too much memory")
		case strings.Contains(message, "stack"):
			return limit("depth", "the calls of the text are too deep")
		case strings.Contains(message, "output"):
			return limit("output", "the text prints too much")
		}
	}
	code, known := codes[name]
	if !known {
		code = "thrown"
	}
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…"
	}
	return &template.Error{Code: code, Text: message}
}

const maxMessage = 500

var codes = map[string]talewright.Code{
	"ReferenceError": "reference", "TypeError": "type", "RangeError": "range", "SyntaxError": "syntax",
}
