package macro

// earlier is a variable as it was.
type earlier struct {
	value any
	ok    bool // there was one
}

// Try calls f and, where it returns false or panics, undoes what f has stored in
// variables. Numbers that were drawn stay drawn, and the trace tells all of it. A
// Try within f is part of the outer one.
func (r *Run) Try(f func() bool) bool {
	if r.undoing {
		return f()
	}
	r.undoing = true
	kept := false
	defer func() {
		r.undoing = false
		for _, s := range [...]*store{&r.vars, &r.globals} {
			if !kept {
				s.restore()
			}
			s.before = nil
		}
	}()
	kept = f()
	return kept
}

// remember keeps a variable as it is before the first write of a [Run.Try].
func (s *store) remember(name string) {
	if !s.run.undoing {
		return
	}
	if _, known := s.before[name]; known {
		return
	}
	v := s.value(name)
	_, ok := s.values[name]
	note(&s.before, name, earlier{v, ok})
}

// restore brings back what was remembered. The order does not matter: each name is
// there once.
func (s *store) restore() {
	for name, was := range s.before {
		s.forget(name)
		if was.ok {
			s.values[name] = was.value
		} else {
			delete(s.values, name)
		}
	}
}
