package act

// Field describes a field of the character state that the host registers. The
// zero Field is what an unregistered one is: replaced by any value.
type Field struct {
	// Add says that a delta is added; otherwise the value is replaced.
	Add bool `json:"add,omitempty"`
	// Type restricts the value. An added field is a number at least.
	Type FieldType `json:"type,omitempty"`
	// Min and Max bound numbers; nil means unbounded.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// FieldType is the type of a registered field.
type FieldType string

// The field types. Numbers may be given as plain decimal texts.
const (
	AnyField     FieldType = ""
	NumberField  FieldType = "number"
	IntegerField FieldType = "integer" // truncated toward zero
	TextField    FieldType = "text"
	BooleanField FieldType = "boolean"
)
