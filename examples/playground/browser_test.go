//go:build !js

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
)

// TestPageInABrowser: the page opens from a file. A dropped card begins a game, a line shows what it
// activates, and a played line shows the turn (EX-17).
func TestPageInABrowser(t *testing.T) {
	testkit.WithoutRace(t)
	b := testkit.OpenBrowser(t)
	data, err := build()
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.ArtifactDir(), "playground.html")
	if err := os.WriteFile(page, data, 0o600); err != nil {
		t.Fatal(err)
	}
	b.Do("url", map[string]any{"url": "file://" + page})
	shows := func(id, text string) {
		t.Helper()
		b.Until(fmt.Sprintf(`(e => (e.textContent + (e.srcdoc || "")).includes(%q))(document.getElementById(%q))`, text, id))
	}
	shows("status", "Ready.")
	drop := func(files map[string]string) {
		t.Helper()
		b.Script(`const dt = new DataTransfer();
			for (const [name, text] of Object.entries(arguments[0])) dt.items.add(new File([text], name));
			document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: dt })); return "";`, files)
	}
	drop(map[string]string{"broken.json": "{"})
	b.Until(`document.getElementById("wrong").textContent`)
	drop(map[string]string{"a mara.json": mara, "bell.json": bell})
	shows("title", "Mara")
	shows("status", "2 entries")
	shows("shown", "The lamp is lit.")
	write := func(id, text string) {
		t.Helper()
		b.Script(`const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event("input")); return "";`, id, text)
	}
	write("line", "Who rings the bell?")
	shows("glow", `key "bell"`)
	b.Script(`scrollTo(0, 0); return "";`)
	b.Picture("playground", 1000, 900)
	write("reply", "Nobody.<UpdateVariable>_.set('oil[0]', 3, 2);//burnt</UpdateVariable>")
	b.Script(`document.getElementById("form").requestSubmit(); return "";`)
	shows("shown", "Nobody.")
	shows("changes", "oil")
	shows("report", "The bell hangs in the old tower.")
	drop(map[string]string{"钟.json": `{"entries": {"0": {"uid": 0, "key": ["钟声"], "comment": "钟", "content": "钟声在旧塔里回响，水手们都听见了。"}}}`})
	shows("title", "钟")
	if got := b.Script(`return document.documentElement.lang + " " + document.getElementById("wrong").textContent`); got != "zh " {
		t.Errorf("the page of a Chinese book: %s", got)
	}
}
