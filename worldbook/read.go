package worldbook

// readTexts looks up the keys of the messages in reach and of the other texts.
func (s *scan) readTexts() {
	s.slots = 0
	for i := range min(s.length, maxMessages) {
		m := &s.messages[s.length-1-i]
		if m.Text != "" || s.c.settings.IncludeNames || s.c.settings.RegexPerMessage {
			s.slots = i + 1
		}
	}
	s.read = 0
	s.readMessages(max(s.c.maxDepth, s.depth()))
	if s.slots == 0 && !s.c.settings.RegexPerMessage {
		s.readNothing()
	}
	d := &s.in.Data
	s.dataTexts = [6]string{
		d.PersonaDescription, d.CharacterDescription, d.CharacterPersonality,
		d.CharacterDepthPrompt, d.Scenario, d.CreatorNotes,
	}
	for i, text := range s.dataTexts {
		s.dataTexts[i] = valid(text)
		s.readPart(s.dataTexts[i], 1<<i)
	}
	s.injections = s.injections[:0]
	for _, text := range s.in.Injections {
		if text != "" {
			text = valid(text)
			s.injections = append(s.injections, text)
			s.readPart(text, partInjection)
		}
	}
	s.settle()
}

// settle marks what the texts hold that are known before the first loop.
func (s *scan) settle() {
	if len(s.extraRefs) > 0 {
		s.extra.settle()
	}
	if !s.base.settle() {
		s.keyBits = resized(s.keyBits, len(s.c.entries))
		s.keyed = s.keyed.reset(len(s.c.entries))
		s.touch(s.keyed)
	}
	for i, word := range s.keyed {
		s.touched[i] |= word
	}
	s.settled = true
}

// note takes down what a text holds. What comes after the start of the first loop is
// marked at once.
func (s *scan) note(h *hitSet, n note) {
	if !s.settled {
		h.notes = append(h.notes, n)
		return
	}
	h.add(n)
	s.touch(s.touched)
}

// readMessages extends what is read to the newest n messages.
func (s *scan) readMessages(n int) {
	n = min(n, s.slots)
	for ; s.read < n; s.read++ {
		m := s.messages[s.length-1-s.read]
		if !s.c.settings.IncludeNames {
			m.Name = ""
		}
		for _, h := range s.sets() {
			f := s.cache.get(h.by, m)
			if f == nil || !s.fuses.accept(h.by, f) {
				f = h.by.scanText(s.c.prepareMessage(m), &s.fuses)
				s.learn(h.by, m, f)
			}
			s.note(h, note{finds: f, depth: int32(s.read)})
		}
	}
}

// readNothing notes what the U+0001 of a window without messages may match.
func (s *scan) readNothing() {
	for _, h := range s.sets() {
		s.note(h, note{finds: s.lookUp(h.by, ""), depth: undecided})
	}
}

// readPart notes what one of the other texts holds.
func (s *scan) readPart(text string, p parts) {
	if text == "" {
		return
	}
	for _, h := range s.sets() {
		s.note(h, note{finds: s.lookUp(h.by, text), parts: p})
	}
}

// sets lists the hit sets that are in use.
func (s *scan) sets() []*hitSet {
	s.inUse = [2]*hitSet{&s.base, &s.extra}
	if len(s.extraRefs) == 0 {
		return s.inUse[:1]
	}
	return s.inUse[:]
}

// touch adds the entries whose primary keys were found for the first time. Entries
// with extra keys are looked at anyway.
func (s *scan) touch(entries bitset) {
	h := &s.base
	for _, a := range h.fresh {
		u := h.marks[a].user
		if u == noUser {
			continue
		}
		entries.set(u.entry())
		s.keyBits[u.entry()] |= u.bit()
		if u&severalUsers != 0 {
			for _, u := range s.c.users.more[a] {
				entries.set(u.entry())
				s.keyBits[u.entry()] |= u.bit()
			}
		}
	}
	h.fresh = h.fresh[:0]
}

// lookUp finds the keys of a text, by way of the cache.
func (s *scan) lookUp(by *matcher, text string) *finds {
	// A name that no message has keeps these texts apart from messages, which
	// are trimmed and may have names.
	key := Message{Name: "\x00", Text: text}
	f := s.cache.get(by, key)
	if f == nil || !s.fuses.accept(by, f) {
		f = by.scanText(text, &s.fuses)
		s.learn(by, key, f)
	}
	return f
}

// learn remembers finds, except those for which the scan had too few steps left.
func (s *scan) learn(by *matcher, key Message, f *finds) {
	if !f.short {
		s.cache.put(by, key, f)
	}
}
