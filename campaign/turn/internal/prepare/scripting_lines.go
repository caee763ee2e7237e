package prepare

import (
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// The scripting files run the regex scripts and macros of a game on the texts of a turn. The texts
// are lines before they are stored, lines of the history and lore for a prompt, and replies for
// players. [Texts] has the resulting state and trace.

// Lines returns the lines of the history that may fit into a prompt. The argument gone is the
// number of messages that are gone.
func (t *Texts) Lines(talk draft.Shown, gone int) []prompt.Line {
	lines := t.bareLines(talk, gone)
	for i := range lines {
		if l := &lines[i]; strings.Contains(l.Text, "<") {
			l.Text = mvu.CutHistory(l.Text, t.HasSecond() && !t.Updating)
			if t.Game.HasTemplates() && hasTags(l.Text) {
				l.Text = withoutTags(l.Text)
			}
		}
	}
	return t.marked(lines, talk)
}

// bareLines returns the lines without marks of their audience.
func (t *Texts) bareLines(talk draft.Shown, gone int) []prompt.Line {
	switch {
	case !past.RewritesHistory(t.Game):
		return talk.Lines(max(t.Oldest(talk), gone))
	case !rewritesSteadily(t.Game): // macros may give different texts in each turn
		return t.scriptedLines(talk.Lines(gone))
	}
	return t.rememberedLines(talk, gone)
}

// rewritesSteadily reports whether scripts give the same result for a line of the history in each
// turn.
func rewritesSteadily(g *game.Game) bool {
	_, lines := g.Scripts().Steady(script.Where{Placement: script.UserInput, ForPrompt: true})
	_, replies := g.Scripts().Steady(script.Where{Placement: script.AIOutput, ForPrompt: true})
	return lines && replies
}

// scriptedLines returns all lines after their scripts, oldest first.
func (t *Texts) scriptedLines(lines []prompt.Line) []prompt.Line {
	var run *macro.Run
	for i := range lines {
		l := &lines[i]
		t.Prompted(&run, whereOf(l, len(lines)-1-i), &l.Text)
	}
	t.Keep(run)
	return lines
}

// whereOf returns the place of a line for the choice of scripts. depth is the number of lines after
// it.
func whereOf(l *prompt.Line, depth int) script.Where {
	where := script.Where{Placement: script.UserInput, ForPrompt: true, Depth: &depth, Name: l.Name}
	if l.Role == llm.Assistant {
		where.Placement = script.AIOutput
	}
	return where
}

// rememberedLines returns the lines after scripts whose result depends only on the text. A line of
// the past is changed once, and again when different scripts fit because of its age. So a turn does
// not run the scripts on all lines again.
func (t *Texts) rememberedLines(talk draft.Shown, gone int) []prompt.Line {
	log, room := t.Conversation(), t.Game.Content().Prompt.Budget.Context
	first := talk.Hidden // index in the log of the first message of the chat
	if log.Scripted == nil {
		log.Scripted = map[int]draft.Scripted{}
	}
	var run *macro.Run
	var out []prompt.Line // newest first
	used := 1             // number of lines up to the oldest with a text
	for i, least := talk.Len()-1, 0; i >= gone && (room <= 0 || least <= room); i-- {
		l := talk.Line(i)
		where := whereOf(&l, talk.Len()-1-i)
		scripts, _ := t.Game.Scripts().Steady(where)
		scripted, known := log.Scripted[first+i]
		if !known || scripted.Scripts != scripts || l.Required {
			scripted = t.scriptLine(&run, where, l.Text)
			scripted.Scripts = scripts
			if !l.Required { // the running line is not yet in the past
				log.Scripted[first+i] = scripted
			}
		}
		for _, r := range scripted.Failed {
			t.traceScript(r)
		}
		l.Text = scripted.Text
		least += scripted.Least
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
func (t *Texts) scriptLine(run **macro.Run, where script.Where, text string) (result draft.Scripted) {
	result.Text = text
	if t.Game.Scripts().Wants(where) {
		if *run == nil {
			*run = macro.NewRun(t.Env())
		}
		var report script.Report
		result.Text, report = t.Game.Scripts().Apply(text, where, *run)
		for _, r := range report.Ran {
			if r.Problem != "" {
				result.Failed = append(result.Failed, r)
			}
		}
	}
	if t.Game.Content().Prompt.Budget.Context > 0 {
		result.Least = t.LeastTokens(result.Text)
	}
	return result
}

// marked adds the marks before lines of the history. The lines are the last messages of the chat.
// The beginning of a continued text does not change.
func (t *Texts) marked(lines []prompt.Line, talk draft.Shown) []prompt.Line {
	for i := range lines {
		at := talk.Len() - len(lines) + i
		by := talk.Sources[at]
		if len(by.Only) == 0 || strings.TrimSpace(lines[i].Text) == "" ||
			t.Continues != nil && by.Role == llm.Assistant && at == talk.Len()-1 {
			continue
		}
		lines[i].Text = t.WitnessMark(by.Only) + lines[i].Text
		t.Marked = true
	}
	return lines
}

// Lore returns activated lore after the scripts for prompts.
func (t *Texts) Lore(list []prompt.Lore) []prompt.Lore {
	var run *macro.Run
	for i := range list {
		where := script.Where{Placement: script.WorldInfo, ForPrompt: true, Depth: list[i].Depth}
		t.Prompted(&run, where, &list[i].Text)
	}
	t.Keep(run)
	return list
}
