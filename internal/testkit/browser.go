package testkit

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// Browser is a headless Chromium with one page, driven over the HTTP interface of WebDriver. A failed
// command fails the test.
type Browser struct {
	t   *testing.T
	url string
}

// OpenBrowser starts a browser without a window. It skips the test if there is no driver, and without FULL,
// because a browser takes some seconds of CPU.
func OpenBrowser(t *testing.T) *Browser {
	t.Helper()
	driver, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Skip("there is no chromedriver, which drives a real browser")
	}
	if !Full() {
		t.Skip("FULL is not set: a browser takes some seconds of CPU")
	}
	cmd := exec.Command(driver, "--port=0")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	b := &Browser{t: t}
	for lines := bufio.NewScanner(out); b.url == "" && lines.Scan(); {
		if _, port, ok := strings.Cut(lines.Text(), "started successfully on port "); ok {
			b.url = "http://localhost:" + strings.TrimSuffix(port, ".")
		}
	}
	var session struct{ SessionID string }
	b.answer(http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"timeouts": map[string]any{"script": 120_000},
		"goog:chromeOptions": map[string]any{"args": []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir()}},
	}}}, &session)
	b.url += "/session/" + session.SessionID
	t.Cleanup(func() { b.answer(http.MethodDelete, "", nil, nil) })
	return b
}

func (b *Browser) answer(method, path string, body map[string]any, value any) {
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

// Do sends a command whose result does not matter.
func (b *Browser) Do(command string, body map[string]any) {
	b.t.Helper()
	b.answer(http.MethodPost, "/"+command, body, nil)
}

// Get returns a property of the page, such as its screenshot.
func (b *Browser) Get(command string) (text string) {
	b.t.Helper()
	b.answer(http.MethodGet, "/"+command, nil, &text)
	return text
}

// Picture compares a screenshot with a picture of the README, or writes it with -update.
func (b *Browser) Picture(name string, width, height int) {
	b.t.Helper()
	b.answer(http.MethodPost, "/goog/cdp/execute", map[string]any{"cmd": "Emulation.setDeviceMetricsOverride",
		"params": map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}}, nil)
	data, err := base64.StdEncoding.DecodeString(b.Get("screenshot"))
	if err != nil {
		b.t.Fatal(err)
	}
	Picture(b.t, "../pictures/"+name+".png", data)
}

// element returns the path of the first element with a selector.
func (b *Browser) element(selector string) string {
	b.t.Helper()
	found := map[string]string{}
	b.answer(http.MethodPost, "/element", map[string]any{"using": "css selector", "value": selector}, &found)
	for _, id := range found {
		return "element/" + id
	}
	return ""
}

// Write types a text. A line end presses Enter.
func (b *Browser) Write(selector, text string) {
	b.t.Helper()
	b.Do(b.element(selector)+"/value", map[string]any{"text": strings.ReplaceAll(text, "\n", "\ue007")})
}

// Click clicks the first element with a selector.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	b.Do(b.element(selector)+"/click", map[string]any{})
}

// Script runs the body of a function in the page and returns the text that it returns.
func (b *Browser) Script(script string, args ...any) (text string) {
	b.t.Helper()
	b.answer(http.MethodPost, "/execute/sync", map[string]any{"args": append([]any{}, args...), "script": script}, &text)
	return text
}

// Until waits until an expression is true. It is checked after each change of the page.
func (b *Browser) Until(expression string) {
	b.t.Helper()
	b.Do("execute/async", map[string]any{"args": []any{}, "script": fmt.Sprintf(`const done = arguments[0], check = () => %s
		if (check()) return done()
		const watch = new MutationObserver(() => { if (check()) { watch.disconnect(); done() } })
		watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true})`, expression)})
}
