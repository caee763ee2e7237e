package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
)

// GoalQuestion is the material for the goal of a campaign.
type GoalQuestion struct {
	World      state.World
	Map        state.Map
	Characters []state.Character
}

// ErrNoGoal is wrapped by the error of Engine.Create if Services.Goal returns no usable goal. Nothing
// was stored; a second try may help.
var ErrNoGoal = errors.New("campaign: no goal was found")

// GoalBy returns a function for Services.Goal that asks a model with [llm.Ask], at most three times.
// The model gets the world, the map and the characters, and must name the areas or characters that its
// goal is about. hidden hides the goal from players.
func GoalBy(m llm.Model, modelName string, options llm.Options, hidden bool) func(context.Context, GoalQuestion) (state.Goal, error) {
	return func(ctx context.Context, q GoalQuestion) (state.Goal, error) {
		facts, _ := json.Marshal(q.facts()) // texts always have a JSON form
		req := llm.Request{Model: modelName, Options: options,
			Messages: []llm.Message{{Role: llm.System, Text: goalPrompt}, {Role: llm.User, Text: string(facts)}}}
		text, _, err := llm.Ask(ctx, m, req, llm.Shape[string]{Name: "goal", Schema: json.RawMessage(goalSchema), Decode: q.readAnswer})
		return state.Goal{Text: text, Hidden: hidden}, err
	}
}

// goalPrompt is the system message of the request for a goal.
const goalPrompt = "You find the ultimate goal of a role-playing campaign, in the language of what you are given: " +
	"one thing to achieve, in one or two sentences, that the world, the map and the characters lead to. " +
	"Name the ids of the areas and characters that it is about, at least one."

// goalSchema is the JSON Schema of the answer.
const goalSchema = `{"type":"object","required":["goal"],"properties":{"goal":{"type":"string"},` +
	`"area_ids":{"type":"array","items":{"type":"string"}},"character_ids":{"type":"array","items":{"type":"string"}}}}`

// facts returns the data that the model gets.
func (q GoalQuestion) facts() any {
	type thing struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Text string `json:"text,omitempty"`
	}
	var areas, people []thing
	for _, a := range q.Map.Areas {
		areas = append(areas, thing{a.ID, a.Name, a.Description})
	}
	for _, c := range q.Characters {
		people = append(people, thing{c.ID, c.Name, c.Background})
	}
	return map[string]any{"world": q.World.Background, "areas": areas, "characters": people}
}

// readAnswer returns the goal of an answer, or an error that says what is wrong with the answer.
func (q GoalQuestion) readAnswer(data []byte) (string, error) {
	var out struct {
		Goal       string   `json:"goal"`
		Areas      []string `json:"area_ids"`
		Characters []string `json:"character_ids"`
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return "", err
	}
	if len(out.Areas)+len(out.Characters) == 0 {
		return "", errors.New("it names no area and no character")
	}
	s := state.State{Map: q.Map, Characters: q.Characters}
	for _, id := range out.Areas {
		if _, known := s.Map.Area(id); !known {
			return "", fmt.Errorf("there is no area %q", id)
		}
	}
	for _, id := range out.Characters {
		if s.CharacterIndex(id) < 0 {
			return "", fmt.Errorf("there is no character %q", id)
		}
	}
	goal := strings.TrimSpace(out.Goal)
	if problem := goalProblem(goal); problem != "" {
		return "", errors.New(problem)
	}
	return goal, nil
}

// maxGoal is the maximum length of a generated goal, in bytes.
const maxGoal = 1000

// goalProblem returns why a text cannot be a goal, or "" if it can.
func goalProblem(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "it is empty"
	case len(text) > maxGoal:
		return fmt.Sprintf("it has more than %d bytes", maxGoal)
	case strings.Contains(text, "{{"):
		return "it has a macro in it"
	case !utf8text.IsLine(text):
		return "it has more than one line, or invisible characters"
	}
	return ""
}
