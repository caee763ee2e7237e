package conflict

// A lifeClaim tells somebody dead, downed or alive.
type lifeClaim struct {
	span
	state  string
	target mention // who it is done to
}

// doneTo reads what somebody does to a tracked character: the poison kills Su, knocks you
// out, 杀死了苏晴, 打晕了你.
func (r *Reading) doneTo() []lifeClaim {
	var out []lifeClaim
	for _, w := range r.words[slays] {
		if m, ok := r.victimOf(w); ok {
			out = append(out, lifeClaim{span{w.start, m.end}, "dead", m})
		}
	}
	for _, w := range r.words[takesLife] {
		// 要了苏晴的命
		m, ok := r.calledAt(w.end)
		if !ok || len(m.ids) != 1 {
			continue
		}
		end := m.end
		if r.is(end, '的') {
			end++
		}
		if r.is(end, '命') || r.is(end+1, '命') && r.isOneOf(end, "性生") {
			out = append(out, lifeClaim{span{w.start, end}, "dead", m})
		}
	}
	for _, w := range r.words[fells] {
		m, ok := r.victimOf(w)
		if !ok {
			continue
		}
		if isHan(r.text[w.start]) {
			out = append(out, lifeClaim{span{w.start, m.end}, "downed", m})
			continue
		}
		// The state stands behind the victim: knocks you out, leaves Su dead.
		pos := r.skipSpace(m.end)
		if s, ok := r.words.at(lifeless, pos); ok {
			state := "downed"
			if word := r.word(s); word == "dead" || word == "lifeless" || word == "stone dead" {
				state = "dead"
			}
			out = append(out, lifeClaim{span{w.start, s.end}, state, m})
		}
	}
	return out
}

// victimOf returns the mention right behind a verb, if all of it is meant.
func (r *Reading) victimOf(w span) (mention, bool) {
	m, ok := r.namedAt(r.skipSpace(w.end))
	if !ok || len(m.ids) != 1 || m.owner || r.is(m.end, '的') {
		return mention{}, false
	}
	return m, !r.words.hasAt(notTheArea, m.end)
}
