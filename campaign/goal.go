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

// GoalBy returns a function for Services.Goal that asks a model, at most three times. The model gets
// the world, the map and the characters, and must name the areas or characters that its goal is
// about. hidden hides the goal from players.
func GoalBy(m llm.Model, modelName string, options llm.Options, hidden bool) func(context.Context, GoalQuestion) (state.Goal, error) {
	return func(ctx context.Context, q GoalQuestion) (state.Goal, error) {
		facts, _ := json.Marshal(q.facts()) // texts always have a JSON form
		messages := []llm.Message{{Role: llm.System, Text: goalPrompt}, {Role: llm.User, Text: string(facts)}}
		problem := ""
		for range 3 {
			reply, err := llm.Collect(m.Generate(ctx, llm.Request{Model: modelName, Options: options, Messages: messages}))
			if err != nil {
				return state.Goal{}, err
			}
			text, wrong := q.parseAnswer(reply.Message.Text)
			if wrong == "" {
				return state.Goal{Text: text, Hidden: hidden}, nil
			}
			problem = wrong
			messages = append(messages, llm.Message{Role: llm.Assistant, Text: reply.Message.Text},
				llm.Message{Role: llm.User, Text: "This does not do: " + wrong + ". Give the object again."})
		}
		return state.Goal{}, errors.New(problem)
	}
}

// goalPrompt is the system message of the request for a goal.
const goalPrompt = "You find the ultimate goal of a role-playing campaign, in the language of what you are given: " +
	"one thing to achieve, in one or two sentences, that the world, the map and the characters lead to. Answer with one JSON object: " +
	`{"goal": "...", "area_ids": ["..."], "character_ids": ["..."]}, with the ids of the areas and characters that it is about, at least one.`

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

// parseAnswer extracts the goal from an answer, or returns what is wrong with the answer.
func (q GoalQuestion) parseAnswer(text string) (goal, wrong string) {
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	var out struct {
		Goal       string   `json:"goal"`
		Areas      []string `json:"area_ids"`
		Characters []string `json:"character_ids"`
	}
	if from < 0 || to < from || json.Unmarshal([]byte(text[from:to+1]), &out) != nil {
		return "", "it is not a JSON object of that form"
	}
	if len(out.Areas)+len(out.Characters) == 0 {
		return "", "it names no area and no character"
	}
	s := state.State{Map: q.Map, Characters: q.Characters}
	for _, id := range out.Areas {
		if _, known := s.Map.Area(id); !known {
			return "", fmt.Sprintf("there is no area %q", id)
		}
	}
	for _, id := range out.Characters {
		if s.CharacterIndex(id) < 0 {
			return "", fmt.Sprintf("there is no character %q", id)
		}
	}
	goal = strings.TrimSpace(out.Goal)
	return goal, goalProblem(goal)
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
