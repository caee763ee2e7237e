package rules_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func (c conformanceCase) runFormula() string {
	lookup := func(name string) tree.Value {
		if v := c.Given.Lookup.Get(name); v.Exists() {
			return v
		}
		path, err := tree.ParsePath(name)
		if err != nil {
			return tree.Value{}
		}
		return c.Given.Lookup.Lookup(path)
	}
	var values []any
	for _, f := range c.Formulas {
		result, ok := evalFormula(f, lookup)
		if !ok {
			values = append(values, nil)
			continue
		}
		values = append(values, result)
	}
	want, _ := c.want()
	return diff(want, map[string]any{"values": values})
}

func (c conformanceCase) runAccess(t *testing.T) string {
	content := c.Given.content(t)
	program, _ := rules.Compile(content)
	st := program.Restore(c.Given.State)
	kept, dropped := program.FilterWrites(st, causedBy("ai", c.Effects))
	var keptPaths, droppedPaths []string
	for _, k := range kept {
		keptPaths = append(keptPaths, k.Effect.(effect.SetVariable).Path)
	}
	for _, d := range dropped {
		droppedPaths = append(droppedPaths, d.Path)
	}
	access := make(map[string]any)
	for _, v := range content.Variables {
		a := program.Access(st, v.ID)
		access[v.ID] = []bool{a.Active, a.Readable, a.Writable}
	}
	got := map[string]any{"kept": keptPaths, "dropped": droppedPaths, "access": access}
	want, strict := c.want()
	if strict {
		return diff(want, got, "kept", "dropped")
	}
	return diff(want, got)
}

func (c conformanceCase) runParse(t *testing.T) string {
	opts := rules.DirectiveOptions{PatchRoot: c.PatchRoot}
	if vars := c.Given.content(t).Variables; len(vars) > 0 {
		opts.Known = func(id string) bool {
			return slices.ContainsFunc(vars, func(v rules.Variable) bool {
				return v.ID == id ||
					v.Name == id
			})
		}
	}
	structured := false
	var r rules.DirectiveResult
	if c.Kind == "parseStructured" {
		r, structured = rules.ParseStructuredDirectives(c.Text, rules.DirectiveOptions{})
	}
	if !structured {
		r = rules.ParseDirectives(c.Text, opts)
	}
	var effects []any
	for _, w := range r.Writes("ai") {
		e := w.Effect.(effect.SetVariable)
		effects = append(effects, map[string]any{
			"path": e.Path, "operation": e.Operation, "value": e.Value.Any(),
		})
	}
	want, strict := c.want()
	got := map[string]any{
		"structured": structured, "cleanText": r.Text, "effects": effects, "audio": r.Audio(),
	}
	if strict {
		return diff(want, got, "effects", "audio")
	}
	return diff(want, got)
}

func (c conformanceCase) runReply(t *testing.T) string {
	var list []rules.ReplyRule
	if err := json.Unmarshal(c.Given.ReplyRules, &list); err != nil {
		t.Fatal(err)
	}
	set, problems := rules.CompileReplies(list, c.Given.content(t).Variables)
	if len(problems) > 0 {
		t.Log(problems)
	}
	r := set.Apply(c.Text)
	var effects []any
	var events, channels []any
	for _, e := range r.Effects {
		switch e := e.(type) {
		case effect.SetVariable:
			effects = append(effects, map[string]any{
				"path": e.Path, "operation": e.Operation, "value": e.Value.Any(),
			})
		case effect.Emit:
			events = append(events, plain(e.Event))
		case effect.System:
			name, content := e.Value.Get("rule").Any(), e.Value.Get("content").Any()
			channels = append(channels, map[string]any{
				"channel": strings.TrimPrefix(e.Path, "@ui."), "name": name, "rule": name, "ruleName": name,
				"content": content, "text": content, "value": content,
			})
		}
	}
	want, strict := c.want()
	got := map[string]any{
		"text": r.Text, "effects": effects,
		"events":   partly(want["events"], events),
		"channels": partly(want["channels"], channels),
	}
	if strict {
		return diff(want, got, "effects", "events", "channels")
	}
	return diff(want, got)
}

func (c conformanceCase) runTimer(t *testing.T) string {
	want, _ := c.want()
	wantSteps, _ := want["steps"].([]any)
	if len(wantSteps) != len(c.Steps) {
		return fmt.Sprintf("%d steps have %d results", len(c.Steps), len(wantSteps))
	}
	var timers rules.Timers
	out := ""
	for i, step := range c.Steps {
		var events []event.Event
		id, _ := firstArg(step).(string)
		switch step.Op {
		case "start":
			repeat := len(step.Args) > 3 && step.Args[3] == true
			timers = timers.Start(id, step.Args[1].(string), step.Args[2].(float64), repeat)
		case "pause":
			timers = timers.Pause(id)
		case "resume":
			timers = timers.Resume(id)
		case "cancel":
			timers = timers.Cancel(id)
		case "tick":
			timers, events = timers.Tick(step.DT)
		default:
			t.Fatalf("no step %q", step.Op)
		}
		remaining := make(map[string]float64)
		for _, tm := range timers {
			remaining[tm.ID] = tm.Remaining
		}
		w, _ := wantSteps[i].(map[string]any)
		if d := diff(w, map[string]any{"events": events, "remaining": remaining},
			"events"); d != "" {
			out += fmt.Sprintf("step %d: %s", i+1, d)
		}
	}
	return out
}

func firstArg(step conformanceStep) any {
	if len(step.Args) == 0 {
		return nil
	}
	return step.Args[0]
}

func (c conformanceCase) runSpatial(t *testing.T) string {
	var scenes []rules.SpatialScene
	if err := json.Unmarshal(c.Given.Scenes, &scenes); err != nil {
		t.Fatal(err)
	}
	world, _ := rules.CompileSpatial(scenes)
	p := world.At(c.Given.SceneID, c.Given.X, c.Given.Y)
	want, _ := c.want()
	wantSteps, _ := want["steps"].([]any)
	if len(wantSteps) != len(c.Steps) {
		return fmt.Sprintf("%d steps have %d results", len(c.Steps), len(wantSteps))
	}
	out := ""
	for i, step := range c.Steps {
		var events []event.Event
		switch step.Op {
		case "move":
			p, events = world.Move(p, step.Args[0].(float64), step.Args[1].(float64))
		case "interact":
			events = world.Interact(p)
		case "setPosition":
			p, events = world.SetPosition(p, step.Args[0].(float64), step.Args[1].(float64))
		default: // every other step goes to a scene
			x, y := 0.0, 0.0
			if len(step.Args) > 2 {
				x, y = step.Args[1].(float64), step.Args[2].(float64)
			}
			p, events = world.Enter(p, step.Args[0].(string), x, y)
		}
		var zone any
		if p.ZoneID != "" {
			zone = p.ZoneID
		}
		w, _ := wantSteps[i].(map[string]any)
		got := map[string]any{"events": events, "at": []any{p.SceneID, p.X, p.Y, zone}}
		if d := diff(w, got, "events"); d != "" {
			out += fmt.Sprintf("step %d: %s", i+1, d)
		}
	}
	return out
}

func (c conformanceCase) runBus() string {
	var b rules.Bus
	var delivered []string
	off := make(map[string]func())
	for _, step := range c.Steps {
		switch step.Op {
		case "on":
			off[step.As] = b.On(step.Pattern, func(e event.Event) {
				delivered = append(delivered, step.As+":"+e.Type)
			})
		case "once":
			off[step.As] = b.On(step.Pattern, func(e event.Event) {
				delivered = append(delivered, step.As+":"+e.Type)
				off[step.As]()
			})
		case "off":
			off[step.As]()
		case "emit":
			b.Emit(step.Event)
		case "clear":
			b.Clear()
		default:
			return "no step " + step.Op
		}
	}
	want, _ := c.want()
	return diff(want, map[string]any{"delivered": delivered})
}
