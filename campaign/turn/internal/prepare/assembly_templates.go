package prepare

import (
	"slices"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/rules/effect"
)

// templatedLore returns activated lore after the scripts for prompts and the templates of its
// authors. The results of templates are data.
func (p *Prompter) templatedLore(list []prompt.Lore) []prompt.Lore {
	pieces := p.loreTemplates(list)
	authored := make([]string, len(list))
	for i := range list {
		authored[i] = list[i].Text
	}
	for i := range list { // before the scripts, whose results are data
		if _, ok := pieces[list[i].ID]; ok && p.Game.IsCBSEntry(list[i].ID) {
			list[i].Text, list[i].Literal = p.expandCBS(p.templateEnv(), p.Game.BookCBS(), list[i].Text), true
		}
	}
	list = p.Lore(list)
	if len(pieces) == 0 {
		return list
	}
	build := p.beginTemplates(p.templateEnv())
	p.evaluated = map[string]string{}
	for i := range list {
		piece, ok := pieces[list[i].ID]
		if !ok {
			continue
		}
		if p.Game.IsCBSEntry(list[i].ID) {
			p.evaluated[list[i].ID] = list[i].Text
			continue
		}
		piece.Text = p.ownTags(authored[i], list[i].Text)
		list[i].Text, list[i].Literal = build.Unit(piece), true
		p.evaluated[list[i].ID] = list[i].Text
	}
	p.activatedTemplates(build, pieces)
	p.keepTemplates()
	return list
}

// loreTemplates finds the activated entries with templates, and sets their texts as their authors
// wrote them: the scan has put names into them. An entry that was changed during play is data.
func (p *Prompter) loreTemplates(list []prompt.Lore) map[string]template.Piece {
	if !p.Game.HasTemplates() {
		return nil
	}
	pieces := map[string]template.Piece{}
	find := func(id string, literal bool) (template.Piece, bool) {
		piece, ok := p.Game.LoreTemplate(id)
		if !ok || literal || p.isEdited(id) {
			return piece, false
		}
		pieces[id] = piece
		return piece, true
	}
	for i := range list {
		if piece, ok := find(list[i].ID, list[i].Literal); ok {
			list[i].Text = piece.Text
		}
	}
	for _, a := range p.Scan.Activated {
		if a.Inject != nil {
			find(a.ID.String(), a.Literal)
		}
	}
	return pieces
}

// activatedTemplates runs the templates of entries that go into other parts of the prompt.
func (p *Prompter) activatedTemplates(build *template.Build, pieces map[string]template.Piece) {
	for _, a := range p.Scan.Activated {
		id := a.ID.String()
		piece, ok := pieces[id]
		if _, done := p.evaluated[id]; !ok || done {
			continue
		}
		if p.Game.IsCBSEntry(id) {
			p.evaluated[id] = p.expandCBS(p.templateEnv(), p.Game.BookCBS(), piece.Text)
			continue
		}
		p.evaluated[id] = build.Unit(piece)
	}
}

// isEdited reports whether an entry was changed or removed during play.
func (p *Prompter) isEdited(id string) bool {
	edits := p.State.LoreEdits
	return slices.Contains(edits.Removed, id) ||
		slices.ContainsFunc(edits.Changed, func(e effect.UpdateEntry) bool { return e.ID == id && e.Content != nil })
}

// templateEnv returns the environment for the macros of templates.
func (p *Prompter) templateEnv() prompt.Env {
	env := p.Env()
	env.Chat = p.MacroChat(p.ShownChat())
	return env
}

// templatedCard runs the templates in the fields of a card. Their results are data.
func (p *Prompter) templatedCard(env *prompt.Env) {
	c := &env.Card
	cbs := p.Game.CardCBS(p.Card(), false)
	for _, field := range [...]struct {
		text *string
		name string
	}{
		{&c.Description, "description"}, {&c.Personality, "personality"}, {&c.Scenario, "scenario"}, {&c.Examples, "mes_example"},
		{&c.SystemPrompt, "system_prompt"}, {&c.PostHistory, "post_history_instructions"}, {&c.DepthPrompt, "depth_prompt"},
	} {
		if cbs != nil {
			*field.text = utf8text.Escape(p.expandCBS(p.templateEnv(), cbs, *field.text))
			continue
		}
		if hasTags(*field.text) {
			piece := template.Piece{Text: *field.text, Path: "card." + field.name}
			*field.text = utf8text.Escape(p.beginTemplates(p.templateEnv()).Unit(piece))
			p.keepTemplates()
		}
	}
	env.Vars, env.Globals = p.Sight().State.Macros.Maps()
}

// templatedBlocks runs the templates in the other texts of authors: the preset or the system prompt,
// and the author's note. Their results are data.
func (p *Prompter) templatedBlocks(blocks []prompt.Block, env *prompt.Env) {
	for i := range blocks {
		b := &blocks[i]
		switch b.Source.Kind {
		case "", prompt.KindHost, prompt.KindPrompt, prompt.KindNote, prompt.KindCard:
		default:
			continue
		}
		if b.Literal || !hasTags(b.Text) {
			continue
		}
		own := *env
		own.Vars, own.Globals = p.Sight().State.Macros.Maps()
		b.Text = utf8text.Escape(p.beginTemplates(own).Unit(template.Piece{Text: b.Text, Path: b.Key}))
		p.keepTemplates()
	}
	env.Vars, env.Globals = p.Sight().State.Macros.Maps()
}
