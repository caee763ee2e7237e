package worldbook_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	wb "github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// featureConstantDisable is scenario 6 of the RoleplayConfig document: constant needs no message at
// all, and disable has precedence over constant and keys.
func featureConstantDisable(t *testing.T) {
	c := roleplayBook(t, "",
		`{"uid": "world-rules", "constant": true, "content": "这个世界遵循以下基本规则", "order": 10}`,
		`{"uid": "off", "disable": true, "constant": true, "keywords": ["魔法"], "content": "never"}`)
	for _, message := range []string{"魔法", "anything", ""} {
		wantText(t, message, scanned(c, says(message)), "world-rules")
	}
	wantText(t, "empty chat", scanned(c, says()), "world-rules")
}

// featureCooldown is scenario 4 of the RoleplayConfig document: active at message 1, out for
// messages 2 to 5, free again at 6.
func featureCooldown(t *testing.T) {
	c := roleplayBook(t, "",
		`{"uid": "special-event", "keywords": ["宝箱"], "cooldown": 5, "content": "神秘的宝箱"}`)
	wantText(t, "a chest in every message", timeline(c, "我发现了一个宝箱", "又看到一个宝箱",
		"宝箱", "宝箱", "宝箱", "这次宝箱更大", "宝箱"), "x....x.")
}

// featureDelay is scenario 5 of the RoleplayConfig document: message 5 is too early and 15 is not.
// Ten messages are enough for a delay of ten.
func featureDelay(t *testing.T) {
	chat := slices.Repeat([]string{"然后呢"}, 15)
	chat[4], chat[14] = "我想知道真相", "告诉我真相"
	c := roleplayBook(t, "",
		`{"uid": "plot-twist", "keywords": ["真相"], "delay": 10, "content": "真相是"}`)
	wantText(t, "messages 5 and 15", timeline(c, chat...), "..............x")

	c = roleplayBook(t, "", `{"uid": "1", "constant": true, "delay": 10, "content": "Later."}`)
	wantText(t, "first message that is late enough", timeline(c, chat...), ".........xxxxxx")
}

// featureProbability: an unused probability needs no roll. Every roll is recorded, and the recorded
// rolls replay the turn.
func featureProbability(t *testing.T) {
	entries := []wb.Entry{{UID: "always", Constant: true, Content: "Sky.", Probability: 0}}
	for i := range 20 {
		entries = append(entries, wb.Entry{UID: fmt.Sprint(i), Constant: true, Content: "Rain.",
			Probability: 50, UseProbability: true})
	}
	c := featureBook(t, wb.Exact(), entries...)
	in := says("How is the weather?")
	in.Random = rand.New(rand.NewPCG(1, 2)).Float64
	r, _ := c.Scan(in, wb.State{})
	if n := len(r.Activated); n < 3 || n > 19 || r.Activated[0].ID.UID != "always" || len(r.Rolls) != 20 {
		t.Fatalf("%s active after %d rolls", uids(r), len(r.Rolls))
	}
	var recorded []float64
	for _, roll := range r.Rolls {
		recorded = append(recorded, roll.Value)
		is := func(a wb.Activation) bool { return a.ID == roll.ID }
		if active := slices.ContainsFunc(r.Activated, is); active != (roll.Value*100 <= 50) {
			t.Errorf("roll %v, active %t", roll, active)
		}
	}
	in.Random = roller(recorded)
	replay, _ := c.Scan(in, wb.State{})
	wantText(t, "replay", uids(replay), uids(r))
	if diff := cmp.Diff(r.Rolls, replay.Rolls); diff != "" {
		t.Error(diff)
	}
}

// featureState: one JSON value per chat. It keeps its data in its JSON and in the rows of a
// RoleplayConfig host. The zero value is a new chat.
func featureState(t *testing.T) {
	c := roleplayBook(t, "",
		`{"uid": "forest", "keywords": ["forest"], "content": "Trees.", "sticky": 3, "cooldown": 4}`)
	_, state := c.Scan(says("Into the forest."), wb.State{})
	stored := throughJSON(t, state)
	if diff := cmp.Diff(state, stored); diff != "" {
		t.Error(diff)
	}
	rows := format.RoleplayRows(state, "b", 1, nil)
	if len(rows) != 1 || rows[0].EntryUID != "forest" || rows[0].StickyRemaining == 0 {
		t.Fatalf("rows: %+v", rows)
	}

	// The chat continues from the value, from its JSON and from the rows of a RoleplayConfig host.
	for _, st := range []wb.State{state, stored, c.Adopt(format.FromRoleplayRows(rows, "b", 1))} {
		r, _ := c.Scan(says("Into the forest.", "Nice weather."), st)
		if uids(r) != "forest" || r.Activated[0].Reason.Kind != "sticky" {
			t.Errorf("second message: %+v", r.Activated)
		}
	}
	// The zero value has no forest: nothing is sticky, nothing cools down.
	wantText(t, "cleared, no key", scanned(c, says("Nice weather.")), "")
	wantText(t, "cleared, the key", scanned(c, says("Into the forest.")), "forest")
	if rows := format.RoleplayRows(wb.State{}, "b", 2, nil); len(rows) != 0 {
		t.Errorf("rows of a cleared chat: %+v", rows)
	}
}
