package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/talewright/talewright/internal/testkit"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"talewright": main})
}

// TestScripts runs the command as people do: each verb has a script: EX-11, EX-18.
func TestScripts(t *testing.T) {
	testkit.WithoutRace(t) // processes that are built with it, one after the other
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true})
}

// TestPlayWatches: a changed file counts from the next turn on, and a file with a mistake does
// not: EX-12.
func TestPlayWatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rule := filepath.Join(dir, "rules.yaml")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bell := func(message string) string {
		return "- {id: bell, trigger: {type: every-turn}, actions: [{type: notify-player, message: " + message + "}]}\n"
	}
	write(filepath.Join(dir, "game.yaml"), "title: Bell\n")
	write(rule, bell("one"))
	in, player := io.Pipe()
	screen, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan int)
	go func() {
		code := run(ctx, []string{"play", "-watch", dir}, in, out, out)
		out.Close()
		done <- code
	}()
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(screen); s.Scan(); {
			lines <- s.Text()
		}
	}()
	say := func(line string) {
		t.Helper()
		if _, err := io.WriteString(player, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	see := func(text string) {
		t.Helper()
		for line := range lines {
			if strings.Contains(line, text) {
				return
			}
		}
		t.Fatalf("%q does not appear", text)
	}
	say("I wait.")
	see("[one]")
	write(rule, bell("two"))
	see("used from the next turn")
	say("I wait.")
	see("[two]")
	write(rule, "- {id: [\n")
	see("has mistakes")
	say("I wait.")
	see("[two]")
	say("/quit")
	if code := <-done; code != fine {
		t.Errorf("exit code %d", code)
	}
}

// TestWatch: watch reports the problems of a folder, and again whenever a file changes, until it is
// interrupted.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rule := filepath.Join(dir, "rules.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(rule, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("- {id: bell, trigger: {type: every-turn}, actions: [{type: notify-player, message: ding}]}\n")
	command := exec.CommandContext(t.Context(), "talewright", "watch", dir)
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	see := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("%q does not appear", text)
	}
	see("no problems")
	see("watching " + dir)
	write("- {id: bell, trigger: {type: never}}\n")
	see("rules.yaml:1:")
	see("2 errors")
	see("watching " + dir)
	write("- {id: bell, trigger: {type: every-turn}, actions: [{type: notify-player, message: dong}]}\n")
	see("no problems")
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("an interrupted watch ends with %v", err)
	}
}

// TestExitCodes: 0 is fine, 1 means problems, and 2 a wrong use.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad")
	if err := os.Mkdir(bad, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bad, "game.yaml"), []byte("titel: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want int
		args []string
	}{
		{fine, []string{"vet", "new/en"}}, {fine, []string{"--help"}}, {fine, []string{"scan", "new/zh", "-say", "灯油"}},
		{fine, []string{"vet", "-strict", "suite/en"}}, {fine, []string{"vet", "-strict", "suite/zh"}}, {fine, []string{"test", "suite/en"}}, {fine, []string{"test", "suite/zh"}},
		{problems, []string{"vet", bad}}, {problems, []string{"test", bad}}, {problems, []string{"-json", "vet", bad}},
		{wrongUse, []string{"vet"}}, {wrongUse, []string{"vet", filepath.Join(dir, "none")}}, {wrongUse, []string{"frob"}}, {wrongUse, nil},
		{wrongUse, []string{"scan", "new/en"}}, {wrongUse, []string{"new", "new"}}, {wrongUse, []string{"--lang", "fr", "vet", "new/en"}},
		{wrongUse, []string{"convert", filepath.Join(dir, "none"), "x.json"}}, {wrongUse, []string{"rebuild", "new/en", "--store", filepath.Join(dir, "none.db")}},
	} {
		var out strings.Builder
		if code := run(context.Background(), c.args, strings.NewReader(""), &out, &out); code != c.want {
			t.Errorf("%v: %d, not %d: %s", c.args, code, c.want, out.String())
		}
	}
}

// TestPlayWithAServer: a card is played with the model of a server, and its text is shown as it comes.
func TestPlayWithAServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"The fox ", "looks up."} {
			fmt.Fprintf(w, "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": %q}}]}\n\n", piece)
		}
		fmt.Fprint(w, "data: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	card := filepath.Join(t.TempDir(), "fox.json")
	if err := os.WriteFile(card, []byte(`{"spec": "chara_card_v2", "data": {"name": "Fox", "description": "A fox.", "first_mes": "…"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code := run(context.Background(), []string{"play", card, "-model", server.URL, "-model-name", "m"}, strings.NewReader("Hello, fox.\n"), &out, &out)
	if text := out.String(); code != fine || strings.Count(text, "The fox looks up.") != 1 {
		t.Errorf("%d: %s", code, text)
	}
}

// TestPlayWithAShape: a model that accepts one system message, and then the user and the assistant in
// turn, gets such messages.
func TestPlayWithAShape(t *testing.T) {
	t.Parallel()
	for shape, want := range map[string]bool{"openai": false, "strict": true} {
		alternates := true
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var request struct{ Messages []struct{ Role string } }
			if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
				t.Error(err)
			}
			for i, m := range request.Messages {
				alternates = alternates && m.Role == []string{"system", "user", "assistant"}[min(i, (i+1)%2+1)]
			}
			fmt.Fprint(w, `{"choices":[{"index":0,"message":{"content":"The fog is thick."},"finish_reason":"stop"}]}`)
		}))
		for _, verb := range []string{"play", "test"} {
			var out strings.Builder
			alternates = true
			code := run(context.Background(), []string{verb, "new/en", "-model", server.URL, "-model-name", "m", "-shape", shape},
				strings.NewReader("look\nlisten\nwait\n"), &out, &out)
			if code != fine || alternates != want {
				t.Errorf("%s, shape %q: %d, the roles alternate: %v, want %v\n%s", verb, shape, code, alternates, want, out.String())
			}
		}
		server.Close()
	}
}
