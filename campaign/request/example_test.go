package request_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/llm"
)

// A preset may begin the reply: the model goes on behind it.
func ExampleRequest_LLM() {
	r := request.Request{
		Messages: []request.Message{
			{Kind: request.KindSystemBlock, Block: "persona", Message: llm.Message{Role: llm.System, Text: "You tell the story."}},
			{Kind: request.KindPlayerInput, Message: llm.Message{Role: llm.User, Text: "I open the door."}},
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
