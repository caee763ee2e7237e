package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
)

// storyteller replaces the model for players without one. It moves the player to named places and
// otherwise continues the conversation. Everything that the engine does is real.
type storyteller struct {
	words words
	areas []state.MapArea
	actor string
}

// Generate implements [llm.Model].
func (m *storyteller) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		text := m.answer(req)
		_ = yield(llm.TextDelta{Text: text}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
	})
}

func (m *storyteller) answer(req llm.Request) string {
	line := ""
	for _, message := range req.Messages {
		if strings.Contains(message.Text, "retries_left") {
			return m.words.smallAnswer // refused: stay here
		}
		if message.Role == llm.User {
			line = message.Text
		}
	}
	for _, a := range m.areas {
		if !strings.Contains(strings.ToLower(line), strings.ToLower(a.Name)) {
			continue
		}
		answer, err := json.Marshal(map[string]any{
			"text": fmt.Sprintf("%s. %s", a.Name, a.Description),
			"tool_calls": []any{map[string]any{"tool": "move", "args": map[string]string{
				"actor_id": m.actor, "to_area_id": a.ID}}},
		})
		if err == nil {
			return string(answer)
		}
	}
	return m.words.smallAnswer
}
