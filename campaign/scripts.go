package campaign

import (
	"strings"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// rewritesReplies reports whether scripts change what players see of a reply, which
// nobody knows before it is complete.
func (g *Game) rewritesReplies() bool {
	reply := script.Where{Placement: script.AIOutput}
	shown := script.Where{Placement: script.AIOutput, ForDisplay: true}
	return g.scripts.Wants(reply) || g.scripts.Wants(shown)
}

// rewritesHistory reports whether scripts change lines of the history for the prompt.
func (g *Game) rewritesHistory() bool {
	return g.scripts.Wants(script.Where{Placement: script.UserInput, ForPrompt: true}) ||
		g.scripts.Wants(script.Where{Placement: script.AIOutput, ForPrompt: true})
}

// scripted is a stored text after the scripts for it: a player's line, a narration. One
// that they leave nothing of stays as it was.
func (t *turn) scripted(text string, where script.Where) string {
	if text == "" || !t.game.scripts.Wants(where) {
		return text
	}
	run := macro.NewRun(t.promptEnv())
	out := t.runScripts(run, where, text, true)
	t.keepRun(run)
	if strings.TrimSpace(out) == "" {
		t.warn("scripts: they leave nothing of %q: it stays as it is", preview(text))
		return text
	}
	return out
}

// displayed is a narration as it is shown.
func (t *turn) displayed(text string) string {
	where := script.Where{Placement: script.AIOutput, ForDisplay: true, Depth: new(0), Name: t.charName()}
	if !t.game.scripts.Wants(where) {
		return text
	}
	out, _ := t.game.scripts.Apply(text, where, macro.NewRun(t.promptEnv()))
	return out
}

// scriptedLines are the lines of the history as they are prompted.
func (t *turn) scriptedLines(lines []prompt.Line) []prompt.Line {
	var run *macro.Run
	for i := range lines {
		l := &lines[i]
		where := script.Where{Placement: script.UserInput, ForPrompt: true,
			Depth: new(len(lines) - 1 - i), Name: l.Name}
		if l.Role == llm.Assistant {
			where.Placement = script.AIOutput
		}
		t.scriptPrompted(&run, where, &l.Text)
	}
	t.keepRun(run)
	return lines
}

// scriptedLore is activated lore as it is prompted.
func (t *turn) scriptedLore(list []prompt.Lore) []prompt.Lore {
	var run *macro.Run
	for i := range list {
		where := script.Where{Placement: script.WorldInfo, ForPrompt: true, Depth: list[i].Depth}
		t.scriptPrompted(&run, where, &list[i].Text)
	}
	t.keepRun(run)
	return list
}

// scriptPrompted runs the scripts that fit a prompted text. The texts of one kind share a
// run, which is made when the first script fits.
func (t *turn) scriptPrompted(run **macro.Run, where script.Where, text *string) {
	if !t.game.scripts.Wants(where) {
		return
	}
	if *run == nil {
		*run = macro.NewRun(t.promptEnv())
	}
	*text = t.runScripts(*run, where, *text, false)
}

// runScripts runs the scripts that fit. What they did is in the trace, of prompted texts
// only what failed.
func (t *turn) runScripts(run *macro.Run, where script.Where, text string, stored bool) string {
	out, report := t.game.scripts.Apply(text, where, run)
	for _, r := range report.Ran {
		if r.Problem != "" || stored && r.Changed {
			t.noteScript(r)
		}
	}
	return out
}

// noteScript keeps what a script did, within a bound: a history has many lines.
func (t *turn) noteScript(r script.Ran) {
	const limit = 64
	if p := &t.staged.trace; len(p.Scripts) < limit {
		p.Scripts = append(p.Scripts, ScriptTrace{r.Ref.String(), r.Matches, string(r.Problem)})
	}
}
