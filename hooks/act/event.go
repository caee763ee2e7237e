package act

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Event is something that happened in the host or the engine. The caller sets its id and its time.
// Ids must be unique, because idempotency keys, derived events and default prompt keys are made
// from them.
type Event struct {
	ID             string     `json:"id,omitempty"`
	Type           string     `json:"type"` // required
	Source         string     `json:"source,omitempty"`
	ConversationID string     `json:"conversation_id,omitempty"`
	CharacterID    string     `json:"character_id,omitempty"`
	UserID         string     `json:"user_id,omitempty"`
	GroupID        string     `json:"group_id,omitempty"`
	Payload        tree.Value `json:"payload,omitzero"`  // an object
	Metadata       tree.Value `json:"metadata,omitzero"` // an object
	CreatedAt      string     `json:"created_at,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members, kept
}

// Channel returns payload.channel if it is a non-empty text, else
// metadata.channel if it is a text, else "": unknown.
func (e Event) Channel() string {
	if c, ok := e.Payload.Get("channel").AsText(); ok && c != "" {
		return c
	}
	c, _ := e.Metadata.Get("channel").AsText()
	return c
}

// MarshalJSON writes the known fields first, then the unknown fields.
func (e Event) MarshalJSON() ([]byte, error) { return openjson.Write(e) }

// UnmarshalJSON keeps unknown members in Extra. Payload and metadata must be objects; null counts
// as missing.
func (e *Event) UnmarshalJSON(data []byte) error {
	if err := openjson.Read(data, e); err != nil {
		return err
	}
	return errors.Join(
		objectOrNothing("payload", &e.Payload), objectOrNothing("metadata", &e.Metadata))
}

// objectOrNothing checks a member that must be an object, and drops a null. Other programs write
// null for missing values, and conditions would read it as a payload without members.
func objectOrNothing(name string, v *tree.Value) error {
	switch {
	case v.IsNull():
		*v = tree.Value{}
	case v.Exists() && !v.IsObject():
		return fmt.Errorf("hooks: event %s must be an object, not a %s", name, v.Kind())
	}
	return nil
}

// TypeNames are all names of one event, the canonical name first.
type TypeNames []string

// TypeNamesOf returns the names of an event. For a known event the result is shared and must not be
// modified. For any other event the result is stored in own, so that nothing is allocated.
func TypeNamesOf(event string, own *[1]string) TypeNames {
	for _, row := range aliases {
		if slices.Contains(row, event) {
			return row
		}
	}
	own[0] = event
	return own[:]
}

// MatchType reports whether an event pattern covers an event type. Dots separate the segments of a
// name. Comparison is case-sensitive.
//
//   - The pattern "*" covers everything; the empty pattern covers nothing.
//   - A last segment "*" matches one or more segments: "character.*" covers
//     "character.before_turn.finished" but not "character".
//   - Any other "*" segment matches exactly one segment: "*.changed".
//   - A known event is covered if any of its names is covered, so "pipeline.*" covers
//     "model.before_call".
func MatchType(pattern, eventType string) bool {
	var own [1]string
	return TypeNamesOf(eventType, &own).Match(pattern)
}

// Match reports whether a pattern covers one of the names.
func (names TypeNames) Match(pattern string) bool {
	switch pattern {
	case "":
		return false
	case "*":
		return true
	}
	for _, name := range names {
		if matchName(pattern, name) {
			return true
		}
	}
	return false
}

// matchName matches a pattern against one name, segment by segment. It allocates nothing, because
// every wildcard hook is checked at every event.
func matchName(pattern, name string) bool {
	for {
		p, restP, moreP := strings.Cut(pattern, ".")
		n, restN, moreN := strings.Cut(name, ".")
		if !moreP && p == "*" {
			return true // the rest of the name has at least one segment
		}
		if p != "*" && p != n || moreP != moreN {
			return false
		}
		if !moreP {
			return true
		}
		pattern, name = restP, restN
	}
}

// IsExactType reports whether the pattern covers only the names of one event.
func IsExactType(pattern string) bool { return !strings.Contains(pattern, "*") }

// ClockPayload returns the payload of [ClockPassed]. The host's clock passed from the time from
// (exclusive) to the time to (inclusive). The time active is the time of the last activity. The
// condition clock_reaches reads times of day in the zone of to. A zero time is unknown, and is left
// out.
func ClockPayload(from, to, active time.Time) tree.Value {
	var members []tree.Member
	for _, m := range [...]struct {
		key string
		at  time.Time
	}{{"from", from}, {"to", to}, {"active", active}} {
		if !m.at.IsZero() {
			members = append(members, tree.Member{Key: m.key, Value: tree.Text(m.at.Format(time.RFC3339))})
		}
	}
	if !active.IsZero() && !to.Before(active) {
		minutes := int64(to.Sub(active) / time.Minute)
		members = append(members, tree.Member{Key: "idle_minutes", Value: tree.Int(minutes)})
	}
	return tree.Object(members...)
}
