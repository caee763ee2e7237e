package worldbook_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	wb "github.com/talewright/talewright/worldbook"
)

// forced is a scan input that forces the entry "1" of the book "b".
func forced(override string, messages ...string) wb.Input {
	in := says(messages...)
	in.Forced = []wb.Forced{{ID: wb.ID{Book: "b", UID: "1"}, Override: json.RawMessage(override)}}
	return in
}

// TestForcedEffects: the members of an outside copy decide about the effects that its activation
// stores (WB-30).
func TestForcedEffects(t *testing.T) {
	t.Parallel()
	plain := wb.Entry{UID: "1", Keys: []string{"fog"}, Content: "Mist."}
	timed := plain
	timed.Sticky = 3
	none := map[string]wb.Record(nil)
	for _, row := range []struct {
		reason, override string
		entry            wb.Entry
		sticky, cooldown map[string]wb.Record
	}{
		{"the entry's own effect", ``, timed, map[string]wb.Record{"b.1": {Start: 1, End: 4}}, none},
		{"switched off for this scan", `{"sticky":0}`, timed, none, none},
		{"longer for this scan", `{"sticky":9}`, timed, map[string]wb.Record{"b.1": {Start: 1, End: 10}}, none},
		{"another one beside it", `{"cooldown":2}`, timed,
			map[string]wb.Record{"b.1": {Start: 1, End: 4}}, map[string]wb.Record{"b.1": {Start: 1, End: 3}}},
		{"one that the entry does not have", `{"sticky":2}`, plain,
			map[string]wb.Record{"b.1": {Start: 1, End: 3}}, none},
	} {
		c := featureBook(t, wb.Exact(), row.entry)
		r, next := c.Scan(forced(row.override, "Hello."), wb.State{})
		wantText(t, row.reason, uids(r), "1")
		hashes := cmpopts.IgnoreFields(wb.Record{}, "Hash")
		if diff := cmp.Diff(wb.State{Sticky: row.sticky, Cooldown: row.cooldown}, next, hashes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}

// TestForcedEffectDoesNotLast: if only the override had an effect, its record is dropped as soon as
// the entry itself is examined.
func TestForcedEffectDoesNotLast(t *testing.T) {
	t.Parallel()
	c := featureBook(t, wb.Exact(), wb.Entry{UID: "1", Keys: []string{"fog"}, Content: "Mist."})
	_, state := c.Scan(forced(`{"sticky":5}`, "Hello."), wb.State{})
	if len(state.Sticky) != 1 {
		t.Fatalf("state %+v", state)
	}
	r, next := c.Scan(says("Hello.", "Well."), state)
	if uids(r) != "" || len(next.Sticky) != 0 {
		t.Errorf("active %q, state %+v", uids(r), next)
	}
	// An entry that was edited in the meantime is unknown: its record stays to the end.
	edited := featureBook(t, wb.Exact(), wb.Entry{UID: "1", Keys: []string{"fog"}, Content: "Haze."})
	if _, next = edited.Scan(says("Hello.", "Well."), state); len(next.Sticky) != 1 {
		t.Errorf("edited: state %+v", next)
	}
}

// TestForcedWhileSticky: with a running sticky effect the copy needs no roll, even if the override
// has no effect.
func TestForcedWhileSticky(t *testing.T) {
	t.Parallel()
	c := featureBook(t, wb.Exact(), wb.Entry{
		UID: "1", Keys: []string{"fog"}, Content: "Mist.", Sticky: 5, Probability: 50, UseProbability: true,
	})
	_, state := c.Scan(says("A fog."), wb.State{})
	in := forced(`{"sticky":0}`, "A fog.", "Hello.")
	in.Random = func() float64 { return 0.9 }
	r, _ := c.Scan(in, state)
	if uids(r) != "1" || len(r.Rolls) != 0 {
		t.Errorf("active %q after %d rolls", uids(r), len(r.Rolls))
	}
}

// TestForcedOverrides: members that an override sets, and members that it does not set.
func TestForcedOverrides(t *testing.T) {
	t.Parallel()
	depth := 2
	entry := wb.Entry{UID: "1", Content: "Mist.", Comment: "Fog", Order: 5, Position: wb.PositionAtDepth, Depth: 3,
		ScanDepth: &depth}
	c := featureBook(t, wb.Exact(), entry,
		wb.Entry{UID: "2", Keys: []string{"haze"}, Content: "Grey."}, wb.Entry{UID: "3", Disable: true, Constant: true})
	for _, row := range []struct{ reason, override, active, before, at string }{
		{"nothing", ``, "1", "", "Mist."},
		{"an override that is no object", `[1]`, "1", "", "Mist."},
		{"a text that names another key", `{"content":"A haze."}`, "1 2", "Grey.", "A haze."},
		{"another place", `{"position":0}`, "1", "Mist.", ""},
		{"a place that there is not", `{"position":9}`, "1", "", ""},
		{"no text", `{"content":""}`, "1", "", ""},
		{"null is no text", `{"content":null}`, "1", "", ""},
		{"a macro", `{"content":"{{char}}'s haze"}`, "1 2", "Grey.", "Ann's haze"},
	} {
		in := forced(row.override, "Hello.")
		in.Char = "Ann"
		r, _ := c.Scan(in, wb.State{})
		at := ""
		if len(r.Depth) > 0 {
			at = wb.Join(r.Depth[0].Entries)
		}
		wantText(t, row.reason, uids(r)+"|"+wb.Join(r.Before)+"|"+at, row.active+"|"+row.before+"|"+row.at)
	}
	in := forced(``, "Hello.")
	in.Forced[0].ID.UID = "3"
	wantText(t, "a disabled entry stays out", scanned(c, in), "")
	in.Forced[0].ID.UID = "9"
	wantText(t, "an unknown id is ignored", scanned(c, in), "")
}

// TestForcedKeepsDecorators: an override changes members, and never the decorators of the entry.
func TestForcedKeepsDecorators(t *testing.T) {
	t.Parallel()
	settings := wb.Exact()
	settings.Decorators = wb.DecoratorsCardV3
	settings.Recursive = true
	c := featureBook(t, settings,
		wb.Entry{UID: "1", Content: "@@unrecursive\nA haze.", Order: 3},
		wb.Entry{UID: "2", Keys: []string{"haze"}, Content: "Grey.", Order: 2})
	for _, override := range []string{``, `{"order":7}`} {
		wantText(t, "unrecursive, with "+override, scanned(c, forced(override, "Hello.")), "1")
	}
	c = featureBook(t, settings, wb.Entry{UID: "1", Content: "@@probability 0\nMist."})
	for _, override := range []string{``, `{"order":7}`} {
		wantText(t, "a probability of 0, with "+override, scanned(c, forced(override, "Hello.")), "")
	}
	c = featureBook(t, settings, wb.Entry{UID: "1", Content: "@@position pt_map\nMist."})
	r, _ := c.Scan(forced(`{"position":0,"outletName":"other"}`, "Hello."), wb.State{})
	wantText(t, "the outlet of a decorator", r.Outlet("map"), "Mist.")
}

// TestForcedScansAsDeepAsItAsks: the keys of a copy are searched at the depth of the copy for the
// scores of its group, also if no entry searches that deep.
func TestForcedScansAsDeepAsItAsks(t *testing.T) {
	t.Parallel()
	settings := wb.Exact()
	settings.Depth = 1
	score := func(uid string, order float64, keys ...string) wb.Entry {
		return wb.Entry{UID: uid, Keys: keys, Content: uid, Order: order, Group: "g", UseGroupScoring: new(true)}
	}
	c := featureBook(t, settings, score("1", 1, "fog", "haze"), score("2", 2, "hello"))
	for override, want := range map[string]string{`{"order":1}`: "2", `{"scanDepth":3}`: "1"} {
		wantText(t, override, scanned(c, forced(override, "A fog, a haze.", "Well.", "Hello.")), want)
	}
}
