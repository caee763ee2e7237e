package report

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars/tree"
)

// TestSortByPlace: problems are in the order of the content. Problems of one item are in the order
// in which they were found.
func TestSortByPlace(t *testing.T) {
	var ps Findings
	for _, path := range []string{"rules[10].id", "reactions[0].then[0]", "rules[2].trigger", "variables[1].id", "", "rules[2].id", "modules[0].id"} {
		ps.Add(path, "", "code", "text")
	}
	ps.SortByPlace()
	var got []string
	for _, p := range ps {
		got = append(got, p.Path)
	}
	const want = "|variables[1].id|modules[0].id|rules[2].trigger|rules[2].id|rules[10].id|reactions[0].then[0]"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	if a, b := ActionPath("rules[1]", 2), ActionPath("reactions[1]", 2); a != ".actions[2]" || b != ".then[2]" {
		t.Errorf("%s, %s", a, b)
	}
}

// TestFill: a text that is only one token becomes the parameter itself. In other texts the
// parameter replaces the token.
func TestFill(t *testing.T) {
	params := tree.Object(tree.Member{Key: "price", Value: tree.Text("5")}, tree.Member{Key: "名", Value: tree.Text("剑")})
	for _, tt := range []struct {
		text string
		want tree.Value
	}{
		{"{param.price}", tree.Int(5)},
		{"{参数.名}", tree.Text("剑")},
		{"The {参数.名} costs {param.price}.", tree.Text("The 剑 costs 5.")},
		{"{param.none}", tree.Text("")},
		{"no token", tree.Text("no token")},
	} {
		if got := Fill(tree.Text(tt.text), params); !got.Equal(tt.want) {
			t.Errorf("%s: %v, want %v", tt.text, got, tt.want)
		}
	}
	if long := Print(strings.Repeat("{param.x}", 100), tree.Object(tree.Member{Key: "x", Value: tree.Text(strings.Repeat("y", MaxFilled/10))})); len(long) > 2*MaxFilled {
		t.Errorf("%d bytes from a short text", len(long))
	}
}

// TestKeywordsThatAreExpressions: the last slash closes the pattern, and case is always ignored.
func TestKeywordsThatAreExpressions(t *testing.T) {
	for _, tt := range []struct {
		key, text string
		looks     bool
		matches   bool
	}{
		{"/a\\/b|gold/", "GOLD", true, true},
		{"/a/b/", "a/b", true, true},
		{"/drag.n/u", "no", true, false},
		{"gold", "gold", false, false},
		{"/(/", "(", true, false},
	} {
		re := Parse(tt.key)
		s := NewSearch(len(tt.text))
		if Looks(tt.key) != tt.looks || (re != nil && re.Match(tt.text, &s)) != tt.matches {
			t.Errorf("%s on %q: looks %t, %v", tt.key, tt.text, Looks(tt.key), re)
		}
	}
}
