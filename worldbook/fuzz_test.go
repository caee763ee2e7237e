package worldbook_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
	wb "github.com/talewright/talewright/worldbook"
)

// FuzzKey searches one plain key, or one regex, in one message (WB-02, WB-03). The index agrees
// with the oracle's search in the whole window. No key makes the scan fail.
func FuzzKey(f *testing.F) {
	for _, s := range [][2]string{
		{"elf", "an Elf"}, {"dragon lord", "the Dragon Lord"}, {"魔法", "学习魔法"}, {"/a+b/i", "xaAb"},
		{"/(/", "a /(/ b"}, {" x ", "a x b"}, {"a\nb", "a\nb"}, {"\x01Ann", "x"}, {"İ", "i̇"}, {"ΟΣ", "ος"},
	} {
		for flags := range uint8(4) {
			f.Add(s[0], s[1], flags)
		}
	}
	f.Fuzz(func(t *testing.T, key, text string, flags uint8) {
		if len(key) > 80 || len(text) > 400 || !utf8.ValidString(key) || !utf8.ValidString(text) {
			return
		}
		e := wb.Entry{
			UID: "1", Keys: []string{key}, Content: "x", Order: 1,
			CaseSensitive: new(flags&1 != 0), MatchWholeWords: new(flags&2 != 0),
		}
		set := wb.ProfileSettings{Depth: 2, Budget: 100, IncludeNames: true}
		in := wb.Input{Messages: []wb.Message{{Name: "Ann", Text: text}, {Name: "Bo", Text: "y"}}, ContextSize: 999}
		c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{e}}}}, set)
		r, _ := c.Scan(in, wb.State{})
		in.Cache, in.Explain = wb.NewCache(-1), true
		if again, _ := c.Scan(in, wb.State{}); !slices.Equal(activated(&again), activated(&r)) {
			t.Errorf("%q in %q: %v, then %v", key, text, activated(&r), activated(&again))
		}
		if isRegex(keyindex.TrimSpace(key)) && len(problems) == 0 || strings.ContainsAny(key, "{<") {
			return // regexes have their own fuzz target, macros change the key
		}
		found := key != "" && inWindow(key, "\x01Bo: y\n\x01"+keyindex.TrimSpace("Ann: "+text), flags&1 != 0, flags&2 != 0)
		if found != (len(r.Activated) > 0) {
			t.Errorf("%q in %q, flags %d: %v, the slow search says %v", key, text, flags, activated(&r), found)
		}
	})
}

// inWindow searches one plain key the slow way: the whole window, folded as a
// whole, and for whole words the expression that the peer builds.
func inWindow(key, window string, caseSensitive, wholeWords bool) bool {
	key = keyindex.TrimSpace(key)
	if !caseSensitive {
		key, window = keyindex.FoldString(key), keyindex.FoldString(window)
	}
	if !wholeWords || keyindex.HasSpace(key) || key == "" {
		return strings.Contains(window, key)
	}
	return regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(key) + `(?:$|\W)`).MatchString(window)
}

// FuzzDecorators reads any text as a content with decorators (WB-33, WB-34). The remaining text is
// an end of it without decorators, and a content without @@ stays whole.
func FuzzDecorators(f *testing.F) {
	for _, s := range []string{
		"@@depth 3\n@@role user\ntext", "@@x 1\n@@@depth 2\ntext", "@@@depth 2\nt", "@@activate", "\n@@end\n\nt",
		"@@position pt_a\nt", "@@inject_at x\nt", "@@inject_replace x/old\nnew", "@@additional_keys a,b\nt",
		"@@activate\n@@@dont_activate\nx", "@@dont_activate\n@@unknown\n@@@activate\nx",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, content string, card bool) {
		if !utf8.ValidString(content) || len(content) > 2000 || strings.ContainsAny(content, "{<") {
			return
		}
		list, rest, _ := wb.ParseDecorators(content)
		if more, same, _ := wb.ParseDecorators(rest); !strings.HasSuffix(content, rest) || same != rest || len(more) > 0 || rest == content && len(list) > 0 {
			t.Errorf("%q became %v and %q, then %v and %q", content, list, rest, more, same)
		}
		set := wb.ProfileSettings{Depth: 2, Budget: 100}
		if card {
			set.Decorators = wb.DecoratorsCardV3
		}
		entries := []wb.Entry{
			{UID: "1", Comment: "x", Constant: true, Content: "old text"},
			{UID: "2", Constant: true, Content: content},
		}
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, set)
		r, _ := c.Scan(wb.Input{Messages: []wb.Message{{Text: "a b"}}, ContextSize: 1 << 20}, wb.State{})
		for _, a := range r.Activated {
			if a.ID.UID != "2" {
				continue
			}
			if !strings.HasSuffix(content, a.Text) || !strings.Contains(content, "@@") && a.Text != content {
				t.Errorf("%q became %q", content, a.Text)
			}
		}
		c.Vet(100, nil)
	})
}

// isRegex reports whether a key looks like a regular expression.
func isRegex(key string) bool {
	_, letters, ok := jsregex.SplitKey(key)
	_, err := jsregex.ParseFlags(letters)
	return ok && err == nil
}
