package worldbook_test

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// TestWindowEdges: the parts of a window with few or empty messages (WB-20). The wanted answers
// come from a search in the joined text.
func TestWindowEdges(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, key string
		depth       int
		data        string // searched persona
		messages    []string
		want        bool
	}{
		{"a window without messages is U+0001", `/\x01/`, 2, "", nil, true},
		{"and nothing else", `/[^\x01]/`, 2, "", nil, false},
		{"it can be negated", `/\x01(?!a)/`, 2, "", nil, true},
		{"depth 0 is the empty text", `/\x01/`, 0, "", nil, false},
		{"which a regex may match", `/^$/`, 0, "", []string{"a"}, true},
		{"but not with a depth", `/^$/`, 1, "", nil, false},
		{"a persona stands behind U+0001", `/^\x01\n\x01sea/`, 1, "sea", nil, true},
		{"empty messages at the far end do not count", `/\x01(?!b)/`, 3, "", []string{"", "", "b"}, false},
		{"one in the middle leaves its slot", `/\x01(?!b)/`, 3, "", []string{"a", "", "b"}, true},
		{"nor do only empty ones", `/\n/`, 3, "", []string{"", "", ""}, false},
		{"U+0001 stays", `/\x01/`, 3, "", []string{"", "", ""}, true},
		{"blanks are a slot that is kept", `/b\n\x01$/`, 3, "", []string{"", " ", "b"}, true},
		{"a key may stand over two messages", "b\n\x01a", 2, "", []string{"a", "b"}, true},
		{"not over a slot", "b\n\x01a", 3, "", []string{"a", "", "b"}, false},
	} {
		set := wb.ProfileSettings{Depth: row.depth, Budget: 100}
		c := featureBook(t, set, wb.Entry{UID: "1", Keys: []string{row.key}, Content: "x", MatchPersonaDescription: true})
		in := says(row.messages...)
		in.Data.PersonaDescription = row.data
		for range 2 { // the second time through the cache
			if got := scanned(c, in) != ""; got != row.want {
				t.Errorf("%s: %q active %v, want %v", row.reason, row.key, got, row.want)
			}
		}
	}
}

// TestKeysOfOtherTypes: a key that is not a text is converted as in JavaScript. A falsy value is
// not a key.
func TestKeysOfOtherTypes(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		key, text string
		want      bool
	}{
		{`7`, "room 7", true}, {`7.50`, "room 7.5", true}, {`-0`, "zone 0", false}, {`0`, "zone 0", false},
		{`0.00001`, "0.00001", true}, {`1e-7`, "1e-7", true}, {`1e21`, "1e+21", true},
		{`100000000000000000000`, "100000000000000000000", true}, {`1e999`, "to Infinity", true},
		{`true`, "true love", true}, {`null`, "null", false}, {`null`, "", false},
	} {
		var e wb.Entry
		if err := json.Unmarshal([]byte(`{"uid":1,"content":"x","key":[`+row.key+`]}`), &e); err != nil {
			t.Fatal(err)
		}
		if got := scanned(featureBook(t, wb.Exact(), e), says(row.text)) != ""; got != row.want {
			t.Errorf("key %s in %q: %v, want %v", row.key, row.text, got, row.want)
		}
	}
}

// TestExtremeNumbers: numbers that mean "all" or "no limit" do not overflow into their opposite.
func TestExtremeNumbers(t *testing.T) {
	t.Parallel()
	key := wb.Entry{UID: "1", Keys: []string{"dragon"}, Content: "Hot."}
	chat := says("A dragon.", "And then?", "Go on.")
	for _, profile := range []wb.ProfileSettings{wb.Exact(), wb.Roleplay()} {
		profile.Depth, profile.MinActivations = math.MaxInt, 5
		wantText(t, "the deepest depth", scanned(featureBook(t, profile, key), chat), "1")
		profile.Depth, profile.MinActivations = math.MinInt, 0
		wantText(t, "the least depth", scanned(featureBook(t, profile, key), chat), "")
	}
	set := wb.Exact()
	set.Depth, set.Budget = 5, 100
	in := chat
	in.ContextSize = math.MaxInt
	wantText(t, "no limit", scanned(featureBook(t, set, key), in), "1")
	set.Budget = math.NaN()
	r, _ := featureBook(t, set, key).Scan(in, wb.State{})
	if r.Budget != 1 || !r.Overflowed {
		t.Errorf("a budget that is no number: %d, overflow %v", r.Budget, r.Overflowed)
	}
	for _, row := range []struct {
		json string
		end  int // of the stored record, 0 if there is none
	}{
		{`1e999`, 1<<30 + 3}, {`1e300`, 1<<30 + 3}, {`"abc"`, 3}, {`"4"`, 7}, {`true`, 4}, {`0`, 0}, {`null`, 0},
		{`2.9`, 5}, {`-1`, 2},
	} {
		var e wb.Entry
		err := json.Unmarshal([]byte(`{"uid":1,"constant":true,"content":"x","sticky":`+row.json+`}`), &e)
		if err != nil {
			t.Fatal(err)
		}
		_, state := featureBook(t, wb.Exact(), e).Scan(chat, wb.State{})
		if got := state.Sticky["b.1"].End; got != row.end {
			t.Errorf("sticky %s ends at %d, want %d", row.json, got, row.end)
		}
	}
}

// TestCacheBound: long texts are removed from the cache even if they are few.
func TestCacheBound(t *testing.T) {
	c := featureBook(t, wb.Exact(), wb.Entry{UID: "1", Keys: []string{"dragon"}, Content: "x"})
	in := wb.Input{ContextSize: 8192, Cache: wb.NewCache(64)}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range 400 { // 25 MB; twice 64 times 16 KB may stay
		in.Messages = []wb.Message{{Text: strings.Repeat(fmt.Sprintf("%4d ", i), 64<<10/5) + "dragon"}}
		if r, _ := c.Scan(in, wb.State{}); len(r.Activated) != 1 {
			t.Fatal("the dragon is not found")
		}
	}
	in.Messages = nil
	if kept := int(heap()) - int(before); kept > 8<<20 {
		t.Errorf("%d bytes stay", kept)
	}
	runtime.KeepAlive(in.Cache)
}

// TestEdgesOfLettersThatFoldIntoASCII: a regex uses the word edges of the original text, where İ
// and the Kelvin sign are not word letters. A plain key uses the word edges of the lower-case text.
// A recursion text is treated in the same way.
func TestEdgesOfLettersThatFoldIntoASCII(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		reason, key, text string
		found             bool
	}{
		{"an edge before İ", `/\bkar\b/i`, "KARİ", true},
		{"an edge behind İ", `/\bkar\b/i`, "İkar", true},
		{"an edge before the Kelvin sign", `/ice\b/i`, "Ice\u212a", true},
		{"one of several", `/\b(?:snow|kar)\b/i`, "🐉Karİ", true},
		{"no edge before i", `/\bkar\b/i`, "KARi\u0307", false},
		{"the Kelvin sign is no k", `/\bk\b/i`, "\u212a", false},
		{"a plain key reads small letters", `kar`, "KARİ", false},
		{"which end at other signs", `kar`, "KAR, İ", true},
	} {
		settings := wb.Exact()
		settings.MatchWholeWords, settings.Recursive = true, true
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: []wb.Entry{
			{UID: "1", Keys: []string{row.key}, Content: "x"},
			{UID: "2", Keys: []string{"recur"}, Content: row.text},
		}}}}, settings)
		for _, message := range []string{row.text, "recur"} {
			in := wb.Input{ContextSize: 4096, Messages: []wb.Message{{Text: message}}}
			r, _ := c.Scan(in, wb.State{})
			if got := slices.Contains(activated(&r), "1"); got != row.found {
				t.Errorf("%s, %q: found %v, want %v", row.reason, message, got, row.found)
			}
		}
	}
}
