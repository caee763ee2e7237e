package question

import "github.com/talewright/talewright/worldbook"

// Retrieve asks which entries belong to the newest messages, oldest first.
type Retrieve struct {
	Messages []worldbook.Message
	Limit    int
}
