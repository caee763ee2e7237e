package openai

import "github.com/talewright/talewright/internal/wire"

// number is a small integer that servers write in several ways: 1, 1.0, "1". Any other value is
// unknown, and is never a reason to refuse an event.
type number struct {
	value int
	known bool
}

// UnmarshalJSON implements json.Unmarshaler. It does not fail.
func (n *number) UnmarshalJSON(data []byte) error {
	n.value, n.known = wire.Value(data).Count()
	return nil
}
