package prepare

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/template"
)

// Texts runs scripts and macros on the texts of a turn. It works on a copy of the state and of the
// trace. The caller stores the copy to keep the changes.
type Texts struct {
	past.Window // its State is the copy
	Trace       state.TurnTrace
	Marked      bool // lines of the history were marked as private
	// Written are the changes of the document by templates. The caller applies them.
	Written   []template.Write
	templates *Templates // nil until a text needs them
	own       state.State
}

// New returns the texts of a turn, for its present state and trace.
func New(w past.Window, trace state.TurnTrace) *Texts {
	t := &Texts{Window: w, Trace: trace, own: *w.State}
	t.State = &t.own
	return t
}

// RewritesReplies reports whether scripts change the text of a reply for players. Such a text is
// not known before the reply is complete.
func RewritesReplies(g *game.Game) bool {
	reply := script.Where{Placement: script.AIOutput}
	shown := script.Where{Placement: script.AIOutput, ForDisplay: true}
	return g.Scripts().Wants(reply) || g.Scripts().Wants(shown)
}

// Displayed returns a narration as it is shown. name is the name of its speaker.
//
// No stored text has an update block of MVU or the place of a status page: players never see raw
// commands, and a script that only folds or hides the block has nothing to do. A script that draws a
// page in one of these places would not find it, so the narration ends with the places that scripts
// look for. A place that no script has replaced is removed.
func Displayed(v draft.Turn, text, name string) string {
	where := script.Where{Placement: script.AIOutput, ForDisplay: true, Depth: new(0), Name: name}
	if !v.Game.Scripts().Wants(where) {
		return text
	}
	places := pagePlaces(v.Game)
	for _, place := range places {
		text += "\n\n" + place
	}
	hadTags := hasTags(text)
	text, _ = v.Game.Scripts().Apply(text, where, macro.NewRun(v.Env()))
	if !hadTags && hasTags(text) { // templates of scripts do not run
		text = withoutTags(text)
	}
	for _, place := range places {
		text = strings.ReplaceAll(text, "\n\n"+place, "")
		text = strings.ReplaceAll(text, place, "")
	}
	return text
}

// withoutTags cuts everything from <% to %> out of a line of the history, as the template extension of
// SillyTavern does before it sends a chat. <%% and %%> are text. A line of nothing but tags stays.
func withoutTags(line string) string {
	var b strings.Builder
	for rest := line; ; {
		open := tagAt(rest, "<%", func(before, after byte) bool { return after != '%' })
		end := -1
		if open >= 0 {
			end = tagAt(rest[open+2:], "%>", func(before, after byte) bool { return before != '%' })
		}
		if end < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:open])
		rest = rest[open+2+end+2:]
	}
	if strings.TrimSpace(b.String()) == "" {
		return line
	}
	return b.String()
}

// tagAt returns the first place of a sign whose neighbours fit, or -1.
func tagAt(s, sign string, fits func(before, after byte) bool) int {
	for from := 0; ; {
		i := strings.Index(s[from:], sign)
		if i < 0 {
			return -1
		}
		at := from + i
		var before, after byte
		if at > 0 {
			before = s[at-1]
		}
		if end := at + len(sign); end < len(s) {
			after = s[end]
		}
		if fits(before, after) {
			return at
		}
		from = at + len(sign)
	}
}

// The places in which scripts of MVU cards draw pages: the update block without its commands, and
// the place of the status page, which MVU appends to each reply.
const (
	placeOfUpdate = "<UpdateVariable></UpdateVariable>"
	placeOfPage   = "<StatusPlaceHolderImpl/>"
)

// updateBlock finds the name of the update block in a pattern, such as <update(?:variable)?>.
var updateBlock = regexp.MustCompile(`(?i)<\s*update[(?:]*variable`)

// insertsMatch finds what a replacement inserts of the match.
var insertsMatch = regexp.MustCompile(`(?i)\$(?:\d|&|<)|\{\{match\}\}`)

// pagePlaces returns the places in which display scripts draw a page.
func pagePlaces(g *game.Game) []string {
	drawn := func(draws func(script.Script) bool) bool {
		return slices.ContainsFunc(g.Content().Prompt.Scripts, func(l script.List) bool {
			return !l.Denied && slices.ContainsFunc(l.Scripts, func(s script.Script) bool { return !s.Disabled && draws(s) })
		})
	}
	var places []string
	if drawn(func(s script.Script) bool {
		return s.Display && updateBlock.MatchString(s.Find) && s.Replace != "" && !insertsMatch.MatchString(s.Replace)
	}) {
		places = append(places, placeOfUpdate)
	}
	if drawn(func(s script.Script) bool { return strings.Contains(s.Find, "StatusPlaceHolderImpl") }) {
		places = append(places, placeOfPage)
	}
	return places
}

// Warn adds a warning to the trace.
func (t *Texts) Warn(format string, args ...any) {
	t.Trace.Warnings = append(t.Trace.Warnings, fmt.Sprintf(format, args...))
}

// Stored returns a stored text after its scripts: a player's line, a narration. If the scripts
// leave nothing of it, it does not change.
func (t *Texts) Stored(text string, where script.Where) string {
	if text == "" || !t.Game.Scripts().Wants(where) {
		return text
	}
	run := macro.NewRun(t.Env())
	out := t.runScripts(run, where, text, true)
	t.Keep(run)
	if strings.TrimSpace(out) == "" {
		t.Warn("scripts: the result of %q is empty: the text does not change", draft.Preview(text))
		return text
	}
	return out
}

// Prompted runs the scripts for a prompted text. The texts of one kind share a run, which is
// created for the first script.
func (t *Texts) Prompted(run **macro.Run, where script.Where, text *string) {
	if !t.Game.Scripts().Wants(where) {
		return
	}
	if *run == nil {
		*run = macro.NewRun(t.Env())
	}
	*text = t.runScripts(*run, where, *text, false)
}

// runScripts runs the scripts for a text. The trace records the scripts that changed a stored text,
// and all failures.
func (t *Texts) runScripts(run *macro.Run, where script.Where, text string, stored bool) string {
	out, report := t.Game.Scripts().Apply(text, where, run)
	for _, r := range report.Ran {
		if r.Problem != "" || stored && r.Changed {
			t.traceScript(r)
		}
	}
	return out
}

// traceScript records a script in the trace, up to a limit, because a history has many lines.
func (t *Texts) traceScript(r script.Ran) {
	const limit = 64
	if len(t.Trace.Scripts) < limit {
		t.Trace.Scripts = append(t.Trace.Scripts, state.TraceScript{Script: r.Ref.String(), Matches: r.Matches, Problem: string(r.Problem)})
	}
}

// Keep stores the variables that the macros of a run have written, if there was a run.
func (t *Texts) Keep(run *macro.Run) {
	if run == nil {
		return
	}
	var chat, global map[string]any
	if values, written := run.Vars(); written {
		chat = values
	}
	if values, written := run.Globals(); written {
		global = values
	}
	t.KeepMacros(chat, global)
}

// maxMacroBytes limits the JSON of each of the two sets of variables, because a text may add to a
// variable in every prompt.
const maxMacroBytes = 64 << 10

// KeepMacros stores the variables that macros have written; nil means none. If they exceed the
// limit, the old variables stay.
func (t *Texts) KeepMacros(chat, global map[string]any) {
	t.keepStores(t.macroValues(chat, "chat"), t.macroValues(global, "global"))
}

// macroValues returns variables of macros as a value. It is absent for nil, and with a warning for
// variables without a JSON form.
func (t *Texts) macroValues(values map[string]any, what string) (v tree.Value) {
	if values == nil {
		return v
	}
	v, err := tree.Of(values)
	if err != nil {
		t.Warn("macros: the %s variables are lost: %v", what, err)
	}
	return v
}

// keepStores stores the variables of macros; absent means that they have not changed. If they exceed
// the limit, the old variables stay.
func (t *Texts) keepStores(chat, global tree.Value) {
	hiddenChat, hiddenGlobal := t.Sight().HiddenMacros()
	keep := func(to *tree.Value, v tree.Value, hidden []tree.Member, what string) {
		if !v.Exists() {
			return
		}
		for _, m := range hidden {
			v = v.With(m.Key, m.Value)
		}
		if len(v.String()) > maxMacroBytes {
			t.Warn("macros: the %s variables take more than %d bytes: they stay as they were", what, maxMacroBytes)
			return
		}
		*to = v
	}
	keep(&t.State.Macros.Chat, chat, hiddenChat, "chat")
	keep(&t.State.Macros.Global, global, hiddenGlobal, "global")
}
