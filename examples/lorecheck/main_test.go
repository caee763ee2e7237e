package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func Example() {
	if err := run(nil, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Millbrook: 7 entries (sillytavern)
	//   error: Millbrook.entries[6].key[0] (Millbrook.6): "/raven(s/" is not a JavaScript regex (unterminated group at 7): correct it or remove its slashes
	//   warning: Millbrook.entries[5].content (Millbrook.5): the entry activates but adds nothing
	//   warning: Millbrook.entries[2] (Millbrook.2): 2 entries activate each other, so that one of them brings the others along: Millbrook.2, Millbrook.1
	//
	// > We reach the mill at dusk.
	// Millbrook.5 (The ferry): stopped: no key found
	// Millbrook.6 (Ravens): stopped: no key found
	// Millbrook.4 (Its lair): stopped: delay 5 more
	// Millbrook.3 (Dragons): stopped: no key found
	// Millbrook.2 (Gold): active by key "gold" in recursion via Millbrook.1
	// Millbrook.1 (The mill): active by key "mill" in message 0
	// Millbrook.0 (The world): active by constant
	// 40 of 2048 tokens
	//   | The old mill has stood empty since the miller sold his soul for gold.
	//   | Millbrook is a village on the river. Magic is rare and feared.
	//   | Gold from the mill turns to leaves at dawn.
	//
	// > Is that a dragon on the roof?
	// Millbrook.5 (The ferry): stopped: no key found
	// Millbrook.6 (Ravens): stopped: no key found
	// Millbrook.4 (Its lair): stopped: delay 4 more
	// Millbrook.3 (Dragons): active by key "/dragons?/i" in message 0
	// Millbrook.2 (Gold): active by key "gold" in recursion via Millbrook.1
	// Millbrook.1 (The mill): active by sticky
	// Millbrook.0 (The world): active by constant
	// 53 of 2048 tokens
	//   | The old mill has stood empty since the miller sold his soul for gold.
	//   | The dragon of Millbrook guards the roof of the mill by night.
	//   | Millbrook is a village on the river. Magic is rare and feared.
	//   | Gold from the mill turns to leaves at dawn.
}

func Example_chinese() {
	if err := run([]string{"-lang", "zh", "龙飞过天空。"}, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 磨坊镇: 5 entries (sillytavern)
	//   warning: 磨坊镇.entries[2] (磨坊镇.2): 2 entries activate each other, so that one of them brings the others along: 磨坊镇.2, 磨坊镇.1
	//
	// > 龙飞过天空。
	// 磨坊镇.4 (巢穴): stopped: delay 5 more
	// 磨坊镇.3 (龙): active by key "龙" in message 0
	// 磨坊镇.2 (黄金): active by key "黄金" in recursion via 磨坊镇.3 > 磨坊镇.1
	// 磨坊镇.1 (磨坊): active by key "磨坊" in recursion via 磨坊镇.3
	// 磨坊镇.0 (世界): active by constant
	// 64 of 2048 tokens
	//   | 磨坊镇的龙夜里守着磨坊的屋顶。
	//   | 磨坊镇在河边。魔法稀少，人人畏惧。
	//   | 老磨坊早已空无一人：磨坊主为黄金出卖了灵魂。
	//   | 磨坊里的黄金天一亮就变成落叶。
}

// TestOtherBooks checks that files of other programs are read, and that a file that is not a book
// gives an error.
func TestOtherBooks(t *testing.T) {
	for _, c := range []struct{ name, file, said, shows, fails string }{
		{name: "NovelAI", file: `{"lorebookVersion": 5, "entries": [{"text": "The inn is warm.",
			"displayName": "Inn", "keys": ["inn"], "enabled": true}]}`,
			said: "To the inn!", shows: "  | The inn is warm.\n"},
		{name: "no book", file: `[1, 2]`, fails: "unknown"},
		{name: "no JSON", file: `# Lore`, fails: "invalid character"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "book.json")
			if err := os.WriteFile(file, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			err := run([]string{"-book", file, c.said}, &out)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Errorf("the error is %v, and should speak of %q", err, c.fails)
				}
				return
			}
			if err != nil || !strings.Contains(out.String(), c.shows) {
				t.Errorf("%v: no %q in\n%s", err, c.shows, &out)
			}
		})
	}
}
