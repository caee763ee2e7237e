package imports_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook/format"
)

// TestFilesOfEditors: in any file of an author a byte order mark is accepted. A file in UTF-16 is
// refused with advice on how to save it, and a syntax error is reported with its place.
func TestFilesOfEditors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		read func([]byte) error
	}{
		"lorebook": {`{"entries":[{"keys":["a"],"content":"b"}]}`, func(data []byte) error {
			_, problems := format.Parse(data)
			return problems.Err()
		}},
		"configuration": {`{"worldBookEntries":[]}`, func(data []byte) error {
			_, problems := format.ParseRoleplay("", data)
			return problems.Err()
		}},
		"card": {`{"name":"Ann","description":"d"}`, func(data []byte) error {
			_, problems := card.Parse(data)
			return problems.Err()
		}},
		"card to begin with": {`{"name":"Ann","description":"d"}`, func(data []byte) error {
			_, problems := imports.Parse(data, imports.Options{})
			return problems.Err()
		}},
		"scripts": {`[{"scriptName":"a","findRegex":"b"}]`, func(data []byte) error {
			_, problems := script.Parse(data)
			return problems.Err()
		}},
		"rules": {`[{"id":"a"}]`, func(data []byte) error {
			_, problems := rules.Parse(data)
			return problems.Err()
		}},
		"reactions": {`[{"id":"a"}]`, func(data []byte) error {
			_, problems := reactions.Parse(data)
			return problems.Err()
		}},
		"hooks": {`[{"id":"a"}]`, func(data []byte) error {
			_, problems := hooks.Parse(data)
			return problems.Err()
		}},
		"world": {`{"name":"a","rules":[]}`, func(data []byte) error {
			_, problems := reactions.ParseYumina(data, reactions.YuminaOptions{})
			return problems.Err()
		}},
		"preset": {`{"prompts":[]}`, func(data []byte) error {
			_, problems := tavern.ParsePreset(data)
			return problems.Err()
		}},
		"template": {`{"name":"a"}`, func(data []byte) error {
			_, problems := tavern.ParseInstruct(data)
			return problems.Err()
		}},
		"context": {`{"name":"a"}`, func(data []byte) error {
			_, problems := tavern.ParseContext(data)
			return problems.Err()
		}},
		"system prompt": {`{"name":"a"}`, func(data []byte) error {
			_, problems := tavern.ParseSystemPrompt(data)
			return problems.Err()
		}},
	} {
		for _, file := range []string{c.file, "\ufeff" + c.file, strings.ReplaceAll(c.file, ",", ",\r\n")} {
			if err := c.read([]byte(file)); err != nil {
				t.Errorf("%s: %q: %v", name, file, err)
			}
		}
		for _, order := range []int{0, 1} {
			file := make([]byte, 0, 2*len(c.file)+2)
			for _, unit := range utf16.Encode([]rune("\ufeff" + c.file)) {
				low, high := byte(unit), byte(unit>>8)
				file = append(file, [][]byte{{low, high}, {high, low}}[order]...)
			}
			if err := c.read(file); err == nil || !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("%s in UTF-16: %v", name, err)
			}
		}
		slip := c.file[:1] + "\n," + c.file[1:]
		place := "line 2, byte 1"
		if strings.HasPrefix(name, "card") {
			place = "@3"
		}
		if err := c.read([]byte(slip)); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%s with a comma too much: %v", name, err)
		}
	}
}
