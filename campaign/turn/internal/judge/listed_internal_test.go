package judge

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
)

// TestListedItems: items come from a JSON list, from a list in prose, or from lines.
func TestListedItems(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		items  []string
		inJSON bool
	}{
		`["a","b"]`:                        {[]string{"a", "b"}, true},
		`{"options":["a",{"text":"b"}]}`:   {[]string{"a", "b"}, true},
		"```json\n[\"a\",\"b\"]\n```":      {[]string{"a", "b"}, true},
		`["a","b","c`:                      {[]string{"a", "b"}, true},
		`Here: ["a","b"] or so.`:           {[]string{"a", "b"}, false},
		`Here: [1,2] or so.`:               {[]string{"Here: [1,2] or so."}, false},
		`{"a":1,"b":2}`:                    {nil, true},
		"1. a\n2. b\nThat is all.":         {[]string{"a", "b"}, false},
		"1. a\n2. b\n3.5 litres are left.": {[]string{"a", "b"}, false},
		"a\nb":                             {[]string{"a", "b"}, false},
		`See ] and [ here.`:                {[]string{"See ] and [ here."}, false},
	} {
		if items, inJSON := listed(text); !slices.Equal(items, want.items) || inJSON != want.inJSON {
			t.Errorf("%s: %q, %v", text, items, inJSON)
		}
	}
}

// TestNarratorUsesTools: the life state of an acting character limits its calls. The narrator has none.
func TestNarratorUsesTools(t *testing.T) {
	t.Parallel()
	life := map[state.AliveState]state.LifeRule{state.Dead: {}}
	s := state.State{Characters: []state.Character{{ID: "ann", Status: state.Status{AliveState: state.Dead}}}}
	for actor, want := range map[string]bool{"": true, "ann": false} {
		if got := (&Adjudicator{ActorID: actor, Life: life}).mayUse(tool.Call{}, s); got != want {
			t.Errorf("%q: %v", actor, got)
		}
	}
}
