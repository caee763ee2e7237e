package act

// Field describes a field of the character state that the host registers. The zero Field means the
// same as no registration: any value replaces the field.
type Field struct {
	// Add says that a delta is added; otherwise the value is replaced.
	Add bool `json:"add,omitempty"`
	// Type restricts the value. A field with Add is always a number.
	Type FieldType `json:"type,omitempty"`
	// Min and Max are the limits of numbers; nil means no limit.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// FieldType is the type of a registered field. The empty type allows every value.
type FieldType string

// The field types. Numbers may be plain decimal texts.
const (
	NumberField  FieldType = "number"
	IntegerField FieldType = "integer" // truncated toward zero
	TextField    FieldType = "text"
	BooleanField FieldType = "boolean"
)
