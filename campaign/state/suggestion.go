package state

// The suggestion part holds what turn.Suggest asks a model for: what the player could do next, or
// say next. Its values are plain.

// SuggestionKind is what suggestions are for.
type SuggestionKind string

// The kinds.
const (
	SuggestActions SuggestionKind = "actions" // also "": what the player could do
	SuggestLines   SuggestionKind = "lines"   // what the player could say, in the words of the character
)

// MostSuggestions is how many one instruction may ask for.
const MostSuggestions = 10
