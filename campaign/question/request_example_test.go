package question_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/llm"
)

// A preset may give the beginning of the reply, and the model continues it.
func ExampleRequest_LLM() {
	r := question.Request{
		Messages: []question.Message{
			{Kind: question.KindSystemBlock, Block: "persona", Message: llm.Message{Role: llm.System, Text: "You tell the story."}},
			{Kind: question.KindPlayerInput, Message: llm.Message{Role: llm.User, Text: "I open the door."}},
		},
		Prefill: "Behind the door",
	}
	for _, m := range r.LLM().Messages {
		fmt.Printf("%s: %s\n", m.Role, m.Text)
	}
	// Output:
	// system: You tell the story.
	// user: I open the door.
	// assistant: Behind the door
}
