package prepare

import (
	"slices"
	"testing"
)

// TestBracesOutsideOfTags: a text is divided at its braces, and not at braces in a tag. A tag without
// an end reaches to the end of the text.
func TestBracesOutsideOfTags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"plain":                 {"plain"},
		"{{user}} waits":        {"", "{{", "user", "}}", " waits"},
		"<% '{{' %>{{char}}":    {"<% '{{' %>", "{{", "char", "}}", ""},
		"{{char}} <% '{{user}}": {"", "{{", "char", "}}", " <% '{{user}}"},
	} {
		pieces, braces := bracePieces(text, "story")
		var got []string
		for i, p := range pieces {
			if (p.Text == braceMark) != (braces[i] != "") {
				t.Errorf("%q: the piece %q has the braces %q", text, p.Text, braces[i])
			}
			if braces[i] != "" {
				p.Text = braces[i]
			}
			got = append(got, p.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
