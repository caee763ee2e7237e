package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
)

// ClientModel returns a model for an engine whose turns clients of a [PlayerServer] may play. In a
// client's turn it returns the client's text. In all other turns it uses m. m may be nil if only
// clients play.
func ClientModel(m llm.Model) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if a, ok := ctx.Value(seatKey{}).(*answer); ok {
			return llm.Once(a.generate(ctx, req))
		}
		if m == nil {
			return llm.Once(func(yield func(llm.Chunk, error) bool) {
				yield(nil, &llm.Error{Code: llm.CodeInvalidRequest, Message: "the seat of the game master is empty: no client plays this turn"})
			})
		}
		return m.Generate(ctx, req)
	})
}

type seatKey struct{}

// answer is the output of a client in its turn. The engine gets it once. If the engine asks again,
// its message goes to the client.
type answer struct {
	text  string
	calls []llm.ToolCall
	used  atomic.Bool
	// objection is the mistake, or the reason why the engine asks again.
	objection string
}

var errAgain = errors.New("the client is asked by an answer, not again")

func (a *answer) generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		switch {
		case ctx.Err() != nil:
			yield(nil, ctx.Err())
			return
		case a.used.Swap(true):
			a.objection = textAfterReply(req.Messages)
			yield(nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: errAgain})
			return
		}
		chunks := []llm.Chunk{}
		if a.text != "" {
			chunks = append(chunks, llm.TextDelta{Text: a.text})
		}
		for i, c := range a.calls {
			chunks = append(chunks, llm.CallDelta{Index: i, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
		}
		for _, c := range append(chunks, llm.Done{Reason: llm.FinishStop}) {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// textAfterReply returns the text of a request after the last reply of the model.
func textAfterReply(messages []llm.Message) string {
	from := len(messages)
	for from > 0 && messages[from-1].Role != llm.Assistant {
		from--
	}
	var texts []string
	for _, m := range messages[from:] {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}

type turnQuestion struct {
	Line      string     `json:"line" jsonschema:"what the player says or does"`
	Narration string     `json:"narration" jsonschema:"what the game master tells"`
	Calls     []turnCall `json:"calls,omitempty" jsonschema:"what settles it, in order"`
	ID        string     `json:"id,omitempty" jsonschema:"a name for this turn: the same turn with the same name is played once"`
}

type turnCall struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args,omitempty"`
}

type turnAnswer struct {
	Played bool   `json:"played"`
	Turn   string `json:"turn,omitempty"`
	Text   string `json:"text,omitempty" jsonschema:"what the player was shown"`
	// Results are the results of the calls, in order.
	Results []any  `json:"results,omitempty"`
	Change  string `json:"change,omitempty" jsonschema:"what to change, if it was not played"`
}

// turn plays a turn with the client's output as the model's output.
func (t PlayerServer) turn(ctx context.Context, _ *sdk.CallToolRequest, q turnQuestion) (*sdk.CallToolResult, turnAnswer, error) {
	var out turnAnswer
	if err := errors.Join(bounded("line", q.Line), bounded("narration", q.Narration)); err != nil {
		return nil, out, err
	}
	if len(q.Calls) > maxCalls {
		return nil, out, fmt.Errorf("calls: %d, allowed are %d", len(q.Calls), maxCalls)
	}
	a := &answer{text: q.Narration}
	for i, c := range q.Calls {
		if c.Args == nil {
			c.Args = map[string]any{}
		}
		args, err := json.Marshal(c.Args)
		if err != nil {
			return nil, out, fmt.Errorf("calls[%d]: %w", i, err)
		}
		if len(args) > maxLine {
			return nil, out, fmt.Errorf("calls[%d]: the arguments have %d bytes, allowed are %d", i, len(args), maxLine)
		}
		a.calls = append(a.calls, llm.ToolCall{ID: fmt.Sprintf("call_%03d", i+1), Name: c.Tool, Arguments: string(args)})
	}
	outcome, err := t.Engine.Turn(context.WithValue(ctx, seatKey{}, a), t.Campaign, turn.Submit{Text: q.Line, ClientTurnID: q.ID})
	switch {
	case err != nil:
		return nil, out, err
	case outcome.Err() == nil:
		out.Played, out.Turn, out.Text = true, outcome.Turn.ID, outcome.Turn.Text
		for _, applied := range outcome.Turn.Applied {
			out.Results = append(out.Results, applied.Result.Any())
		}
	case a.objection != "":
		out.Change = a.objection
	default:
		out.Change = outcome.Err().Error()
	}
	return nil, out, nil
}
