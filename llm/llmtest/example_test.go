package llmtest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// narrate represents the program under test.
func narrate(ctx context.Context, model llm.Model, line string) string {
	reply, err := llm.Collect(model.Generate(ctx, said(llm.User, line)))
	switch {
	case err != nil:
		return fmt.Sprintf("(%s) %v", reply.Message.Text, err)
	case len(reply.Message.ToolCalls) > 0:
		call := reply.Message.ToolCalls[0]
		return fmt.Sprintf("%s [%s %s%s]", reply.Message.Text, call.ID, call.Name, call.Arguments)
	}
	return reply.Message.Text
}

func ExampleNewScripted() {
	model := llmtest.NewScripted(
		llmtest.Text("The goblin lunges at you."),
		llmtest.Text("You are hit.").AndCall("hp_delta", "target", "hero", "delta", -3),
		llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true}),
		llmtest.Reply{Text: "You fall", Cut: true},
	)
	for _, line := range []string{"I wait.", "I parry.", "I run.", "I climb.", "I pray."} {
		fmt.Println(narrate(context.Background(), model, line))
	}
	// Output:
	// The goblin lunges at you.
	// You are hit. [call_2_1 hp_delta{"target":"hero","delta":-3}]
	// () llm: overloaded (status 503) (a retry may help)
	// (You fall) llm: incomplete: the scripted reply was cut: unexpected EOF (a retry may help)
	// () llm: invalid_request: request 5 has no reply, the script has 4; the last of its 1 message(s) is user: "I pray.": llmtest: the script has ended
}

func ExampleScripted_Generate() {
	model := llmtest.NewScripted(llmtest.Reply{Text: "门开了。", Piece: 2})
	for chunk, err := range model.Generate(context.Background(), llm.Request{}) {
		fmt.Printf("%#v %v\n", chunk, err)
	}
	// Output:
	// llm.TextDelta{Text:"门开"} <nil>
	// llm.TextDelta{Text:"了。"} <nil>
	// llm.Done{Reason:"stop"} <nil>
}

func ExampleScripted_Requests() {
	var model llmtest.Scripted
	model.Add(llmtest.Text("Who is there?"))
	narrate(context.Background(), &model, "I knock.")
	for _, req := range model.Requests() {
		fmt.Println(req.Messages[0].Role, req.Messages[0].Text)
	}
	fmt.Println(model.Remaining(), "replies left")
	// Output:
	// user I knock.
	// 0 replies left
}

func ExampleText() {
	fmt.Println(narrate(context.Background(), llmtest.NewScripted(llmtest.Text("Rain.")), "Weather?"))
	// Output: Rain.
}

func ExampleCall() {
	whole := llmtest.Call("move", "to", "cellar", "quietly", true)
	broken := llmtest.Call("move", `{"to": `) // models sometimes write such JSON
	fmt.Println(whole.Calls[0].Arguments, broken.Calls[0].Arguments)
	// Output: {"to":"cellar","quietly":true} {"to":
}

func ExampleFail() {
	model := llmtest.NewScripted(llmtest.Fail(&llm.Error{Code: llm.CodeAuth, Status: 401}))
	fmt.Println(narrate(context.Background(), model, "Hello?"))
	// Output: () llm: auth (status 401)
}

// A test cancels exactly while the model is working, without sleeping.
func ExampleBlock() {
	block := llmtest.Block()
	model := llmtest.NewScripted(block)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-block.Gate.Reached()
		cancel()
	}()
	fmt.Println(narrate(ctx, model, "Hello?"))
	// Output: () context canceled
}

// A gate between two chunks, to check what a program shows at that moment.
func ExampleGate() {
	gate := llmtest.NewGate()
	model := llmtest.NewScripted(llmtest.Reply{Text: "Once.", Piece: 3, Gate: gate, GateAfter: 1})
	for chunk, err := range model.Generate(context.Background(), llm.Request{}) {
		fmt.Println(chunk, err)
		gate.Open()
	}
	// Output:
	// {Onc} <nil>
	// {e.} <nil>
	// {stop} <nil>
}

func ExampleReply_Stream() {
	for _, chunk := range llmtest.Text("Hi.").AndCall("wave").Stream() {
		fmt.Printf("%+v\n", chunk)
	}
	// Output:
	// {Text:Hi.}
	// {Index:0 ID: Name:wave Arguments:{} Signature:}
	// {Reason:tool_calls}
}

func ExampleNewRecorder() {
	// In a real program, this is a real model.
	recorder := llmtest.NewRecorder(llmtest.NewScripted(llmtest.Text("Who is there?")))
	narrate(context.Background(), recorder, "I knock.")

	recording, err := recorder.Bytes() // suitable for a file in testdata
	fmt.Println(string(recording), err)
	// Output:
	// {"request":{"messages":[{"role":"user","content":"I knock."}]},"chunks":[{"type":"text","text":"Who is there?"},{"type":"done","reason":"stop"}]}
	//  <nil>
}

func ExampleNewPlayer() {
	recording := `{"request":{"messages":[{"role":"user","content":"I knock."}]},` +
		`"chunks":[{"type":"text","text":"Who is there?"},{"type":"done","reason":"stop"}]}`
	player, err := llmtest.NewPlayer([]byte(recording))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(narrate(context.Background(), player, "I knock."))

	_, err = llm.Collect(player.Generate(context.Background(), said(llm.User, "I knock twice.")))
	fmt.Println(errors.Is(err, llmtest.ErrNotRecorded))
	for line := range strings.Lines(err.Error()) {
		if line[0] == '-' || line[0] == '+' {
			fmt.Print(line)
		}
	}
	// Output:
	// Who is there?
	// true
	// -       "content": "I knock."
	// +       "content": "I knock twice."
}

// A test of an adapter: a real one starts a fake server that sends the script.
func ExampleTestModel() {
	_ = func(t *testing.T) {
		llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
			return llmtest.NewScripted(script...)
		})
	}
	// Output:
}
