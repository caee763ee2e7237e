package worldbook_test

import (
	"fmt"
	"testing"

	wb "github.com/talewright/talewright/worldbook"
)

// featureRecursion: texts activate further entries, each at most once. With excludeRecursion an
// entry ignores these texts. With preventRecursion an entry's own text activates nothing. Keys in
// the chat work with both.
func featureRecursion(t *testing.T) {
	king := wb.Entry{UID: "king", Keys: []string{"king"}, Content: "He owns the castle."}
	castle := wb.Entry{UID: "castle", Keys: []string{"castle"}, Content: "It has a moat."}
	moat := wb.Entry{UID: "moat", Keys: []string{"moat"}, Content: "Back to the king."}
	set := wb.Exact()
	run := func(message string, entries ...wb.Entry) string {
		return scanned(featureBook(t, set, entries...), says(message))
	}
	wantText(t, "a circle ends", run("The king!", king, castle, moat), "king castle moat")
	shy, mute := castle, castle
	shy.ExcludeRecursion = true
	wantText(t, "excludeRecursion", run("The king!", king, shy, moat), "king")
	wantText(t, "excludeRecursion, in the chat", run("A castle!", king, shy), "castle")
	mute.PreventRecursion = true
	wantText(t, "preventRecursion", run("The king!", king, mute, moat), "king castle")
	set.Recursive = false
	wantText(t, "recursion off", run("The king!", king, castle, moat), "king")

	for fields, want := range map[string]string{"": "1", `"enableRecursion": true,`: "1 2"} {
		c := roleplayBook(t, fields, `{"uid": "1", "keywords": ["国王"], "content": "住在城堡"}`,
			`{"uid": "2", "keywords": ["城堡"], "content": "很高"}`)
		wantText(t, "roleplay "+fields, scanned(c, says("国王")), want)
	}
}

// featureLevels: entries that wait for recursion come level by level, and a
// limit of steps counts loops of every kind.
func featureLevels(t *testing.T) {
	late := func(uid string, level int) wb.Entry {
		return wb.Entry{UID: uid, Keys: []string{"dragon"}, Content: uid, DelayUntilRecursion: level}
	}
	dragon := wb.Entry{UID: "first", Keys: []string{"dragon"}, Content: "A beast."}
	c := featureBook(t, wb.Exact(), late("fourth", 3), late("third", 2), late("second", 1), dragon)
	r, _ := c.Scan(says("A dragon!"), wb.State{})
	wantText(t, "levels", uids(r), "first second third fourth")
	var loops []int
	for _, a := range r.Activated {
		loops = append(loops, a.Loop)
	}
	// A level begins when the entries of the previous level activate nothing more.
	wantText(t, "loops", fmt.Sprint(loops), "[0 1 3 5]")

	set := wb.Exact()
	for steps, want := range []string{"a b c d", "a", "a b", "a b c"} {
		set.MaxRecursionSteps = steps
		c := featureBook(t, set, wb.Entry{UID: "a", Keys: []string{"a"}, Content: "b"},
			wb.Entry{UID: "b", Keys: []string{"b"}, Content: "c"},
			wb.Entry{UID: "c", Keys: []string{"c"}, Content: "d"},
			wb.Entry{UID: "d", Keys: []string{"d"}, Content: "end"})
		wantText(t, fmt.Sprint("steps ", steps), scanned(c, says("a")), want)
	}
}

// featureMinActivations: the search goes deeper, one message at a time, until
// enough entries are active or the limit is reached. Quirks are off here: with
// Q5 it reaches one message further.
func featureMinActivations(t *testing.T) {
	set := wb.Exact()
	set.QuirksOff = wb.AllQuirks()
	set.Depth = 1
	in := says("An orc.", "A dragon.", "And then?", "Go on.")
	for _, row := range []struct {
		least, deepest int
		want           string
	}{{0, 0, ""}, {1, 0, "dragon"}, {2, 0, "dragon orc"}, {2, 3, "dragon"}, {1, 2, ""}} {
		set.MinActivations, set.MinActivationsDepthMax = row.least, row.deepest
		c := featureBook(t, set, wb.Entry{UID: "orc", Keys: []string{"orc"}, Content: "Green."},
			wb.Entry{UID: "dragon", Keys: []string{"dragon"}, Content: "A beast."})
		what := fmt.Sprintf("at least %d within %d messages", row.least, row.deepest)
		wantText(t, what, scanned(c, in), row.want)
	}
}
