package reason

import "strconv"

// Kind says what activated an entry.
type Kind string

// The kinds.
const (
	ByDecorator Kind = "decorator"
	ByForce     Kind = "forced"
	ByConstant  Kind = "constant"
	BySticky    Kind = "sticky"
	ByKey       Kind = "key"
	// ByEarlierMatch is the decorator keep_activate_after_match.
	ByEarlierMatch Kind = "earlier match"
)

// Reason says why an entry was activated.
type Reason struct {
	Kind Kind `json:"kind"`
	// Key and Place are set for ByKey. Key is as the author wrote it.
	Key   string `json:"key,omitempty"`
	Place Place  `json:"place,omitzero"`
}

// Place is where a key was found: "message" with the number of newer messages,
// "persona", "description", "personality", "depth prompt", "scenario",
// "creator notes", "injection", "recursion", "window" for a find that spans
// more than one of them, or "anywhere" for a blank key.
type Place struct {
	Kind string `json:"kind"`
	// Message counts from the newest, which is 0. It is -1 elsewhere.
	Message int `json:"message"`
}

// String returns for example "message 3" or "scenario".
func (p Place) String() string {
	if p.Kind == "message" {
		return "message " + strconv.Itoa(p.Message)
	}
	return p.Kind
}

// String returns for example `key "dragon" in message 0`.
func (r Reason) String() string {
	if r.Kind != ByKey {
		return string(r.Kind)
	}
	return "key " + strconv.Quote(r.Key) + " in " + r.Place.String()
}
