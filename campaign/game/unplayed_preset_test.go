package game_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/prompt/tavern"
)

// TestTemplatesInAPreset: a template that does not run is reported in every text of a preset that reaches
// a prompt. Formats hold one macro, and the source is a name.
func TestTemplatesInAPreset(t *testing.T) {
	t.Parallel()
	typ := reflect.TypeFor[tavern.Preset]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Type.Kind() != reflect.String || strings.HasSuffix(member, "_format") || member == "chat_completion_source" {
			continue
		}
		preset := tavern.Preset{}
		reflect.ValueOf(&preset).Elem().Field(i).SetString("<% fetch() %>Speak.")
		_, problems := game.Compile(game.Content{Prompt: game.Prompt{Preset: &preset}})
		found, code := false, talewright.Code("template_needs")
		for _, p := range problems {
			found = found || p.Code == code && p.Path == "preset."+member
		}
		if !found {
			t.Errorf("%s: %v", member, problems)
		}
	}
}
