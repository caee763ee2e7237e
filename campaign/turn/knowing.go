package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/turn/internal/chat"
	"github.com/talewright/talewright/campaign/world"
	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/scene"
)

// Who knows what is decided in package audience. Here its answers become prompts.

// keepSecrets notes who knows the texts that the turn has left in the state. What macros have
// written the actor knows, if the prompts had anything private to write.
func keepSecrets(t *run) {
	before, after, byMacros := &t.next.State, &t.stage.Staged.State, t.order.in.Audience
	if !before.Macros.Chat.Equal(after.Macros.Chat) || !before.Macros.Global.Equal(after.Macros.Global) {
		if promptsSecrets(t.scenery()) {
			byMacros = []string{t.order.in.ActorID}
		}
	}
	secret.Keep(before, after, t.order.in.Audience, byMacros)
}

// promptsSecrets reports whether prompts of the turn may hold something private.
func promptsSecrets(sc scenery) bool {
	sc.marks = slices.ContainsFunc(sc.WholeChat().Said, func(s chat.Said) bool { return len(s.Only) > 0 })
	return sc.hasSecrets()
}

// markedVariables names the variables that only some know, behind what they are.
func (p *prompter) markedVariables() string {
	var b strings.Builder
	for path, witnesses := range p.Sight().Variables() {
		if mark := p.Known(p.Viewer().Mark(witnesses)); mark != "" && b.Len() < maxMarkedVariables {
			b.WriteString("\n" + mark + path.String())
		}
	}
	return b.String()
}

// maxMarkedVariables bounds the list of them, in bytes.
const maxMarkedVariables = 1024

// canHear reports whether all of them are characters of the campaign or members of the cast.
func canHear(m *Machine, ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		_, here := m.base.State.Character(id)
		return !here && !canSpeak(m.game, id)
	})
}

// marked puts the marks before lines of the history, which are the last ones of the chat. The
// beginTurn of a text that is gone on with stays as it is.
func (p *prompter) marked(lines []prompt.Line, talk chat.Shown) []prompt.Line {
	for i := range lines {
		at := talk.Len() - len(lines) + i
		by := talk.Said[at]
		if len(by.Only) == 0 || strings.TrimSpace(lines[i].Text) == "" ||
			p.Head != nil && by.Role == llm.Assistant && at == talk.Len()-1 {
			continue
		}
		lines[i].Text = p.Known(by.Only) + lines[i].Text
		p.marks = true
	}
	return lines
}

// markedLore puts the marks before entries of lore.
func (p *prompter) markedLore(list []scene.Lore) []scene.Lore {
	for i := range list {
		mark := p.loreMark(list[i].ID)
		if mark == "" || strings.TrimSpace(list[i].Text) == "" {
			continue
		}
		if !list[i].Literal {
			mark = braces.Escape(mark)
		}
		list[i].Text = mark + list[i].Text
	}
	return list
}

// loreMark is the mark of an entry, "" for one that everybody may see.
func (sc scenery) loreMark(id string) string {
	witnesses := sc.Game.LoreVisibleTo(id)
	if len(witnesses) == 0 && len(sc.State.Secrets) > 0 {
		sight := sc.Sight()
		if witnesses = sight.Entry(id); len(witnesses) == 0 {
			witnesses = sight.Update(id)
		}
	}
	if len(witnesses) == 0 {
		return ""
	}
	return sc.Known(sc.Viewer().Mark(witnesses))
}

// secrecy tells the model what marks mean, where there may be any, and who hears the turn.
func (sc scenery) secrecy() string {
	if !sc.Viewer().Marks || !sc.hasSecrets() {
		return ""
	}
	text := "\n" + sc.Game.Texts().Secrecy
	if only := sc.Viewer().Mark(sc.In.Audience); len(only) > 0 && sc.Suggestions == 0 {
		text += " " + sc.Named(sc.Game.Texts().Whispered, only)
	}
	return text
}

// hasSecrets reports whether the prompt may hold something that is marked.
func (sc scenery) hasSecrets() bool {
	return sc.marks || slices.ContainsFunc(sc.State.World.Rules, func(r world.Rule) bool { return len(r.VisibleTo) > 0 }) ||
		len(sc.State.Summary.Private) > 0 || len(sc.State.Secrets) > 0 || sc.Game.HasPrivateLore() ||
		slices.ContainsFunc(sc.memories, func(line string) bool { return strings.Contains(line, sc.markBegins()) })
}

// markBegins is what every mark begins with, whoever is named.
func (sc scenery) markBegins() string {
	begin, _, _ := strings.Cut(sc.Game.Texts().Witnessed, "{names}")
	return begin
}
