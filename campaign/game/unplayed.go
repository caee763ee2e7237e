package game

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// The codes of [Unplayed].
const (
	codeCardSummary      talewright.Code = "card_summary"      // how much of a scripted card is played
	codeTemplateBad      talewright.Code = "template_bad"      // a template in lore that does not compile
	codeTemplateNeeds    talewright.Code = "template_needs"    // a template in lore that needs what templates may not use
	codeScriptsNotPlayed talewright.Code = "card_scripts"      // programs within a card
	codeRegexNotPlayed   talewright.Code = "card_regex"        // regex scripts of a card or a preset that are not in Prompt.Scripts
	codeUnknownDecorator talewright.Code = "unknown_decorator" // a line @@name of lore without an effect
	codeUnknownMacro     talewright.Code = "unknown_macro"     // a macro that stays in the text as written
	codeNeedsRetriever   talewright.Code = "needs_retriever"   // lore to be found by meaning, without a search for it
	codeUnknownTrigger   talewright.Code = "unknown_trigger"   // an entry for kinds of generation that do not exist
	codeMissingWorld     talewright.Code = "missing_world"     // a lorebook that a card names but that is not attached
	codeMacroNotPlayed   talewright.Code = "macro_not_played"  // a macro of RisuAI that prints nothing here
	codeWrongVariable    talewright.Code = "wrong_variable"    // a text that reads variables of the wrong kind
)

// Unplayed reports content that no campaign uses, each with its place and advice. It finds
// templates (<% … %>) that do not run, entries of templates that do not act, and scripts of
// TavernHelper and RisuAI. It finds regex scripts of a card or preset that are not in Scripts,
// undefined macros, and macros that read a variable of the wrong kind. It finds lore to be found by
// meaning without [Lore.Retrieval], lore for unknown kinds of generation, lore for an outlet that
// no text shows, and a lorebook that a card names but that is not attached. Package prompt/script
// reports denied scripts.
//
// All problems are warnings, in the order of the parts: cards, books, preset and other texts.
// Entries that are switched off are skipped. [Compile] includes the list. A host calls Unplayed to
// show it earlier. The cost is linear in the content.
//
// Templates in entries, cards, greetings, presets, the system prompt and the author's note are played.
// They are reported only if they do not compile, or name an entry that does not exist. A card with
// several kinds of scripted parts has a summary if one of them is not played.
func Unplayed(c Content) talewright.Problems {
	u := usageCheck{content: c, compile: macro.Compile}
	if c.Extensions.Macros != nil {
		u.compile = c.Extensions.Macros.Compile
	}
	for path, one := range c.People.cards() {
		u.checkCard(path, one)
	}
	for _, a := range u.books() {
		u.checkBook(a.Book)
	}
	u.checkPreset()
	if s := c.Prompt.System; s != nil {
		u.checkText("system.content", "", s.Content)
		u.checkText("system.post_history", "", s.PostHistory)
	}
	u.checkText("note", "", c.Prompt.Note.Text)
	for i, o := range c.People.Openings {
		u.checkText(fmt.Sprintf("openings[%d].text", i), o.ID, o.Text)
	}
	eachFormText(c, func(path, text string) {
		u.checkTags(path, "", text)
		u.outlets.read(text)
	})
	for _, x := range ruleTexts(c.Rules) {
		if !x.notice {
			u.readMacros(x.path, x.id, x.text)
		} else if name, ok := firstMacro(x.text); ok {
			u.warn(codeUnknownMacro, x.path, x.id, "{{%s}} stays in the text, because a notice has no macros: take it out", name)
		}
	}
	u.reportMacros("")
	u.outlets.readFrames(c)
	u.reportOutlets()
	u.reportVariables()
	u.vetTemplates()
	u.reportSummaries()
	return u.list
}

// usageCheck is one run of [Unplayed].
type usageCheck struct {
	content Content
	compile func(string) *macro.Template
	findings
	macros  []*unknownMacro  // unknown macros of the part that is being checked
	cbs     *macro.CBS       // settings of that part if its texts are in the language of RisuAI, else nil
	reads   []variableRead   // variables that texts of any part read, each name once for each macro
	stored  map[string]bool  // chat variables that some text sets
	pieces  []template.Piece // texts with templates, without lore
	cards   []scriptedCard
	outlets outletUse

	messageData  map[string]bool // the data of messages that were reported
	unknownNames map[string]bool // texts of the problems of names that templates read and nothing declares
}

// variableRead is a name that a text reads, with its first place.
type variableRead struct{ macro, name, path, id string }

// readVariables records the variables that a text reads and sets.
func (u *usageCheck) readVariables(path, id string, uses []macro.VariableUse) {
	for _, v := range uses {
		switch {
		case v.Stores:
			if u.stored == nil {
				u.stored = map[string]bool{}
			}
			u.stored[v.Name] = true
		case v.Macro != "getvar" && v.Macro != "var" || len(u.reads) >= maxUnknownMacros:
		case !slices.ContainsFunc(u.reads, func(r variableRead) bool { return r.macro == v.Macro && r.name == v.Name }):
			u.reads = append(u.reads, variableRead{v.Macro, v.Name, path, id})
		}
	}
}

// reportVariables reports names that one of the macros {{getvar::…}} and {{var::…}} reads although only
// the other macro can find them. {{getvar}} reads chat variables, which texts set; {{var}} reads declared
// ones. Other variables of a campaign are known only during play. The trace of the turn records
// names that were not found.
func (u *usageCheck) reportVariables() {
	for _, r := range u.reads {
		root, _, _ := strings.Cut(r.name, ".")
		declared := slices.ContainsFunc(u.content.Rules.Variables, func(v rules.Variable) bool {
			return v.ID == root || v.Name == r.name
		})
		const text = "{{%s::%s}} is empty: it reads %s, and %q is %s: write {{%s::%s}}"
		switch {
		case r.macro == "getvar" && declared && !u.stored[r.name]:
			u.warn(codeWrongVariable, r.path, r.id, text,
				r.macro, r.name, "what macros store", r.name, "a declared variable", "var", r.name)
		case r.macro == "var" && u.stored[r.name] && !declared:
			u.warn(codeWrongVariable, r.path, r.id, text,
				r.macro, r.name, "the variables of the campaign", r.name, "stored by a macro", "getvar", r.name)
		}
	}
}

// unknownMacro is one name in a part of the content.
type unknownMacro struct {
	name, path, id string // the first place
	code           talewright.Code
	places         int
}

// checkTemplate reports a text whose templates do not compile. effect is the consequence for players.
func (u *usageCheck) checkTemplate(path, id, text, effect string) {
	if u.cbs != nil {
		return // RisuAI has no templates: a tag is text
	}
	u.checkMessageData(path, id, text)
	_, found := template.Compile(text)
	u.countTemplate(path, text, len(found) == 0)
	for _, p := range found {
		if u.content.Extensions.Engine != nil && template.NeedsEngine(p) {
			continue
		}
		code := codeTemplateBad
		if p.Code == template.Refused || p.Code == template.Limit {
			code = codeTemplateNeeds
		}
		u.warn(code, path, id, "%s: %s", effect, p.Text)
	}
}

// messageData matches what MVU keeps about the changes of one message, where a macro or a template reads
// it.
var messageData = regexp.MustCompile(`(?is)\{\{\w+_message_variable::\s*(display_data|delta_data)\b|<%(?:[^%]|%[^>])*?\b(display_data|delta_data)\b`)

// checkMessageData reports a text that reads such data, once for each of the two.
func (u *usageCheck) checkMessageData(path, id, text string) {
	for _, m := range messageData.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(m[1] + m[2])
		if u.messageData[name] {
			continue
		}
		if u.messageData == nil {
			u.messageData = map[string]bool{}
		}
		u.messageData[name] = true
		u.warn(codeWrongVariable, path, id, "%s of MVU is not kept, so it reads as nothing: read stat_data, which has the values", name)
	}
}

// checkText checks the templates and the macros of an author's text.
func (u *usageCheck) checkText(path, id, text string) {
	u.checkTags(path, id, text)
	u.readMacros(path, id, text)
}

// checkTags checks only the templates of a text. Texts of Context and Instruct have macros of their own
// kind, which the packages of these files check.
func (u *usageCheck) checkTags(path, id, text string) {
	u.checkTemplate(path, id, text, "loses its tags in prompts")
	if hasTemplate(text) && u.cbs == nil {
		u.pieces = append(u.pieces, template.Piece{Text: text, Path: path})
	}
}

// readMacros records the macros of a text.
func (u *usageCheck) readMacros(path, id, text string) {
	u.outlets.read(text)
	var found talewright.Problems
	if u.cbs != nil {
		found = u.cbs.Vet(text)
	} else {
		macros := u.compile(text)
		u.readVariables(path, id, macros.Variables())
		found = slices.DeleteFunc(macros.Vet(), func(p talewright.Problem) bool {
			return p.Code != macro.Unknown && p.Code != macro.Arity
		})
	}
	for _, p := range found {
		i := slices.IndexFunc(u.macros, func(m *unknownMacro) bool { return m.name == p.ID && m.code == p.Code })
		if i < 0 && len(u.macros) < maxUnknownMacros {
			i = len(u.macros)
			u.macros = append(u.macros, &unknownMacro{name: p.ID, path: path, id: id, code: p.Code})
		}
		if i >= 0 {
			u.macros[i].places++
		}
	}
}

// maxUnknownMacros limits the number of names that are reported for one part.
const maxUnknownMacros = 100

// reportMacros reports the unknown macros of a part, once for each name.
func (u *usageCheck) reportMacros(part string) {
	for _, m := range u.macros {
		in := ""
		if m.places > 1 {
			in = fmt.Sprintf(" in %d places%s", m.places, part)
		}
		switch {
		case m.code == macro.Unknown && declares(u.content.Rules.Variables, m.name):
			u.warn(codeUnknownMacro, m.path, m.id, "{{%s}} is not a macro and stays in the text%s: "+
				"write {{var::%s}} for the variable", m.name, in, m.name)
		case m.code == macro.Unknown:
			u.warn(codeUnknownMacro, m.path, m.id, "{{%s}} is not a macro and stays in the text%s: "+
				"correct it, take it out, or define it in Extensions.Macros", m.name, in)
		case m.code == macro.Arity:
			u.warn(codeUnknownMacro, m.path, m.id, "{{%s}} has more arguments than the macro takes, so it stays in the text%s: "+
				"take the others out", m.name, in)
		default:
			u.warn(codeMacroNotPlayed, m.path, m.id, "{{%s}} of RisuAI prints nothing here, in %d places%s: take it out", m.name, m.places, part)
		}
	}
	u.macros = nil
}

// hasTemplate reports whether a text has a tag of EJS, <% … %>. <%% is an escape for the text <%.
func hasTemplate(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "<%")
		if !found {
			return false
		}
		if !strings.HasPrefix(rest, "%") {
			return strings.Contains(rest, "%>")
		}
		text = rest[1:]
	}
}

// checkCard checks the texts, scripts and lorebook of a card.
func (u *usageCheck) checkCard(part string, c *card.Card) {
	name := c.CharName()
	regex := u.addCard(part, c).regex
	for _, f := range [...]struct{ field, text string }{
		{"description", c.Description}, {"personality", c.Personality}, {"scenario", c.Scenario},
		{"first_mes", c.FirstMes}, {"mes_example", c.MesExample}, {"system_prompt", c.SystemPrompt},
		{"post_history_instructions", c.PostHistoryInstructions},
	} {
		u.cbs = u.cbsSettings(c.Name, f.field == "first_mes")
		u.checkText(part+"."+f.field, name, f.text)
	}
	u.cbs = u.cbsSettings(c.Name, true)
	for i, text := range c.AlternateGreetings {
		u.checkText(fmt.Sprintf("%s.alternate_greetings[%d]", part, i), name, text)
	}
	u.cbs = u.cbsSettings(c.Name, false)
	if d, ok := c.DepthPrompt(); ok {
		u.checkText(part+".extensions.depth_prompt", name, d.Prompt)
	}
	u.cbs = nil
	u.reportMacros(" of the card")
	if found := u.reportHelperScripts(part, name, c.Extensions); found.enabled > 0 {
		last := &u.cards[len(u.cards)-1]
		last.hasUnplayed = found.hasUnplayed()
		last.helperScripts = fmt.Sprintf("scripts of TavernHelper: %d (%s)", found.enabled, found.list())
	}
	u.reportRisuScripts(part, c)
	if regex > 0 && !u.hasScripts(script.Character, c.Name) {
		u.warn(codeRegexNotPlayed, part+".extensions.regex_scripts", name,
			"its regex scripts (%d) are not in Prompt.Scripts and do not run: add them there as a list of the source Character, denied if they are not to run", regex)
	}
	if world := c.World(); world != "" && !u.isAttached(world) && u.lacksOwnBook(c) {
		u.warn(codeMissingWorld, part+".extensions.world", name, "the lorebook %q is not attached: add it to Lore.Books", world)
	}
}

// cbsSettings returns the settings for the texts of a card or a book in the language of RisuAI. It
// returns nil if the texts are not in that language. once means that a text is expanded only once, as
// a greeting is.
func (u *usageCheck) cbsSettings(name string, once bool) *macro.CBS {
	if !u.content.Prompt.writesCBS(name) {
		return nil
	}
	return &macro.CBS{Once: once}
}

// lacksOwnBook reports whether a card contains no lorebook. If it contains one, its extension "world"
// is the name of that lorebook.
func (u *usageCheck) lacksOwnBook(c *card.Card) bool {
	book, _ := c.WorldBook()
	return len(book.Entries) == 0
}

func (u *usageCheck) isAttached(name string) bool {
	return slices.ContainsFunc(u.content.Lore.Books, func(a worldbook.Attachment) bool { return a.Book.Name == name })
}

// hasScripts reports whether Scripts has a list of a source for an owner, or for every owner.
func (u *usageCheck) hasScripts(source script.Source, owner string) bool {
	return slices.ContainsFunc(u.content.Prompt.Scripts, func(l script.List) bool {
		return l.Source == source && (l.Owner == owner || l.Owner == "")
	})
}

// countScripts returns the number of regex scripts in an extension.
func countScripts(raw json.RawMessage) int {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list) // if it is not a list, there are no scripts
	return len(list)
}

// books returns the attached books, including the card's own if it is used.
func (u *usageCheck) books() []worldbook.Attachment {
	list := u.content.Lore.Books
	if c := u.content.People.Card; u.content.Lore.CardBook && c != nil {
		if book, _ := c.WorldBook(); !u.isAttached(book.Name) {
			list = append(slices.Clip(list), worldbook.Attachment{Book: book})
		}
	}
	return list
}

// checkBook checks a lorebook.
func (u *usageCheck) checkBook(b worldbook.Book) {
	part := bookPath(b)
	u.cbs = u.cbsSettings(b.Name, false)
	defer func() { u.cbs = nil }()
	vectorized, first := 0, ""
	for i, e := range b.Entries {
		path, id := fmt.Sprintf("%s.entries[%d]", part, i), e.Comment
		id = cmp.Or(id, e.UID)
		if hasInitialVariables(e) {
			if hasTemplate(e.Content) {
				u.warn(codeTemplateNeeds, path+".content", id, "no template runs in initial variables, so the tags are values: write the values without tags")
			}
			continue
		}
		if !e.Literal { // also of disabled entries, which getwi can reach
			u.checkTemplate(path+".content", id, withoutDecorators(e.Content), "is left out of prompts")
		}
		if e.Disable {
			continue
		}
		u.readMacros(path+".content", id, e.Content)
		u.checkDecorators(path, id, e)
		u.checkFilters(path, id, e)
		if e.Vectorized && !e.Constant {
			if vectorized++; first == "" {
				first = path
			}
		}
	}
	u.reportMacros(" of the book")
	if vectorized > 0 && u.content.Lore.Retrieval.Limit <= 0 {
		u.warn(codeNeedsRetriever, first+".vectorized", "", "entries of the book (%d) are to be found by meaning, and nothing searches them, "+
			"so that only their keys find them: set Retrieval, and a Retriever of the engine", vectorized)
	}
}

// checkFilters checks the kinds of generation and the names of characters that an entry is for.
func (u *usageCheck) checkFilters(path, id string, e worldbook.Entry) {
	unknown := slices.DeleteFunc(slices.Clone(e.Triggers), func(t string) bool { return worldbook.GenerationType(t).IsKnown() })
	const advice = "use normal, continue, impersonate, swipe, regenerate or quiet"
	switch {
	case len(unknown) == 0:
	case len(unknown) == len(e.Triggers):
		u.warn(codeUnknownTrigger, path+".triggers", id, "is never active, since none of %q is a kind of generation: "+advice, unknown)
	default:
		u.warn(codeUnknownTrigger, path+".triggers", id, "%q are not kinds of generation: "+advice, unknown)
	}
	f := e.CharacterFilter
	if f == nil || f.IsExclude || len(f.Names) == 0 || f.NamesText != "" {
		return
	}
	for _, c := range u.content.People.cards() {
		if slices.Contains(f.Names, c.Name) {
			return
		}
	}
	u.warn(codeNotPlayed, path+".characterFilter.names", id, "is never active, since no card of the game has a name in %q: "+
		"write the name of a card, or take the filter out", f.Names)
}

// reportOutlets reports entries for outlets that no text shows, one for each outlet.
func (u *usageCheck) reportOutlets() {
	reported := map[string]bool{}
	for _, a := range u.books() {
		for i, e := range a.Book.Entries {
			name := e.OutletName
			if e.Disable || e.Position != worldbook.PositionInOutlet || name == "" || u.outlets.shows(name) || reported[name] {
				continue
			}
			reported[name] = true
			u.warn(codeNotPlayed, fmt.Sprintf("%s.entries[%d].outletName", bookPath(a.Book), i), e.UID,
				"no text shows the outlet %q, so no prompt has the entry: write {{outlet::%s}} where its text belongs", name, name)
		}
	}
}

// hasInitialVariables reports whether an entry has initial variables of MVU instead of lore.
func hasInitialVariables(e worldbook.Entry) bool {
	return strings.Contains(strings.ToLower(e.Comment), "[initvar]")
}

// decoratorLine finds lines @@name.
var decoratorLine = regexp.MustCompile(`(?m)^@@(\w+)`)

// checkDecorators reports the decorators of an entry that have no effect, unless package worldbook reports
// them.
func (u *usageCheck) checkDecorators(path, id string, e worldbook.Entry) {
	if e.Literal || u.content.Lore.Settings.Decorators != worldbook.DecoratorsSillyTavern {
		return
	}
	for _, m := range decoratorLine.FindAllStringSubmatch(decorators(e.Content), -1) {
		if name := m[1]; name != "activate" && name != "dont_activate" && !templateDecorator.MatchString(m[0]) {
			u.warn(codeUnknownDecorator, path+".content", id, "@@%s is unknown: the line is left out; correct it, or take it out", name)
		}
	}
}

// vetTemplates checks the templates of all texts together, because one may use the entries of others.
func (u *usageCheck) vetTemplates() {
	var books []worldbook.Attachment
	for _, a := range u.books() {
		a.Book.Entries = slices.DeleteFunc(slices.Clone(a.Book.Entries), func(e worldbook.Entry) bool {
			return hasInitialVariables(e)
		})
		books = append(books, a)
	}
	env := template.Env{Books: templateBooks(u.content, books, books),
		EarlyActivation: u.content.Lore.EarlyActivation, Engine: u.content.Extensions.Engine}
	if c := u.content.People.Card; c != nil {
		env.Cards = []card.Card{*c}
	}
	found := template.Vet(env, u.pieces...)
	u.list = append(u.list, found...)
	u.unknownNames = map[string]bool{}
	for _, p := range found {
		if p.Code == codeTemplateNeeds {
			u.unknownNames[p.Text] = true
		}
	}
}

// checkPreset checks the enabled prompts of a preset.
func (u *usageCheck) checkPreset() {
	p := u.content.Prompt.Preset
	if p == nil {
		return
	}
	on := map[string]bool{}
	for _, e := range p.Order() {
		on[e.ID] = e.Enabled
	}
	for i, x := range p.Prompts {
		if on[x.ID] {
			u.checkText(fmt.Sprintf("preset.prompts[%d].content", i), x.Name, x.Content)
		}
	}
	for _, f := range [...]struct{ member, text string }{
		{"new_chat_prompt", p.NewChat}, {"new_example_chat_prompt", p.NewExample}, {"continue_nudge_prompt", p.ContinueNudge},
		{"impersonation_prompt", p.Impersonation}, {"assistant_prefill", p.Prefill}, {"assistant_impersonation", p.ImpersonationPrefill},
		{"send_if_empty", p.Replacement},
	} {
		u.checkText("preset."+f.member, "", f.text)
	}
	u.reportMacros(" of the preset")
	extensions := u.content.Prompt.presetExtensions()
	u.reportHelperScripts("preset", "", extensions)
	if unknown := unknownExtensions(extensions); len(unknown) > 0 {
		u.warn(codeNotPlayed, "preset.extensions", "", "the parts %s are for other programs and are not played: "+
			"write what the story needs of them as prompts or regex scripts", shortList(unknown))
	}
	if n := countScripts(extensions["regex_scripts"]); n > 0 && !u.hasScripts(script.Preset, "") {
		u.warn(codeRegexNotPlayed, "preset.extensions.regex_scripts", "",
			"its regex scripts (%d) are not in Prompt.Scripts and do not run: add them there as a list of the source Preset, denied if they are not to run", n)
	}
}

// unknownExtensions returns the names of the extensions of a preset that this package does not know and
// that are not empty, in order.
func unknownExtensions(extensions map[string]json.RawMessage) []string {
	var names []string
	for name, value := range extensions {
		isKnown := name == "regex_scripts" || name == "talewright" || slices.Contains(helperMembers[:], name)
		if v := jsonOf(value); !isKnown && !v.IsNull() && (v.Len() > 0 || !v.IsObject() && !v.IsArray()) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// reportHelperScripts reports the scripts of TavernHelper in the extensions of a card or a preset, grouped
// by their purpose. It returns their number.
func (u *usageCheck) reportHelperScripts(part, id string, extensions map[string]json.RawMessage) helperCount {
	found, member := countHelperScripts(extensions)
	if found.enabled == 0 {
		return found
	}
	advice := ""
	if found.hasUnplayed() {
		advice = "; write what the story needs of them as rules or hooks"
	}
	u.warn(codeScriptsNotPlayed, part+".extensions."+member, id,
		"the scripts of TavernHelper (%d) are not run: %s%s", found.enabled, found.list(), advice)
	return found
}

// helperCount counts the scripts of TavernHelper.
type helperCount struct {
	kinds    []string       // the purposes, see scriptKind, in the order of the first script of each
	number   map[string]int // enabled scripts by purpose
	programs []string       // names of enabled scripts that are independent programs
	enabled  int            // enabled scripts
	disabled int
}

// countHelperScripts counts the scripts of TavernHelper in extensions. member is the last of their names
// that is there.
func countHelperScripts(extensions map[string]json.RawMessage) (found helperCount, member string) {
	found.number, member = map[string]int{}, helperMembers[0]
	for _, name := range helperMembers {
		if raw := extensions[name]; len(raw) > 0 {
			member = name
			eachHelperScript(helperList(jsonOf(raw)), true, 0, found.add)
		}
	}
	return found, member
}

func (h *helperCount) add(name, code string, enabled bool) {
	if !enabled {
		h.disabled++
		return
	}
	h.enabled++
	kind := scriptKind(code)
	if kind == "" {
		h.programs = append(h.programs, name)
		return
	}
	if h.number[kind]++; h.number[kind] == 1 {
		h.kinds = append(h.kinds, kind)
	}
}

// hasUnplayed reports whether an enabled script does something that is not played.
func (h helperCount) hasUnplayed() bool {
	return len(h.programs) > 0 || slices.ContainsFunc(h.kinds, func(kind string) bool {
		return !strings.HasSuffix(kind, arePlayed) && kind != noCode
	})
}

// list returns the purposes with their numbers, as words for a report.
func (h helperCount) list() string {
	var parts []string
	for _, kind := range h.kinds {
		parts = append(parts, fmt.Sprintf("%d %s", h.number[kind], kind))
	}
	if len(h.programs) > 0 {
		parts = append(parts, fmt.Sprintf("%d of its own (%s)", len(h.programs), shortList(h.programs)))
	}
	if h.disabled > 0 {
		parts = append(parts, fmt.Sprintf("%d more are switched off", h.disabled))
	}
	return strings.Join(parts, ", ")
}

// shortList quotes at most 5 names.
func shortList(names []string) string {
	more := ""
	if n := len(names) - 5; n > 0 {
		names, more = names[:5], fmt.Sprintf(" and %d more", n)
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%.60q", name)
	}
	return strings.Join(quoted, ", ") + more
}

// isOn reports whether a script is enabled: only false disables it.
func isOn(script tree.Value) bool {
	on, isBool := script.Get("enabled").AsBool()
	return on || !isBool
}

// helperList returns the list of scripts: the value itself, the member scripts of an object, or the
// pair scripts in a list of pairs.
func helperList(v tree.Value) tree.Value {
	if list := helperMember(v, "scripts"); list.Exists() {
		return list
	}
	return v
}

// eachHelperScript visits the scripts of a list and of its folders. A script in the older form is
// in the member value. enabled is false within a disabled folder. depth is the number of folders around
// the list. Deeper folders are skipped, so a malformed file cannot cause deep recursion.
func eachHelperScript(list tree.Value, enabled bool, depth int, visit func(name, code string, enabled bool)) {
	if depth > maxFolderDepth {
		return
	}
	for _, s := range list.Elements() {
		on, inner := enabled && isOn(s), s.Get("value")
		switch {
		case !s.IsObject():
		case textOf(s.Get("type")) == "folder":
			eachHelperScript(s.Get("scripts"), on, depth+1, visit)
			eachHelperScript(inner, on, depth+1, visit)
		case inner.IsObject():
			visit(textOf(inner.Get("name")), textOf(inner.Get("content")), on && isOn(inner))
		default:
			visit(textOf(s.Get("name")), textOf(s.Get("content")), on)
		}
	}
}

const maxFolderDepth = 8

// importLine finds the lines that load code from an address. hostOf finds the host in an address.
var (
	importLine = regexp.MustCompile(`(?m)^\s*(?:import|export)\b[^\n]*?['"]((?:https?:)?//[^'"\n]+)['"]`)
	hostOf     = regexp.MustCompile(`^(?:https?:)?//([^/]{1,100})`)
)

const (
	// arePlayed ends the purpose of a script whose work the engine does itself.
	arePlayed = " are played"
	// noCode is the purpose of an empty script.
	noCode = "without code"
)

// scriptKind returns the purpose of a script of TavernHelper as words for a report. It returns "" for
// an independent program.
func scriptKind(code string) string {
	address := importLine.FindStringSubmatch(code)
	switch {
	case strings.TrimSpace(code) == "":
		return noCode
	case address != nil && strings.Contains(address[1], "MagVarUpdate"):
		return "for MVU, whose variables" + arePlayed
	case strings.Contains(code, "registerMvuSchema"):
		switch schema, problems := mvu.ReadZod(code, nil); {
		case schema != nil:
			return "with a schema of MVU's variables, whose rules" + arePlayed
		case len(problems) > 0:
			return "with a schema of MVU's variables that cannot be read"
		}
	case address != nil && strings.Trim(importLine.ReplaceAllString(code, ""), "; \t\r\n") == "":
		if host := hostOf.FindStringSubmatch(address[1]); host != nil {
			return "with code from " + host[1]
		}
	}
	return ""
}

// reportRisuScripts reports the programs that RisuAI would run.
func (u *usageCheck) reportRisuScripts(part string, c *card.Card) {
	risu := jsonOf(c.Extensions["risuai"])
	for _, m := range [...]struct{ member, what string }{
		{"triggerscript", "triggers"}, {"customScripts", "regex scripts"},
	} {
		if m.member == "customScripts" && u.hasScripts(script.Character, c.Name) {
			continue
		}
		if list := risu.Get(m.member); list.IsArray() && list.Len() > 0 {
			u.warn(codeScriptsNotPlayed, part+".extensions.risuai."+m.member, c.CharName(),
				"the %s of RisuAI (%d) are not run: write what the story needs of them as rules, hooks or Prompt.Scripts", m.what, list.Len())
		}
	}
}
