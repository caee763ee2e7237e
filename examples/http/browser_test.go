package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/llm/llmtest"
)

// TestPage plays on the page in a real browser: two pages of two players join, read a public line,
// a button changes the answer on both, and only one page reads a secret. Text of players and models
// is never HTML.
func TestPage(t *testing.T) {
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("there is no chromedriver, which drives a real browser")
	}
	if os.Getenv("FULL") == "" {
		t.Skip("FULL is not set: a browser takes some seconds of CPU")
	}
	room := start(t, filepath.Join(t.TempDir(), "c.db"), llmtest.NewScripted(llmtest.Text("<b id=evil>A gull."), llmtest.Text("A crow."),
		llmtest.Text("Bob nods."), llmtest.Text("The key is cold.")))
	ann, bob := browse(t, driver), browse(t, driver)
	for b, name := range map[*browser]string{ann: "Ann", bob: "Bob"} {
		b.do("url", map[string]any{"url": strings.TrimSuffix(room, "rooms/inn")})
		b.write("#join [name=name]", name+"\n")
		b.until(`document.querySelector("#say").offsetParent && !document.querySelector("#join").offsetParent`)
	}
	ann.write("#say [name=text]", "I look up.\n")
	for _, b := range []*browser{ann, bob} {
		b.until(`document.querySelectorAll("article").length == 1 && document.querySelectorAll("article button").length == 5`)
		if got := b.text("article"); got != "Ann: I look up.|<b id=evil>A gull." {
			t.Errorf("the first line: %q", got)
		}
	}
	ann.click("article button")
	for _, b := range []*browser{ann, bob} {
		b.until(`document.body.textContent.includes("A crow.")`)
	}
	bob.write("#say [name=text]", "I nod.\n")
	ann.until(`document.body.textContent.includes("Bob nods.")`)
	ann.click("[name=private]")
	ann.write("#say [name=text]", "I hide the key.\n")
	ann.until(`document.querySelector("article.secret button")`)
	bob.do("refresh", map[string]any{})
	bob.until(`document.querySelector("#join")`)
	bob.write("#join [name=name]", "Bob\n") // the token is still there
	bob.until(`document.body.textContent.includes("Bob nods.")`)
	if got := bob.text("article"); strings.Contains(got, "key") {
		t.Errorf("Bob reads %q", got)
	}
	if file := os.Getenv("SCREENSHOT"); file != "" {
		data, err := base64.StdEncoding.DecodeString(ann.get("screenshot"))
		if err != nil || os.WriteFile(file, data, 0o644) != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// browser is a session of a browser. It is driven by the HTTP interface of WebDriver.
type browser struct {
	t   *testing.T
	url string
}

// browse starts a driver and a browser without a window.
func browse(t *testing.T, driver string) *browser {
	t.Helper()
	cmd := exec.Command(driver, "--port=0")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	b := &browser{t: t}
	for lines := bufio.NewScanner(out); b.url == "" && lines.Scan(); {
		if _, port, ok := strings.Cut(lines.Text(), "started successfully on port "); ok {
			b.url = "http://localhost:" + strings.TrimSuffix(port, ".")
		}
	}
	var session struct{ SessionID string }
	b.answer(http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"timeouts": map[string]any{"script": 20_000},
		"goog:chromeOptions": map[string]any{"args": []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir()}},
	}}}, &session)
	b.url += "/session/" + session.SessionID
	t.Cleanup(func() { b.answer(http.MethodDelete, "", nil, nil) })
	return b
}

func (b *browser) answer(method, path string, body map[string]any, value any) {
	b.t.Helper()
	var data []byte
	if body != nil {
		data, _ = json.Marshal(body) // texts only
	}
	request, err := http.NewRequest(method, b.url+path, bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var in struct{ Value json.RawMessage }
	err = json.NewDecoder(answer.Body).Decode(&in)
	if err == nil && answer.StatusCode == http.StatusOK && value != nil {
		err = json.Unmarshal(in.Value, value)
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %v %s %.300s", path, err, answer.Status, in.Value)
	}
}

func (b *browser) do(command string, body map[string]any) {
	b.t.Helper()
	b.answer(http.MethodPost, "/"+command, body, nil)
}

func (b *browser) get(command string) (text string) {
	b.t.Helper()
	b.answer(http.MethodGet, "/"+command, nil, &text)
	return text
}

// element returns the path of the first element with a selector.
func (b *browser) element(selector string) string {
	b.t.Helper()
	found := map[string]string{}
	b.answer(http.MethodPost, "/element", map[string]any{"using": "css selector", "value": selector}, &found)
	for _, id := range found {
		return "element/" + id
	}
	return ""
}

// write types a text. A line end presses Enter.
func (b *browser) write(selector, text string) {
	b.t.Helper()
	b.do(b.element(selector)+"/value", map[string]any{"text": strings.ReplaceAll(text, "\n", "\ue007")})
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.do(b.element(selector)+"/click", map[string]any{})
}

// text returns the text of the paragraphs in the first element with a selector.
func (b *browser) text(selector string) (text string) {
	b.t.Helper()
	b.answer(http.MethodPost, "/execute/sync", map[string]any{"args": []any{selector},
		"script": `return [...document.querySelectorAll(arguments[0] + " p")].map(p => p.textContent).join("|")`}, &text)
	return text
}

// until waits until an expression is true. It is checked after each change of the page.
func (b *browser) until(expression string) {
	b.t.Helper()
	b.do("execute/async", map[string]any{"args": []any{}, "script": fmt.Sprintf(`const done = arguments[0], check = () => %s
		if (check()) return done()
		const watch = new MutationObserver(() => { if (check()) { watch.disconnect(); done() } })
		watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true})`, expression)})
}
