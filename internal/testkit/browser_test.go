package testkit

import "testing"

// TestBrowser: a page is opened, written to and clicked, and what it then shows is awaited and read.
func TestBrowser(t *testing.T) {
	b := OpenBrowser(t)
	b.Do("url", map[string]any{"url": `data:text/html,<title>Door</title><input id=in><button onclick="setTimeout(() => out.textContent = document.getElementById('in').value, 50)">Knock</button><p id=out></p>`})
	b.Write("input", "Who is there?")
	b.Click("button")
	b.Until(`out.textContent`)
	if got := b.Get("title") + ": " + b.Script(`return arguments[0] + out.textContent`, "> "); got != "Door: > Who is there?" {
		t.Errorf("the page shows %q", got)
	}
}
