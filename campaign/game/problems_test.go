package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// TestMistakesOfEveryPart: Compile reports the mistakes of each part of the content.
func TestMistakesOfEveryPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content game.Content
		want    []string
	}{
		{game.Content{Rules: game.Rules{Scenes: []rules.SpatialScene{{}}}}, []string{"missing-id scenes[0].id"}},
		{game.Content{Rules: game.Rules{Hooks: []hooks.Hook{{}}}}, []string{"rejected hooks[0].name", "rejected hooks[0].event", "doubtful hooks[0].actions"}},
		{game.Content{Rules: game.Rules{Rules: []rules.Rule{{}}}}, []string{"unreadable rules[0]"}},
		{game.Content{Rules: game.Rules{Reactions: []reactions.Reaction{{}}}}, []string{"missing-id reactions[0].id", "pattern reactions[0].when"}},
		{game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Keys: []string{"/(/"}, Content: "x"})}}, []string{"bad_regex books.b.entries[0].key[0]"}},
		{game.Content{Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Constant: true, Content: "x", Extensions: []byte(`{"visible_to": 1}`)})}}, []string{"bad_visible_to books.b.1.extensions"}},
		{game.Content{Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{{Name: "x", Find: "/(/", Placement: []script.Placement{script.AIOutput}}}}}}}, []string{"bad_pattern scripts.global[0].findRegex"}},
		{game.Content{Prompt: game.Prompt{Shape: prompt.ShapeProfile("nope")}}, []string{"bad_profile shape.profile"}},
		{game.Content{Lore: game.Lore{ScanTemplates: "all"}}, []string{"bad_content budget"}},
		{game.Content{Rules: game.Rules{ReplyRules: []rules.ReplyRule{{}}}}, []string{"pattern replyRules[0].match"}},
		{game.Content{Rules: game.Rules{Variables: []rules.Variable{{}}}}, []string{"missing-id variables[0].id"}},
		{game.Content{Rules: game.Rules{Modules: []rules.Module{{}}}}, []string{"missing-id modules[0].id"}},
		{game.Content{People: game.People{Cast: []game.CastMember{{}}}}, []string{"bad_content cast[0].characterId", "bad_content cast[0].card"}},
	} {
		_, problems := game.Compile(c.content)
		var got []string
		for _, p := range problems {
			got = append(got, string(p.Code)+" "+p.Path)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
