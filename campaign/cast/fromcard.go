package cast

import "github.com/talewright/talewright/prompt/card"

// FromCard returns the member with the given ID that a character card describes.
func FromCard(id string, c card.Card) Member {
	talk := readTalkativeness(c.Extensions["talkativeness"])
	m := Member{ID: id, Name: c.CharName(), Talkativeness: &talk, Card: Card{
		Description: c.Description, Personality: c.Personality, Scenario: c.Scenario, Examples: c.MesExample,
		SystemPrompt: c.SystemPrompt, PostHistory: c.PostHistoryInstructions,
	}}
	if d, ok := c.DepthPrompt(); ok {
		m.Card.Depth = DepthText{Text: d.Prompt, Depth: d.Depth, Role: d.Role}
	}
	return m
}
