package macro_test

import (
	"testing"

	"github.com/talewright/talewright/prompt/macro"
)

// TestGroupNames: the names in the macros for groups. In a group, notChar does not include the
// player; without a group there are no other members.
func TestGroupNames(t *testing.T) {
	t.Parallel()
	group := macro.Env{User: "Mara", Char: "Ash", Group: []string{"Ash", "Bo Reed", "Chen"}, Muted: []string{"Chen"}}
	for _, tc := range []struct {
		reason, text, want string
		env                macro.Env
	}{
		{"everybody", "{{group}}", "Ash, Bo Reed, Chen", group},
		{"everybody, by the other name", "{{charIfNotGroup}}", "Ash, Bo Reed, Chen", group},
		{"those who speak", "{{groupNotMuted}}", "Ash, Bo Reed", group},
		{"those who speak beside the character", "{{notChar}}", "Bo Reed", group},
		{"a muted one who speaks has those who are not muted beside it", "{{notChar}}", "Ash, Bo Reed",
			macro.Env{User: "Mara", Char: "Chen", Group: group.Group, Muted: group.Muted}},
		{"without a group the player is beside the character", "{{notChar}}", "Mara", macro.Env{User: "Mara", Char: "Ash"}},
		{"without a group the character is all", "{{group}}{{groupNotMuted}}", "AshAsh", macro.Env{User: "Mara", Char: "Ash"}},
	} {
		if got, _ := macro.Expand(tc.text, tc.env); got != tc.want {
			t.Errorf("%s: %s is %q, want %q", tc.reason, tc.text, got, tc.want)
		}
	}
}
