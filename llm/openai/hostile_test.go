package openai_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// The cost of nested parts is their length times their depth, so the depth is limited.
func TestPartsWithinParts(t *testing.T) {
	t.Parallel()
	nested := func(depth int) string {
		return `data: {"choices":[{"delta":{"content":` +
			strings.Repeat(`[{"type":"thinking","thinking":`, depth) + `"hm"` + strings.Repeat(`}]`, depth) +
			"}}]}\n\n" + eventHi + eventStop
	}
	got, err := ask(t, serveBody(t, nested(4)))
	if err != nil || got.Message.Reasoning != "hm" || got.Message.Text != "Hi, " {
		t.Errorf("four deep: %+v, %v", got.Message, err)
	}
	for _, depth := range []int{5, 2500, 9000, 200_000} {
		_, err := ask(t, serveBody(t, nested(depth)))
		wiretest.Failure(t, err, llm.Error{Code: llm.CodeMalformed, Retry: true})
	}
}

// A list in an event takes many times its length in memory, so its elements are counted while they
// are read.
func TestLongListsInAnEvent(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]string{
		"calls":         `{"choices":[{"delta":{"tool_calls":[%s]}}]}`,
		"choices":       `{"choices":[%s]}`,
		"content parts": `{"choices":[{"delta":{"content":[%s]}}]}`,
	} {
		for _, n := range []int{5_000, 100_000, 1_000_000} {
			list := strings.Repeat("{},", n) + "{}"
			_, err := ask(t, serveBody(t, "data: "+fmt.Sprintf(event, list)+"\n\n"))
			if failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge}); failure == nil {
				t.Errorf("%s: %d", name, n)
			}
		}
	}
}

// callEvent returns one event of n calls, each with its index, id and name.
func callEvent(n int) string {
	var calls []string
	for i := range n {
		calls = append(calls, fmt.Sprintf(
			`{"index":%d,"id":"c%d","function":{"name":"roll","arguments":"{}"}}`, i, i))
	}
	return `data: {"choices":[{"delta":{"tool_calls":[` + strings.Join(calls, ",") + `]}}]}` + "\n\n"
}

func TestMoreCallsThanTheLimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ limit, calls, want int }{
		{0, 1024, 1024}, {0, 1025, 1024}, {3, 4, 3}, {-1, 4000, 4000},
	} {
		client := serve(t, openai.Config{Limits: llm.Limits{Calls: test.limit}},
			func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, callEvent(test.calls)+eventStop) })
		got, err := llm.Limits{Calls: -1}.Collect(client.Generate(t.Context(), hello()))
		if len(got.Message.ToolCalls) != test.want {
			t.Errorf("%+v: %d calls came", test, len(got.Message.ToolCalls))
		}
		if test.want == test.calls && err != nil {
			t.Errorf("%+v: %v", test, err)
		}
		if test.want != test.calls {
			wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
		}
	}
}

// The end of the context is detected between two calls of one event.
func TestCancelledWithinAnEvent(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	chunks := 0
	var last error
	for _, err := range serveBody(t, callEvent(1000)+eventStop).Generate(ctx, hello()) {
		chunks++
		last = err
		cancel()
	}
	if chunks != 2 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d chunks, the last with %v; want one and the cancellation", chunks, last)
	}
}

// Any endless reply stops at the limits, and its connection is closed.
func TestRepliesWithoutEnd(t *testing.T) {
	t.Parallel()
	piece := strings.Repeat("on and on ", 100)
	for name, test := range map[string]struct {
		repeat string
		limits llm.Limits
	}{
		"text":      {repeat: strings.Replace(eventHi, "Hi, ", piece, 1)},
		"reasoning": {repeat: strings.Replace(strings.Replace(eventHi, "Hi, ", piece, 1), "content", "reasoning", 1)},
		"arguments": {repeat: `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"` + piece + `"}}]}}]}` + "\n\n"},
		"calls": {
			repeat: `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"roll","arguments":"{}"}}]}}]}` + "\n\n",
		},
		"named parts of one call": {
			repeat: `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":"roll","arguments":"{"}}]}}]}` + "\n\n",
			limits: llm.Limits{Bytes: 1 << 16},
		},
		"blanks":                    {repeat: strings.Repeat(" ", 1000)},
		"line feeds":                {repeat: strings.Repeat("\n", 1000)},
		"carriage returns":          {repeat: strings.Repeat("\r", 1000)},
		"comments":                  {repeat: ": PROCESSING\n\n"},
		"comments without an event": {repeat: ": PROCESSING\n"},
		"one comment":               {repeat: ":" + piece},
		"empty events":              {repeat: "data:\n\n"},
		"events without choices":    {repeat: `data: {"choices":[]}` + "\n\n"},
		"usage": {
			repeat: `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"note":"` + piece + `"}}` + "\n\n",
		},
		"ids":                {repeat: "id: " + piece + "\n\n"},
		"lines of one event": {repeat: "data: " + piece + "\n"},
		"one line":           {repeat: "data:" + piece},
		"a completion":       {repeat: `{"x":"`},
		"a web page":         {repeat: "<p>"},
	} {
		for _, packed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, gzip %t", name, packed), func(t *testing.T) {
				t.Parallel()
				left := make(chan struct{})
				limits := test.limits
				if limits == (llm.Limits{}) {
					limits = llm.Limits{Bytes: 1 << 19}
				}
				client := serve(t, openai.Config{Limits: limits, MaxStream: 1 << 20},
					func(w http.ResponseWriter, _ *http.Request) {
						defer close(left)
						out := io.Writer(w)
						if packed {
							w.Header().Set("Content-Encoding", "gzip")
							z := gzip.NewWriter(w)
							defer z.Close()
							out = z
						}
						block := []byte(strings.Repeat(test.repeat, 1+8192/len(test.repeat)))
						for {
							if _, err := out.Write(block); err != nil {
								return
							}
						}
					})
				got, err := ask(t, client)
				if name == "a web page" { // its beginning is enough
					expectIncomplete(t, err)
				} else {
					wiretest.Failure(t, err, llm.Error{Code: llm.CodeTooLarge})
				}
				if size := len(got.Message.Text) + len(got.Message.Reasoning); size > 1<<20 {
					t.Errorf("%d bytes came", size)
				}
				<-left
			})
		}
	}
}

// The body of a refusal is read up to a limit.
func TestRefusalWithoutEnd(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	client := serve(t, openai.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		defer close(left)
		w.WriteHeader(500)
		for {
			if _, err := io.WriteString(w, "out of memory "); err != nil {
				return
			}
		}
	})
	_, err := ask(t, client)
	failure := wiretest.Failure(t, err, llm.Error{Code: llm.CodeServer, Status: 500, Retry: true})
	if len(failure.Message) > 1000 || len(failure.Body) != 4096 {
		t.Errorf("a message of %d and a body of %d bytes were kept", len(failure.Message), len(failure.Body))
	}
	<-left
}

// A server that sends nothing is abandoned, and the error is not a cancellation. The end of the
// test shows this: closing the server waits for its handlers, if the request had arrived.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before string
		limits llm.Limits
	}{
		"before the header":   {"", llm.Limits{First: time.Millisecond}},
		"before the text":     {": PROCESSING\n\n", llm.Limits{First: time.Millisecond}},
		"between two chunks":  {eventHi, llm.Limits{Idle: time.Millisecond}},
		"behind the last one": {eventHi + eventYou + ": PROCESSING\n\n", llm.Limits{Idle: time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, openai.Config{Limits: test.limits}, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if test.before != "" {
					io.WriteString(w, test.before)
					http.NewResponseController(w).Flush()
				}
				<-r.Context().Done()
			})
			_, err := ask(t, client)
			wiretest.Failure(t, err, llm.Error{Code: llm.CodeTimeout, Retry: true})
			if errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1ms") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// A reply with its finish_reason is complete, even if [DONE] never comes and the connection stays
// open. A usage report within the grace is read, and comments do not extend the wait.
func TestConnectionStaysOpen(t *testing.T) {
	t.Parallel()
	const second = time.Second
	for _, test := range []struct {
		limits      llm.Limits
		pause, took time.Duration
	}{
		{llm.Limits{}, 9 * second, (9 + 10) * second},
		{llm.Limits{Idle: 8 * second}, 3 * second, (3 + 4) * second}, // half of the idle limit
	} {
		synctest.Test(t, func(t *testing.T) {
			client, err := openai.New(openai.Config{BaseURL: "http://host", Model: "m", Limits: test.limits, HTTPClient: &http.Client{Transport: wiretest.StaysOpen(
				test.pause, eventHi+eventYou+eventStop, `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`+"\n\n", ": still here\n\n")}})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			got, err := ask(t, client)
			if err != nil || got.Finish != llm.FinishStop || got.Message.Text == "" || got.Usage == nil || got.Usage.PromptTokens != 7 {
				t.Errorf("%+v, %v", got, err)
			}
			if took := time.Since(start); took != test.took {
				t.Errorf("the connection was left after %v, want %v", took, test.took)
			}
		})
	}
}

// If counts and marks cannot be read, only they are lost.
func TestUnreadableBookkeeping(t *testing.T) {
	t.Parallel()
	usage := func(usage string) string {
		return eventHi + eventStop + `data: {"choices":[],"usage":` + usage + "}\n\n"
	}
	for name, test := range map[string]struct {
		body    string
		want    int // prompt tokens
		warning string
	}{
		"5.0":            {usage(`{"prompt_tokens":5.0}`), 5, ""},
		"text":           {usage(`{"prompt_tokens":"5"}`), 5, ""},
		"5e0":            {usage(`{"prompt_tokens":5e0}`), 5, ""},
		"null":           {usage(`{"prompt_tokens":null,"completion_tokens":3}`), 0, ""},
		"1e400":          {usage(`{"prompt_tokens":1e400}`), -1, "prompt_tokens is \"1e400\""},
		"below zero":     {usage(`{"prompt_tokens":-5}`), -1, "prompt_tokens"},
		"half a token":   {usage(`{"completion_tokens":1.5}`), -1, "completion_tokens"},
		"many digits":    {usage(`{"prompt_tokens":` + strings.Repeat("9", 100_000) + `}`), -1, "prompt_tokens"},
		"words":          {usage(`{"prompt_tokens":"many"}`), -1, "many"},
		"a list":         {usage(`[1,2]`), -1, "not an object"},
		"a number":       {usage(`17`), -1, "not an object"},
		"odd details":    {usage(`{"prompt_tokens":5,"prompt_tokens_details":[7],"completion_tokens_details":"x"}`), 5, ""},
		"within details": {usage(`{"prompt_tokens":5,"prompt_tokens_details":{"cached_tokens":{}}}`), -1, "cached_tokens"},
		"in the choice": {
			eventHi + strings.Replace(eventStop, `"delta"`, `"usage":{"prompt_tokens":5},"delta"`, 1), 5, "",
		},
		"bad, then good": {
			eventHi + `data: {"choices":[],"usage":7}` + "\n\n" + eventStop +
				`data: {"choices":[],"usage":{"prompt_tokens":5}}` + "\n\n", 5, "",
		},
		"index 0.0":              {strings.ReplaceAll(eventHi+eventStop, `"index":0`, `"index":0.0`), -1, ""},
		"index as text":          {strings.ReplaceAll(eventHi+eventStop, `"index":0`, `"index":"0"`), -1, ""},
		"index of another kind":  {strings.ReplaceAll(eventHi+eventStop, `"index":0`, `"index":{}`), -1, ""},
		"finish_reason a number": {eventHi + strings.Replace(eventStop, `"stop"`, `1`, 1), -1, ""},
		"finish_reason false":    {strings.Replace(eventHi, `}}]`, `},"finish_reason":{}}]`, 1) + eventStop, -1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ask(t, serveBody(t, test.body))
			if err != nil || got.Message.Text != "Hi, " {
				t.Fatalf("text %q, error %v", got.Message.Text, err)
			}
			if (got.Usage == nil) != (test.want < 0) || got.Usage != nil && got.Usage.PromptTokens != test.want {
				t.Errorf("usage %+v, want %d", got.Usage, test.want)
			}
			var warning string
			for _, w := range got.Warnings {
				if w.Code == "usage_unreadable" {
					warning = w.Detail
				}
			}
			if (warning == "") != (test.warning == "") || !strings.Contains(warning, test.warning) || len(warning) > 300 {
				t.Errorf("warning %.400q, want one about %q", warning, test.warning)
			}
		})
	}
	t.Run("ids and indices of calls", func(t *testing.T) {
		t.Parallel()
		got, err := ask(t, serveBody(t, `data: {"choices":[{"delta":{"tool_calls":[`+
			`{"index":"0","id":7,"function":{"name":"a","arguments":"{\"x\":"}},`+
			`{"index":1.0,"id":8,"function":{"name":"b","arguments":"{}"}},`+
			`{"index":0,"id":null,"function":{"arguments":"1}"}}]}}]}`+"\n\n"+eventStop))
		want := []llm.ToolCall{{ID: "7", Name: "a", Arguments: `{"x":1}`}, {ID: "8", Name: "b", Arguments: "{}"}}
		if err != nil || fmt.Sprint(got.Message.ToolCalls) != fmt.Sprint(want) {
			t.Errorf("calls %+v, %v", got.Message.ToolCalls, err)
		}
	})
}

// The end of a stream is kept in the response.
func TestEndsSurvive(t *testing.T) {
	t.Parallel()
	for _, reason := range []llm.FinishReason{llm.FinishLength, llm.FinishContentFilter} {
		body := strings.Replace(eventHi, "content", "reasoning", 1) + eventYou +
			strings.Replace(eventStop, "stop", string(reason), 1) +
			`data: {"choices":[],"usage":{"prompt_tokens":4096,"completion_tokens":2}}` + "\n\n"
		got, err := ask(t, serveBody(t, body))
		if err != nil || got.Finish != reason || got.Message.Reasoning != "Hi, " || got.Message.Text != "you." ||
			len(got.Warnings) != 1 || got.Usage.PromptTokens != 4096 {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// Secrets in every form of a configuration, repeated in every form that servers use.
func TestSecretsEchoed(t *testing.T) {
	t.Parallel()
	header := func(name string, values ...string) http.Header { return http.Header{name: values} }
	for name, test := range map[string]struct {
		config openai.Config
		secret []string // that no error may show
	}{
		"cookie with several pairs": {
			openai.Config{Header: header("Cookie", "session=s3ss10n-one; theme=dark; user=s3cret-two")},
			[]string{"s3ss10n-one", "s3cret-two"},
		},
		"several cookies":     {openai.Config{Header: header("Cookie", "a=first-secret", "b=second-secret")}, []string{"first-secret", "second-secret"}},
		"blank behind":        {openai.Config{Header: header("Authorization", "Bearer my-key-12345 ")}, []string{"my-key-12345"}},
		"blanks in front":     {openai.Config{Header: header("Authorization", "  Bearer   my-key-12345")}, []string{"my-key-12345"}},
		"no scheme":           {openai.Config{Header: header("Authorization", "my-key-12345")}, []string{"my-key-12345"}},
		"unknown scheme":      {openai.Config{Header: header("Authorization", "Sesame my-key-12345")}, []string{"my-key-12345"}},
		"value with a blank":  {openai.Config{Header: header("X-Password", "correct horse")}, []string{"correct horse"}},
		"value with blanks":   {openai.Config{Header: header("X-Password", "correct  horse")}, []string{"correct horse", "correct  horse"}},
		"X-Password":          {openai.Config{Header: header("X-Password", "pa55")}, []string{"pa55"}},
		"X-Session":           {openai.Config{Header: header("X-Session", "5e55")}, []string{"5e55"}},
		"X-Signature":         {openai.Config{Header: header("X-Signature", "519n")}, []string{"519n"}},
		"My-Credential":       {openai.Config{Header: header("My-Credential", "cr3d")}, []string{"cr3d"}},
		"a name for anything": {openai.Config{Header: header("X-Tenant", "tenant-number-9")}, []string{"tenant-number-9"}},
		"Digest": {
			openai.Config{Header: header("Authorization",
				`Digest username="d1gest-user", realm="r", nonce="n0nce-value", response="6629fae49393a053"`)},
			[]string{"d1gest-user", "n0nce-value", "6629fae49393a053"},
		},
		"AWS": {
			openai.Config{Header: header("Authorization",
				"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us, SignedHeaders=host, Signature=5d672d79c15b13162d")},
			[]string{"AKIDEXAMPLE/20150830/us", "5d672d79c15b13162d"},
		},
		"Basic": {
			openai.Config{Header: header("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("ann:swordfish")))},
			[]string{"YW5uOnN3b3JkZmlzaA", "swordfish"},
		},
		"user of the address": {
			openai.Config{BaseURL: "http://ann:sword%20fish@HOST/v1"},
			[]string{"sword fish", "sword%20fish", base64.StdEncoding.EncodeToString([]byte("ann:sword fish"))},
		},
		"token before the host": {openai.Config{BaseURL: "http://t0ken-in-front@HOST/v1"}, []string{"t0ken-in-front"}},
		"query of the address": {
			openai.Config{BaseURL: "http://HOST/v1?key=q+key%2Fvalue&sig=51gn&other=something-else"},
			[]string{"q key/value", "q+key%2Fvalue", "51gn", "something-else"},
		},
		"path of the address": {openai.Config{BaseURL: "http://HOST/hooks/abcdefghij0123456789/v1"}, []string{"abcdefghij0123456789"}},
		"body": {
			openai.Config{Body: raw("provider", `{"name":"x","api_key":"b0dy-key","list":[{"password":["pw-in-list"]}]}`)},
			[]string{"b0dy-key", "pw-in-list"},
		},
		"key that wants quoting": {openai.Config{Key: `k3y"with\marks&more`}, []string{`k3y"with\marks&more`, `k3y\"with\\marks`, `k3y&#34;with`}},
	} {
		for form, answer := range map[string]func(w http.ResponseWriter, echo string){
			"refusal": func(w http.ResponseWriter, echo string) {
				w.WriteHeader(401)
				text, _ := json.Marshal("wrong: " + echo)
				fmt.Fprintf(w, `{"error":{"message":%s,"code":%s}}`, text, text)
			},
			"plain refusal": func(w http.ResponseWriter, echo string) { w.WriteHeader(500); io.WriteString(w, echo) },
			"event":         func(w http.ResponseWriter, echo string) { fmt.Fprintf(w, "event: error\ndata: %s\n\n", echo) },
			"broken JSON":   func(w http.ResponseWriter, echo string) { fmt.Fprintf(w, "data: {%s\n\n", echo) },
			"web page":      func(w http.ResponseWriter, echo string) { fmt.Fprintf(w, "<html>%s</html>", echo) },
			"bad usage": func(w http.ResponseWriter, echo string) {
				text, _ := json.Marshal(echo)
				fmt.Fprintf(w, "%sdata: {\"error\":{\"message\":%s}}\n\n", eventHi, text)
			},
		} {
			t.Run(name+", "+form, func(t *testing.T) {
				t.Parallel()
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					answer(w, strings.ReplaceAll(strings.Join(append(test.secret,
						r.URL.String(), r.Header.Get("Authorization"), r.Header.Get("Cookie"), string(body)), " "), "\n", " "))
				}))
				t.Cleanup(server.Close)
				config := test.config
				config.Model = "m"
				config.BaseURL = strings.Replace(config.BaseURL, "HOST", strings.TrimPrefix(server.URL, "http://"), 1)
				if config.BaseURL == "" {
					config.BaseURL = server.URL
				}
				client := newClient(t, config)
				_, err := ask(t, client)
				if err == nil {
					t.Fatal("no error")
				}
				expectHidden(t, test.secret, err, config, &config, client, *client, struct{ c openai.Client }{*client})
			})
		}
	}
}

// expectHidden prints values in all ways and searches the output for secrets.
func expectHidden(t *testing.T, secret []string, values ...any) {
	t.Helper()
	for _, v := range values {
		var logged bytes.Buffer
		slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "v", v)
		texts := []string{fmt.Sprintf("%v %+v %#v %s %q %x", v, v, v, v, v, v), logged.String()}
		if err, ok := v.(error); ok {
			data, jsonErr := json.Marshal(v)
			if jsonErr != nil {
				t.Fatal(jsonErr)
			}
			texts = append(texts, err.Error(), string(data))
		}
		for _, text := range texts {
			for _, s := range secret {
				if strings.Contains(text, s) {
					t.Errorf("%T shows %q: %.300s", v, s, text)
				}
			}
		}
	}
}

// The errors of New show only names of the configuration.
func TestNewHidesSecrets(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"localhost:1/v1?key=my-secret-key", "ftp://ann:my-secret-key@host/v1", "http://host:port/?key=my-secret-key",
		"ann:my-secret-key@host", "//host/my-secret-key", "http://%zz?key=my-secret-key", "http:///v1?my-secret-key",
	} {
		_, err := openai.New(openai.Config{
			BaseURL: address, Key: "my-secret-key\n", Header: http.Header{"X-A": {"my-secret-key\n"}},
			Body: raw("x", "my-secret-key"),
		})
		if err == nil || strings.Contains(err.Error(), "my-secret") {
			t.Errorf("%s: %v", address, err)
		}
		if n := strings.Count(fmt.Sprint(err), "openai: "); n != 4 {
			t.Errorf("%s: %d problems, want all four: %v", address, n, err)
		}
	}
}

// A printed configuration contains the useful information.
func TestPrintedConfig(t *testing.T) {
	t.Parallel()
	config := openai.Config{
		BaseURL: "https://ann:pw@host.test/v1?key=k", Key: "sk-secret-value", Model: "qwen3",
		Header: http.Header{"x-title": {"Tale"}, "Api-Key": {"two"}}, Body: raw("top_k", "4"),
	}
	client, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{BaseURL:"https://host.test" Model:"qwen3" Key:set Header:Api-Key,X-Title Body:top_k}`
	for _, v := range []any{config, client} {
		if got := fmt.Sprintf("%+v", v); !strings.HasSuffix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := fmt.Sprint(openai.Client{}); got != "openai.Client{}" {
		t.Errorf("a zero client prints as %s", got)
	}
}

// The error keeps the server's text, for logs.
func TestErrorKeepsTheBody(t *testing.T) {
	t.Parallel()
	const body = `{"error":{"message":"no","code":"moon_phase","param":"temperature"}}`
	for name, handler := range map[string]http.HandlerFunc{
		"refusal": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(400); io.WriteString(w, body) },
		"event":   func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "data: %s\n\n", body) },
	} {
		_, err := ask(t, serve(t, openai.Config{}, handler))
		failure, ok := errors.AsType[*llm.Error](err)
		if !ok || failure.Body != body || failure.Message != "no" {
			t.Errorf("%s: %+v", name, failure)
		}
	}
}
