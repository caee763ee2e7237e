package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/audience"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/lorebook"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn/internal/chat"
	"github.com/talewright/talewright/campaign/world"
	"github.com/talewright/talewright/internal/braces"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/scene"
)

// Who knows what is decided in package audience. Here its answers become prompts.

// mode is the setting visibility.mode.
func (sc scenery) mode() audience.Mode { return audience.Mode(sc.values.Text(setting.VisibilityMode)) }

// viewer is for whom the prompt is written.
func (sc scenery) viewer() audience.Viewer {
	return audience.For(sc.mode(), sc.in.ActorID, sc.kind.Omniscient)
}

// listener is for whom memories are recalled: the acting character, also where a game master
// knows more. Nobody is reminded of what they did not witness.
func (sc scenery) listener() audience.Viewer {
	return audience.For(sc.mode(), sc.in.ActorID, false)
}

// sight is what the viewer sees of the state.
func (sc scenery) sight() secret.Sight { return secret.Of(sc.state, sc.viewer()) }

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
	sc.marks = slices.ContainsFunc(sc.wholeChat().Said, func(s chat.Said) bool { return len(s.Only) > 0 })
	return sc.hasSecrets()
}

// discreetJSON is feedbackJSON without what the viewer may not know.
func (sc scenery) discreetJSON(what any) string {
	sight := sc.sight()
	if !sight.Limited() {
		return feedbackJSON(what)
	}
	v, err := tree.Of(what)
	if err != nil {
		return "{}" // as where nothing is hidden
	}
	return sight.Redact(v).String()
}

// markedVariables names the variables that only some know, behind what they are.
func (p *prompter) markedVariables() string {
	var b strings.Builder
	for path, witnesses := range p.sight().Variables() {
		if mark := p.known(p.mark(witnesses)); mark != "" && b.Len() < maxMarkedVariables {
			b.WriteString("\n" + mark + path.String())
		}
	}
	return b.String()
}

// maxMarkedVariables bounds the list of them, in bytes.
const maxMarkedVariables = 1024

// canHear reports whether all of them are characters of the campaign or members of the cast.
func (m *Machine) canHear(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool {
		_, here := m.base.State.Character(id)
		return !here && !m.canSpeak(id)
	})
}

// chatKey names the conversation that the viewer hears.
func (sc scenery) chatKey() string {
	viewer := sc.viewer()
	key := sc.tellerName()
	if viewer.Character != "" {
		key += "\x00" + viewer.Character
	}
	if viewer.Marks {
		key += "\x00marks"
	}
	return key
}

// mark is who has to be named with something that they alone know.
func (sc scenery) mark(witnesses []string) []string { return sc.viewer().Mark(witnesses) }

// known names those who alone know what follows; "" for nobody.
func (sc scenery) known(names []string) string { return sc.named(sc.game.Texts().Witnessed, names) }

// named is a text with names in it, "" without any.
func (sc scenery) named(text string, ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = sc.characterName(id)
	}
	return strings.ReplaceAll(text, "{names}", strings.Join(names, ", "))
}

// characterName is the name of a character or of a member of the cast, else the id.
func (sc scenery) characterName(id string) string {
	if i := sc.state.CharacterIndex(id); i >= 0 {
		return sc.state.Characters[i].Name
	}
	return sc.memberName(id)
}

// marked puts the marks before lines of the history, which are the last ones of the chat. The
// begin of a text that is gone on with stays as it is.
func (p *prompter) marked(lines []prompt.Line, talk chat.Shown) []prompt.Line {
	for i := range lines {
		at := talk.Len() - len(lines) + i
		by := talk.Said[at]
		if len(by.Only) == 0 || strings.TrimSpace(lines[i].Text) == "" ||
			p.head != nil && by.Role == llm.Assistant && at == talk.Len()-1 {
			continue
		}
		lines[i].Text = p.known(by.Only) + lines[i].Text
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
	witnesses := sc.game.LoreVisibleTo(id)
	if len(witnesses) == 0 && len(sc.state.Secrets) > 0 {
		sight := sc.sight()
		if witnesses = sight.Entry(id); len(witnesses) == 0 {
			witnesses = sight.Update(id)
		}
	}
	if len(witnesses) == 0 {
		return ""
	}
	return sc.known(sc.mark(witnesses))
}

// hiddenLore names the entries that the viewer may not see.
func (sc scenery) hiddenLore() (names []string) {
	viewer := sc.viewer()
	for id, witnesses := range sc.game.PrivateLore() {
		if !viewer.Sees(witnesses) {
			names = append(names, id)
		}
	}
	sight := sc.sight()
	for i, e := range sc.state.Entries {
		if sight.HidesEntry(i, e) {
			names = append(names, lorebook.ID(i, e).String())
		}
	}
	return names
}

// secrecy tells the model what marks mean, where there may be any, and who hears the turn.
func (sc scenery) secrecy() string {
	if !sc.viewer().Marks || !sc.hasSecrets() {
		return ""
	}
	text := "\n" + sc.game.Texts().Secrecy
	if only := sc.mark(sc.in.Audience); len(only) > 0 && sc.suggest == nil {
		text += " " + sc.named(sc.game.Texts().Whispered, only)
	}
	return text
}

// hasSecrets reports whether the prompt may hold something that is marked.
func (sc scenery) hasSecrets() bool {
	return sc.marks || slices.ContainsFunc(sc.state.World.Rules, func(r world.Rule) bool { return len(r.VisibleTo) > 0 }) ||
		len(sc.state.Summary.Private) > 0 || len(sc.state.Secrets) > 0 || sc.game.HasPrivateLore() ||
		slices.ContainsFunc(sc.memories, func(line string) bool { return strings.Contains(line, sc.markBegins()) })
}

// markBegins is what every mark begins with, whoever is named.
func (sc scenery) markBegins() string {
	begin, _, _ := strings.Cut(sc.game.Texts().Witnessed, "{names}")
	return begin
}

// withoutMark is a reply without the mark of the turn in front, which models copy from the
// history.
func (sc scenery) withoutMark(text string) string {
	mark := strings.TrimSpace(sc.known(sc.mark(sc.in.Audience)))
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), mark); ok && mark != "" {
		return strings.TrimSpace(rest)
	}
	return text
}
