package card_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/prompt/card"
)

// TestAssetPaths: a name or extension that is unsafe in a file name is a problem. It is kept
// unchanged, and FileName returns a safe name.
func TestAssetPaths(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		typ, name, ext string
		problems       []string
		file           string
	}{
		{"icon", "main", "png", nil, "main.png"},
		{"emotion", "微笑 1", "WEBP", nil, "微笑 1.webp"},
		{"icon", "../../n", "../sh", []string{"name", "ext"}, "n.sh"},
		{"../icon", `..\..\n`, "p/ng", []string{"type", "name", "ext"}, "n.png"},
		{"icon", "..", ".", []string{"name", "ext"}, "asset"},
		{"icon", "/etc/passwd", "", []string{"name"}, "etcpasswd"},
		{"icon", "c:run", "e:xe", []string{"name", "ext"}, "crun.exe"},
		{"icon", `a\u0000.png`, "", []string{"name"}, "apng"},
		{"icon", ".bashrc", "", nil, "bashrc"},
		{"icon", "-rf", ".png", nil, "-rf.png"},
		{"icon", "nul", "txt", nil, "asset_nul.txt"},
		{"icon", "NUL (1)", "txt", nil, "asset_NUL (1).txt"},
		{"icon", "  a?*<>|b  ", "png", nil, "ab.png"},
		{"icon", "\u202egpj", "exe", nil, "gpj.exe"},
	} {
		quote := func(s string) string {
			if strings.Contains(s, "u0000") || strings.Contains(s, "u202e") {
				return s
			}
			return strings.ReplaceAll(s, `\`, `\\`)
		}
		c, problems, err := parsed(card.ParseJSON([]byte(v3("A", `,"assets":[{"type":"`+quote(tc.typ)+`","name":"`+
			quote(tc.name)+`","ext":"`+quote(tc.ext)+`","uri":"ccdefault:"}]`))))
		if err != nil {
			t.Errorf("%q: %v", tc.name, err)
			continue
		}
		var got []string
		for _, p := range problems {
			if p.Code != "bad_asset_path" {
				t.Errorf("%q: %v", tc.name, p)
			}
			got = append(got, strings.TrimPrefix(p.Path, "data.assets.0."))
		}
		if !slices.Equal(got, tc.problems) {
			t.Errorf("%q: problems at %q, want %q", tc.name, got, tc.problems)
		}
		a := c.Assets[0]
		if a.FileName() != tc.file {
			t.Errorf("%q: file name %q, want %q", tc.name, a.FileName(), tc.file)
		}
		if tc.name == "../../n" && a.Name != tc.name {
			t.Errorf("the name became %q", a.Name)
		}
	}
	long := card.Asset{Name: strings.Repeat("微", 1000), Ext: strings.Repeat("x", 1000)}.FileName()
	if len(long) > 140 || !utf8.ValidString(long) {
		t.Errorf("%d bytes: %q", len(long), long)
	}
}

// TestUnsafeMembers: members that could write elsewhere when unpacked are not copied into a new
// archive. All others are.
func TestUnsafeMembers(t *testing.T) {
	t.Parallel()
	old := zipOf(t, "../../etc/passwd", "x", "/etc/passwd", "x", `c:\x`, "x", `..\x`, "x", "a/../../x", "x",
		"a/../card.json", "x", `\card.json`, "x", "card.json", v3("A", ""), "./notes.txt", "old", "a/../n.txt", "x",
		"assets/", "", "assets/a.png", "pixels", "a..b", "fine", "...", "fine")
	out, err := card.WriteCHARX(old, card.Card{Name: "B"}, []card.AssetFile{{Path: "notes.txt", Data: []byte("new")}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"card.json", "a/../n.txt", "assets/", "assets/a.png", "a..b", "...", "notes.txt"}
	if got := zipNames(t, out); !slices.Equal(got, want) {
		t.Errorf("members %q, want %q", got, want)
	}
}

// TestLinksInArchives: a link is not a file of a card.
func TestLinksInArchives(t *testing.T) {
	t.Parallel()
	link := zipWithLink(t, "assets", "/etc")
	out, err := card.WriteCHARX(link, card.Card{Name: "B"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := zipNames(t, out); !slices.Equal(got, []string{"card.json"}) {
		t.Errorf("members %q", got)
	}
}
