package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func play(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	var out, errOut bytes.Buffer
	err := run(t.Context(), args, strings.NewReader(stdin), &out, &errOut)
	return out.String(), err
}

// TestScripted plays both campaigns twice. It checks that the bytes are the same, that the replay
// is identical, and that the output shows every feature (EX-02).
func TestScripted(t *testing.T) {
	for lang, shown := range map[string][]string{
		"en": {
			"not_connected", "hp_change_unsettled", "repaired", "rollback to turn_0007",
			"low-health-warning <- state:changed", "dripping-vault", "rejected protected",
			"What Iva saw (milestones.added-1)", "omens: 1 -> 2", "sticky", "milestone",
			"another answer", "denied: It is three steps deep", "denied (the people who watch", "approved by the player",
			"a person decides", "decided by the player: override", "come up laughing",
			"heard by Mara; Iva does not know",
		},
		"zh": {
			"path_locked", "hp_change_unsettled", "已修正", "回滚到 turn_0007", "readonly_derived",
			"换一个回答", "不批准: 只有三级台阶", "没有同意: 只有三级台阶", "--- 批准 ---", "由人决定：override", "笑着浮了上来", "林远知道；苏晴不知道",
			"苏晴所见", "(derived)", "(clamp)", "(time)", "(green)", "(inventory)",
		},
	} {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			first, err := play(t, "", "-lang", lang)
			if err != nil {
				t.Fatal(err)
			}
			second, err := play(t, "", "-lang", lang)
			if err != nil {
				t.Fatal(err)
			}
			if first != second {
				t.Error("two runs print different bytes")
			}
			if !strings.HasSuffix(first, "\nrebuild: identical\n") {
				t.Errorf("ends in %q", first[max(0, len(first)-60):])
			}
			for _, want := range shown {
				if !strings.Contains(first, want) {
					t.Errorf("%q is not shown", want)
				}
			}
			if n := strings.Count(first, "\n> "); n < 12 {
				t.Errorf("only %d turns", n)
			}
		})
	}
}

// TestForeignContent plays with books and cards of other authors.
func TestForeignContent(t *testing.T) {
	const data = "../../../shared/data"
	if _, err := os.Stat(data); err != nil {
		t.Skip("the shared folder with real books and cards is not beside the project")
	}
	for _, args := range [][]string{
		{"-book", data + "/lorebooks/st_eldoria.json", "-card", data + "/cards/st_seraphina.png"},
		{"-book", data + "/lorebooks/tavernkit_world_one.json"},
		{"-card", data + "/cards/v1_skynet.png"},
		{"-card", data + "/cards/tavernkit_with_lorebook.charx", "-lang", "zh"},
	} {
		out, err := play(t, "", args...)
		if err != nil || !strings.HasSuffix(out, "\nrebuild: identical\n") {
			t.Errorf("%v: %v\n%s", args, err, out[max(0, len(out)-200):])
		}
	}
}

// TestMistakes checks the one-line message for each mistake.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	campaignWith := func(name, file, text string) string {
		folder := filepath.Join(dir, name)
		if err := os.CopyFS(folder, os.DirFS("campaigns/en")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	for _, tc := range []struct {
		name string
		args []string
		want []string // all in one line
	}{
		{"missing book", []string{"-book", dir + "/none.json"}, []string{"none.json: cannot be read", "check the path"}},
		{"missing card", []string{"-card", dir + "/none.png"}, []string{"none.png: cannot be read"}},
		{"missing campaign", []string{"-campaign", dir + "/none"}, []string{"none: cannot be read"}},
		{"broken JSON", []string{"-book", write("b.json", "{\n  \"entries\": {,}\n}")},
			[]string{"b.json: line 2, column 15: broken JSON"}},
		{"broken YAML", []string{"-book", write("y.yaml", "entries:\n  - key: [bell\n    content: It rings.\n")},
			[]string{"y.yaml:", "YAML with a mistake", "correct it"}},
		{"picture without a card", []string{"-card", write("c.png", "\x89PNG\r\n\x1a\n")},
			[]string{"c.png:", "no character card", "original file"}},
		{"unknown trigger", []string{"-campaign", campaignWith("t", "rules.json",
			`{"rules":[{"id":"x","trigger":{"type":"sesion-start"},"conditions":[],"actions":[]}]}`)},
			[]string{"rules.json: rules[0].trigger (x): unknown trigger", "sesion-start"}},
		{"invalid regex key", []string{"-book", write("r.json",
			`{"entries":{"0":{"uid":0,"key":["ok","/(a/"],"content":"x"}}}`)},
			[]string{"r.json: books.r.entries[0].key[1]", "not a JavaScript regex", "correct it"}},
		{"bad hook", []string{"-campaign", campaignWith("h", "hooks.json",
			`{"hooks":[{"name":"x","event":"a","scope":"galaxy","actions":[]}]}`)},
			[]string{"hooks.json: hooks[0].scope"}},
		{"bad campaign", []string{"-campaign", campaignWith("m", "campaign.json",
			`{"campaign_id":"m","characters":[{"character_id":"a","name":"A","hp":{"current":9,"max":3},"status":{}}]}`)},
			[]string{"characters[0]: hp must lie between 0 and max"}},
		{"language", []string{"-lang", "fr"}, []string{"choose en or zh"}},
		{"shape without a model", []string{"-shape", "strict"}, []string{"-shape needs -model"}},
		{"unknown shape", []string{"-model", "http://localhost", "-model-name", "m", "-shape", "round"}, []string{"-shape: ", "use openai, merge"}},
		{"model without a name", []string{"-model", "http://localhost"}, []string{"-model-name"}},
	} {
		out, err := play(t, "", tc.args...)
		if err == nil {
			t.Errorf("%s: no error", tc.name)
			continue
		}
		found := false
		for line := range strings.Lines(err.Error()) {
			all := true
			for _, w := range tc.want {
				all = all && strings.Contains(line, w)
			}
			found = found || all
		}
		if !found {
			t.Errorf("%s: got %q, want a line with %q", tc.name, err, tc.want)
		}
		if out != "" {
			t.Errorf("%s: something was played: %q", tc.name, out)
		}
	}
}

// TestDoubtsDoNotStop checks that content with warnings but without errors is played.
func TestDoubtsDoNotStop(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "doubtful")
	if err := os.CopyFS(folder, os.DirFS("campaigns/en")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "rules.json"), []byte(`{"modules": [{"id": "cellar", "order": 2}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := play(t, "/quit\n", "-play", "-campaign", folder); err != nil || !strings.Contains(out, "rebuild: identical") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPlay types a session with a rollback and a refused command.
func TestPlay(t *testing.T) {
	out, err := play(t, "I walk to the chapel\n/undo\n/back\n/undo\n/why\n/quit\n", "-play")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Chapel. Candles", "refused: undo_not_allowed", "turn_0001 -> turn_0000",
		"turn_0000 -> turn_0001", "gm_persona", "rebuild: identical",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not shown in\n%s", want, out)
		}
	}
}

// TestDecidingWhilePlaying checks that a player can answer waiting calls, and end a turn that the
// model cannot make consistent.
func TestDecidingWhilePlaying(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "asking")
	if err := os.CopyFS(folder, os.DirFS("campaigns/en")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "campaign.json")
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, bytes.Replace(data, []byte(`"settings": {`), []byte(`"settings": {"tools.approval": "all", `), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := play(t, "/approve\nI walk to the chapel\nI wait\n/deny Not yet.\nI walk to the chapel\n/approve\n/why\n/retry\n/drop\n/quit\n",
		"-play", "-campaign", folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"refused: no_pending_approval", "asks       move", "refused: awaiting_approval", "--- denied: Not yet. ---", "denied (",
		"--- approved by the player ---", "Chapel. Candles", "approve by the player", "refused: no_pending_conflict", "rebuild: identical",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not shown in\n%s", want, out)
		}
	}
	url := server(t, "You lose 3 hit points.")
	out, err = play(t, "look\n/accept\n", "-model", url, "-model-name", "test")
	if err != nil || !strings.Contains(out, "a person decides") || !strings.Contains(out, "--- decided by the player: accept_text ---") ||
		!strings.Contains(out, "turn_0001: 1") {
		t.Errorf("%v\n%s", err, out)
	}
}

// server answers like an OpenAI-compatible server.
func server(t *testing.T, answers ...string) string {
	t.Helper()
	next := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		answer := answers[min(next, len(answers)-1)]
		next++
		for _, word := range strings.SplitAfter(answer, " ") {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", word)
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestModel plays with a server. Its text is printed as it arrives, and a rejected text is
// withdrawn.
func TestModel(t *testing.T) {
	url := server(t, "You lose 3 hit points.", "The fog is thick here.")
	out, err := play(t, "look\n", "-model", url, "-model-name", "test", "-seed", "3")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"You lose 3 hit points.\n[refused]", "The fog is thick here.", "hp_change_unsettled",
		"rebuild: identical",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not shown in\n%s", want, out)
		}
	}
}

// TestServerAt finds the profile of a server by the addresses that people type.
func TestServerAt(t *testing.T) {
	for address, want := range map[string]string{
		"http://localhost:11434/v1": "ollama", "http://127.0.0.1:8080": "llamacpp", "http://[::1]:5001/v1/": "koboldcpp",
		"https://API.mistral.ai/v1/chat/completions": "mistral", "http://localhost:9999/v1": "", "localhost:8080": "", "": "",
	} {
		if p := serverAt(address); p.Name != want {
			t.Errorf("%q: %q, want %q", address, p.Name, want)
		}
	}
}

// TestShape plays with a server whose model accepts only one system message, and then the user and
// the assistant in turn.
func TestShape(t *testing.T) {
	for shape, want := range map[string]bool{"": false, "strict": true} {
		alternates := true
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var request struct{ Messages []struct{ Role string } }
			if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
				t.Error(err)
			}
			for i, m := range request.Messages {
				alternates = alternates && m.Role == []string{"system", "user", "assistant"}[min(i, (i+1)%2+1)]
			}
			fmt.Fprint(w, `{"choices":[{"index":0,"message":{"content":"The fog is thick."},"finish_reason":"stop"}]}`)
		}))
		_, err := play(t, "look\nlisten\nwait\n", "-model", s.URL, "-model-name", "test", "-shape", shape)
		s.Close()
		if err != nil || alternates != want {
			t.Errorf("shape %q: %v, the roles alternate: %v, want %v", shape, err, alternates, want)
		}
	}
}

// TestInterrupt checks that the program ends cleanly during an answer, and keeps the committed
// turns.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	answered := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A server notices that a client has disconnected only after it has read the body.
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		if !answered {
			answered = true
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Fog.\"},"+
				"\"finish_reason\":\"stop\"}]}\n\n")
			return
		}
		cancel()
		<-r.Context().Done()
	}))
	defer s.Close()
	var out bytes.Buffer
	err := run(ctx, []string{"-model", s.URL, "-model-name", "test"},
		strings.NewReader("one\ntwo\nthree\n"), &out, io.Discard)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "turn_0001: 1") ||
		!strings.HasSuffix(out.String(), "rebuild: identical\n") {
		t.Errorf("got\n%s", out.String())
	}
}

// TestUnknownCommandsAreNoTurns checks that a misspelled command is reported and not sent to the
// model. Without a model, the program says so.
func TestUnknownCommandsAreNoTurns(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"No model is connected", "there is no command /bakc; /help lists them", "in memory only"},
		"zh": {"没有连接模型", "没有 /bakc 这个指令", "只存在于内存中"},
	} {
		out, err := play(t, "/bakc 2\n/help\n/quit\n", "-play", "-lang", lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s: %q is not shown in\n%s", lang, w, out)
			}
		}
		if strings.Contains(out, "\n> ") || !strings.HasSuffix(out, "\nrebuild: identical\n") {
			t.Errorf("%s: a turn was played:\n%s", lang, out)
		}
	}
}

// TestLegend checks that every label is explained, and that output without a terminal has no
// colours.
func TestLegend(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		out, err := play(t, "", "-lang", lang)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("%s: colours in a buffer", lang)
		}
		w := wordsFor(lang)
		legend, _, _ := strings.Cut(out, "\n--- ")
		for _, label := range []string{w.lore, w.tokens, w.refused, w.waits, w.secret, w.conflict, w.command, w.fired, w.hooks, w.host, w.vars} {
			if !strings.Contains(legend, "\n  "+label+" ") {
				t.Errorf("%s: %s is explained nowhere", lang, label)
			}
		}
		if strings.Contains(out, "\n\n\n") {
			t.Errorf("%s: two empty lines in a row", lang)
		}
	}
}

// TestColours checks that only terminals get colours, and only without NO_COLOR.
func TestColours(t *testing.T) {
	s := screen{Writer: io.Discard, colours: true}
	if got := s.paint(green, "yes"); got != "\x1b[32myes\x1b[0m" {
		t.Errorf("got %q", got)
	}
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, like a terminal
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if newScreen(file).colours || newScreen(new(bytes.Buffer)).colours {
		t.Error("colours in a file")
	}
	if info, err := device.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 && !newScreen(device).colours {
		t.Error("no colours on a terminal")
	}
	t.Setenv("NO_COLOR", "1")
	if newScreen(device).colours {
		t.Error("colours in spite of NO_COLOR")
	}
}
