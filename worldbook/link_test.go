package worldbook_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	wb "github.com/talewright/talewright/worldbook"
)

// linked is an entry with links. Without keys it is constant. The argument options has members of
// its JSON.
func linked(t *testing.T, uid, keys, options string) wb.Entry {
	t.Helper()
	e := own(t, uid, keys, "{"+options+"}")
	e.Constant = keys == ""
	return e
}

// featureLinks: an entry waits for entries that it requires, and is never active together with an
// entry that it excludes.
func featureLinks(t *testing.T) {
	set := wb.Exact()
	set.Depth = 1
	entry := func(uid, keys, options string) wb.Entry { return linked(t, uid, keys, options) }
	for _, r := range []struct {
		reason, line, want string
		entries            []wb.Entry
	}{
		{"a required entry is active", "A siege in the town.", "town siege", []wb.Entry{entry("siege", "siege", `"requires":["town"]`), entry("town", "town", "")}},
		{"it is not", "A siege.", "", []wb.Entry{entry("siege", "siege", `"requires":["town"]`), entry("town", "town", "")}},
		{"by its whole name", "A siege in the town.", "town siege", []wb.Entry{entry("siege", "siege", `"requires":["b.town"]`), entry("town", "town", "")}},
		{"one of two is not active", "A siege in the town.", "town", []wb.Entry{entry("siege", "siege", `"requires":["town","wall"]`), entry("town", "town", ""), entry("wall", "wall", "")}},
		{"a chain", "c b a", "a b c", []wb.Entry{entry("c", "c", `"requires":["b"]`), entry("b", "b", `"requires":["a"]`), entry("a", "a", "")}},
		{"a later loop brings the required one", "x y", "x a y", []wb.Entry{entry("x", "x", ""), {UID: "a", Keys: []string{"Text of x"}, Order: 100, Content: "A."}, entry("y", "y", `"requires":["a"]`)}},
		{"two that require each other", "a b", "", []wb.Entry{entry("a", "a", `"requires":["b"]`), entry("b", "b", `"requires":["a"]`)}},
		{"an entry excludes one before it in the list", "a b", "b", []wb.Entry{entry("a", "a", ""), entry("b", "b", `"excludes":["a"]`)}},
		{"without the first the second is active", "a", "a", []wb.Entry{entry("a", "a", ""), entry("b", "b", `"excludes":["a"]`)}},
		{"two that exclude each other: the first in the list", "a b", "a", []wb.Entry{entry("a", "a", `"excludes":["b"]`), entry("b", "b", `"excludes":["a"]`)}},
		{"an excluded entry frees its own excluded one", "a b c", "a c", []wb.Entry{entry("c", "c", ""), entry("b", "b", `"excludes":["c"]`), entry("a", "a", `"excludes":["b"]`)}},
		{"the earlier loop counts", "a x", "a x", []wb.Entry{entry("a", "a", ""), entry("x", "x", ""), {UID: "b", Keys: []string{"Text of x"}, Order: 100, Content: "B.",
			Options: &wb.Options{Excludes: []string{"a"}}}}},
		{"a set: the last call", "rain sun", "sun", []wb.Entry{entry("rain", "rain", `"replaces":"sky"`), entry("sun", "sun", `"replaces":"sky"`), entry("clear", "", `"replaces":"sky"`)}[1:]},
		{"a set: the constant one is the default", "Hm.", "clear", []wb.Entry{entry("rain", "rain", `"replaces":"sky"`), entry("clear", "", `"replaces":"sky"`)}},
	} {
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: r.entries}}}, set)
		wantText(t, r.reason, scanned(c, says(r.line)), r.want)
	}
}

// featureReplaces: the entry of a set that was called last stays active until a different one is called.
func featureReplaces(t *testing.T) {
	set := wb.Exact()
	set.Depth, set.Recursive = 3, true
	c := featureBook(t, set, linked(t, "clear", "", `"replaces":"sky"`), linked(t, "rain", "rain", `"replaces":"sky"`),
		linked(t, "snow", "snow", `"replaces":"sky"`), wb.Entry{UID: "inn", Keys: []string{"inn"}, Content: "Snow lies on it.", Order: 100})
	var chat []string
	var st wb.State
	for _, r := range [][2]string{
		{"Hello.", "clear"}, {"It begins to rain.", "rain"}, {"Hm.", "rain"}, {"Hm.", "rain"}, {"Hm.", "rain"},
		{"Look, snow!", "snow"}, {"After the rain.", "rain"}, {"Hm.", "rain"}, // the call of snow is in the window, and old
		{"An inn.", "inn rain"}, // a text of a different entry does not call
		{"Hm.", "inn rain"}, {"Rain, then snow.", "inn rain"}, {"Snow.", "snow"},
	} {
		chat = append(chat, r[0])
		again, _ := c.Scan(says(chat...), st)
		var got wb.Result
		got, st = c.Scan(says(chat...), st)
		list := activated(&got)
		slices.Sort(list)
		wantText(t, fmt.Sprint(len(chat), " ", r[0]), strings.Join(list, " "), r[1])
		next, _ := c.Scan(says(chat...), st) // the reply is made again
		wantText(t, "again: "+r[0], uids(next), uids(again))
	}
	wantText(t, "back before the last two calls", scannedFrom(c, st, chat[:9]...), "rain inn")
	wantText(t, "a dry run applies no stored effect", func() string {
		in := says(append(chat, "Hm.", "Hm.", "Hm.")...)
		in.DryRun = true
		r, _ := c.Scan(in, st)
		return uids(r)
	}(), "clear")
	in := says(append(chat, "Hm.", "Hm.", "Hm.")...)
	in.Forced = []wb.Forced{{ID: wb.ID{Book: "b", UID: "rain"}}}
	r, st := c.Scan(in, st)
	wantText(t, "the host calls", uids(r), "rain")
	in = says(append(chat, "Hm.", "Hm.", "Hm.", "Hm.")...)
	r, _ = c.Scan(in, st)
	wantText(t, "and it stays", uids(r), "rain")
}

// scannedFrom scans a chat from a state.
func scannedFrom(c *wb.Compiled, st wb.State, messages ...string) string {
	r, _ := c.Scan(says(messages...), st)
	return uids(r)
}

// TestLinksExplain: the trace says which link stopped an entry, and Compile and Vet report links that
// cannot work.
func TestLinksExplain(t *testing.T) {
	t.Parallel()
	entries := []wb.Entry{linked(t, "a", "a", ""), linked(t, "b", "b", `"excludes":["a"]`), linked(t, "c", "c", `"requires":["a"]`), linked(t, "d", "d", `"replaces":"s"`),
		linked(t, "e", "e", `"replaces":"s"`), linked(t, "f", "f", `"requires":["g"]`), linked(t, "g", "g", `"requires":["f"]`), linked(t, "h", "h", `"requires":["nobody"]`)}
	c, problems := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, wb.Exact())
	wantText(t, "problems", problems[0].Path+": "+problems[0].Text, `b.entries[7].extensions.talewright.requires[0]: there is no entry "nobody": write a uid of this book, or book.uid, unless the entry is added later`)
	var vetted []string
	for _, p := range c.Vet(8192, nil) {
		vetted = append(vetted, p.ID+" "+p.Text)
	}
	wantText(t, "vet", strings.Join(vetted, "\n"), strings.Join([]string{
		"b.f nothing activates the entry: an entry that it requires does not exist or requires it",
		"b.g nothing activates the entry: an entry that it requires does not exist or requires it",
		"b.h nothing activates the entry: an entry that it requires does not exist or requires it"}, "\n"))
	in := says("a b c d e f g h")
	for uid, want := range map[string]string{
		"a": `b.a: stopped: excluded by b.b, after key "a" in message 0`,
		"c": `b.c: stopped: requires a, which is not active, after key "c" in message 0`,
		"e": `b.e: stopped: set "s": b.d is active, after key "e" in message 0`,
		"f": `b.f: stopped: requires g, which is not active, after key "f" in message 0`,
		"h": `b.h: stopped: requires nobody, which is not active, after key "h" in message 0`,
	} {
		wantText(t, uid, gateOf(c, in, wb.State{}, uid), want)
	}
	in.Overlay.Add = []wb.Attachment{{Book: wb.Book{Name: "more", Entries: []wb.Entry{{UID: "x", Constant: true, Content: "x",
		Options: &wb.Options{Excludes: []string{"b.b"}}}}}}}
	wantText(t, "an entry of an overlay", gateOf(c, in, wb.State{}, "b"), `b.b: stopped: excluded by more.x, after key "b" in message 0`)
}

// linkOracle decides one loop without a budget, one candidate at a time.
func linkOracle(candidates []wb.Entry) (active []string) {
	decided, isActive := map[string]bool{}, map[string]bool{}
	inLoop := map[string]bool{}
	for _, e := range candidates {
		inLoop[e.UID] = true
	}
	options := func(e wb.Entry) wb.Options {
		if e.Options == nil {
			return wb.Options{}
		}
		return *e.Options
	}
	conflicts := func(e wb.Entry) bool {
		return slices.ContainsFunc(candidates, func(x wb.Entry) bool {
			return x.UID != e.UID && isActive[x.UID] && (slices.Contains(options(x).Excludes, e.UID) || slices.Contains(options(e).Excludes, x.UID) ||
				options(e).Replaces != "" && options(e).Replaces == options(x).Replaces)
		})
	}
	held := func(i int) bool {
		e := candidates[i]
		return slices.ContainsFunc(candidates, func(x wb.Entry) bool {
			return x.UID != e.UID && !decided[x.UID] && slices.Contains(options(x).Excludes, e.UID)
		}) || options(e).Replaces != "" && slices.ContainsFunc(candidates[:i], func(x wb.Entry) bool { return !decided[x.UID] && options(x).Replaces == options(e).Replaces })
	}
	// step decides the first entry that it can, and reports whether there is one.
	step := func(hold bool) bool {
		for i, e := range candidates {
			lost, waits := conflicts(e), hold && held(i)
			for _, r := range options(e).Requires {
				lost = lost || !inLoop[r] || decided[r] && !isActive[r]
				waits = waits || !isActive[r]
			}
			if decided[e.UID] || waits && !lost {
				continue
			}
			if decided[e.UID] = true; !lost {
				isActive[e.UID] = true
				active = append(active, e.UID)
			}
			return true
		}
		return false
	}
	for step(true) || step(false) {
	}
	slices.Sort(active)
	return active
}

// TestLinksOracle compares random links with a simple decision, one candidate at a time.
func TestLinksOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 3))
	set := wb.Exact()
	set.Recursive, set.Budget = false, 100
	for range 3000 {
		var entries []wb.Entry
		n := 1 + rng.IntN(8)
		names := func(few int) (list []string) {
			for range max(0, rng.IntN(few+2)-2) {
				list = append(list, fmt.Sprint(rng.IntN(n+1)))
			}
			return list
		}
		for i := range n {
			e := wb.Entry{UID: fmt.Sprint(i), Constant: true, Content: "x", Order: 100}
			e.Options = &wb.Options{Requires: names(2), Excludes: names(3), Replaces: []string{"", "", "s", "r"}[rng.IntN(4)]}
			e.Disable = rng.IntN(8) == 0
			entries = append(entries, e)
		}
		candidates := slices.DeleteFunc(slices.Clone(entries), func(e wb.Entry) bool { return e.Disable })
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, set)
		r, _ := c.Scan(says(), wb.State{})
		got := activated(&r)
		slices.Sort(got)
		if want := linkOracle(candidates); !slices.Equal(got, want) {
			var text strings.Builder
			for _, e := range candidates {
				options, _ := json.Marshal(e.Options)
				fmt.Fprintf(&text, "\n%s %s", e.UID, options)
			}
			t.Fatalf("got %v, want %v, of%s", got, want, text.String())
		}
	}
}

// TestLinksHold: with any other members, required entries are active, and excluded entries and
// entries of one set are not active together.
func TestLinksHold(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 3))
	for range 1500 {
		var entries []wb.Entry
		n := 2 + rng.IntN(10)
		name := func() string { return fmt.Sprint(rng.IntN(n)) }
		for i := range n {
			e := wb.Entry{UID: fmt.Sprint(i), Keys: []string{"k" + name()}, Content: "k" + name() + " k" + name(), Order: float64(rng.IntN(3)),
				Sticky: rng.IntN(4) / 3, Probability: 70, UseProbability: rng.IntN(4) == 0, Group: []string{"", "", "", "g"}[rng.IntN(4)], Constant: rng.IntN(6) == 0}
			e.Options = new(wb.Options)
			switch rng.IntN(4) {
			case 0:
				e.Options.Requires = []string{name()}
			case 1:
				e.Options.Excludes = []string{name(), name()}
			case 2:
				e.Options.Replaces = "s"
			}
			entries = append(entries, e)
		}
		set := wb.Exact()
		set.Budget, set.MinActivations = float64(1+rng.IntN(3)), rng.IntN(3)
		c, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, set)
		var st wb.State
		var chat []string
		for range 4 {
			chat = append(chat, "k"+name()+" k"+name())
			in := says(chat...)
			in.ContextSize, in.Random, in.Explain = 1000, rng.Float64, rng.IntN(2) == 0
			if rng.IntN(3) == 0 {
				in.Forced = []wb.Forced{{ID: wb.ID{Book: "b", UID: name()}}}
			}
			var r wb.Result
			r, st = c.Scan(in, st)
			list := activated(&r)
			has := func(uid string) bool { return slices.Contains(list, uid) }
			sets := 0
			for _, e := range entries {
				if !has(e.UID) {
					continue
				}
				if e.Options.Replaces != "" {
					sets++
				}
				for _, to := range e.Options.Requires {
					if !has(to) {
						t.Fatalf("%s is active without %s: %+v", e.UID, to, entries)
					}
				}
				for _, to := range e.Options.Excludes {
					if to != e.UID && has(to) {
						t.Fatalf("%s is active with %s: %+v", e.UID, to, entries)
					}
				}
			}
			if sets > 1 {
				t.Fatalf("%d entries of one set: %+v", sets, entries)
			}
		}
	}
}

// TestSetsOracle compares random chats with the simple rule: the newest call since the last one,
// and the first entry of the list for equal ones.
func TestSetsOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 3))
	for range 400 {
		set := wb.Exact()
		set.Depth = 1 + rng.IntN(4)
		var entries []wb.Entry
		for i := range 3 {
			entries = append(entries, wb.Entry{UID: fmt.Sprint(i), Keys: []string{fmt.Sprint("k", i), fmt.Sprint("q", i)}, Content: "x", Order: 100,
				Options: &wb.Options{Replaces: "s"}})
		}
		c := featureBook(t, set, entries...)
		var st wb.State
		var chat []string
		holder, since := "", 0
		for range 12 {
			for range 1 + rng.IntN(2) {
				chat = append(chat, []string{"-", "-", "k0", "k1", "q1 k2", "k2 q0"}[rng.IntN(6)])
			}
			called := ""
			for m := len(chat) - 1; m >= max(since, len(chat)-set.Depth) && called == ""; m-- {
				for i := range 3 {
					if called == "" && (strings.Contains(chat[m], fmt.Sprint("k", i)) || strings.Contains(chat[m], fmt.Sprint("q", i))) {
						called = fmt.Sprint(i)
					}
				}
			}
			if called != "" {
				holder, since = called, len(chat)
			}
			var r wb.Result
			r, st = c.Scan(says(chat...), st)
			if got := uids(r); got != holder {
				t.Fatalf("depth %d, %q: got %s, want %s", set.Depth, chat, got, holder)
			}
		}
	}
}

// TestLinksCost: the work for links is in proportion to their number, also in cycles and chains.
func TestLinksCost(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	const n = 20_000
	for name, options := range map[string]func(i int) *wb.Options{
		"a chain against the order":     func(i int) *wb.Options { return &wb.Options{Requires: []string{fmt.Sprint(i + 1)}} },
		"pairs that exclude each other": func(i int) *wb.Options { return &wb.Options{Excludes: []string{fmt.Sprint(i ^ 1)}} },
		"one circle":                    func(i int) *wb.Options { return &wb.Options{Excludes: []string{fmt.Sprint((i + 1) % n)}} },
		"one set":                       func(int) *wb.Options { return &wb.Options{Replaces: "s"} },
		"all exclude the last one":      func(int) *wb.Options { return &wb.Options{Excludes: []string{fmt.Sprint(n - 1)}} },
	} {
		book := wb.Book{Name: "b"}
		for i := range n {
			e := wb.Entry{UID: fmt.Sprint(i), Constant: true, Content: "x", Order: 100, Options: options(i)}
			if name == "a chain against the order" && i == n-1 {
				e.Options = nil
			}
			book.Entries = append(book.Entries, e)
		}
		set := wb.Exact()
		set.Recursive, set.Budget = false, 100
		c, _ := wb.Compile([]wb.Attachment{{Book: book}}, set)
		r, _ := c.Scan(wb.Input{ContextSize: 1 << 30}, wb.State{})
		want := map[string]int{"a chain against the order": n, "pairs that exclude each other": n / 2, "one circle": n / 2, "one set": 1, "all exclude the last one": n - 1}[name]
		if len(r.Activated) != want {
			t.Errorf("%s: %d entries are active, want %d", name, len(r.Activated), want)
		}
	}
}
