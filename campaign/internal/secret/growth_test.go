package secret_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/testkit"
)

// TestCostFollowsTheTexts: noting who knows many texts, updating the notes and removing the texts
// takes time and memory linear in the texts, not in their pairs.
func TestCostFollowsTheTexts(t *testing.T) {
	variables := func(n int, text string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"k%d": "%s %d"`, i, text, i)
		}
		return "{" + strings.TrimPrefix(b.String(), ",") + "}"
	}
	testkit.Growth(t, testkit.Reader{Name: "secrets", Atoms: []testkit.Atom{testkit.Repeat("a secret of Mara")},
		Read: func(text string) {
			n := len(text) / 16
			private, anew := stateOf(t, variables(n, "a secret of Mara")), stateOf(t, variables(n, "I know a secret of Mara"))
			secret.Keep(stateOf(t, "{}"), private, []string{"mara"}, nil, nothingCopied)
			secret.Keep(private, anew, []string{"orrin", "mara"}, nil, nothingCopied)
			seen := secret.Of(anew, state.Viewer{Character: "orrin"})
			if len(anew.Secrets) != n || seen.State.Variables.String() != "{}" {
				t.Errorf("of %d texts %d are private, Orrin sees %s", n, len(anew.Secrets), seen.State.Variables)
			}
			if got := seen.Redact(anew.Variables.Root()).String(); strings.Contains(got, "of Mara") {
				t.Errorf("Orrin is told %.80s", got)
			}
		}})
}

// TestManyTextsAreFoundAsFew: with an index the same texts count as repeated as with a search one
// by one, for any bytes.
func TestManyTextsAreFoundAsFew(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 7, 8, 9, 40} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"k%d": "she hid key %d.", `, i, i)
		}
		before := stateOf(t, `{`+b.String()+`"short": "a key", "z": "青铜钥匙藏在井底"}`)
		secret.Keep(stateOf(t, `{}`), before, []string{"mara"}, nil, nothingCopied)
		seen := secret.Of(before, state.Viewer{Character: "orrin"})
		for text, want := range map[string]string{
			"It is said: she hid key 0. And 青铜钥匙藏在井底!": "It is said: … And …!",
			"she hid key 0.": "…", "a key": "…", "a key of mine": "a key of mine", "she hid nothing": "she hid nothing",
			"\xffshe hid key 0.\xfe": "\xff…\xfe",
		} {
			if got := seen.RedactText(text); got != want {
				t.Errorf("%d texts: %q becomes %q, want %q", n, text, got, want)
			}
		}
		after := stateOf(t, `{"said": "Yes: she hid key 0.", "other": "she hid nothing"}`)
		secret.Keep(before, after, nil, nil, nothingCopied)
		if len(after.Secrets) != 1 || after.Secrets[0].Of.String() != "variables.said" {
			t.Errorf("%d texts: notes %v", n, after.Secrets)
		}
	}
}
