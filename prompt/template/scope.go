package template

// newScope makes the names of a block.
func (f *frame) newScope(outer *scope, names []declared) *scope {
	if len(names) == 0 {
		return outer
	}
	f.chargeNames(len(names))
	s := &scope{outer: outer}
	if len(names) <= len(s.few) {
		s.names = s.few[:len(names)]
	} else {
		s.names = make([]slot, len(names))
	}
	for i, d := range names {
		s.names[i] = slot{name: d.name, ready: d.variable, constant: d.constant}
	}
	return s
}

// chargeNames counts the copy of the names of a block. Few names cost nothing.
func (f *frame) chargeNames(n int) { f.chargeSteps(n / 16) }

// slot returns a name of a block or of an outer block, nil if it is not declared.
func (f *frame) slot(s *scope, name string) *slot {
	for ; s != nil; s = s.outer {
		f.chargeNames(len(s.names))
		for i := range s.names {
			if s.names[i].name == name {
				return &s.names[i]
			}
		}
	}
	return nil
}
