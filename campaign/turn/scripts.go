package turn

import (
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/chat"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/scene"
	"github.com/talewright/talewright/prompt/script"
)

// rewritesReplies reports whether scripts change what players see of a reply, which
// nobody knows before it is complete.
func rewritesReplies(g *game.Game) bool {
	reply := script.Where{Placement: script.AIOutput}
	shown := script.Where{Placement: script.AIOutput, ForDisplay: true}
	return g.Scripts().Wants(reply) || g.Scripts().Wants(shown)
}

// scripted is a stored text after the scripts for it: a player's line, a narration. One
// that they leave nothing of stays as it was.
func (p *prompter) scripted(text string, where script.Where) string {
	if text == "" || !p.Game.Scripts().Wants(where) {
		return text
	}
	run := macro.NewRun(p.Env())
	out := p.runScripts(run, where, text, true)
	p.keepRun(run)
	if strings.TrimSpace(out) == "" {
		p.warn("scripts: they leave nothing of %q: it stays as it is", stage.Preview(text))
		return text
	}
	return out
}

// displayed is a narration as it is shown, spoken by the one with the name.
func (sc scenery) displayed(text, name string) string {
	where := script.Where{Placement: script.AIOutput, ForDisplay: true, Depth: new(0), Name: name}
	if !sc.Game.Scripts().Wants(where) {
		return text
	}
	out, _ := sc.Game.Scripts().Apply(text, where, macro.NewRun(sc.Env()))
	return out
}

// lines are the lines of the history as they are prompted, as far back as the prompt may
// have room for them. What stands before the given one has gone.
func (p *prompter) lines(talk chat.Shown, gone int) []prompt.Line {
	return p.marked(p.bareLines(talk, gone), talk)
}

// bareLines are the lines without marks of who alone heard them.
func (p *prompter) bareLines(talk chat.Shown, gone int) []prompt.Line {
	switch {
	case !window.RewritesHistory(p.Game):
		return talk.Lines(max(p.Oldest(talk), gone))
	case !rewritesSteadily(p.Game): // macros may say something else in each turn
		return p.scriptedLines(talk.Lines(gone))
	}
	return p.rememberedLines(talk, gone)
}

// rewritesSteadily reports whether what scripts make of a line of the history is the same
// in each turn.
func rewritesSteadily(g *game.Game) bool {
	_, lines := g.Scripts().Steady(script.Where{Placement: script.UserInput, ForPrompt: true})
	_, replies := g.Scripts().Steady(script.Where{Placement: script.AIOutput, ForPrompt: true})
	return lines && replies
}

// scriptedLines are all lines after their scripts, oldest first.
func (p *prompter) scriptedLines(lines []prompt.Line) []prompt.Line {
	var run *macro.Run
	for i := range lines {
		l := &lines[i]
		p.scriptPrompted(&run, whereOf(l, len(lines)-1-i), &l.Text)
	}
	p.keepRun(run)
	return lines
}

// whereOf says which scripts are for a line that so many others stand behind.
func whereOf(l *prompt.Line, depth int) script.Where {
	where := script.Where{Placement: script.UserInput, ForPrompt: true, Depth: &depth, Name: l.Name}
	if l.Role == llm.Assistant {
		where.Placement = script.AIOutput
	}
	return where
}

// rememberedLines are the lines after scripts whose result follows from the text alone: a
// line of the past is changed once, and again when it has become so old that others fit.
// TestScriptsCostWhatIsNew fails without it.
func (p *prompter) rememberedLines(talk chat.Shown, gone int) []prompt.Line {
	log, room := p.Conversation(), p.Game.Content().Budget.Context
	first := talk.Hidden // of the chat among the messages of the log
	if log.Scripted == nil {
		log.Scripted = map[int]chat.Scripted{}
	}
	var run *macro.Run
	var out []prompt.Line // newest first
	used := 1             // up to the last one with a text
	for i, least := talk.Len()-1, 0; i >= gone && (room <= 0 || least <= room); i-- {
		l := talk.Line(i)
		where := whereOf(&l, talk.Len()-1-i)
		fits, _ := p.Game.Scripts().Steady(where)
		done, known := log.Scripted[first+i]
		if !known || done.Fits != fits || l.Required {
			done = p.scriptLine(&run, where, l.Text)
			done.Fits = fits
			if !l.Required { // the running line is no past yet
				log.Scripted[first+i] = done
			}
		}
		for _, r := range done.Failed {
			p.noteScript(r)
		}
		l.Text = done.Text
		least += done.Least
		if out = append(out, l); strings.TrimSpace(l.Text) != "" {
			used = len(out)
		}
	}
	if oldest := first + talk.Len() - len(out); len(log.Scripted) > 2*len(out)+256 {
		maps.DeleteFunc(log.Scripted, func(i int, _ chat.Scripted) bool { return i < oldest })
	}
	p.Past.Tokens.Forget(len(out), func(i int) string { return out[i].Text })
	out = out[:min(used, len(out))]
	slices.Reverse(out)
	return out
}

// scriptLine runs the scripts on a line of the history.
func (p *prompter) scriptLine(run **macro.Run, where script.Where, text string) (done chat.Scripted) {
	done.Text = text
	if p.Game.Scripts().Wants(where) {
		if *run == nil {
			*run = macro.NewRun(p.Env())
		}
		var report script.Report
		done.Text, report = p.Game.Scripts().Apply(text, where, *run)
		for _, r := range report.Ran {
			if r.Problem != "" {
				done.Failed = append(done.Failed, r)
			}
		}
	}
	if p.Game.Content().Budget.Context > 0 {
		done.Least = p.LeastTokens(done.Text)
	}
	return done
}

// scriptedLore is activated lore as it is prompted.
func (p *prompter) scriptedLore(list []scene.Lore) []scene.Lore {
	var run *macro.Run
	for i := range list {
		where := script.Where{Placement: script.WorldInfo, ForPrompt: true, Depth: list[i].Depth}
		p.scriptPrompted(&run, where, &list[i].Text)
	}
	p.keepRun(run)
	return list
}

// scriptPrompted runs the scripts that fit a prompted text. The texts of one kind share a
// run, which is made when the first script fits.
func (p *prompter) scriptPrompted(run **macro.Run, where script.Where, text *string) {
	if !p.Game.Scripts().Wants(where) {
		return
	}
	if *run == nil {
		*run = macro.NewRun(p.Env())
	}
	*text = p.runScripts(*run, where, *text, false)
}

// runScripts runs the scripts that fit. What they did is in the trace, of prompted texts
// only what failed.
func (p *prompter) runScripts(run *macro.Run, where script.Where, text string, stored bool) string {
	out, report := p.Game.Scripts().Apply(text, where, run)
	for _, r := range report.Ran {
		if r.Problem != "" || stored && r.Changed {
			p.noteScript(r)
		}
	}
	return out
}

// noteScript keeps what a script did, within a bound: a history has many lines.
func (p *prompter) noteScript(r script.Ran) {
	const limit = 64
	if len(p.trace.Scripts) < limit {
		p.trace.Scripts = append(p.trace.Scripts, turntrace.Script{Script: r.Ref.String(), Matches: r.Matches, Problem: string(r.Problem)})
	}
}
