package eino_test

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/schema"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/eino"
	"github.com/talewright/talewright/llm/llmtest"
)

// An Eino model answers a request of talewright.
func ExampleFrom() {
	var chatModel = &answers{messages: []*schema.Message{ // any model.BaseChatModel
		{Role: schema.Assistant, Content: "The door "},
		{Content: "opens.", ResponseMeta: &schema.ResponseMeta{FinishReason: "stop"}},
	}}
	reply, err := llm.Collect(eino.From(chatModel, eino.Options{}).Generate(context.Background(), llm.Request{
		Messages: []llm.Message{{Role: llm.User, Text: "I knock."}},
	}))
	fmt.Println(reply.Message.Text, reply.Finish, err)
	// Output: The door opens. stop <nil>
}

// A talewright model answers in an Eino graph.
func ExampleTo() {
	chatModel := eino.To(llmtest.NewScripted(llmtest.Text("The door opens.")))
	message, err := chatModel.Generate(context.Background(), []*schema.Message{schema.UserMessage("I knock.")})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(message.Content, message.ResponseMeta.FinishReason)
	// Output: The door opens. stop
}

// A call of Eino sets an option that Eino does not have.
func ExampleWithOptions() {
	scripted := llmtest.NewScripted(llmtest.Text("The door opens."))
	_, err := eino.To(scripted).Generate(context.Background(), []*schema.Message{schema.UserMessage("I knock.")},
		eino.WithOptions(func(o *llm.Options) { o.Seed = new(int64(7)) }))
	fmt.Println(*scripted.Requests()[0].Options.Seed, err)
	// Output: 7 <nil>
}
