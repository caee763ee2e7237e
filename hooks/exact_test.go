package hooks_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// TestExactDeltas: numbers change by their exact decimals, not by the nearest binary fractions.
func TestExactDeltas(t *testing.T) {
	t.Parallel()
	nines := "0." + strings.Repeat("9", 500)
	for _, tc := range []struct{ field, old, delta, want string }{
		{"energy", "50", "1.9999999999999999", "51"},
		{"energy", "50", "-1.9999999999999999", "49"},
		{"energy", "50", `"1.99999999999999999999"`, "51"},
		{"energy", "50", nines, "50"},
		{"energy", "50", "-" + nines, "50"},
		{"energy", "49.9999999999999999999", "1", "50"},
		{"energy", "50", "1e-300", "50"},
		{"energy", "50", "9007199254740993.5", "100"},
		{"energy", "50", "-1e30", "0"},
		{"mood_intensity", "0.1", "0.2", "0.3"},
		{"mood_intensity", "0.5", "0.4999999999999999999", "1"},
		{"mood_intensity", "0", "0.1234565", "0.123457"},
		{"mood_intensity", "0", "0.12345649999999999999", "0.123456"},
		{"mood_intensity", "0.9999999", "0", "1"},
		{"mood_intensity", "0", "1.00000000000000000001", "1"},
		{"mood_intensity", "0.3", "-0.30000000000000000001", "0"},
		{"affection", "0", "99.99999999999999999", "99"},
		{"gold", "9007199254740992", "1", "9007199254740993"},
		{"gold", "0.1", "9007199254740993", "9007199254740993.1"},
		{"gold", "0", "0.0000005", "0.000001"},
		{"gold", "0", "-0.0000005", "-0.000001"},
		{"level", "3", "12345678901234567.9", "9007199254740992"},
	} {
		object := tree.Object(member(tc.field, value(tc.old)))
		env, typ := hooks.Env{Character: object, Fields: map[string]act.Field{
			"gold": {Add: true}, "level": {Type: act.IntegerField, Max: new(9007199254740992.0)}}}, act.StateDelta
		if tc.field == "affection" {
			env, typ = hooks.Env{Relationship: object}, act.RelationshipDelta
		}
		res := emit(t, single(tree.Value{}, act.New(typ, member("field", tree.Text(tc.field)),
			member("delta", value(tc.delta)))), act.Event{Type: "e"}, env)
		got := res.Logs[0].Results[0].Output.Get("changes").Get(tc.field).Get("new")
		if got.String() != tc.want {
			t.Errorf("%s %s by %.40s: %s, want %s (%+v)", tc.field, tc.old, tc.delta, got, tc.want, res.Logs[0].Results[0].Detail)
		}
	}
}
