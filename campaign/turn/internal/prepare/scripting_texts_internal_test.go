package prepare

import (
	"math"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// newTexts returns the texts of a turn of a campaign, in a game without content.
func newTexts(t *testing.T, c state.Campaign) *Texts {
	t.Helper()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return New(past.Window{Past: new(past.WindowPast), Turn: draft.Turn{Game: g, Campaign: &c, State: &c.State, In: new(state.Submission),
		Dialog: new(game.DialogType), Values: g.Settings().Freeze(nil, nil)}}, state.TurnTrace{})
}

// TestVariablesOfMacros: variables that macros write are stored, in both scopes. Values without a
// JSON form are lost with a warning, and the old values stay.
func TestVariablesOfMacros(t *testing.T) {
	t.Parallel()
	texts := newTexts(t, state.Campaign{})
	run := macro.NewRun(texts.Env())
	run.Expand("{{setvar::mood::calm}}{{setglobalvar::era::dusk}}", macro.Full)
	texts.Keep(run)
	for _, values := range []map[string]any{nil, {"mood": math.Inf(1)}} {
		texts.KeepMacros(values, values)
		if chat, global := texts.State.Macros.Chat.String(), texts.State.Macros.Global.String(); chat != `{"mood":"calm"}` || global != `{"era":"dusk"}` {
			t.Errorf("after %v: %s and %s", values, chat, global)
		}
	}
	if w := texts.Trace.Warnings; len(w) != 2 || !strings.Contains(w[0], "the chat variables are lost") || !strings.Contains(w[1], "the global variables are lost") {
		t.Errorf("warnings %q", w)
	}
}

// TestScriptsInATrace: a trace lists a limited number of scripts.
func TestScriptsInATrace(t *testing.T) {
	t.Parallel()
	texts := newTexts(t, state.Campaign{})
	for range 100 {
		texts.traceScript(script.Ran{})
	}
	if n := len(texts.Trace.Scripts); n != 64 {
		t.Errorf("%d scripts", n)
	}
}

// TestRewritesReplies: a reply is not known before its end if a script changes its text, or changes how
// it is shown.
func TestRewritesReplies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script script.Script
		want   bool
	}{
		"the text":      {script.Script{Find: "/a/", Placement: []script.Placement{script.AIOutput}}, true},
		"what is shown": {script.Script{Find: "/a/", Display: true, Placement: []script.Placement{script.AIOutput}}, true},
		"the prompt":    {script.Script{Find: "/a/", Prompt: true, Placement: []script.Placement{script.AIOutput}}, false},
		"the line":      {script.Script{Find: "/a/", Placement: []script.Placement{script.UserInput}}, false},
	} {
		g, problems := game.Compile(game.Content{Prompt: game.Prompt{Scripts: []script.List{{Source: script.Global, Scripts: []script.Script{c.script}}}}})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		if got := RewritesReplies(g); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestOwnTags: a regex script may move, repeat or remove the tags of an author. A tag that is new, also
// one that begins as a tag of the author does, is data that would become code.
func TestOwnTags(t *testing.T) {
	const authored = "Rain <%= weather + '!' %> falls <% if (wet) { %>here<% } %>."
	for _, c := range []struct {
		changed string
		allowed bool
		why     string
	}{
		{"Snow <%= weather + '!' %> falls.", true, "the text beside the tags changes, and tags are removed"},
		{"<% if (wet) { %>A<% } %><% if (wet) { %>B<% } %>", true, "a tag is repeated"},
		{"Rain.", true, "no tag is left"},
		{"Rain <%= secret %> falls.", false, "a tag is new"},
		{"Rain <%= weather %> falls.", false, "a tag begins as the author's does and ends earlier"},
		{"Rain <%= weather + '!'", true, "the end of a tag is removed: a template reports it"},
		{"Rain <%= secret", false, "a new tag has no end"},
	} {
		texts := &Texts{}
		got := texts.ownTags(authored, c.changed)
		want, warnings := authored, 1
		if c.allowed {
			want, warnings = c.changed, 0
		}
		if got != want || len(texts.Trace.Warnings) != warnings {
			t.Errorf("%s: %q, warnings %q", c.why, got, texts.Trace.Warnings)
		}
	}
}

// TestTextsWithoutScripts: a text that no script wants does not change, and needs no run.
func TestTextsWithoutScripts(t *testing.T) {
	t.Parallel()
	var run *macro.Run
	text := "Rain. {{setvar::mood::calm}}"
	newTexts(t, state.Campaign{}).Prompted(&run, script.Where{Placement: script.AIOutput, ForPrompt: true}, &text)
	if run != nil || text != "Rain. {{setvar::mood::calm}}" {
		t.Errorf("%q, a run: %t", text, run != nil)
	}
}
