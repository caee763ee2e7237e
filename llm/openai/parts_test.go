package openai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/llm/wrap"
)

// LL-03: the ways in which servers identify calls.
func TestToolCalls(t *testing.T) {
	t.Parallel()
	part := func(calls string) string {
		return `data: {"choices":[{"delta":{"tool_calls":[` + calls + `]}}]}` + "\n\n"
	}
	finish := func(reason string) string {
		return fmt.Sprintf(`data: {"choices":[{"delta":{},"finish_reason":%q}]}`+"\n\n", reason)
	}
	move := llm.ToolCall{ID: "a", Name: "move", Arguments: `{"to":"地窖"}`}
	roll := llm.ToolCall{ID: "b", Name: "roll", Arguments: `{"n":2}`}
	both := []llm.ToolCall{move, roll}
	noIDs := []llm.ToolCall{
		{Name: move.Name, Arguments: move.Arguments}, {Name: roll.Name, Arguments: roll.Arguments},
	}
	wholeMove := `"id":"a","function":{"name":"move","arguments":"{\"to\":\"地窖\"}"}`
	wholeRoll := `"id":"b","function":{"name":"roll","arguments":"{\"n\":2}"}`
	legacy := func(call string) string {
		return `data: {"choices":[{"delta":{"function_call":` + call + `}}]}` + "\n\n"
	}
	legacyRoll := `{"name":"roll","arguments":"{\"n\":2}"}`
	roll1 := llm.ToolCall{Name: roll.Name, Arguments: roll.Arguments}
	for name, test := range map[string]struct {
		body string
		want []llm.ToolCall
	}{
		"arguments in pieces": {
			part(`{"index":0,"id":"a","type":"function","function":{"name":"move","arguments":""}}`) +
				part(`{"index":0,"function":{"arguments":"{\"to\":"}}`) +
				part(`{"index":0,"function":{"arguments":"\"地窖\"}"}}`) + finish("tool_calls"),
			[]llm.ToolCall{move},
		},
		"whole": {part(`{"index":0,`+wholeMove+`}`) + finish("tool_calls"), []llm.ToolCall{move}},
		"arguments as an object": {
			part(`{"index":0,"id":"a","function":{"name":"move","arguments":{"to":"地窖"}}}`) +
				finish("tool_calls"), []llm.ToolCall{move},
		},
		"arguments null": {
			part(`{"index":0,"id":"a","function":{"name":"look","arguments":null}}`) + finish("stop"),
			[]llm.ToolCall{{ID: "a", Name: "look"}},
		},
		"malformed arguments stay as they are": {
			part(`{"index":0,"id":"a","function":{"name":"look","arguments":"{oops"}}`) + finish("stop"),
			[]llm.ToolCall{{ID: "a", Name: "look", Arguments: "{oops"}},
		},
		"a name in pieces": {
			part(`{"index":0,"id":"a","function":{"name":"mo"}}`) + part(`{"index":0,"function":{"name":"v"}}`) +
				part(`{"index":0,"function":{"name":"e","arguments":"{\"to\":\"地窖\"}"}},{"index":1,"id":"b","function":{"name":"ro","arguments":""}}`) +
				part(`{"index":1,"function":{"name":"ll","arguments":"{\"n\":2}"}}`) + finish("tool_calls"),
			both,
		},
		"a name in pieces, without ids": {
			part(`{"index":0,"function":{"name":"mo"}}`) + part(`{"index":0,"function":{"name":"ve","arguments":"{\"to\":\"地窖\"}"}}`) +
				part(`{"index":0,"function":{"name":"ro"}}`) + part(`{"index":0,"function":{"name":"ll","arguments":"{\"n\":2}"}}`) + finish("stop"),
			noIDs,
		},
		"a name in pieces, without arguments": {
			part(`{"index":0,"id":"a","function":{"name":"lo"}}`) + part(`{"index":0,"function":{"name":"ok"}}`) + finish("stop"),
			[]llm.ToolCall{{ID: "a", Name: "look"}},
		},
		"a name again": {
			part(`{"index":0,"id":"a","function":{"name":"roll"}}`) + part(`{"index":0,"function":{"name":"roll","arguments":"{\"n\""}}`) +
				part(`{"index":0,"function":{"name":"roll","arguments":":2}"}}`) + finish("stop"),
			[]llm.ToolCall{{ID: "a", Name: "roll", Arguments: roll.Arguments}},
		},
		"two with index": {
			part(`{"index":0,`+wholeMove+`}`) + part(`{"index":1,`+wholeRoll+`}`) + finish("tool_calls"),
			both,
		},
		"two with index in one event": {
			part(`{"index":0,`+wholeMove+`},{"index":1,`+wholeRoll+`}`) + finish("tool_calls"), both,
		},
		"two with index, the second first": {
			part(`{"index":1,`+wholeRoll+`}`) + part(`{"index":0,`+wholeMove+`}`) + finish("tool_calls"),
			both,
		},
		"two with index, pieces interleaved": {
			part(`{"index":0,"id":"a","function":{"name":"move","arguments":"{\"to\":"}}`) +
				part(`{"index":1,"id":"b","function":{"name":"roll","arguments":"{\"n\":"}}`) +
				part(`{"index":0,"function":{"arguments":"\"地窖\"}"}}`) +
				part(`{"index":1,"function":{"arguments":"2}"}}`) + finish("tool_calls"), both,
		},
		"two without index": {
			part(`{`+wholeMove+`}`) + part(`{`+wholeRoll+`}`) + finish("stop"), both,
		},
		"two without index, in pieces": {
			part(`{"id":"a","function":{"name":"move","arguments":"{\"to\":"}}`) +
				part(`{"function":{"arguments":"\"地窖\"}"}}`) +
				part(`{"id":"b","function":{"name":"roll","arguments":"{"}}`) +
				part(`{"function":{"arguments":"\"n\":2}"}}`) + finish("stop"), both,
		},
		"two without index and id": {
			part(`{"function":{"name":"move","arguments":"{\"to\":\"地窖\"}"}}`) +
				part(`{"function":{"name":"roll","arguments":{"n":2}}}`) + finish("stop"), noIDs,
		},
		"twice the same without index and id": {
			part(`{"function":{"name":"roll","arguments":{"n":2}}}`) +
				part(`{"function":{"name":"roll","arguments":{"n":3}}}`) + finish("stop"),
			[]llm.ToolCall{{Name: "roll", Arguments: `{"n":2}`}, {Name: "roll", Arguments: `{"n":3}`}},
		},
		"name repeated with every piece": {
			part(`{"function":{"name":"roll","arguments":"{\"n\""}}`) +
				part(`{"function":{"name":"roll","arguments":":2}"}}`) + finish("stop"),
			[]llm.ToolCall{{Name: "roll", Arguments: `{"n":2}`}},
		},
		"id repeated with every piece": {
			part(`{"index":0,"id":"b","function":{"name":"roll","arguments":"{\"n\""}}`) +
				part(`{"index":0,"id":"b","function":{"name":"roll","arguments":":2}"}}`) + finish("stop"),
			[]llm.ToolCall{roll},
		},
		"both index 0 with other ids": {
			part(`{"index":0,`+wholeMove+`}`) + part(`{"index":0,`+wholeRoll+`}`) + finish("tool_calls"),
			both,
		},
		"both index 0 with other ids, in pieces": {
			part(`{"index":0,"id":"a","function":{"name":"move","arguments":"{\"to\":"}}`) +
				part(`{"index":0,"function":{"arguments":"\"地窖\"}"}}`) +
				part(`{"index":0,"id":"b","function":{"name":"roll","arguments":"{"}}`) +
				part(`{"index":0,"function":{"arguments":"\"n\":2}"}}`) + finish("tool_calls"), both,
		},
		"both index 0 with other ids, same name, no arguments": {
			part(`{"index":0,"id":"a","function":{"name":"look"}}`) +
				part(`{"index":0,"id":"b","function":{"name":"look"}}`) + finish("tool_calls"),
			[]llm.ToolCall{{ID: "a", Name: "look"}, {ID: "b", Name: "look"}},
		},
		"id behind the first piece": {
			part(`{"index":0,"function":{"name":"roll","arguments":"{\"n\""}}`) +
				part(`{"index":0,"id":"b","function":{"arguments":":2}"}}`) + finish("tool_calls"),
			[]llm.ToolCall{roll},
		},
		"name behind the first piece": {
			part(`{"index":0,"id":"b","function":{"arguments":""}}`) +
				part(`{"index":0,"function":{"name":"roll","arguments":"{\"n\":2}"}}`) + finish("tool_calls"),
			[]llm.ToolCall{roll},
		},
		"index from 1": {
			part(`{"index":1,`+wholeMove+`}`) + part(`{"index":2,`+wholeRoll+`}`) + finish("tool_calls"),
			both,
		},
		"finish_reason stop": {part(`{"index":0,`+wholeMove+`}`) + finish("stop"), []llm.ToolCall{move}},
		"finish_reason function_call": {
			part(`{"index":0,`+wholeMove+`}`) + finish("function_call"), []llm.ToolCall{move},
		},
		"character of the arguments cut": {
			part("{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"move\",\"arguments\":\"{\\\"to\\\":\\\"\xe5\x9c\"}}") +
				part("{\"index\":0,\"function\":{\"arguments\":\"\xb0窖\\\"}\"}}") + finish("stop"),
			[]llm.ToolCall{move},
		},
		"JSON completion": {
			`{"choices":[{"message":{"content":null,"tool_calls":[{` + wholeMove + `},{` + wholeRoll +
				`}]},"finish_reason":"tool_calls"}]}`, both,
		},
		"function_call in a JSON completion": {
			`{"choices":[{"message":{"content":null,"function_call":` + legacyRoll + `},"finish_reason":"function_call"}]}`,
			[]llm.ToolCall{roll1},
		},
		"function_call in parts": {
			legacy(`{"name":"roll","arguments":""}`) + legacy(`{"arguments":"{\"n\""}`) + legacy(`{"arguments":":2}"}`) +
				legacy(`null`) + finish("function_call"), []llm.ToolCall{roll1},
		},
		"function_call and tool_calls": {
			`{"choices":[{"message":{"content":null,"tool_calls":[{` + wholeMove + `}],"function_call":` + legacyRoll +
				`},"finish_reason":"stop"}]}`, []llm.ToolCall{move},
		},
		"empty function_call": {
			part(`{"index":0,`+wholeMove+`}`) + legacy(`{"name":"","arguments":""}`) + finish("stop"), []llm.ToolCall{move},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, serveBody(t, test.body))
			if err != nil {
				t.Fatal(err)
			}
			for i := range test.want { // calls without an id get one
				if test.want[i].ID == "" {
					test.want = slices.Clone(test.want)
					test.want[i].ID = fmt.Sprintf("call_%03d", i+1)
				}
			}
			if !reflect.DeepEqual(got.Message.ToolCalls, test.want) {
				t.Errorf("calls %+v,\nwant  %+v", got.Message.ToolCalls, test.want)
			}
			if got.Finish != llm.FinishToolCalls {
				t.Errorf("finish %q", got.Finish)
			}
		})
	}
	t.Run("arguments of a wrong type", func(t *testing.T) {
		_, err := ask(t, serveBody(t, part(`{"function":{"name":"look","arguments":[1]}}`)))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true})
	})
}

func TestUsage(t *testing.T) {
	t.Parallel()
	usage := func(usage string) string { return `data: {"choices":[],"usage":` + usage + "}\n\n" }
	extra := func(name, raw string) map[string]json.RawMessage {
		return map[string]json.RawMessage{name: json.RawMessage(raw)}
	}
	for name, test := range map[string]struct {
		body string
		want *llm.Usage
	}{
		"in an extra chunk with empty choices": {
			eventHi + eventStop + usage(`{"prompt_tokens":11,"completion_tokens":2}`) + eventDone,
			&llm.Usage{PromptTokens: 11, CompletionTokens: 2},
		},
		"in every chunk, the last one counts": {
			strings.Replace(eventHi, `]}`, `],"usage":{"prompt_tokens":11,"completion_tokens":1}}`, 1) +
				strings.Replace(eventStop, `]}`, `],"usage":{"prompt_tokens":11,"completion_tokens":2}}`, 1),
			&llm.Usage{PromptTokens: 11, CompletionTokens: 2},
		},
		"null in the last chunk": {
			usage(`{"prompt_tokens":11,"completion_tokens":2}`) + eventHi +
				strings.Replace(eventStop, `]}`, `],"usage":null}`, 1),
			&llm.Usage{PromptTokens: 11, CompletionTokens: 2},
		},
		"missing": {eventHi + eventStop + eventDone, nil},
		"details": {
			eventHi + eventStop + usage(`{"prompt_tokens":11,"completion_tokens":9,`+
				`"prompt_tokens_details":{"cached_tokens":8},`+
				`"completion_tokens_details":{"reasoning_tokens":7}}`),
			&llm.Usage{
				PromptTokens: 11, CompletionTokens: 9, CachedTokens: 8, ReasoningTokens: 7,
				Extra: map[string]json.RawMessage{
					"prompt_tokens_details":     json.RawMessage(`{"cached_tokens":8}`),
					"completion_tokens_details": json.RawMessage(`{"reasoning_tokens":7}`),
				},
			},
		},
		"details null": {
			eventHi + eventStop + usage(`{"prompt_tokens":1,"completion_tokens":2,"prompt_tokens_details":null}`),
			&llm.Usage{PromptTokens: 1, CompletionTokens: 2, Extra: extra("prompt_tokens_details", "null")},
		},
		"cache hits under another name": {
			eventHi + eventStop + usage(`{"prompt_tokens":11,"completion_tokens":2,"prompt_cache_hit_tokens":4}`),
			&llm.Usage{
				PromptTokens: 11, CompletionTokens: 2, CachedTokens: 4,
				Extra: extra("prompt_cache_hit_tokens", "4"),
			},
		},
		"JSON completion": {
			`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],` +
				`"usage":{"prompt_tokens":11,"completion_tokens":2}}`,
			&llm.Usage{PromptTokens: 11, CompletionTokens: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, serveBody(t, test.body))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Usage, test.want) {
				t.Errorf("usage %+v, want %+v", got.Usage, test.want)
			}
		})
	}
	t.Run("beside an error", func(t *testing.T) {
		got, err := ask(t, serveBody(t, eventHi+usage(`{"prompt_tokens":11,"completion_tokens":2}`)))
		expectIncomplete(t, err)
		if got.Usage == nil || got.Usage.PromptTokens != 11 {
			t.Errorf("usage %+v", got.Usage)
		}
	})
}

// LL-13: a truncated prompt is reported with the reply.
func TestPromptCut(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reported int
		prompt   string
		estimate func(llm.Request) int
		want     bool
	}{
		"as expected":               {reported: 250, prompt: strings.Repeat("word", 250)},
		"more than expected":        {reported: 900, prompt: strings.Repeat("word", 250)},
		"somewhat less":             {reported: 130, prompt: strings.Repeat("word", 250)},
		"far below the estimate":    {reported: 120, prompt: strings.Repeat("word", 250), want: true},
		"far below, Chinese":        {reported: 120, prompt: strings.Repeat("龙", 250), want: true},
		"too short to judge":        {reported: 3, prompt: strings.Repeat("word", 50)},
		"not reported":              {reported: 0, prompt: strings.Repeat("word", 9000)},
		"round limit 1024":          {reported: 1024, prompt: "hi", want: true},
		"round limit 4096":          {reported: 4096, prompt: strings.Repeat("word", 4000), want: true},
		"next to a round limit":     {reported: 4097, prompt: strings.Repeat("word", 4000)},
		"small power of two":        {reported: 256, prompt: strings.Repeat("word", 256)},
		"estimate of the host":      {reported: 100, prompt: "hi", want: true, estimate: func(llm.Request) int { return 500 }},
		"estimate of the host fits": {reported: 100, prompt: strings.Repeat("x", 9000), estimate: func(llm.Request) int { return 90 }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, openai.Config{EstimateTokens: test.estimate},
				func(w http.ResponseWriter, _ *http.Request) {
					fmt.Fprintf(w, "%s%sdata: {\"usage\":{\"prompt_tokens\":%d}}\n\n",
						eventHi, eventStop, test.reported)
				})
			got, err := llm.Collect(client.Generate(t.Context(), llm.Request{
				Messages: []llm.Message{{Role: llm.User, Text: test.prompt}},
			}))
			if err != nil {
				t.Fatal(err)
			}
			if warned := len(got.Warnings) == 1 && got.Warnings[0].Code == "prompt_cut"; warned != test.want {
				t.Errorf("warnings %+v, want one: %t", got.Warnings, test.want)
			}
		})
	}
}

// LL-05: think blocks, as an option.
func TestSplitThinking(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, _ *http.Request) {
		for _, piece := range []string{"<th", "ink>\nhm", "m</thi", "nk>\n\nHi", ", <b>you</b>."} {
			fmt.Fprintf(w, `data: {"choices":[{"delta":{"content":%s}}]}`+"\n\n", quote(piece))
		}
		fmt.Fprint(w, eventStop)
	}
	plain, err := ask(t, serve(t, openai.Config{}, handler))
	if err != nil || plain.Message.Text != "<think>\nhmm</think>\n\nHi, <b>you</b>." {
		t.Errorf("without the option: %q, %v", plain.Message.Text, err)
	}
	split, err := ask(t, serve(t, openai.Config{SplitThinking: &wrap.ThinkSplitter{}}, handler))
	if err != nil || split.Message.Text != "Hi, <b>you</b>." || split.Message.Reasoning != "hmm" {
		t.Errorf("with the option: %+v, %v", split.Message, err)
	}
}

// If a consumer pulls a chunk and then does nothing, the connection is closed once the context
// ends.
func TestPulledAndCancelled(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	client := serve(t, openai.Config{}, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, eventHi)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(left)
	})
	ctx, cancel := context.WithCancel(t.Context())
	next, stop := iter.Pull2(client.Generate(ctx, hello()))
	defer stop()
	if _, err, ok := next(); err != nil || !ok {
		t.Fatal(err, ok)
	}
	cancel()
	<-left
	if _, err, ok := next(); err != context.Canceled || !ok {
		t.Errorf("after the cancellation: %v, %t", err, ok)
	}
}

// TestEndlessName: a server that never stops sending a name does not make the client hold all of it.
func TestEndlessName(t *testing.T) {
	handler := func(w http.ResponseWriter, _ *http.Request) {
		for i := range 200 {
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"more%d\"}}]}}]}\n\n", i)
		}
		fmt.Fprint(w, eventStop)
	}
	reply, err := ask(t, serve(t, openai.Config{}, handler))
	if err != nil {
		t.Fatal(err)
	}
	if len(reply.Message.ToolCalls) == 0 {
		t.Error("no calls")
	}
	for _, call := range reply.Message.ToolCalls {
		if len(call.Name) > 300 {
			t.Errorf("a name has %d bytes", len(call.Name))
		}
	}
}

// Characters that are split between reads and between events arrive whole, in every protocol.
func TestSplitCharacters(t *testing.T) {
	t.Parallel()
	open := func(config openai.Config, of func(*openai.Client) llm.Model) func(*testing.T, string) llm.Model {
		return func(t *testing.T, address string) llm.Model {
			config.BaseURL = address
			return of(newClient(t, config))
		}
	}
	chat := func(c *openai.Client) llm.Model { return c }
	delta := func(member string) string { return `data: {"choices":[{"delta":{` + member + `}}]}` + "\n\n" }
	wiretest.SplitCharacters(t, open(openai.Config{}, chat),
		delta(`"reasoning_content":"HALF"`), delta(`"content":"HALF"`),
		delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{\"at\":\""}}]`),
		delta(`"tool_calls":[{"index":0,"function":{"arguments":"HALF"}}]`),
		delta(`"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]`), eventStop)
	wiretest.SplitCharacters(t, open(openai.Config{SplitThinking: &wrap.ThinkSplitter{}}, func(c *openai.Client) llm.Model {
		return c.Completion(func(llm.Request) (string, error) { return "Hi.", nil })
	}), `data: {"choices":[{"text":"<think>"}]}`+"\n\n", `data: {"choices":[{"text":"HALF"}]}`+"\n\n",
		`data: {"choices":[{"text":"</think>"}]}`+"\n\n", `data: {"choices":[{"text":"HALF"}]}`+"\n\n", eventStop)
	wiretest.SplitCharacters(t, open(openai.Config{Ollama: &openai.Ollama{}}, chat),
		`{"message":{"thinking":"HALF"}}`+"\n", `{"message":{"content":"HALF"}}`+"\n",
		`{"message":{"tool_calls":[{"function":{"name":"look","arguments":{"at":"WHOLE"}}}]}}`+"\n", `{"message":{"content":""},"done":true}`+"\n")
}
