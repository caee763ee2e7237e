package campaign

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// playerCommands carries out the variable commands in the player's line.
func (t *turn) playerCommands() { t.commands(t.in.Text, memvars.User) }

// modelCommands carries out the commands in the narration, and what a finished
// turn does to the variables by itself: time, summaries, what is shown.
func (t *turn) modelCommands() {
	p := &t.staged
	own := len(p.commands) // those before are the player's, of which the model hears nothing
	t.commands(t.last.text, memvars.AI)
	doc, state, result := t.writers().EndTurn(p.state.Variables, p.state.VariableState,
		memvars.Turn{Reply: t.last.text, Player: []string{t.in.Text}})
	p.state.VariableState = state
	t.tookVariables(doc, result)
	p.state.Feedback = commandFeedback(p.commands[own:])
}

// commands applies the commands of a text. Each is carried out or refused as a
// whole, and says so.
func (t *turn) commands(text string, actor memvars.Actor) {
	p := &t.staged
	doc, result := t.writers().Apply(p.state.Variables, text, actor)
	p.commands = append(p.commands, result.Calls...)
	t.tookVariables(doc, result)
}

// variablesText renders the variables for the prompt, in at most a quarter of it: a
// model that fills them must not crowd out everything else.
func (t *turn) variablesText() string {
	if t.staged.state.Variables.Root().Len() == 0 || !t.kind.has(BlockStatus) {
		return ""
	}
	text := t.shown()
	if text == "" {
		return ""
	}
	text = t.game.texts.Variables + "\n" + text
	budget := t.budget()
	if limit := budget.Context / 4; limit > 0 {
		if n := countTokens(budget.Counter, text); n > limit {
			text = cut(text, int(int64(len(text))*int64(limit)/int64(n))) + " …"
			t.warn("variables: only the beginning of %d tokens is in the prompt", n)
		}
	}
	return text
}

func countTokens(c prompt.Counter, text string) int {
	if c == nil {
		return prompt.Estimate(text)
	}
	return c.Count(text)
}

func (t *turn) cleanNarration(text string) string { return t.game.cleanNarration(text) }

// cleanNarration is a narration without the commands in it, the tags around them,
// and the lines that held nothing else.
func (g *Game) cleanNarration(text string) string {
	ops := g.vars.Parse(text)
	if len(ops) == 0 {
		return strings.TrimSpace(text)
	}
	var b strings.Builder
	at := 0
	for _, op := range ops {
		if op.Pos.Offset < at || op.End > len(text) || op.End <= op.Pos.Offset {
			continue // a call that cannot be read ends nowhere: its text stays
		}
		b.WriteString(text[at:op.Pos.Offset])
		b.WriteByte(commandGone)
		at = op.End
	}
	b.WriteString(text[at:])
	return dropEmptied(b.String())
}

// commandGone stands where a command was, until its line has been looked at.
const commandGone = '\x00'

// dropEmptied removes the lines that held only commands or their tags.
func dropEmptied(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(strings.ReplaceAll(line, string(commandGone), ""))
		if bare == "" && strings.ContainsRune(line, commandGone) || isCommandTag(bare) {
			continue
		}
		out = append(out, strings.ReplaceAll(line, string(commandGone), ""))
	}
	return strings.TrimSpace(strings.Join(out, ""))
}

func isCommandTag(line string) bool {
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(line, "<"), "/"), ">")
	if len(name)+2 > len(line) {
		return false
	}
	return strings.EqualFold(name, "updateMemory") || strings.EqualFold(name, "updateVariable")
}

// addedBooks makes books of the entries that were added during play.
func addedBooks(entries []rules.AddEntry) []worldbook.Attachment {
	var out []worldbook.Attachment
	at := map[string]int{}
	for i, e := range entries {
		j, ok := at[e.BookID]
		if !ok {
			j = len(out)
			at[e.BookID] = j
			out = append(out, worldbook.Attachment{
				Book:    worldbook.Book{Name: e.BookID},
				Sources: []worldbook.Source{worldbook.SourceChat},
			})
		}
		book := &out[j].Book
		book.Entries = append(book.Entries, worldbook.Entry{
			UID: "added-" + strconv.Itoa(i+1), Keys: e.Keywords, Comment: e.Name,
			Content: e.Content, Constant: e.AlwaysOn, Order: float64(e.Priority),
			Position: worldbook.BeforeCharacter, Probability: 100, GroupWeight: 100,
		})
	}
	return out
}

// bookCondition decides entries that carry conditions: a list in the form of rule
// conditions, all of which must hold. One that cannot be read holds never.
func (t *turn) bookCondition(data json.RawMessage) bool {
	var conditions []rules.Condition
	if err := json.Unmarshal(data, &conditions); err != nil {
		return false
	}
	return rules.Holds(conditions, rules.All, t.readable())
}

// speaker is the character as filters of entries see it.
func (t *turn) speaker() worldbook.Speaker {
	if c := t.game.content.Card; c != nil {
		return worldbook.Speaker{Name: c.Name, Tags: c.Tags}
	}
	return worldbook.Speaker{}
}

func (t *turn) scanData() worldbook.ScanData {
	data := worldbook.ScanData{PersonaDescription: t.game.content.Persona}
	if c := t.game.content.Card; c != nil {
		data.CharacterDescription, data.CharacterPersonality = c.Description, c.Personality
		data.Scenario, data.CreatorNotes = c.Scenario, c.CreatorNotes
	}
	return data
}

// promptEnv is what macros in cards, lore and directives can see.
func (t *turn) promptEnv() prompt.Env {
	env := prompt.Env{
		User: t.userName(), Char: t.charName(), Persona: t.game.content.Persona,
		ChatID: t.next.ID, Clock: t.in.At, Random: t.draw, Turn: t.number(), Input: t.in.Text,
		Document: t.readable(),
	}
	if c := t.game.content.Card; c != nil {
		env.Card = macro.Card{
			Description: c.Description, Personality: c.Personality, Scenario: c.Scenario,
		}
	}
	return env
}
