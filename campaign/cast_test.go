package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
)

// history writes the messages of a request that are history and the player's line.
func history(r turn.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		if m.Kind == turn.KindHistory || m.Kind == turn.KindPlayerInput {
			b.WriteString(string(m.Message.Role) + ": " + m.Message.Text + "\n")
		}
	}
	return b.String()
}

// TestSeveralRepliesInTheHistory: a turn in which several characters spoke stands in the prompts of
// later ones with who said what, and a window of turns takes it as one.
func TestSeveralRepliesInTheHistory(t *testing.T) {
	t.Parallel()
	const told = `"greeting": "Fog.", "turns": [
		{"user_input": "One?", "assistant_output_text": "Alone.", "actor_id": "ren"},
		{"user_input": "Two?", "assistant_output_text": "Here.\n\nAnd here.", "actor_id": "ren", "replies": [
			{"speaker": "ash", "text": "Here."}, {"speaker": "reed", "text": "And here."}]}]`
	for _, tc := range []struct{ reason, settings, want string }{
		{"all of it", `{}`, "assistant: Fog.\nuser: One?\nassistant: Alone.\nuser: Two?\n" +
			"assistant: ash: Here.\nassistant: reed: And here.\nuser: Three?\n"},
		{"the newest turn", `{"context.full_context_enabled": false, "context.recent_turns": 1}`,
			"user: Two?\nassistant: ash: Here.\nassistant: reed: And here.\nuser: Three?\n"},
	} {
		m := begin(t, game.Content{}, `{`+told+`, "settings": `+tc.settings+`}`)
		step(t, m, turn.Submit{Text: "Three?"})
		if got := history(m.Todo().Generate.Request); got != tc.want {
			t.Errorf("%s: got\n%swant\n%s", tc.reason, got, tc.want)
		}
	}
}
