package game

import (
	"encoding/json"
	"regexp"
	"strings"
)

// outletUse records which outlets the texts of a content show.
type outletUse struct {
	names map[string]bool
	any   bool // a text makes the name of an outlet during play
}

var (
	// outletMacro finds the beginning of a macro or a template that shows an outlet.
	outletMacro = regexp.MustCompile(`(?is)\{\{\s*outlet|<%.*outlet`)
	// outletName finds the macro with a name that is not made of macros.
	outletName = regexp.MustCompile(`(?i)\{\{\s*outlet\s*::?\s*([^{}]*?)\s*\}\}`)
)

// read records the outlets that a text shows.
func (o *outletUse) read(text string) {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "<%") {
		return
	}
	names := outletName.FindAllStringSubmatch(text, -1)
	for _, n := range names {
		if o.names == nil {
			o.names = map[string]bool{}
		}
		o.names[n[1]] = true
	}
	if len(outletMacro.FindAllStringIndex(text, -1)) > len(names) {
		o.any = true
	}
}

// readFrames records the outlets that the host's own layout and texts show.
func (o *outletUse) readFrames(c Content) {
	layout, _ := json.Marshal(c.Prompt.Layout) // a layout has a JSON form
	o.read(string(layout))
	for _, d := range c.Extensions.DialogTypes {
		o.read(d.Persona)
		o.read(d.Instructions)
	}
	if t := c.Extensions.Texts; t != nil {
		o.read(t.Persona)
		o.read(t.Chat)
	}
}

// shows reports whether a text may show an outlet.
func (o *outletUse) shows(name string) bool { return o.any || o.names[name] }
