package turn

import (
	"github.com/talewright/talewright/hooks/on"
)

// untold reports whether the host does not list an event among those of the submission. Else
// it is the host who knows when it happened and what it carries.
func untold(event string) func(*run) bool {
	return func(t *run) bool {
		for _, e := range t.order.in.Events {
			var own [1]string
			for _, name := range on.NamesOf(event, &own) {
				if e.Event == name {
					return false
				}
			}
		}
		return true
	}
}
