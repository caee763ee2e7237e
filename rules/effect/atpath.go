package effect

import (
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// An @ path is a command that is written like a variable. It never creates a variable and raises no
// events. An unknown path goes to the host. Values of the wrong type are refused and not converted. The
// one exception, as for variables, is the operation toggle on switches.

// textPaths lists the paths that take a text.
var textPaths = map[string]func(k command, text string){
	"@audio.bgm":       func(k command, track string) { k.playAudio(PlayAudio{TrackID: track, Channel: "bgm"}) },
	"@audio.sfx":       func(k command, track string) { k.playAudio(PlayAudio{TrackID: track, Channel: "sfx"}) },
	"@audio.ambient":   func(k command, track string) { k.playAudio(PlayAudio{TrackID: track, Channel: "ambient"}) },
	"@audio.stop":      func(k command, track string) { k.playAudio(PlayAudio{TrackID: track, Action: "stop"}) },
	"@prompt.context":  func(k command, text string) { storeMessage(k.target, k.cause, SendContext{Message: text}) },
	"@ai.context":      func(k command, text string) { storeMessage(k.target, k.cause, SendContext{Message: text}) },
	"@ui.notification": func(k command, text string) { showNotice(k.target, k.cause, Notify{Message: text}) },
	"@ai.request":      func(k command, text string) { RequestAI{Prompt: text}.apply(k.target, k.cause) },
}

// idPaths lists the beginnings of paths that end with an id.
var idPaths = [...]struct {
	begin string
	do    func(k command, id string)
}{
	{"@prompt.directive.", command.directive}, // a text, an object with content, or false
	{"@lore.force.", command.forceEntry},      // true, false or a number of turns
	{entryPath, command.entry},                // a text or an object; false removes it
	{"@prompt.entry.", func(k command, id string) { k.setSwitch(Entries, id, false) }},
	{"@rules.disabled.", func(k command, id string) { k.setSwitch(Rules, id, true) }},
	{"@vars.enabled.", func(k command, id string) { k.setSwitch(Variables, id, false) }},
	{"@worldbooks.on.", func(k command, id string) { k.setSwitch(Books, id, false) }},
}

// run executes the command.
func (k command) run() {
	if do, ok := textPaths[k.path]; ok {
		if text, ok := k.text(); ok {
			do(k, text)
		}
		return
	}
	for _, p := range idPaths {
		if id, ok := strings.CutPrefix(k.path, p.begin); ok {
			if id == "" {
				k.refuse("an id after the last dot")
				return
			}
			p.do(k, id)
			return
		}
	}
	k.toHost(System{Path: k.path, Operation: k.operation, Value: k.value})
}

func (k command) playAudio(e PlayAudio) { playAudio(k.target, k.cause, e) }

// directive injects a directive for a text or an object with content, and removes it for false.
func (k command) directive(id string) {
	if text, ok := k.value.AsText(); ok {
		InjectDirective{ID: id, Content: text, Persistent: true}.apply(k.target, k.cause)
		return
	}
	if on, ok := k.value.AsBool(); ok && !on {
		k.target.Remove(id)
		return
	}
	if _, ok := k.value.Get("content").AsText(); !ok {
		k.refuse("a text, an object with a text content, or false")
		return
	}
	directiveOf(id, k.value).apply(k.target, k.cause)
}

// directiveOf reads the object form. Here a directive is persistent unless the object says
// otherwise. The corresponding action has the opposite default.
func directiveOf(id string, v tree.Value) InjectDirective {
	_, hasPersistent := v.Get("persistent").AsBool()
	d := authorjson.Filled[InjectDirective](authorjson.Of(v))
	d.ID, d.Persistent = id, d.Persistent || !hasPersistent
	return d
}

// setSwitch sets a switch. A path may say "disabled" where the ledger says "enabled"; then a plain
// value is inverted. The operation toggle is not inverted, because toggling is the same in both.
func (k command) setSwitch(of Switches, id string, inverted bool) {
	on, ok := k.value.AsBool()
	switch {
	case k.operation == Toggle:
		k.target.Switch(of, id, !k.target.IsOn(of, id))
	case !ok:
		k.refuse("true or false")
	default:
		k.target.Switch(of, id, on != inverted)
	}
}
