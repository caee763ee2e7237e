package worldbook

import "github.com/talewright/talewright/worldbook/internal/match"

// Scan decides which entries are active now. It returns the result and the next state. It does not
// modify in and st. The same input, state and random numbers give the same result.
//
// A scan passes over the entry list in loops. In each loop the first rule that applies to an entry
// counts:
//
//  1. it is active, or failed its roll, in this scan already: skipped
//  2. Disable, or switched off by the overlay: skipped
//  3. Triggers without the current type: skipped
//  4. CharacterFilter by name, then by tag: skipped
//  5. Actors of the options, then Conditions that do not hold: skipped
//  6. Delay: skipped
//  7. Cooldown running and not sticky: skipped
//  8. DelayUntilRecursion, outside recursion or at a lower level, not sticky:
//     skipped
//  9. ExcludeRecursion during recursion, not sticky: skipped
//  10. decorator @@activate: candidate; @@dont_activate: skipped
//  11. forced by the host, Constant, or sticky: candidate
//  12. a primary key, the secondary rule and the expression of the options: candidate
//
// Candidates are ordered with sticky ones first, then in list order. Inclusion groups remove some.
// Then each candidate rolls for its probability and pays from the budget. The texts of the
// remaining candidates may start a further loop (recursion, minimum activations, delay levels).
func (c *Compiled) Scan(in Input, st State) (Result, State) {
	var r Result
	st = c.ScanInto(&r, in, st)
	return r, st
}

// ScanInto is [Compiled.Scan] with a result whose slices are reused. Texts and ids in the result
// stay valid; the slices change with the next scan.
func (c *Compiled) ScanInto(r *Result, in Input, st State) State {
	return c.scan(r, in, st, nil)
}

// scan runs a scan and calls watch after every loop unless it is nil.
func (c *Compiled) scan(r *Result, in Input, st State, watch func(*scan)) State {
	if len(in.Overlay.Add)+len(in.Overlay.Without) > 0 {
		c = c.withAdded(in.Overlay.Add, in.Overlay.Without)
	}
	s, _ := c.pool.Get().(*scan)
	if s == nil {
		s = new(scan)
	}
	s.input, s.watch = in, watch
	s.begin(c, st, r)
	if len(c.entries) > 0 {
		s.run()
		s.placer.finish(&s.roster, &s.contents)
		s.timing.storeAll(s.roster.activated, s.roster.special, c.settings.SpendMessages)
	}
	s.finish()
	next := s.timing.state()
	if next.Fuses = st.Fuses; !in.DryRun {
		next.Fuses = nextFuses(st.Fuses, s.search.Fuses.Names(), s.length)
	}
	s.release()
	c.pool.Put(s)
	return next
}

// Scan is the short form for small uses: the entries as one book, the exact profile, a context of
// 8192 tokens. The history is the chat, oldest message first. The state is the state of the chat.
// Pass the returned state to the next scan of the chat.
func Scan(entries []Entry, history []Message, state State) (Result, State) {
	c, _ := Compile([]Attachment{{Book: Book{Name: "book", Entries: entries}}}, Exact())
	return c.Scan(Input{Messages: history, ContextSize: 8192}, state)
}

// begin stores the input and looks up the keys in its texts.
func (s *scan) begin(c *Compiled, st State, out *Result) {
	s.compiled, s.in, s.out, s.length = c, &s.input, out, s.input.Earlier+len(s.input.Messages)
	*out = out.reset()
	out.noteOmitted = s.in.NoteOmitted
	s.timing.begin(st, s.length, s.in)
	s.contents.in = s.in
	s.roster.begin(c)
	s.budget.Begin(budgetCounter{Count: s.in.CountTokens, Each: s.in.CountEach}, c.budgetFor(s.in.ContextSize))
	s.limitUse = append(s.limitUse[:0], make(limitUse, len(c.limits))...)
	s.loop.begin(c.loops.levels)
	s.placer.begin(c, out, s.length)
	s.recursion.contents = &s.contents
	s.search.Begin(c.match, c.users, c.cacheOf(s.in), c.loops.always, len(c.entries))
	for _, f := range st.Fuses {
		if f.isResting(s.length) {
			s.search.Fuses.Blow(f.Key)
		}
	}
	dynamic := s.overrides.resolve(c, s.in, s.search.Touched)
	if len(dynamic) > 0 {
		s.search.SetExtra(s.dynamicKeys.compile(c, s.in, dynamic))
	}
	texts := s.in.texts(s.injections[:0])
	texts.Recursion, s.injections = &s.recursion, texts.Injections
	if len(c.filters) > 0 {
		texts.Passes = func(filter uint16, at int) bool { return s.in.Messages[at].isFrom(c.filters[filter-1]) }
	}
	s.search.Prepare(texts, max(c.loops.maxDepth, s.overrides.depth, s.depth()))
	if s.in.Explain {
		s.explain = newExplainer(&s.view, &s.recursion)
	}
	s.linker.begin(&s.view, &s.roster, s.explain)
	s.timing.apply(c, s.search.Touched)
}

// texts returns the texts that a scan searches. injections is memory for the injections that are
// not empty.
func (in *Input) texts(injections []string) match.Texts {
	d := &in.Data
	t := match.Texts{Chat: (*chat)(&in.Messages), Data: [6]string{
		d.PersonaDescription, d.CharacterDescription, d.CharacterPersonality,
		d.CharacterDepthPrompt, d.Scenario, d.CreatorNotes,
	}}
	for i, text := range t.Data {
		t.Data[i] = match.Valid(text)
	}
	for _, text := range in.Injections {
		if text != "" {
			injections = append(injections, match.Valid(text))
		}
	}
	t.Injections = injections
	return t
}

// chat adapts messages to the search.
type chat []Message

// Len implements [match.Chat].
func (c *chat) Len() int { return len(*c) }

// At implements [match.Chat].
func (c *chat) At(i int) match.Message {
	m := &(*c)[i]
	return match.Message{Name: m.Name, Text: m.Text}
}

// release drops all references to data of the caller.
func (s *scan) release() {
	ofCaller := len(s.overrides.forced) > 0 // all other entries belong to the book
	s.input = Input{}
	s.in, s.out, s.explain, s.watch = nil, nil, nil, nil
	clear(s.injections)
	s.timing.release()
	s.overrides.release()
	s.contents.release()
	s.search.Release()
	s.candidates.release(ofCaller)
	if ofCaller {
		clear(s.members[:cap(s.members)])
		s.groups.Release()
	}
	s.budget.Release()
	s.roster.release(ofCaller)
	s.linker.end()
	s.recursion.release(ofCaller)
	s.placer.release()
}

// finish writes the final values into the result.
func (s *scan) finish() {
	s.out.Budget = s.budget.Limit
	s.out.Used = s.budget.Spent.Tokens()
	s.out.Fuses = append(s.out.Fuses, s.search.Fuses.Names()...)
	if s.explain != nil {
		s.out.Trace = s.explain.trace()
	}
}

// cacheOf returns the cache of a scan.
func (c *Compiled) cacheOf(in *Input) *match.Cache {
	if in.Cache != nil {
		return &in.Cache.texts
	}
	return &c.cache.texts
}
