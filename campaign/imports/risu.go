package imports

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/script"
)

// codeRisuScript is the code of a regex script of RisuAI that has no counterpart.
const codeRisuScript talewright.Code = "card_scripts"

// writesCBS notes that the texts of a card or a book are in the language of RisuAI.
func (s *Start) writesCBS(name string) {
	if !slices.Contains(s.Content.Prompt.CBS, name) {
		s.Content.Prompt.CBS = append(s.Content.Prompt.CBS, name)
	}
}

// risuCard notes the language of a card that RisuAI has written: it has the extension risuai, or its
// archive has a module. RisuAI also adds the extension to cards for SillyTavern that it exports.
func (s *Start) risuCard(c card.Card, data []byte) {
	_, isRisu := c.Extensions["risuai"]
	isArchive := bytes.Contains(data, []byte("PK\x01\x02"))
	isRisu = isRisu || isArchive && bytes.Contains(data, []byte("module.risum"))
	if s.cbs || isRisu && !forSillyTavern(c) {
		s.writesCBS(c.Name)
	}
}

// forSillyTavern reports whether a card has scripts of TavernHelper or texts with templates, which
// only SillyTavern plays, and no text with a block of RisuAI.
func forSillyTavern(c card.Card) bool {
	_, helper := c.Extensions["tavern_helper"]
	_, older := c.Extensions["TavernHelper_scripts"]
	book, _ := c.WorldBook()
	depth, _ := c.DepthPrompt()
	texts := append(c.Greetings(), c.Description, c.Personality, c.Scenario, c.MesExample, c.SystemPrompt,
		c.PostHistoryInstructions, depth.Prompt)
	for _, e := range book.Entries {
		texts = append(texts, e.Content)
	}
	have := func(mark string) bool {
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, mark) })
	}
	return (helper || older || have("<%")) && !have("{{#")
}

// risuScripts adds the regex scripts of a card of RisuAI. A script whose type or replacement has no
// counterpart is reported.
func (s *Start) risuScripts(c card.Card) {
	const part = "card.extensions.risuai.customScripts"
	extension, _ := tree.ParseValue(c.Extensions["risuai"]) // no extension: no scripts
	var list []script.Script
	for i, x := range extension.Get("customScripts").Elements() {
		one, why := risuScript(x)
		if why != "" {
			s.warn(fmt.Sprintf("%s[%d]", part, i), c.Name, codeRisuScript,
				"the regex script "+why+" and does not run: write it as a script of Prompt.Scripts")
			continue
		}
		one.ID = fmt.Sprint("risu ", i)
		list = append(list, one)
	}
	if len(list) > 0 {
		s.addScriptList(script.Character, c.Name, part, list)
	}
}

// risuScript converts a regex script of RisuAI. If it has no counterpart, why gives the reason.
func risuScript(x tree.Value) (s script.Script, why string) {
	text := func(name string) string { t, _ := x.Get(name).AsText(); return t }
	both := []script.Placement{script.UserInput, script.AIOutput}
	switch kind := text("type"); kind {
	case "editinput":
		s.Placement = both[:1]
	case "editoutput":
		s.Placement = both[1:]
	case "editprocess":
		s.Placement, s.Prompt = both, true
	case "editdisplay":
		s.Placement, s.Display = both, true
	default:
		return s, fmt.Sprintf("has the type %.40q, which has no counterpart here,", kind)
	}
	out, flags := text("out"), "g"
	switch {
	case text("in") == "":
		return s, "has no pattern"
	case strings.HasPrefix(out, "@@"):
		return s, "does something else than replace a text (@@)"
	case strings.Contains(risuNames.Replace(out), "{{"):
		return s, "has macros of RisuAI in its replacement"
	}
	if able, _ := x.Get("ableFlag").AsBool(); able {
		flags = strings.Map(func(r rune) rune {
			if strings.ContainsRune("dgimsuvy", r) {
				return r
			}
			return -1
		}, withoutMeta(text("flag")))
	}
	s.Name, s.Find, s.Replace = text("comment"), "/"+text("in")+"/"+flags, strings.ReplaceAll(out, "$n", "\n")
	return s, ""
}

// risuNames are the macros that mean the same in replacements of both programs.
var risuNames = strings.NewReplacer("{{user}}", "", "{{char}}", "")

// withoutMeta returns the flags of a script without the settings <…> in them.
func withoutMeta(flags string) string {
	var out strings.Builder
	before, rest, found := strings.Cut(flags, "<")
	for out.WriteString(before); found; out.WriteString(before) {
		_, rest, _ = strings.Cut(rest, ">")
		before, rest, found = strings.Cut(rest, "<")
	}
	return out.String()
}
