package prepare

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// loreMessage names the message of lore.
type loreMessage struct {
	position prompt.LorePosition
	depth    int
	role     llm.Role
	outlet   string
}

func messageOf(l prompt.Lore) loreMessage {
	m := loreMessage{l.Position, 0, l.Role, l.Outlet}
	if l.Depth != nil {
		m.depth = *l.Depth
	}
	return m
}

// authoredLore returns activated lore after the scripts for prompts. Entries in one message with a
// template have the texts of their authors, because the scan has put names into them. Their templates
// run later, in the order of the prompt. An entry that was changed during play is data, and so is an
// entry that was evaluated before the scan.
func (p *Prompter) authoredLore(list []prompt.Lore) []prompt.Lore {
	if !p.Game.HasTemplates() {
		return p.Lore(list)
	}
	tagged := map[loreMessage]bool{}
	for _, l := range list {
		if piece, ok := p.authoredPiece(l.ID); ok && hasTags(piece.Text) {
			tagged[messageOf(l)] = true
		}
	}
	p.pieces = map[string]template.Piece{}
	authored := make([]string, len(list))
	for i := range list {
		l := &list[i]
		if piece, ok := p.authoredPiece(l.ID); ok && tagged[messageOf(*l)] {
			p.pieces[l.ID] = piece
			l.Text = piece.Text
		} else if text, ok := p.entryCBS(l.ID); ok { // before the scripts, whose results are data
			l.Text, l.Literal = text, true
		}
		authored[i] = l.Text
	}
	list = p.Lore(list)
	for i, l := range list {
		if piece, ok := p.pieces[l.ID]; ok {
			piece.Text = p.ownTags(authored[i], l.Text)
			p.pieces[l.ID] = piece
		}
	}
	return list
}

// entryCBS returns the text of an entry in the language of RisuAI after its expansion.
func (p *Prompter) entryCBS(id string) (text string, ok bool) {
	if p.isEdited(id) || !p.Game.IsCBSEntry(id) {
		return "", false
	}
	piece, _, _ := p.Game.LoreText(id)
	return p.expandMacros(p.templateEnv(), p.Game.BookCBS(), piece.Text), true
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
			*field.text = utf8text.Escape(p.expandMacros(p.templateEnv(), cbs, *field.text))
		} else if hasTags(*field.text) {
			piece := template.Piece{Text: *field.text, Path: "card." + field.name}
			*field.text = asData(p.beginTemplates(p.templateEnv()).Unit(piece)[0])
			p.keepTemplates()
		}
	}
	env.Vars, env.Globals = p.Sight().State.Macros.Maps()
}

// promptText is a text of an author in the prompt.
type promptText struct {
	text  *string
	block *prompt.Block // nil for a marker, the control prompt and the prefill
	piece template.Piece
	lore  bool // the text of an entry, as its author wrote it
	data  bool // a text with names of players: its macros are expanded, and no template runs
	place messagePlace
}

// messagePlace is the place of a message in a prompt. Texts of one place are one message, if alone is 0.
type messagePlace struct {
	slot, height, order int // height is the negative depth
	role                llm.Role
	name, outlet        string
	alone               int
}

// The slots of messages that are in no slot of the layout.
const (
	slotOutlets = -1
	slotTail    = math.MaxInt32
)

// templatedTexts runs the templates in the texts of a prompt, in the order of its messages. The
// texts are lore, the system prompt or the prompts of a preset, the author's note, the markers, and
// the control prompt. Texts that store variables by macros come first, as the macros of a prompt
// are expanded before its templates. All results are data.
func (p *Prompter) templatedTexts(in *prompt.Input, layout *prompt.Layout, env *prompt.Env) {
	texts := p.promptTexts(in, layout)
	tagged := map[messagePlace]bool{}
	for _, t := range texts {
		tagged[t.place] = tagged[t.place] || !t.data && hasTags(t.piece.Text)
	}
	p.expandStoringTexts(texts, tagged, env)
	slices.SortStableFunc(texts, func(a, b promptText) int {
		return cmp.Or(cmp.Compare(a.place.slot, b.place.slot), strings.Compare(a.place.outlet, b.place.outlet),
			cmp.Compare(a.place.height, b.place.height), cmp.Compare(a.place.order, b.place.order))
	})
	p.evaluated = map[string]string{}
	tail := *env
	if n := len(in.History); in.Generation == worldbook.Continue && n > 0 { // the control prompt may name the continued text
		tail.Macros = map[string]string{}
		maps.Copy(tail.Macros, env.Macros)
		tail.Macros["lastChatMessage"] = strings.TrimSpace(in.History[n-1].Text)
	}
	for len(texts) > 0 {
		n := 1
		for n < len(texts) && texts[n].place == texts[0].place {
			n++
		}
		own := env
		if texts[0].place.slot == slotTail {
			own = &tail
		}
		if tagged[texts[0].place] {
			p.runMessageTemplates(texts[:n], own)
		}
		texts = texts[n:]
	}
	newest := len(in.History) - 1
	if in.Generation == worldbook.Continue { // the continued line comes after the replacement
		newest--
	}
	if newest >= 0 && in.History[newest].Role == llm.Assistant && hasTags(in.Replacement) {
		piece := template.Piece{Text: in.Replacement, Path: "preset.send_if_empty"}
		in.Replacement = withOriginal(p.beginTemplates(p.withVariables(&tail)).Unit(piece)[0])
		p.keepTemplates()
	}
	p.injectedTemplates(env)
	env.Vars, env.Globals = p.Sight().State.Macros.Maps()
}

// promptTexts returns the texts of authors that the prompt sends.
func (p *Prompter) promptTexts(in *prompt.Input, layout *prompt.Layout) (texts []promptText) {
	slots := map[string]int{}
	history, examples := slotTail, slotTail
	for i, s := range layout.Slots {
		if slots[s.Name] = i; s.Form == prompt.History {
			history = i
		} else if s.Form == prompt.Examples {
			examples = i
		}
	}
	hasExamples := false
	for i := range in.Blocks {
		b := &in.Blocks[i]
		place := messagePlace{role: b.Role, name: b.Name, order: 100}
		if b.Order != nil {
			place.order = *b.Order
		}
		slot, listed := slots[b.Slot]
		switch {
		case b.Withheld != "":
			continue
		case b.Depth != nil:
			place.slot, place.height = history, -max(*b.Depth, 0)
		case b.Outlet != "" && b.Slot == "":
			place = messagePlace{slot: slotOutlets, outlet: b.Outlet}
		case !listed:
			continue
		default:
			if place.slot = slot; layout.Slots[slot].Form != "" && layout.Slots[slot].Form != prompt.Joined {
				place.alone = i + 1
			}
			hasExamples = hasExamples || slot == examples && b.Text != ""
		}
		for j := range b.Above {
			texts = p.appendAuthored(texts, &b.Above[j], place)
		}
		texts = p.appendAuthored(texts, b, place)
		for j := range b.Below {
			texts = p.appendAuthored(texts, &b.Below[j], place)
		}
	}
	if hasExamples {
		texts = appendTagged(texts, &layout.ExampleMarker, "preset.new_example_chat_prompt", examples, 0)
	}
	texts = appendTagged(texts, &layout.ChatMarker, "preset.new_chat_prompt", history, math.MinInt32)
	texts = appendTagged(texts, &in.Control, "preset.control", slotTail, 1)
	return appendTagged(texts, &in.Prefill, "preset.assistant_prefill", slotTail, 2)
}

// appendAuthored appends the text of a block, if an author has written it.
func (p *Prompter) appendAuthored(texts []promptText, b *prompt.Block, place messagePlace) []promptText {
	if b.Literal || !ofAuthor[b.Source.Kind] {
		return texts
	}
	t := promptText{text: &b.Text, block: b, piece: template.Piece{Text: b.Text, Path: b.Key}, place: place}
	if b.Source.Kind == prompt.KindWorld {
		if piece, ok := p.pieces[b.Source.ID]; ok {
			t.piece, t.lore = piece, true
		} else {
			t.data, t.place.alone = true, -len(texts)-1
		}
	}
	return append(texts, t)
}

// appendTagged appends a text that belongs to no block, if it has a template.
func appendTagged(texts []promptText, text *string, path string, slot, height int) []promptText {
	if !hasTags(*text) {
		return texts
	}
	return append(texts, promptText{text: text, piece: template.Piece{Text: *text, Path: path},
		place: messagePlace{slot: slot, height: height, order: math.MinInt32}})
}

// ofAuthor are the kinds of blocks whose texts authors have written.
var ofAuthor = map[prompt.Kind]bool{
	"": true, prompt.KindHost: true, prompt.KindPrompt: true, prompt.KindNote: true, prompt.KindCard: true, prompt.KindWorld: true,
}

// expandStoringTexts expands the texts whose macros store variables, if no template is in their message:
// templates read what macros have stored.
func (p *Prompter) expandStoringTexts(texts []promptText, tagged map[messagePlace]bool, env *prompt.Env) {
	stores := func(t promptText) bool {
		if tagged[t.place] || t.block.Original != nil || !strings.Contains(t.piece.Text, "{{") {
			return false
		}
		return slices.ContainsFunc(macro.Compile(t.piece.Text).Variables(), func(v macro.VariableUse) bool { return v.Stores })
	}
	for _, t := range texts {
		if stores(t) {
			*t.text = utf8text.Escape(p.expandMacros(p.withVariables(env), nil, t.piece.Text))
		}
	}
}

// withVariables returns an environment with the present variables of macros.
func (p *Prompter) withVariables(env *prompt.Env) prompt.Env {
	own := *env
	own.Vars, own.Globals = p.Sight().State.Macros.Maps()
	return own
}

// runMessageTemplates runs the templates in the texts of one message.
func (p *Prompter) runMessageTemplates(texts []promptText, env *prompt.Env) {
	pieces := make([]template.Piece, len(texts))
	for i, t := range texts {
		pieces[i] = t.piece
	}
	for i, out := range p.beginTemplates(p.withVariables(env)).Unit(pieces...) {
		t := &texts[i]
		if t.lore {
			id := t.block.Source.ID
			p.evaluated[id] = out
			if strings.TrimSpace(out) != "" {
				out = p.loreMark(id) + out
			}
			*t.text, t.block.Literal = withOriginal(out), true
			if _, own, _ := p.Game.LoreText(id); own != nil && own.MaxTokens > 0 {
				if t.block.MaxTokens = own.MaxTokens; own.Trim == "start" {
					t.block.Truncate = prompt.CutStart
				}
			}
			continue
		}
		*t.text = asData(out)
	}
	p.keepTemplates()
}

// injectedTemplates runs the templates of entries that go into other parts of the prompt.
func (p *Prompter) injectedTemplates(env *prompt.Env) {
	for _, a := range p.Scan.Activated {
		if a.Inject == nil {
			continue
		}
		id := a.ID.String()
		text, ok := p.entryCBS(id)
		if !ok {
			piece, ok := p.authoredPiece(id)
			if !ok || !hasTags(piece.Text) {
				continue
			}
			text = p.beginTemplates(p.withVariables(env)).Unit(piece)[0]
			p.keepTemplates()
		}
		if _, own, _ := p.Game.LoreText(id); own != nil && own.MaxTokens > 0 {
			text = tokens.Trim(text, own.MaxTokens, own.Trim == "start", p.Game.Counter().Count)
		}
		p.evaluated[id] = text
	}
}

// templatedForm runs the templates in the context and the instruct template of a prompt in one text.
// Their macros and blocks outside of tags are expanded later. The results of tags are data.
func (p *Prompter) templatedForm(env *prompt.Env) {
	data := asData
	run := func(text *string, path string) {
		if hasTags(*text) {
			pieces, braces := bracePieces(*text, path)
			var b strings.Builder
			for i, out := range p.beginTemplates(p.withVariables(env)).Unit(pieces...) {
				if braces[i] != "" && strings.HasPrefix(out, braceMark) { // the part of the text is there
					b.WriteString(braces[i])
				}
				b.WriteString(data(strings.ReplaceAll(out, braceMark, "")))
			}
			*text = b.String()
			p.keepTemplates()
		}
	}
	if p.context != nil {
		c := *p.context
		run(&c.Story, "context.story_string")
		run(&c.ChatStart, "context.chat_start")
		run(&c.ExampleSeparator, "context.example_separator")
		p.context = &c
	}
	if p.instruct != nil {
		i := *p.instruct
		if i.Macros != nil && !*i.Macros { // nothing expands its texts later
			data = withOriginal
		}
		for _, text := range []*string{&i.UserPrefix, &i.AssistantPrefix, &i.SystemPrefix, &i.StoryPrefix, &i.StorySuffix, &i.FirstAssistantPrefix, &i.LastAssistantPrefix} {
			run(text, "instruct")
		}
		p.instruct = &i
	}
}

// braceMark is the text of a piece that stands for two braces outside of tags.
const braceMark = "\uFDD1"

// bracePieces divides a text at the braces outside of its tags. A piece without braces has "" in the
// list of braces.
func bracePieces(text, path string) (pieces []template.Piece, braces []string) {
	add := func(text, brace string) {
		pieces, braces = append(pieces, template.Piece{Text: text, Path: path}), append(braces, brace)
	}
	for from, at := 0, 0; ; at++ {
		rest := text[at:]
		switch {
		case len(rest) < 2:
			add(text[from:], "")
			return pieces, braces
		case strings.HasPrefix(rest, "<%"):
			if end := strings.Index(rest, "%>"); end > 0 {
				at += end
			} else {
				at = len(text) - 1
			}
		case rest[:2] == "{{" || rest[:2] == "}}":
			add(text[from:at], "")
			add(braceMark, rest[:2])
			at++
			from = at + 1
		}
	}
}
