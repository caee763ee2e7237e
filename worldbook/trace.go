package worldbook

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// ReasonKind says what activated an entry.
type ReasonKind string

// The kinds.
const (
	ByDecorator ReasonKind = "decorator"
	ByForce     ReasonKind = "forced"
	ByConstant  ReasonKind = "constant"
	BySticky    ReasonKind = "sticky"
	ByKey       ReasonKind = "key"
	// ByEarlierMatch is the decorator keep_activate_after_match.
	ByEarlierMatch ReasonKind = "earlier match"
)

// Reason says why an entry was activated.
type Reason struct {
	Kind ReasonKind `json:"kind"`
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

// Trace explains a scan entry by entry, in entry list order.
type Trace []Explanation

// Explanation says why an entry is active, or which gate stopped it.
type Explanation struct {
	ID      ID     `json:"id"`
	Comment string `json:"comment,omitempty"`
	Active  bool   `json:"active"`
	// Reason is set for active entries and for those that were stopped after
	// they had been found.
	Reason *Reason `json:"reason,omitempty"`
	// Loop is the pass that decided, from 0.
	Loop int `json:"loop"`
	// Gate is the stable text of what stopped the entry, for example "disabled",
	// "delay 3 more", "cooldown 2 left", "no key found", "probability 71 > 50",
	// `group "weather" lost to 12`, "budget 1480+90 > 1500" or
	// "secondary AND_ALL: missing 决战".
	Gate string `json:"gate,omitempty"`
	// Path lists the entries that led here by recursion, first cause first.
	Path []ID `json:"path,omitempty"`
}

// String returns one line without a newline.
func (x Explanation) String() string {
	var b strings.Builder
	b.WriteString(x.ID.String())
	if x.Comment != "" {
		b.WriteString(" (" + x.Comment + ")")
	}
	switch {
	case x.Active:
		b.WriteString(": active by " + x.Reason.String())
	case x.Reason != nil:
		b.WriteString(": stopped: " + x.Gate + ", after " + x.Reason.String())
	default:
		b.WriteString(": stopped: " + x.Gate)
	}
	if len(x.Path) > 0 {
		b.WriteString(" via")
		for i, id := range x.Path {
			if i > 0 {
				b.WriteString(" >")
			}
			b.WriteString(" " + id.String())
		}
	}
	return b.String()
}

// String returns one line per entry.
func (t Trace) String() string {
	var b strings.Builder
	for _, x := range t {
		b.WriteString(x.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// why is a [ReasonKind] in one byte.
type why uint8

const (
	whyKey why = iota
	whyDecorator
	whyForce
	whyConstant
	whySticky
	whyEarlierMatch
)

var reasonKinds = [...]ReasonKind{ByKey, ByDecorator, ByForce, ByConstant, BySticky, ByEarlierMatch}

// reason spells out why a candidate is one.
func (c *candidate) reason() Reason {
	r := Reason{Kind: reasonKinds[c.why]}
	if c.why == whyKey {
		r.Key, r.Place = c.text, publicPlace(c.place)
	}
	return r
}

// publicPlace spells out a place.
func publicPlace(p match.Place) Place {
	switch {
	case p >= 0:
		return Place{"message", int(p)}
	case p == match.Anywhere:
		return Place{"anywhere", -1}
	case p == match.Spread:
		return Place{"window", -1}
	}
	return Place{p.Part(), -1}
}
