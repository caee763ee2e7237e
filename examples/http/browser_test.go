package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/examples/internal/browser"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestPage plays on the page in a real browser: two pages of two players join, read a public line,
// a button changes the answer on both, and only one page reads a secret. Text of players and models
// is never HTML.
func TestPage(t *testing.T) {
	room := start(t, filepath.Join(t.TempDir(), "c.db"), llmtest.NewScripted(llmtest.Text("<b id=evil>A gull."), llmtest.Text("A crow."),
		llmtest.Text("Bob nods."), llmtest.Text("The key is cold.")))
	ann, bob := browser.Open(t), browser.Open(t) // they close before the server
	for b, name := range map[*browser.Browser]string{ann: "Ann", bob: "Bob"} {
		b.Do("url", map[string]any{"url": strings.TrimSuffix(room, "rooms/inn")})
		b.Write("#join [name=name]", name+"\n")
		b.Until(`document.querySelector("#say").offsetParent && !document.querySelector("#join").offsetParent`)
	}
	ann.Write("#say [name=text]", "I look up.\n")
	for _, b := range []*browser.Browser{ann, bob} {
		b.Until(`document.querySelectorAll("article").length == 1 && document.querySelectorAll("article button").length == 5`)
		if got := paragraphs(b); got != "Ann: I look up.|<b id=evil>A gull." {
			t.Errorf("the first line: %q", got)
		}
	}
	ann.Click("article button")
	for _, b := range []*browser.Browser{ann, bob} {
		b.Until(`document.body.textContent.includes("A crow.")`)
	}
	bob.Write("#say [name=text]", "I nod.\n")
	ann.Until(`document.body.textContent.includes("Bob nods.")`)
	ann.Click("[name=private]")
	ann.Write("#say [name=text]", "I hide the key.\n")
	ann.Until(`document.querySelector("article.secret button")`)
	bob.Do("refresh", map[string]any{})
	bob.Until(`document.querySelector("#join")`)
	bob.Write("#join [name=name]", "Bob\n") // the token is still there
	bob.Until(`document.body.textContent.includes("Bob nods.")`)
	if got := paragraphs(bob); strings.Contains(got, "key") {
		t.Errorf("Bob reads %q", got)
	}
	if file := os.Getenv("SCREENSHOT"); file != "" {
		data, err := base64.StdEncoding.DecodeString(ann.Get("screenshot"))
		if err != nil || os.WriteFile(file, data, 0o644) != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// paragraphs returns the paragraphs of the first line of the page.
func paragraphs(b *browser.Browser) string {
	return b.Script(`return [...document.querySelectorAll("article p")].map(p => p.textContent).join("|")`)
}
