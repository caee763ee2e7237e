package rules

import (
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// An @ path is a command in the clothes of a variable. It never creates one, also when
// nobody knows it: then it is the host's. Values of the wrong type are refused and not
// converted, with one exception that authors know from variables, the operation toggle on
// switches.

// The paths, and what each becomes:
//
//	@audio.<channel>, @audio.stop      PlayAudio for the host
//	@prompt.directive.<id>             a directive in the ledger, or none
//	@prompt.context, @ai.context       one-shot context in the ledger
//	@prompt.entry.<id>                 a switch in the ledger, as are
//	@rules.disabled.<id>               (turned around)
//	@vars.enabled.<id>
//	@worldbooks.on.<id>
//	@ui.notification                   Notify for the host
//	@ai.request                        RequestAI for the host, once per chain
//
// None of them raises an event: an author who wants to be heard emits one.

// system carries out a write to an @ path. It never writes a variable. A value of
// the wrong type is refused; a path that is not known goes to the host.
func (w *writer) system(c Caused, e SetVariable) {
	switch e.Path {
	case "@audio.bgm", "@audio.sfx", "@audio.ambient":
		w.systemText(c, e, func(s string) {
			w.audio(c, PlayAudio{TrackID: s, Channel: strings.TrimPrefix(e.Path, "@audio.")})
		})
		return
	case "@audio.stop":
		w.systemText(c, e, func(s string) { w.audio(c, PlayAudio{TrackID: s, Action: "stop"}) })
		return
	case "@prompt.context", "@ai.context":
		w.systemText(c, e, func(s string) { w.context(c, SendContext{Message: s}) })
		return
	case "@ui.notification":
		w.systemText(c, e, func(s string) { w.notify(c, Notify{Message: s}) })
		return
	case "@ai.request":
		w.systemText(c, e, func(s string) { RequestAI{Prompt: s}.apply(w, c) })
		return
	}
	if id, ok := strings.CutPrefix(e.Path, "@prompt.directive."); ok {
		w.systemDirective(c, e, id)
		return
	}
	if w.systemSwitch(c, e) {
		return
	}
	w.effect(Caused{By: c.By, Effect: System{Path: e.Path, Operation: e.Operation, Value: e.Value}})
}

// badValue refuses a value that the path has no meaning for.
func (w *writer) badValue(c Caused, e SetVariable, want wording.Noun) {
	w.refuse(c, e.Path, e.Value, deny(BadValue, "takes %s", want))
}

// systemText is for paths that take a text. An empty one is refused: it would be a silent
// notice, or a track without a name.
func (w *writer) systemText(c Caused, e SetVariable, do func(string)) {
	s, _ := e.Value.AsText()
	if s == "" {
		w.badValue(c, e, "a text that is not empty")
		return
	}
	do(s)
}

// systemDirective injects for a text or an object with content, and removes for
// false.
func (w *writer) systemDirective(c Caused, e SetVariable, id string) {
	if id == "" {
		w.badValue(c, e, "an id behind the last dot")
		return
	}
	if text, ok := e.Value.AsText(); ok {
		InjectDirective{ID: id, Content: text, Persistent: true}.apply(w, c)
		return
	}
	if on, ok := e.Value.AsBool(); ok && !on {
		w.removeDirective(id)
		return
	}
	if _, ok := e.Value.Get("content").AsText(); !ok {
		w.badValue(c, e, "a text, an object with a text content, or false")
		return
	}
	directiveOf(id, e.Value).apply(w, c)
}

// directiveOf reads the object form. Here a directive stays unless it says otherwise; the
// action of the same purpose has the other default.
func directiveOf(id string, v tree.Value) InjectDirective {
	f := authorjson.Of(v)
	d := InjectDirective{
		ID:         id,
		Content:    f.Text("content"),
		Position:   f.Text("position"),
		Depth:      f.Whole("depth"),
		Duration:   f.Whole("duration"),
		Persistent: true,
	}
	if p := f.Flag("persistent"); p != nil {
		d.Persistent = *p
	}
	return d
}

// systemSwitch writes one of the switches; it reports whether the path is one.
func (w *writer) systemSwitch(c Caused, e SetVariable) bool {
	b, id := boardOf(e.Path)
	if b == nil {
		return false
	}
	// The path of rules says "disabled" and the ledger "enabled", so that a plain value is
	// turned around. A toggle is not: turning the switch is the same in both.
	on, ok := e.Value.AsBool()
	switch {
	case id == "":
		w.badValue(c, e, "an id behind the last dot")
		return true
	case e.Operation == Toggle:
		on = !w.isOn(b, id)
	case !ok:
		w.badValue(c, e, "true or false")
		return true
	case b.inverted:
		on = !on
	}
	w.turn(b, id, on)
	return true
}
