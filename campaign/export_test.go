package campaign

import (
	"reflect"
	"runtime"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// Waiting names the submissions that stand in the queue of a campaign, in order.
func (e *Engine) Waiting(id string) []any {
	s := e.session(id)
	defer e.release(s)
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	var out []any
	for _, w := range s.queue.waiting {
		out = append(out, w)
	}
	return out
}

// AwaitQueue returns once the queue of a campaign is another than line, or done is
// closed because the submission was turned away.
func (e *Engine) AwaitQueue(id string, line []any, done <-chan struct{}) {
	for slices.Equal(e.Waiting(id), line) {
		select {
		case <-done:
			return
		default:
			runtime.Gosched()
		}
	}
}

// StoredByParts stores what next changed of base, and StoredWhole all of next. Both
// return the campaign and its value; base is as it was stored.
func (c Campaign) StoredByParts(base Campaign) (Campaign, tree.Value, error) {
	head, err := base.headValue()
	if err != nil {
		return c, head, err
	}
	return c.asStored(base, head)
}

// StoredWhole is StoredByParts without a base.
func (c Campaign) StoredWhole() (Campaign, tree.Value, error) {
	return c.asStored(Campaign{}, tree.Value{})
}

// Keeps reports whether a struct, given by its pointer, is sure to read back as it is, and
// the value that is then taken for what it is written as.
func Keeps(ptr any) (bool, tree.Value, error) {
	v := reflect.ValueOf(ptr).Elem()
	f := formOf(v.Type())
	if !f.keeps(v) {
		return false, tree.Value{}, nil
	}
	value, err := f.value(v)
	return true, value, err
}

// OddForms names what of a type has always to be written to know how it reads back, and
// where effects stand in it.
func OddForms(typ reflect.Type) (odd, effects []string) {
	var walk func(f *form, at string)
	walk = func(f *form, at string) {
		switch f.kind {
		case formOdd:
			odd = append(odd, at)
		case formFired:
			effects = append(effects, at)
		}
		if f.elem != nil {
			walk(f.elem, at+"[]")
		}
		for _, m := range f.fields {
			walk(m.form, at+"."+m.name)
		}
	}
	walk(formOf(typ), typ.Name())
	return odd, effects
}
