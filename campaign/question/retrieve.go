package question

import "github.com/talewright/talewright/worldbook"

// Retrieve asks which entries fit the newest messages, oldest first.
type Retrieve struct {
	Messages []worldbook.Message
	Limit    int
}
