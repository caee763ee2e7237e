package worldbook

import "strconv"

// This file defines the reasons why an entry was activated.

// ReasonKind is the kind of rule that activated an entry.
//
//   - decorator
//   - forced
//   - constant
//   - sticky
//   - key
//   - earlier match: the decorator keep_activate_after_match, or a set of entries
//     ([Options.Replaces]) that keeps the entry active
type ReasonKind string

// The kinds.
const (
	byDecorator ReasonKind = "decorator"
	byForce     ReasonKind = "forced"
	ByConstant  ReasonKind = "constant"
	bySticky    ReasonKind = "sticky"
	byKey       ReasonKind = "key"
	// byEarlierMatch is the decorator keep_activate_after_match, or a set of entries
	// ([Options.Replaces]) that keeps the entry active.
	byEarlierMatch ReasonKind = "earlier match"
)

// Reason says why an entry was activated.
type Reason struct {
	Kind ReasonKind `json:"kind"`
	// Key and Place are set for the kind "key". Key is as the author wrote it: a key, or the expression of an
	// entry without keys.
	Key   string     `json:"key,omitempty"`
	Place MatchPlace `json:"place,omitzero"`
}

// MatchPlace is the place where a key was found. It is "message" with the number of newer messages,
// "persona", "description", "personality", "depth prompt", "scenario", "creator notes", "injection"
// or "recursion". A match that spans several of them has "window". A blank key, and an expression
// that is true without a found key, has "anywhere".
type MatchPlace struct {
	Kind string `json:"kind"`
	// Message counts from the newest message, which is 0. It is -1 for other places.
	Message int `json:"message"`
}

// String returns for example "message 3" or "scenario".
func (p MatchPlace) String() string {
	if p.Kind == "message" {
		return "message " + strconv.Itoa(p.Message)
	}
	return p.Kind
}

// String returns for example `key "dragon" in message 0`.
func (r Reason) String() string {
	if r.Kind != byKey {
		return string(r.Kind)
	}
	return "key " + strconv.Quote(r.Key) + " in " + r.Place.String()
}
