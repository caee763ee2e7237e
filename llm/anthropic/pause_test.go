package anthropic_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/anthropic"
)

// searching is a part of a reply after a search by the server.
var searching = started +
	blockAt(0, `{"type":"thinking","thinking":"","signature":""}`) + deltaAt(0, `{"type":"thinking_delta","thinking":"Look it up."}`) +
	deltaAt(0, `{"type":"signature_delta","signature":"sig"}`) + stopAt(0) +
	blockAt(1, `{"type":"text","text":"Trolls "}`) + deltaAt(1, `{"type":"text_delta","text":"\ud83d"}`) + deltaAt(1, `{"type":"text_delta","text":"\udc09 "}`) +
	deltaAt(1, `{"type":"citations_delta","citation":{"type":"web","url":"u"}}`) + stopAt(1) +
	blockAt(2, `{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}`) +
	deltaAt(2, `{"type":"input_json_delta","partial_json":"{\"query\":"}`) + deltaAt(2, `{"type":"input_json_delta","partial_json":"\"trolls\"}"}`) + stopAt(2) +
	blockAt(3, `{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"encrypted_content":"x"}]}`) + stopAt(3) +
	because("pause_turn") + stopped

// pausing serves these parts, one for each request, and the last one for all further requests.
func pausing(t *testing.T, parts ...string) (client *anthropic.Client, asked *[]string) {
	asked = new([]string)
	client = serve(t, anthropic.Config{Key: "k"}, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		*asked = append(*asked, string(body))
		io.WriteString(w, parts[min(len(*asked), len(parts))-1])
	})
	return client, asked
}

// withSearch returns a request that lets the server search.
func withSearch() llm.Request {
	req := hello()
	req.Extra = raw("tools", `[{"type":"web_search_20250305","name":"web_search"}]`)
	return req
}

// LL-04: a paused reply continues: the server receives the content that it has written, unchanged,
// and the consumer sees one reply with the counts of all parts.
func TestPauseGoesOn(t *testing.T) {
	last := started + blockAt(0, `{"type":"tool_use","id":"c1","name":"look","input":{"at":"it"}}`) + stopAt(0) +
		blockAt(1, `{"type":"text","text":"live below."}`) + stopAt(1) + because("tool_use") + stopped
	client, asked := pausing(t, searching, last)
	got, err := llm.Collect(client.Generate(t.Context(), withSearch()))
	if err != nil {
		t.Fatal(err)
	}
	if got.Message.Text != "Trolls 🐉 live below." || got.Finish != llm.FinishToolCalls || len(got.Message.ToolCalls) != 1 || got.Message.Reasoning != "Look it up." {
		t.Errorf("%+v", got)
	}
	once, err := llm.Collect(serveBody(t, strings.Replace(searching, "pause_turn", "end_turn", 1)).Generate(t.Context(), hello()))
	if err != nil || got.Usage == nil || once.Usage == nil || got.Usage.PromptTokens != 2*once.Usage.PromptTokens {
		t.Errorf("usage %+v, of one part %+v, %v", got.Usage, once.Usage, err)
	}
	if len(*asked) != 2 {
		t.Fatalf("%d requests", len(*asked))
	}
	var first, second struct{ Messages []json.RawMessage }
	for body, into := range map[string]any{(*asked)[0]: &first, (*asked)[1]: &second} {
		if err := json.Unmarshal([]byte(body), into); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(first.Messages); len(second.Messages) != n+1 || !bytes.Equal(first.Messages[n-1], second.Messages[n-1]) {
		t.Fatalf("the second request has %d messages, the first %d", len(second.Messages), n)
	}
	var back any
	if err := json.Unmarshal(second.Messages[len(second.Messages)-1], &back); err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal([]byte(`{"role":"assistant","content":[
		{"type":"thinking","thinking":"Look it up.","signature":"sig"},
		{"type":"text","text":"Trolls 🐉 ","citations":[{"type":"web","url":"u"}]},
		{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"trolls"}},
		{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"encrypted_content":"x"}]}]}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, back); diff != "" {
		t.Error(diff)
	}
}

// Servers that pause, and the results.
func TestHostilePauses(t *testing.T) {
	for _, c := range []struct {
		reason   string
		parts    []string
		req      llm.Request
		requests int
		text     string
		finish   llm.FinishReason
		code     llm.ErrorCode
	}{
		{"without end", []string{searching}, withSearch(), 9, strings.Repeat("Trolls 🐉 ", 9), "pause_turn", ""},
		{"without tools of the server", []string{searching}, hello(), 1, "Trolls 🐉 ", "pause_turn", ""},
		{"with nothing written", []string{started + because("pause_turn") + stopped}, withSearch(), 1, "", "pause_turn", ""},
		{"and cuts the rest", []string{searching, started + blockAt(0, `{"type":"text","text":"li"}`)}, withSearch(), 2, "Trolls 🐉 li", "", llm.CodeIncomplete},
		{"and answers with a page", []string{searching, "<html>"}, withSearch(), 2, "Trolls 🐉 ", "", llm.CodeIncomplete},
		{"with arguments that are no JSON", []string{strings.Replace(searching, `trolls\"}`, `trolls`, 1)}, withSearch(), 1, "Trolls 🐉 ", "", llm.CodeMalformed},
	} {
		t.Run(c.reason, func(t *testing.T) {
			client, asked := pausing(t, c.parts...)
			got, err := llm.Collect(client.Generate(t.Context(), c.req))
			if len(*asked) != c.requests || got.Message.Text != c.text || got.Finish != c.finish {
				t.Errorf("%d requests, %q, %q, %v", len(*asked), got.Message.Text, got.Finish, err)
			}
			e, ok := errors.AsType[*llm.Error](err)
			if (c.code == "") != (err == nil) || ok && (e.Code != c.code || !e.Retry) {
				t.Errorf("error %v, want %q", err, c.code)
			}
		})
	}
}

// A reply that is too long to be stored ends with the server's stop reason, whether one part is too
// long or all parts together. So the total size of the requests is limited.
func TestPauseBeyondWhatIsKept(t *testing.T) {
	for _, c := range []struct{ bytes, requests int }{{3 << 20, 1}, {3 << 19, 2}} {
		page := blockAt(4, `{"type":"web_search_tool_result","tool_use_id":"s1","content":"`+strings.Repeat("x", c.bytes)+`"}`) + stopAt(4)
		client, asked := pausing(t, strings.Replace(searching, because("pause_turn"), page+page+because("pause_turn"), 1))
		got, err := llm.Collect(client.Generate(t.Context(), withSearch()))
		sent := 0
		for _, body := range *asked {
			sent += len(body)
		}
		if err != nil || got.Finish != "pause_turn" || len(*asked) != c.requests || sent > 5<<20 {
			t.Errorf("parts of %d bytes: %d requests of %d bytes, %q, %v", 2*c.bytes, len(*asked), sent, got.Finish, err)
		}
	}
}

// The limit of the stream applies to all parts of a reply together, and the end of the context is
// detected between two parts.
func TestPausesShareTheBounds(t *testing.T) {
	asked := 0
	ctx, cancel := context.WithCancel(t.Context())
	handler := func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		asked++
		io.WriteString(w, searching)
	}
	client := serve(t, anthropic.Config{MaxStream: int64(2*len(searching) + len(searching)/2)}, handler)
	_, err := llm.Collect(client.Generate(ctx, withSearch()))
	if e, is := errors.AsType[*llm.Error](err); !is || e.Code != llm.CodeTooLarge || asked != 3 {
		t.Errorf("%d requests, %v", asked, err)
	}
	asked = 0
	client = serve(t, anthropic.Config{}, func(w http.ResponseWriter, r *http.Request) {
		if handler(w, r); asked == 2 {
			cancel()
		}
	})
	if _, err := llm.Collect(client.Generate(ctx, withSearch())); !errors.Is(err, context.Canceled) || asked != 2 {
		t.Errorf("cancelled: %d requests, %v", asked, err)
	}
}
