package state

// This file has the values of turn.Suggest, which asks a model what the player could do or say
// next. They are plain data.

// SuggestionKind is the kind of a suggestion.
type SuggestionKind string

// The kinds.
const (
	SuggestActions SuggestionKind = "actions" // also "": what the player could do
	SuggestLines   SuggestionKind = "lines"   // what the player could say, in the character's words
)

// MostSuggestions is the maximum number of suggestions that one instruction may ask for.
const MostSuggestions = 10
