package event

import (
	"errors"
	"fmt"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/report"
)

// Event is something that happened: a type, usually "area:name", and fields. It
// is plain data; its JSON form is one flat object with the member "type" first.
type Event struct {
	Type string
	// Fields is an object value; absent means no fields.
	Fields tree.Value
}

// The event types that this module raises for every program. A campaign also raises "turn:accepted"
// (actorId, content) before the model is asked, and "timer:fired" (timerId, timerName, duration,
// repeat) when a countdown ends. Hosts and authors add their own types. An event
// type without listeners is not a mistake.
const (
	// Raised for a turn, in this order; see [OfTurn].
	TypePlayerMessage = "message:user"  // content
	TypeModelMessage  = "message:ai"    // content, without directives
	TypeTurnComplete  = "turn:complete" // turnCount
	TypeSessionStart  = "session:start"
	TypeStateChanged  = "state:changed" // variableId, oldValue, newValue

	// TypeStateCrossed is not raised by this module. Patterns derive crossings from changes. A host
	// may still send one, with variableId, direction and threshold.
	TypeStateCrossed = "state:crossed"
	TypeActionFired  = "action:fired" // actionId, params

	// Raised by effects in addition to their action, so that rules can react to each other.
	TypeNotification = "ui:notification" // message, style, title, image
	TypeMoment       = "ui:moment"       // title, message, image, collect
	TypeAudio        = "audio:play"      // trackId, action, channel, volume, …
	TypeContext      = "ai:context"      // message, role
	TypeTrigger      = "rule:trigger"    // ruleId: see [TriggerByHand]
)

// New returns an event with the given fields.
func New(typ string, fields ...tree.Member) Event {
	if len(fields) == 0 {
		return Event{Type: typ}
	}
	return Event{Type: typ, Fields: tree.Object(fields...)}
}

// PlayerMessage is raised for the player's line.
func PlayerMessage(text string) Event {
	return New(TypePlayerMessage, tree.Member{Key: "content", Value: tree.Text(text)})
}

// ModelMessage is raised for the model's reply, without commands and directives.
func ModelMessage(text string) Event {
	return New(TypeModelMessage, tree.Member{Key: "content", Value: tree.Text(text)})
}

// TurnComplete is raised at the end of each turn; the first is number 1.
func TurnComplete(turn int) Event {
	return New(TypeTurnComplete,
		tree.Member{Key: "turnCount", Value: tree.Int(int64(turn))})
}

// SessionStart is raised once, after the first turn's [TurnComplete].
func SessionStart() Event { return Event{Type: TypeSessionStart} }

// Changed is raised for every variable that changed. A write inside a variable
// that holds a structure names the variable, with its whole old and new value.
func Changed(variableID string, before, after tree.Value) Event {
	return New(TypeStateChanged,
		tree.Member{Key: "variableId", Value: tree.Text(variableID)},
		tree.Member{Key: "oldValue", Value: before},
		tree.Member{Key: "newValue", Value: after})
}

// ActionFired is raised when the player used a control of the host, such as a
// button. Params, an object, may be absent.
func ActionFired(actionID string, params tree.Value) Event {
	return New(TypeActionFired,
		tree.Member{Key: "actionId", Value: tree.Text(actionID)},
		tree.Member{Key: "params", Value: params})
}

// TriggerByHand asks for the rule or reaction of that id to be evaluated. Its own trigger does not
// matter. All its gates except the trigger apply. It is the only way to fire a rule whose trigger
// is rules.Manual. [effect.TriggerRule] raises it.
func TriggerByHand(ruleID string) Event {
	return New(TypeTrigger, tree.Member{Key: "ruleId", Value: tree.Text(ruleID)})
}

// OfTurn returns the events after a reply, in order. They are the player's line, the reply, the
// completed turn, the session's start on turn 1, and the changes that the reply made.
func OfTurn(player, reply string, turn int, changes []tree.Change) []Event {
	events := []Event{PlayerMessage(player), ModelMessage(reply), TurnComplete(turn)}
	if turn == 1 {
		events = append(events, SessionStart())
	}
	for _, c := range changes {
		events = append(events, Changed(NameOf(c.Path), c.Old, c.New))
	}
	return events
}

// NameOf returns the name that events use for a path: the key, unchanged, for a node of the root,
// and the path for a deeper node.
func NameOf(path tree.Path) string {
	if len(path) == 1 {
		return path[0]
	}
	return path.String()
}

// Get returns a top-level field, absent if the event has no such field. As in JSON, "type" is a
// field like the others.
func (e Event) Get(field string) tree.Value {
	if field == "type" {
		return tree.Text(e.Type)
	}
	return e.Fields.Get(field)
}

// MarshalJSON writes one flat object, "type" first.
func (e Event) MarshalJSON() ([]byte, error) {
	members := []tree.Member{{Key: "type", Value: tree.Text(e.Type)}}
	for k, v := range e.Fields.Members() {
		if k != "type" {
			members = append(members, tree.Member{Key: k, Value: v})
		}
	}
	return tree.Object(members...).MarshalJSON()
}

// UnmarshalJSON reads the form that MarshalJSON writes. A missing text member "type" is an error,
// because events come from programs and not from authors.
func (e *Event) UnmarshalJSON(data []byte) error {
	v, err := tree.ParseValue(data)
	if err != nil {
		return err
	}
	typ, ok := v.Get("type").AsText()
	if !ok {
		return errors.New("event: it is an object with a text member \"type\"")
	}
	*e = Event{Type: typ}
	if v.Len() > 1 {
		e.Fields = v.Without("type")
	}
	return nil
}

// String returns the event as compact JSON.
func (e Event) String() string {
	b, err := e.MarshalJSON()
	if err != nil {
		return fmt.Sprintf("event %q: %v", e.Type, err)
	}
	return string(b)
}

// Mended returns the event as it reads back from its JSON, with texts in UTF-8, and whether it
// differs from e. Parameters of events go into effects, and events into records. An event that
// cannot be written as JSON keeps only its type.
func (e Event) Mended() (Event, bool) {
	if e.Plain() {
		return e, false
	}
	clean := Event{Type: strings.ToValidUTF8(e.Type, "\uFFFD")}
	if data, err := e.MarshalJSON(); err == nil {
		_ = clean.UnmarshalJSON(data) // the data that was just written has a type
	}
	return clean, true
}

// Plain reports, cheaply, whether the event certainly reads back from its JSON unchanged.
func (e Event) Plain() bool {
	return report.PlainTexts(e.Type) && (!e.Fields.Exists() || e.Fields.IsObject()) && report.PlainValue(e.Fields)
}
