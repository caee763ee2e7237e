package prepare

import (
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// The scripting part runs the regex scripts and macros of a game over the texts of a turn: lines as they are
// stored, lines of the history and lore as they are prompted, replies as players see them. In goes what a
// turn sees of the past; [Texts] has the state and the trace that come of it.

// Lines are the lines of the history as they are prompted, as far back as the prompt may
// have room for them. What stands before the given one has gone.
func (t *Texts) Lines(talk draft.Shown, gone int) []prompt.Line {
	return t.marked(t.bareLines(talk, gone), talk)
}

// bareLines are the lines without marks of who alone heard them.
func (t *Texts) bareLines(talk draft.Shown, gone int) []prompt.Line {
	switch {
	case !past.RewritesHistory(t.Game):
		return talk.Lines(max(t.Oldest(talk), gone))
	case !rewritesSteadily(t.Game): // macros may say something else in each turn
		return t.scriptedLines(talk.Lines(gone))
	}
	return t.rememberedLines(talk, gone)
}

// rewritesSteadily reports whether what scripts make of a line of the history is the same
// in each turn.
func rewritesSteadily(g *game.Game) bool {
	_, lines := g.Scripts().Steady(script.Where{Placement: script.UserInput, ForPrompt: true})
	_, replies := g.Scripts().Steady(script.Where{Placement: script.AIOutput, ForPrompt: true})
	return lines && replies
}

// scriptedLines are all lines after their scripts, oldest first.
func (t *Texts) scriptedLines(lines []prompt.Line) []prompt.Line {
	var run *macro.Run
	for i := range lines {
		l := &lines[i]
		t.Prompted(&run, whereOf(l, len(lines)-1-i), &l.Text)
	}
	t.Keep(run)
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
func (t *Texts) rememberedLines(talk draft.Shown, gone int) []prompt.Line {
	log, room := t.Conversation(), t.Game.Content().Budget.Context
	first := talk.Hidden // of the chat among the messages of the log
	if log.Scripted == nil {
		log.Scripted = map[int]draft.Scripted{}
	}
	var run *macro.Run
	var out []prompt.Line // newest first
	used := 1             // up to the last one with a text
	for i, least := talk.Len()-1, 0; i >= gone && (room <= 0 || least <= room); i-- {
		l := talk.Line(i)
		where := whereOf(&l, talk.Len()-1-i)
		fits, _ := t.Game.Scripts().Steady(where)
		done, known := log.Scripted[first+i]
		if !known || done.Fits != fits || l.Required {
			done = t.scriptLine(&run, where, l.Text)
			done.Fits = fits
			if !l.Required { // the running line is no past yet
				log.Scripted[first+i] = done
			}
		}
		for _, r := range done.Failed {
			t.noteScript(r)
		}
		l.Text = done.Text
		least += done.Least
		if out = append(out, l); strings.TrimSpace(l.Text) != "" {
			used = len(out)
		}
	}
	if oldest := first + talk.Len() - len(out); len(log.Scripted) > 2*len(out)+256 {
		maps.DeleteFunc(log.Scripted, func(i int, _ draft.Scripted) bool { return i < oldest })
	}
	t.Past.Tokens.Forget(len(out), func(i int) string { return out[i].Text })
	out = out[:min(used, len(out))]
	slices.Reverse(out)
	return out
}

// scriptLine runs the scripts on a line of the history.
func (t *Texts) scriptLine(run **macro.Run, where script.Where, text string) (done draft.Scripted) {
	done.Text = text
	if t.Game.Scripts().Wants(where) {
		if *run == nil {
			*run = macro.NewRun(t.Env())
		}
		var report script.Report
		done.Text, report = t.Game.Scripts().Apply(text, where, *run)
		for _, r := range report.Ran {
			if r.Problem != "" {
				done.Failed = append(done.Failed, r)
			}
		}
	}
	if t.Game.Content().Budget.Context > 0 {
		done.Least = t.LeastTokens(done.Text)
	}
	return done
}

// marked puts the marks before lines of the history, which are the last ones of the chat. The
// beginning of a text that is continued stays as it is.
func (t *Texts) marked(lines []prompt.Line, talk draft.Shown) []prompt.Line {
	for i := range lines {
		at := talk.Len() - len(lines) + i
		by := talk.Said[at]
		if len(by.Only) == 0 || strings.TrimSpace(lines[i].Text) == "" ||
			t.Continues != nil && by.Role == llm.Assistant && at == talk.Len()-1 {
			continue
		}
		lines[i].Text = t.WitnessMark(by.Only) + lines[i].Text
		t.Marked = true
	}
	return lines
}

// Lore is activated lore as it is prompted.
func (t *Texts) Lore(list []prompt.Lore) []prompt.Lore {
	var run *macro.Run
	for i := range list {
		where := script.Where{Placement: script.WorldInfo, ForPrompt: true, Depth: list[i].Depth}
		t.Prompted(&run, where, &list[i].Text)
	}
	t.Keep(run)
	return list
}
