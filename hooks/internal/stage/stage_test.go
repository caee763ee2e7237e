package stage

import (
	"testing"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// TestKeysAreUnique: a repeated id gets a number, and never the key of a different event.
func TestKeysAreUnique(t *testing.T) {
	keys := NewKeys(map[string]int{"bell": 1, "door_2": 1})
	for _, tt := range []struct{ base, want string }{
		{"gate", "gate"}, {"gate", "gate_2"}, {"bell", "bell_2"}, {"bell", "bell_3"},
		{"door", "door"}, {"door", "door_3"}, // door_2 is the id of a different event
	} {
		if got := keys.unusedKey(tt.base); got != tt.want {
			t.Errorf("%s becomes %s, want %s", tt.base, got, tt.want)
		}
	}
}

// TestCheck: the schema of a custom action names the first parameter that it refuses.
func TestCheck(t *testing.T) {
	typ := act.Type{Params: []act.Param{{Name: "song", Required: true, Kind: tree.KindText}, {Name: "volume", Kind: tree.KindNumber}}}
	for _, tt := range []struct {
		name   string
		action act.Action
		want   string
	}{
		{"all given", act.New("play", tree.Member{Key: "song", Value: tree.Text("dirge")}, tree.Member{Key: "volume", Value: tree.Int(3)}), ""},
		{"optional left out", act.New("play", tree.Member{Key: "song", Value: tree.Text("dirge")}), ""},
		{"required left out", act.New("play"), "song"},
		{"required empty", act.New("play", tree.Member{Key: "song", Value: tree.Text("")}), "song"},
		{"wrong type", act.New("play", tree.Member{Key: "song", Value: tree.Text("dirge")}, tree.Member{Key: "volume", Value: tree.Text("loud")}), "volume"},
	} {
		got := Check(typ, tt.action)
		if (got == nil) != (tt.want == "") || got != nil && got.Param != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}
