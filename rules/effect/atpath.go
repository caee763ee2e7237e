package effect

import (
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// An @ path is a command that is written like a variable. It never creates one; a path
// that is not known here is handed to the host. Values of the wrong type are refused and not
// converted, with one exception that authors know from variables, the operation toggle on
// switches.

// The paths, and what each becomes:
//
//	@audio.<channel>, @audio.stop      PlayAudio for the host
//	@prompt.directive.<id>             a directive in the ledger, or none
//	@prompt.context, @ai.context       one-shot context in the ledger
//	@prompt.entry.<id>                 a switch in the ledger, as are
//	@rules.disabled.<id>               (turned around)
//	@lore.force.<id>                   ForceEntry: true, false or a number of turns
//	@lore.entry.<id>                   UpdateEntry: a text or an object; RemoveEntry: false
//	@vars.enabled.<id>
//	@worldbooks.on.<id>
//	@ui.notification                   Notify for the host
//	@ai.request                        RequestAI for the host, once per chain
//
// None of them raises an event: an author who wants to be heard emits one.

// system carries out a write to an @ path. It never writes a variable. A value of
// the wrong type is refused; a path that is not known goes to the host.
func system(t Target, c Caused, e SetVariable) {
	switch e.Path {
	case "@audio.bgm", "@audio.sfx", "@audio.ambient":
		systemText(t, c, e, func(s string) {
			audio(t, c, PlayAudio{TrackID: s, Channel: strings.TrimPrefix(e.Path, "@audio.")})
		})
		return
	case "@audio.stop":
		systemText(t, c, e, func(s string) { audio(t, c, PlayAudio{TrackID: s, Action: "stop"}) })
		return
	case "@prompt.context", "@ai.context":
		systemText(t, c, e, func(s string) { context(t, c, SendContext{Message: s}) })
		return
	case "@ui.notification":
		systemText(t, c, e, func(s string) { notify(t, c, Notify{Message: s}) })
		return
	case "@ai.request":
		systemText(t, c, e, func(s string) { RequestAI{Prompt: s}.apply(t, c) })
		return
	}
	if id, ok := strings.CutPrefix(e.Path, "@prompt.directive."); ok {
		systemDirective(t, c, e, id)
		return
	}
	if id, ok := strings.CutPrefix(e.Path, forcePath); ok {
		systemForce(t, c, e, id)
		return
	}
	if id, ok := strings.CutPrefix(e.Path, entryPath); ok {
		systemEntry(t, c, e, id)
		return
	}
	if systemSwitch(t, c, e) {
		return
	}
	Apply(t, Caused{By: c.By, Effect: System{Path: e.Path, Operation: e.Operation, Value: e.Value}})
}

// badValue refuses a value that the path has no meaning for.
func badValue(t Target, c Caused, e SetVariable, want wording.Noun) {
	t.Refuse(c, e.Path, e.Value, deny(BadValue, "takes %s", want))
}

// systemText is for paths that take a text. An empty one is refused: it would be a silent
// notice, or a track without a name.
func systemText(t Target, c Caused, e SetVariable, do func(string)) {
	s, _ := e.Value.AsText()
	if s == "" {
		badValue(t, c, e, "a text that is not empty")
		return
	}
	do(s)
}

// systemDirective injects for a text or an object with content, and removes for
// false.
func systemDirective(t Target, c Caused, e SetVariable, id string) {
	if id == "" {
		badValue(t, c, e, "an id behind the last dot")
		return
	}
	if text, ok := e.Value.AsText(); ok {
		InjectDirective{ID: id, Content: text, Persistent: true}.apply(t, c)
		return
	}
	if on, ok := e.Value.AsBool(); ok && !on {
		t.Remove(id)
		return
	}
	if _, ok := e.Value.Get("content").AsText(); !ok {
		badValue(t, c, e, "a text, an object with a text content, or false")
		return
	}
	directiveOf(id, e.Value).apply(t, c)
}

// directiveOf reads the object form. Here a directive stays unless it says otherwise; the
// action of the same purpose has the other default.
func directiveOf(id string, v tree.Value) InjectDirective {
	f := authorjson.Of(v)
	d := InjectDirective{
		ID:         id,
		Content:    f.Text("content"),
		Position:   DirectivePosition(f.Text("position")),
		Depth:      f.Whole("depth"),
		Duration:   f.Whole("duration"),
		Persistent: true,
	}
	if p := f.Flag("persistent"); p != nil {
		d.Persistent = *p
	}
	return d
}

// switchPaths begin the paths of switches; the id follows.
var switchPaths = [...]struct {
	path     string
	kind     Switches
	inverted bool // the path says "off"
}{
	{path: "@prompt.entry.", kind: Entries},
	{path: "@rules.disabled.", kind: Rules, inverted: true},
	{path: "@vars.enabled.", kind: Variables},
	{path: "@worldbooks.on.", kind: Books},
}

// systemSwitch turns one of the switches; it reports whether the path is one.
func systemSwitch(t Target, c Caused, e SetVariable) bool {
	for _, s := range switchPaths {
		id, ok := strings.CutPrefix(e.Path, s.path)
		if !ok {
			continue
		}
		// The path of rules says "disabled" and the ledger "enabled", so that a plain value is
		// turned around. A toggle is not: turning the switch is the same in both.
		on, ok := e.Value.AsBool()
		switch {
		case id == "":
			badValue(t, c, e, "an id behind the last dot")
		case e.Operation == Toggle:
			t.Switch(s.kind, id, !t.IsOn(s.kind, id))
		case !ok:
			badValue(t, c, e, "true or false")
		default:
			t.Switch(s.kind, id, on != s.inverted)
		}
		return true
	}
	return false
}
