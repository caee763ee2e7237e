package suggestion

// Kind is what suggestions are for.
type Kind string

// The kinds.
const (
	Actions Kind = "actions" // also "": what the player could do
	Lines   Kind = "lines"   // what the player could say, in the words of the character
)

// Most is how many one instruction may ask for.
const Most = 10
