package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestPage plays on the page in a real browser: two pages of two players join, read a public line,
// a button changes the answer on both, and only one page reads a secret. Text of players and models
// is never HTML.
func TestPage(t *testing.T) {
	room := start(t, filepath.Join(t.TempDir(), "c.db"), llmtest.NewScripted(llmtest.Text("<b id=evil>A gull."), llmtest.Text("A crow."),
		llmtest.Text("Bob nods."), llmtest.Text("The key is cold.")))
	ann, bob := testkit.OpenBrowser(t), testkit.OpenBrowser(t) // they close before the server
	for b, name := range map[*testkit.Browser]string{ann: "Ann", bob: "Bob"} {
		b.Do("url", map[string]any{"url": strings.TrimSuffix(room, "rooms/inn")})
		b.Write("#join [name=name]", name+"\n")
		b.Until(`document.querySelector("#say").offsetParent && !document.querySelector("#join").offsetParent`)
	}
	ann.Write("#say [name=text]", "I look up.\n")
	for _, b := range []*testkit.Browser{ann, bob} {
		b.Until(`document.querySelectorAll("article").length == 1 && document.querySelectorAll("article button").length == 5`)
		if got := paragraphs(b); got != "Ann: I look up.|<b id=evil>A gull." {
			t.Errorf("the first line: %q", got)
		}
	}
	ann.Click("article button")
	for _, b := range []*testkit.Browser{ann, bob} {
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
}

// TestPicture takes the picture of the README: two players in an inn, one of them with a secret.
func TestPicture(t *testing.T) {
	room := start(t, filepath.Join(t.TempDir(), "c.db"), llmtest.NewScripted(
		llmtest.Text("The inn is warm and loud. Behind the bar, a woman with silver rings polishes a cup that is already clean. She does not look up when the door closes behind you."),
		llmtest.Text("\"Rooms are two coins,\" she says to Bob, and pushes a ledger across the wood. A name in it was crossed out this morning: the ink is still wet."),
		llmtest.Text("Nobody sees your hand move. The key under the ledger is cold and has three teeth, and a tag with the number of the locked room.")))
	ann, bob := testkit.OpenBrowser(t), testkit.OpenBrowser(t)
	for b, name := range map[*testkit.Browser]string{ann: "Ann", bob: "Bob"} {
		b.Do("url", map[string]any{"url": strings.TrimSuffix(room, "rooms/inn")})
		b.Write("#join [name=name]", name+"\n")
		b.Until(`document.querySelector("#say").offsetParent && !document.querySelector("#join").offsetParent`)
	}
	ann.Write("#say [name=text]", "I come in and shake the rain off my coat.\n")
	bob.Until(`document.body.textContent.includes("silver rings")`)
	bob.Write("#say [name=text]", "I ask for a room.\n")
	ann.Until(`document.body.textContent.includes("still wet")`)
	ann.Click("[name=private]")
	ann.Write("#say [name=text]", "While they talk, I feel under the ledger.\n")
	ann.Until(`document.querySelector("article.secret button")`)
	ann.Picture("http", 900, 440)
}

// paragraphs returns the paragraphs of the first line of the page.
func paragraphs(b *testkit.Browser) string {
	return b.Script(`return [...document.querySelectorAll("article p")].map(p => p.textContent).join("|")`)
}
