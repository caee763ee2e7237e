package draft

import (
	"math"
	"slices"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestWithoutName: only the name of the speaker with a colon is removed.
func TestWithoutName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, name, want, reason string }{
		{"Mara: Come in.", "Mara", "Come in.", "copied from the history"},
		{"Mara：进来。", "Mara", "进来。", "a wide colon"},
		{" Mara: Come in.", "Mara", "Come in.", "after a blank"},
		{"Mara nods.", "Mara", "Mara nods.", "a sentence about her"},
		{"Orrin: No.", "Mara", "Orrin: No.", "a different name"},
		{": Come in.", "", ": Come in.", "there is no name"},
	} {
		if got := WithoutName(c.text, c.name); got != c.want {
			t.Errorf("%q without %q: %q, want %q: %s", c.text, c.name, got, c.want, c.reason)
		}
	}
}

// TestShorten: the middle of a long text is left out, and no character is cut.
func TestShorten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"12345678", "12345678"},
		{"123456789", "123456\n-1-\n89"},
		{"1234567é", "123456\n-1-\né"},
		{"12345678é!", "123456\n-4-\n!"},
		{"12345678\x80\x80", "123456\n-4-\n"},
	} {
		if got := Shorten(c.text, 8, "-{n}-"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestEffectsWithoutAForm: an effect that does not read back is refused with its source, its type and
// the reason.
func TestEffectsWithoutAForm(t *testing.T) {
	t.Parallel()
	good := effect.SetVariable{Path: "gold", Value: tree.Int(3)}
	kept, refused := Readable("rule r1", effect.List{good, nil, effect.PlayAudio{TrackID: "t", Volume: new(math.Inf(1))}})
	var got []string
	for _, r := range refused {
		if r.Text == "" {
			t.Errorf("%+v has no text", r)
		}
		got = append(got, r.By+" "+r.Path+" "+r.Reason)
	}
	if want := []string{"rule r1  unreadable_effect", "rule r1 play-audio unreadable_effect"}; len(kept) != 1 || !slices.Equal(got, want) {
		t.Errorf("kept %v, refused %q", kept, got)
	}
}
