package worldbook_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// spoken is a chat of lines "who: text". The player is Ann, all others are the model.
func spoken(lines ...string) wb.Input {
	in := wb.Input{ContextSize: 8192}
	for _, line := range lines {
		name, text, _ := strings.Cut(line, ": ")
		m := wb.Message{Name: name, Text: text, Role: "assistant"}
		if name == "Ann" {
			m.Role = "user"
		}
		in.Messages = append(in.Messages, m)
	}
	return in
}

// from is an entry that searches only the texts of some sources.
func from(uid, key string, sources ...string) wb.Entry {
	return wb.Entry{UID: uid, Keys: []string{key}, Content: "Text of " + uid + ".", Options: &wb.Options{From: sources}}
}

// featureFrom: an entry looks for its keys only in the texts of its sources.
func featureFrom(t *testing.T) {
	set := wb.Exact()
	set.Depth = 3
	feeder := wb.Entry{UID: "feeder", Keys: []string{"inn"}, Content: "A bell hangs there."}
	c := featureBook(t, set, feeder, from("player", "bell", "player"), from("model", "bell", "model"), from("bo", "bell", "bo"),
		from("lore", "bell", "lore"), from("note", "bell", "note"), from("both", "bell", "player", "lore"),
		from("regex", `/b[e]ll$/`, "player"))
	noted := spoken("Ann: Hm.")
	noted.Injections = []string{"A bell."}
	for _, r := range []struct {
		reason string
		in     wb.Input
		want   string
	}{
		{"the player", spoken("Ann: The bell"), "player both regex"},
		{"an earlier line of the player", spoken("Ann: The bell.", "Bo: No."), "player both"},
		{"the model", spoken("Ann: Hm.", "Cy: The bell."), "model"},
		{"a speaker", spoken("Ann: Hm.", "Bo: The bell."), "model bo"},
		{"the text of an entry", spoken("Ann: The inn."), "feeder lore both"},
		{"a note", noted, "note"},
		{"the newest line of the player is not in the window", spoken("Ann: The bell.", "Bo: 1", "Bo: 2", "Bo: 3"), ""},
		{"nobody", wb.Input{ContextSize: 8192, Messages: []wb.Message{{Text: "The bell."}}}, ""},
	} {
		wantText(t, r.reason, scanned(c, r.in), r.want)
	}
}

// featureActors: an entry for a character is active only while this character acts.
func featureActors(t *testing.T) {
	c := featureBook(t, wb.Exact(), wb.Entry{UID: "1", Constant: true, Content: "You hear the sea.", Options: &wb.Options{Actors: []string{"ann", "Cy"}}})
	for _, r := range []struct {
		actors []string
		want   string
	}{{nil, ""}, {[]string{"Bo"}, ""}, {[]string{"Ann"}, "1"}, {[]string{"Bo", "cy"}, "1"}} {
		in := says("Hm.")
		in.Actors = r.actors
		wantText(t, fmt.Sprint(r.actors), scanned(c, in), r.want)
	}
	wantText(t, "trace", gateOf(c, says("Hm."), wb.State{}, "1"), "b.1: stopped: none of ann, Cy acts")
}

// TestFromExplains: the trace has the message of the source, and lists the searched sources.
func TestFromExplains(t *testing.T) {
	t.Parallel()
	c := featureBook(t, wb.Exact(), from("1", "bell", "player"))
	wantText(t, "found", gateOf(c, spoken("Ann: A bell.", "Bo: A bell."), wb.State{}, "1"), `b.1: active by key "bell" in message 1`)
	wantText(t, "not found", gateOf(c, spoken("Ann: Hm.", "Bo: A bell."), wb.State{}, "1"), "b.1: stopped: no key found in the texts of player")
}

// TestFromOracle compares random chats with a simple search: each line that an entry may read, key
// by key. Keys are plain, regexes of one line, and regexes over the window.
func TestFromOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 6))
	words, keys := []string{"sun", "rain", "wind"}, []string{"sun", "rain", "wind", `/s[u]n/`, `/rain$/`, `/wind\n\x01Ann/`, "Bo: sun"}
	sources := [][]string{nil, {"player"}, {"model"}, {"bo"}, {"player", "cy"}}
	set := wb.Exact()
	set.Recursive = false
	for range 300 {
		set.Depth = rng.IntN(5)
		var entries []wb.Entry
		for i := range 10 {
			e := from(fmt.Sprint(i), keys[rng.IntN(len(keys))], sources[rng.IntN(len(sources))]...)
			entries = append(entries, e)
		}
		c := featureBook(t, set, entries...)
		for range 10 {
			var lines []string
			for range rng.IntN(6) {
				lines = append(lines, []string{"Ann", "Bo", "Cy"}[rng.IntN(3)]+": "+words[rng.IntN(3)]+[]string{"", " " + words[rng.IntN(3)]}[rng.IntN(2)])
			}
			var want []string
			for _, e := range entries {
				var window []string
				for i := len(lines) - 1; i >= max(0, len(lines)-set.Depth); i-- {
					name, _, _ := strings.Cut(lines[i], ":")
					may := e.Options.From
					if len(may) == 0 || slices.Contains(may, "player") && name == "Ann" || slices.Contains(may, "model") && name != "Ann" ||
						slices.Contains(may, strings.ToLower(name)) {
						window = append(window, "\x01"+lines[i])
					}
				}
				text := strings.Join(window, "\n")
				found := strings.Contains(text, e.Keys[0])
				switch e.Keys[0] {
				case `/s[u]n/`:
					found = strings.Contains(text, "sun")
				case `/rain$/`:
					found = strings.HasSuffix(text, "rain")
				case `/wind\n\x01Ann/`:
					found = strings.Contains(text, "wind\n\x01Ann")
				}
				if found {
					want = append(want, e.UID)
				}
			}
			if got := scanned(c, spoken(lines...)); got != strings.Join(want, " ") {
				t.Fatalf("depth %d, %q: got %s, want %s, of %+v", set.Depth, lines, got, want, entries)
			}
		}
	}
}
