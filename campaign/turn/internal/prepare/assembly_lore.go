package prepare

import (
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
)

// fitBlocks adapts the blocks of the scene to the turn. A dialog type may have no persona. Entries
// of the world book may insert a text into parts of the prompt, or remove parts.
func (p *Prompter) fitBlocks(blocks []prompt.Block, fields macro.Card) {
	for i := range blocks {
		b := &blocks[i]
		if b.Key == game.SlotMain && !p.Dialog.Has(game.BlockPersona) {
			b.Withheld = prompt.Disabled
		}
		if b.Source.Kind == prompt.KindWorld && b.Stability == prompt.Turn && game.HasSlot(p.Game.Layout(), b.Slot+game.Triggered) {
			b.Slot += game.Triggered
		}
	}
	p.applyLoreRequests(blocks, fields)
}

// applyLoreRequests applies the requests of entries to other parts of the prompt.
func (p *Prompter) applyLoreRequests(blocks []prompt.Block, fields macro.Card) {
	for _, a := range p.Scan.Activated {
		text := a.Text
		if out, ok := p.evaluated[a.ID.String()]; ok {
			text = utf8text.Escape(out)
		} else if a.Literal {
			text = utf8text.Escape(text)
		}
		text = utf8text.Escape(p.loreMark(a.ID.String())) + text
		for i := range blocks {
			b := &blocks[i]
			if in := a.Inject; in != nil && (b.Key == in.Into || b.Key == "char."+in.Into) {
				b.Text = in.Apply(fieldText(b.Text, fields), text)
			}
			for _, part := range a.Hides {
				if b.Key == hidden[part] {
					hideHostText(b)
				}
			}
		}
	}
}

// hidden maps the parts that the decorator disable_ui_prompt of Card V3 names to keys of blocks.
var hidden = map[string]string{
	"system_prompt":             game.SlotMain,
	"post_history_instructions": "post_history",
}

// hideHostText removes the text of the host from a block. The decorator does not apply to the card:
// the card's text in the place of the host's text stays, and {{original}} in it is empty.
func hideHostText(b *prompt.Block) {
	if b.Original == nil {
		b.Withheld = prompt.Disabled
		return
	}
	b.Original = new("")
}

// fieldText returns the text that a block shows: a field of the card, if the block names it.
func fieldText(text string, fields macro.Card) string {
	switch text {
	case "{{description}}":
		return fields.Description
	case "{{personality}}":
		return fields.Personality
	case "{{scenario}}":
		return fields.Scenario
	case "{{mesExamplesRaw}}":
		return fields.Examples
	case "{{charDepthPrompt}}":
		return fields.DepthPrompt
	}
	return text
}

// markedLore adds the marks before entries of lore.
func (p *Prompter) markedLore(list []prompt.Lore) []prompt.Lore {
	for i := range list {
		mark := p.loreMark(list[i].ID)
		if _, later := p.pieces[list[i].ID]; later || mark == "" || strings.TrimSpace(list[i].Text) == "" {
			continue
		}
		if !list[i].Literal {
			mark = utf8text.Escape(mark)
		}
		list[i].Text = mark + list[i].Text
	}
	return list
}

// loreMark returns the mark of an entry, "" for an entry that everybody may see.
func (p *Prompter) loreMark(id string) string {
	witnesses := p.Game.LoreVisibleTo(id)
	if len(witnesses) == 0 && len(p.State.Secrets) > 0 {
		sight := secret.Whole(p.State)
		if witnesses = sight.Entry(id); len(witnesses) == 0 {
			witnesses = sight.Update(id)
		}
	}
	if len(witnesses) == 0 {
		return ""
	}
	return p.WitnessMark(p.Viewer().Mark(witnesses))
}
