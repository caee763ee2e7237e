package turn

import (
	"fmt"

	"github.com/talewright/talewright/internal/utf8text"
)

// Panic is the error of a panic in a function or an interface of the host: a model, an approver, a
// store, a detector. Find it with errors.AsType[*Panic].
type Panic struct {
	In    string // what panicked, such as "Config.Model"
	Value any
	Stack []byte
}

// longestPanic limits the text of a panic in an error, in bytes.
const longestPanic = 1 << 10

// Error says what panicked, with the first KiB of the panic value.
func (p *Panic) Error() string {
	return fmt.Sprintf("panic: %s (in %s)", utf8text.Cut(fmt.Sprint(p.Value), longestPanic), p.In)
}
