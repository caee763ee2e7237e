package observe

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
)

// source is the data from which a report was made. Its page shows more than the sections.
type source struct {
	words
	turn  state.Turn
	why   turn.Explanation
	names names
	more  []string // added warnings
}

// lastReply returns the index of the last output that is no answer to a second request, -1 without
// one.
func (s *source) lastReply() int {
	n := len(s.turn.Attempts) - 1
	for n >= 0 && s.turn.Attempts[n].Updates {
		n--
	}
	return n
}

// isRejected reports whether an output had to be followed by a better one.
func (s *source) isRejected(i int) bool {
	a := s.turn.Attempts[i]
	return !a.Updates && (i < s.lastReply() || len(a.FailedCalls) > 0)
}

// For returns the report in a language, "en" or "zh", and its page with the names of the characters,
// areas and variables. An empty language means the language of the game. Single words are replaced
// by [game.Texts.Pages]. A report that was decoded from JSON keeps its language, except for the
// headings of the page.
func (r Report) For(g *game.Game, c state.Campaign, language string) Report {
	s := source{}
	if r.source != nil {
		s = *r.source
	}
	s.words, s.names = wordsIn(g.Texts(), language), namesOf(g, c)
	if r.source != nil {
		return s.report()
	}
	r.source = &s
	return r
}

// WriteHTML writes the report as one page: what was said, the lore with the words that activated
// it, the prompt as a bar with the text of each block, the attempts side by side, the calls and
// changes, and the cost. Then comes everything of [Report.String]. A report that was decoded from
// JSON has only that. The error is an error of w.
func (r Report) WriteHTML(w io.Writer) error {
	return render(w, "turn", turnPageOf(r))
}

// turnPage is the data of the page of a turn.
type turnPage struct {
	source
	Title, Sub string
	Facts      []pageFact
	Said       []saying
	Talk       []talkLine
	Lore       []loreRow
	Budget     pageBar
	HasTexts   bool
	Blocks     []promptBlock
	Attempts   []attemptCard
	Calls      []callRow
	Decisions  []pageFact // of people about calls
	Changes    []pageStep
	Rules      []ruleResult
	Spent      pageBar
	Costs      []costRow
	Others     []Section // shown as lists
	Listed     []Section // the lists of the parts above
}

type (
	saying struct {
		Who, Text string
		Answer    bool
	}
	talkLine struct {
		Who, Age string
		Spans    []span
	}
	loreRow struct {
		ID, Name              string
		Mark                  Mark
		Why, Key, Place, Gate string
	}
	promptBlock struct {
		Class, Name, Status, Text string
		Tokens                    int
		Odd                       bool          // the status is not "kept"
		With                      []promptBlock // the other blocks of the same message
	}
	callRow struct {
		Tool, Reason string
		Args         []pageFact
		Steps        []pageStep
	}
	ruleResult struct {
		Name, On string
		Mark     Mark
		Did      []string
	}
	costRow struct {
		Name, Share           string
		Prompt, Cached, Reply int
	}
)

// drawnSections are the sections that the page shows in a form of their own.
var drawnSections = []string{"turn", "lore", "prompt", "replies", "calls", "changes", "rules"}

// Heading returns the title of a section.
func (p *turnPage) Heading(s Section) string { return cmp.Or(p.words["section."+s.Name], s.Title) }

func turnPageOf(r Report) *turnPage {
	p := &turnPage{Title: r.Title, source: *cmp.Or(r.source, &source{words: english()})}
	for _, s := range r.Sections {
		if r.source != nil && slices.Contains(drawnSections, s.Name) {
			p.Listed = append(p.Listed, s)
		} else {
			p.Others = append(p.Others, s)
		}
	}
	if r.source != nil {
		p.Title = p.say("turn", p.turn.Index)
		p.Sub = strings.Join(slices.DeleteFunc([]string{p.turn.ID, p.say("branch", p.turn.BranchID), date(p.turn)}, blank), " · ")
		p.addSaid()
		p.addLore()
		p.addPrompt()
		p.addAttempts()
		p.addChanges()
		p.addRules()
		p.addCost()
		p.addFacts()
	}
	return p
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

func date(t state.Turn) string {
	if t.Timestamp.IsZero() {
		return ""
	}
	return t.Timestamp.UTC().Format("2006-01-02 15:04 UTC")
}

func (p *turnPage) addFacts() {
	add := func(key, text string) { p.Facts = append(p.Facts, pageFact{p.Of(key), text}) }
	if n := len(p.Attempts); n > 0 {
		add("fact.attempts", fmt.Sprint(n))
	}
	if n := len(p.turn.Trace.Lore); n > 0 {
		add("fact.lore", fmt.Sprint(n))
	}
	sent, cached := 0, 0
	for _, c := range p.Costs {
		sent, cached = sent+c.Prompt, cached+c.Cached
	}
	if sent > 0 {
		add("fact.sent", fmt.Sprint(sent))
		add("fact.cached", percent(cached, sent))
	}
	if n := len(p.Changes); n > 0 {
		add("fact.changes", fmt.Sprint(n))
	}
	if ids := p.turn.Audience; len(ids) > 0 {
		add("fact.heard", p.names.list(ids))
	}
}

func (p *turnPage) addSaid() {
	t := p.turn
	add := func(who, text string, answer bool) {
		if !blank(text) {
			p.Said = append(p.Said, saying{who, text, answer})
		}
	}
	add(p.names.name(cmp.Or(t.ActorID, p.Of("player"))), t.UserInput, false)
	for _, r := range t.Replies {
		add(p.names.name(r.Speaker), r.Text, true)
	}
	if len(t.Replies) == 0 {
		add(p.Of("narrator"), t.Text, true)
	}
}

// addLore lists the entries, and the lines of the talk in which their keys were found.
func (p *turnPage) addLore() {
	matches := map[int][]highlight{}                // the keys that were found in a message, by the age of the message
	keys, known := map[int]int{}, map[string]bool{} // the number of keys in a message; the listed entries
	talk := p.why.Talk
	for _, e := range p.why.Lore {
		if !e.Active && slices.Contains(farGates, e.Gate) {
			continue
		}
		row := loreRow{ID: e.ID.String(), Name: cmp.Or(e.Comment, e.ID.String()), Mark: Near}
		known[row.ID] = e.Active
		if e.Active {
			row.Mark = Done
		} else {
			row.Gate = p.gate(e.Gate)
		}
		if e.Reason != nil {
			row.Why, row.Key, row.Place = p.either("lore", string(e.Reason.Kind)), e.Reason.Key, p.place(e.Reason.Place.Kind, e.Reason.Place.Message)
			at := e.Reason.Place.Message
			if e.Reason.Key == "" {
				row.Place = ""
			} else if i := len(talk) - 1 - at; e.Reason.Place.Kind == "message" && i >= 0 && i < len(talk) && keys[at] < maxHighlights {
				keys[at]++
				for _, found := range findKey(talk[i].Text, e.Reason.Key) {
					matches[at] = append(matches[at], highlight{found[0], found[1], "lit", row.Name})
				}
			}
		}
		p.Lore = append(p.Lore, row)
	}
	for _, l := range p.turn.Trace.Lore { // all active entries, if there is no explanation
		if !known[l.ID] {
			p.Lore = append(p.Lore, loreRow{ID: l.ID, Name: cmp.Or(l.Comment, l.ID), Mark: Done, Why: p.reason(l.Why)})
		}
	}
	for i, m := range talk {
		if at := len(talk) - 1 - i; len(matches[at]) > 0 {
			p.Talk = append(p.Talk, talkLine{m.Name, p.place("message", at), spans(m.Text, matches[at])})
		}
	}
	slices.SortStableFunc(p.Lore, func(a, b loreRow) int { return cmp.Compare(a.Mark, b.Mark) }) // done, near
}

// blockKinds are the kinds of blocks in the order of their colours, each with the keys of its
// blocks and its kinds in the report of the prompt.
var blockKinds = []struct{ name, of string }{
	{"instructions", " gm_persona authority prompt "},
	{"lore", " world. lore world "},
	{"people", " card persona party "},
	{"talk", " history "},
	{"state", " map status variables goal acceleration world_rules "},
	{"tools", " tools languages dialog claims "},
	{"memory", " memory summary pins "},
	{"notes", " note directive hook injection follow_up "},
	{"other", ""},
}

// blockKind returns the index of the kind of a block.
func blockKind(key string, kind prompt.Kind) int {
	if key = strings.TrimPrefix(key, "update."); key == "world" { // this block is the world of the campaign, not an entry
		key = "world_rules"
	}
	if head, _, ok := strings.Cut(key, "."); ok {
		key = head
		if head == "world" {
			key = "world."
		}
	}
	for _, word := range []string{key, string(kind)} {
		for i, k := range blockKinds {
			if strings.Contains(k.of, " "+word+" ") {
				return i
			}
		}
	}
	return len(blockKinds) - 1
}

// addPrompt lists the blocks of the prompt with their texts.
func (p *turnPage) addPrompt() {
	sent, sums := p.why.Prompt, make([]int, len(blockKinds))
	lines, messages := map[string]prompt.ReportLine{}, map[int]int{} // by key; the blocks of messages
	for _, l := range sent.Report.Lines {
		if l.Key == game.SlotMain {
			l.Key = string(game.BlockPersona)
		}
		if _, known := lines[l.Key]; !known {
			lines[l.Key] = l
		}
	}
	for _, b := range p.turn.Trace.Prompt {
		line, written := lines[b.Key]
		kind := blockKind(b.Key, line.Source.Kind)
		block := promptBlock{Class: fmt.Sprintf("k%d", kind), Name: p.either("block", b.Key), Tokens: b.Tokens,
			Status: p.either("status", b.Status), Odd: b.Status != string(prompt.Kept)}
		if id, isLore := strings.CutPrefix(b.Key, "world."); isLore {
			block.Name = p.loreName(id)
		}
		if b.Speaker != "" {
			block.Name = p.names.name(b.Speaker) + ": " + block.Name
		}
		if b.Reason != "" {
			block.Status += ": " + p.either("because", b.Reason)
		}
		if b.Status == string(prompt.Kept) || b.Status == "truncated" {
			sums[kind] += b.Tokens
		}
		first := b.Speaker == p.turn.Trace.Prompt[0].Speaker
		switch {
		case !first || b.Tokens == 0 && b.Count == 0:
		case b.Key == "history" && !block.Odd:
			block.Text = p.history()
		case written && line.Message >= 0 && line.Message < len(sent.Messages):
			if at, shared := messages[line.Message]; shared {
				p.Blocks[at].With = append(p.Blocks[at].With, block)
				continue
			}
			messages[line.Message], block.Text = len(p.Blocks), sent.Messages[line.Message].Text
		}
		p.HasTexts = p.HasTexts || block.Text != ""
		p.Blocks = append(p.Blocks, block)
	}
	for i, n := range sums {
		p.Budget.Parts = append(p.Budget.Parts, barPart{Class: fmt.Sprintf("k%d", i), Name: p.Of("kind." + blockKinds[i].name), Tokens: n})
	}
	p.Budget.Parts = append(p.Budget.Parts, barPart{Class: "free", Name: p.Of("free"), Tokens: sent.Report.Room - sent.Report.Used})
	p.Budget.finish()
}

// loreName returns the comment of an entry, or its ID.
func (p *turnPage) loreName(id string) string {
	for _, l := range p.Lore {
		if l.ID == id {
			return l.Name
		}
	}
	return id
}

// history returns the messages of the talk in the prompt.
func (p *turnPage) history() string {
	var b strings.Builder
	for i, m := range p.why.Prompt.Messages {
		if p.why.Prompt.Origins[i].Kind == prompt.KindHistory {
			fmt.Fprintf(&b, "[%s] %s\n\n", p.either("role", string(m.Role)), m.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

func (p *turnPage) addChanges() {
	for _, a := range p.turn.Applied {
		p.Calls = append(p.Calls, p.call(a.Tool, a.Reason, a.Args, a.Result))
	}
	for _, g := range p.turn.Approvals {
		p.Decisions = append(p.Decisions, pageFact{p.either("tool", g.Tool), p.approval(g)})
	}
	for _, c := range p.turn.Changes {
		p.Changes = append(p.Changes, p.names.step(p.words, c))
	}
}

// addRules lists the rules that fired with their effects, and the rules that nearly fired.
func (p *turnPage) addRules() {
	for _, f := range p.turn.Trace.Fired {
		row := ruleResult{Name: f.ID, On: f.Event.Type, Mark: Done}
		for _, e := range f.Effects {
			v, _ := tree.Of(e) // effects have a JSON form
			row.Did = append(row.Did, p.names.members(p.words, v))
		}
		p.Rules = append(p.Rules, row)
	}
	for _, r := range p.why.Rules {
		if !slices.Contains(farGatesOfRules, r.Gate) {
			p.Rules = append(p.Rules, ruleResult{Name: r.ID, Mark: Near, Did: []string{p.ruleText(r.Text)}})
		}
	}
	for _, n := range p.turn.Trace.Notices {
		p.Rules = append(p.Rules, ruleResult{Name: p.Of("notice"), Mark: Done, Did: []string{n.Message}})
	}
	for _, e := range p.turn.Trace.Cut {
		p.Rules = append(p.Rules, ruleResult{Name: e.Type, Mark: Refused, Did: []string{p.Of("chain")}})
	}
}

// call describes a call: its arguments, and what its result says before and after it.
func (p *turnPage) call(tool, reason string, args, result tree.Value) callRow {
	out := callRow{Tool: p.either("tool", tool), Reason: reason}
	for key, v := range args.Members() {
		out.Args = append(out.Args, pageFact{p.either("of", key), p.names.value(p.words, v)})
	}
	for key, before := range result.Members() {
		name, ok := strings.CutSuffix(key, "_before")
		after := result.Get(name + "_after")
		if ok && after.Exists() && !after.Equal(before) {
			out.Steps = append(out.Steps, p.names.step(p.words, tree.Change{Path: tree.Path{p.either("of", name)}, Old: before, New: after}))
		}
	}
	return out
}

func (p *turnPage) addCost() {
	var fresh, cached, reply int
	add := func(name string, u *llm.Usage) {
		if u == nil {
			return
		}
		p.Costs = append(p.Costs, costRow{name, percent(u.CachedTokens, u.PromptTokens), u.PromptTokens, u.CachedTokens, u.CompletionTokens})
		fresh, cached, reply = fresh+max(u.PromptTokens-u.CachedTokens, 0), cached+u.CachedTokens, reply+u.CompletionTokens
	}
	for i, a := range p.turn.Attempts {
		add(p.say("attempt", i+1), a.Usage)
		add(p.say("attempt.asked", i+1), a.AskUsage)
	}
	p.Spent.Parts = []barPart{{Class: "k2", Name: p.Of("cached"), Tokens: cached}, {Class: "k1", Name: p.Of("fresh"), Tokens: fresh},
		{Class: "k0", Name: p.Of("reply.tokens"), Tokens: reply}}
	p.Spent.finish()
}

// attemptCard is one output of the model.
type attemptCard struct {
	Name, Verdict string
	Mark          Mark
	Spans         []span
	Calls         []callRow
	Failed        []callRow
	Conflicts     []conflictNote
	Questions     []questionNote
	Notes         []string
	Thought       string
}

type (
	conflictNote struct {
		Quote, Kind, Question, Told string
		Facts                       []string
	}
	questionNote struct{ Quote, Text, Answer string }
)

// Text returns the reason of a refused call.
func (c callRow) Text() string { return c.Reason }

func (p *turnPage) addAttempts() {
	for i, a := range p.turn.Attempts {
		card := attemptCard{Name: p.say("attempt", i+1), Mark: Done, Verdict: "accepted", Thought: a.Reasoning}
		if a.Speaker != "" {
			card.Name += ", " + p.names.name(a.Speaker)
		}
		if a.Updates {
			card.Name = p.say("attempt.update", i+1)
		}
		if p.isRejected(i) {
			card.Mark, card.Verdict = Refused, "rejected"
		}
		p.fill(&card, a)
		p.Attempts = append(p.Attempts, card)
	}
}

// fill adds what an output says, and the findings about it.
func (p *turnPage) fill(card *attemptCard, a state.Attempt) {
	said := answer.Read(a.Output, a.Calls)
	text := cmp.Or(said.Text, a.Output)
	marks, asked := []highlight{}, map[string]bool{}
	quoted := func(quote, class, note string) {
		if at := strings.Index(text, quote); at >= 0 && quote != "" && len(marks) < maxHighlights {
			marks = append(marks, highlight{at, at + len(quote), class, note})
		}
	}
	for _, c := range said.Calls {
		card.Calls = append(card.Calls, p.call(c.Tool, "", c.Args, tree.Value{}))
	}
	for _, f := range a.FailedCalls {
		card.Failed = append(card.Failed, callRow{Tool: p.either("tool", f.Tool), Reason: cmp.Or(f.Message, string(f.Reason))})
	}
	for _, c := range slices.Concat(a.Conflicts, a.Warnings) {
		n := conflictNote{Quote: c.Quote, Kind: p.either("conflict", c.Kind), Told: c.Instruction}
		for i, f := range [...]conflict.Facts{c.Expected, c.Found} {
			if v, _ := tree.Of(f); len(f) > 0 {
				n.Facts = append(n.Facts, p.Of([...]string{"state.has", "text.has"}[i])+" "+p.names.members(p.words, v))
			}
		}
		if c.EntityID != "" {
			n.Kind = p.names.name(c.EntityID) + ": " + n.Kind
		}
		if c.Asked != nil {
			n.Question = p.question(c.Asked.Kind) + " – " + p.answer(c.Asked.Answer.N, []conflict.Verdict{c.Asked.Answer}, p.names)
			asked[c.Quote] = true
		}
		quoted(c.Quote, "bad", n.Kind)
		card.Conflicts = append(card.Conflicts, n)
	}
	for _, q := range a.Questions {
		if asked[q.Quote] {
			continue
		}
		n := questionNote{q.Quote, p.question(q.Kind), p.answer(q.N, a.Answers, p.names)}
		quoted(q.Quote, "ask", n.Text)
		card.Questions = append(card.Questions, n)
	}
	if a.Finish != "" {
		card.Notes = append(card.Notes, p.say("finish", a.Finish))
	}
	if a.NoProgress {
		card.Notes = append(card.Notes, p.Of("no.progress"))
	}
	for _, w := range a.ModelWarnings {
		card.Notes = append(card.Notes, strings.TrimSpace(w.Code+" "+p.sentence(w.Detail)))
	}
	card.Spans = spans(text, marks)
}

// answer returns the answer to a question in words.
func (w words) answer(n int, answers []conflict.Verdict, of names) string {
	i := slices.IndexFunc(answers, func(a conflict.Verdict) bool { return a.N == n })
	if i < 0 {
		return of.name(w.either("asked", "no answer"))
	}
	a := answers[i]
	var parts []string
	for _, part := range []string{a.Asserted, a.EntityID, a.Place} {
		if part != "" {
			parts = append(parts, of.name(w.either("asked", part)))
		}
	}
	if a.Value != nil {
		parts = append(parts, fmt.Sprint(*a.Value))
	}
	return strings.Join(parts, ", ")
}

// question returns a question in words.
func (p *turnPage) question(kind string) string {
	return cmp.Or(conflict.Question{Kind: kind}.Text(p.Of("lang") == "zh"), kind)
}
