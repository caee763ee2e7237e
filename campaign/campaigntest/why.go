package campaigntest

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules"
)

// gateTexts has the reasons why a rule did not fire, by its gate. A gate that is not in the map has a
// text of its own, such as the condition.
var gateTexts = map[string]string{
	"disabled": "it is disabled",
	"pattern":  "nothing happened that it waits for",
	"module":   "its module is not active",
	"once":     "it has fired before, and does so once",
}

// whyRule returns the reason why a rule did not fire.
func (m *snapshot) whyRule(r rules.Trace) string {
	text, ok := gateTexts[r.Gate]
	if !ok || strings.Contains(r.Text, ":") { // the rule has a more exact reason
		text = r.Text
	}
	if r.Gate == "pattern" {
		text += m.waitsFor(r.ID)
	}
	return fmt.Sprintf("%s (%s): %s", r.ID, r.Path, text)
}

// waitsFor returns the trigger of a rule or reaction as its author wrote it.
func (m *snapshot) waitsFor(id string) string {
	var when any
	for _, r := range m.game.Content().Rules.Rules {
		if r.ID == id && r.Trigger != nil {
			when = r.Trigger
		}
	}
	for _, r := range m.game.Content().Rules.Reactions {
		if r.ID == id {
			when = r.When
		}
	}
	data, err := openjson.Marshal(when)
	if err != nil || when == nil {
		return ""
	}
	return ", which is " + utf8text.Clip(string(data), 200)
}

// whyCalls lists the accepted and the refused calls of a tool.
func (m *snapshot) whyCalls(tool string) (list []string) {
	for _, a := range m.turn().Applied {
		if a.Tool == tool {
			list = append(list, fmt.Sprintf("call of %s accepted: %s", tool, a.Result))
		}
	}
	for _, f := range m.failedCalls() {
		if f.Tool == tool {
			line := fmt.Sprintf("call of %s refused: %s", tool, f.Reason)
			if f.Message != "" {
				line += ": " + f.Message
			}
			list = append(list, line)
		}
	}
	if len(list) == 0 && m.outcome != nil && len(m.attempts()) > 0 {
		list = append(list, "the model did not call "+tool)
	}
	return list
}

// whyWrites lists the writes to a variable, and the refused ones.
func (m *snapshot) whyWrites(name string) (list []string) {
	for _, c := range m.turn().Changes {
		if c.Path.String() == name {
			list = append(list, c.String())
		}
	}
	for _, r := range traceOf(m.outcome).Refused {
		if r.Path == name {
			list = append(list, fmt.Sprintf("a write by %s was refused: %s %s", r.By, r.Reason, r.Text))
		}
	}
	return list
}
