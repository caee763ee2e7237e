package setting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// Type is the type of a setting's value.
type Type string

// The types.
const (
	Bool   Type = "bool"
	Int    Type = "int" // integral floats such as 5.0 are accepted
	Enum   Type = "enum"
	String Type = "string"
	JSON   Type = "json"
)

// Scope says where a setting may have a value.
type Scope string

// The scopes. A campaign setting may also have a value for the installation, which applies if the
// campaign has none. A global setting has a value only for the installation.
const (
	Campaign Scope = "campaign"
	Global   Scope = "global"
)

// Definition describes one setting.
type Definition struct {
	Key        string     `json:"key"`
	Type       Type       `json:"type"`
	Default    tree.Value `json:"default"`
	Scope      Scope      `json:"scope"` // empty: campaign
	Validation Validation `json:"validation"`
	// UIHint is the form in which a host shows the setting. Empty means switch, number, select,
	// text or json, by the type.
	UIHint string `json:"ui_hint"`
	// EffectTags name what a change affects: context, rules, routing, ui, storage. At least one is
	// required.
	EffectTags []string `json:"effect_tags"`
}

// Validation restricts the values of a setting. The zero value allows all values of the type.
type Validation struct {
	Min     *int     `json:"min,omitempty"`     // smallest integer
	Max     *int     `json:"max,omitempty"`     // largest integer
	Allowed []string `json:"allowed,omitempty"` // the words of an enum
	MaxLen  int      `json:"max_len,omitempty"` // characters of a string; 0: no limit
	// Text describes the rule in words, for people. A JSON setting needs one. For other types an
	// empty Text is replaced by a description of the fields above.
	Text string `json:"text,omitempty"`
	// Check refuses values by rules that the fields above cannot express. It must be pure.
	Check func(tree.Value) error `json:"-"`
}

// effectTags are the allowed words in [Definition.EffectTags].
var effectTags = []string{"context", "rules", "routing", "ui", "storage"}

// check returns the mistakes in the definition itself.
func (d Definition) check() error {
	var errs []error
	switch d.Type {
	case Bool, Int, Enum, String, JSON:
	default:
		errs = append(errs, fmt.Errorf("type %q does not exist: use bool, int, enum, string or json", d.Type))
	}
	switch d.Scope {
	case "", Campaign, Global:
	default:
		errs = append(errs, fmt.Errorf("scope %q does not exist: use campaign or global", d.Scope))
	}
	for _, tag := range d.EffectTags {
		if !slices.Contains(effectTags, tag) {
			errs = append(errs, fmt.Errorf("effect tag %q does not exist: use some of %q", tag, effectTags))
		}
	}
	if d.Type == Enum && len(d.Validation.Allowed) == 0 {
		errs = append(errs, errors.New("an enum needs its words in validation.allowed"))
	}
	if d.Type == JSON && d.Validation.Text == "" {
		errs = append(errs, errors.New("validation.text is missing: describe the valid values in words"))
	}
	if len(d.EffectTags) == 0 {
		errs = append(errs, fmt.Errorf("effect_tags is missing: name the effects of a change, some of %q", effectTags))
	}
	return errors.Join(errs...)
}

// complete fills in the scope, the text of the validation and the hint from the other fields, so
// each definition in a registry has them.
func (d Definition) complete() Definition {
	d.Scope = cmp.Or(d.Scope, Campaign)
	v := &d.Validation
	switch d.Type {
	case Bool:
		d.UIHint, v.Text = cmp.Or(d.UIHint, "switch"), cmp.Or(v.Text, "true or false")
	case Int:
		d.UIHint, v.Text = cmp.Or(d.UIHint, "number"), cmp.Or(v.Text, v.wholeNumber())
	case Enum:
		d.UIHint, v.Text = cmp.Or(d.UIHint, "select"), cmp.Or(v.Text, fmt.Sprintf("one of %q", v.Allowed))
	case String:
		text := "a text"
		if v.MaxLen > 0 {
			text = fmt.Sprintf("a text of at most %d characters", v.MaxLen)
		}
		d.UIHint, v.Text = cmp.Or(d.UIHint, "text"), cmp.Or(v.Text, text)
	case JSON:
		d.UIHint = cmp.Or(d.UIHint, "json")
	}
	return d
}

// wholeNumber describes the bounds of an integer in words.
func (v Validation) wholeNumber() string {
	switch {
	case v.Min != nil && v.Max != nil:
		return fmt.Sprintf("a whole number from %d to %d", *v.Min, *v.Max)
	case v.Min != nil:
		return fmt.Sprintf("a whole number from %d on", *v.Min)
	case v.Max != nil:
		return fmt.Sprintf("a whole number up to %d", *v.Max)
	}
	return "a whole number"
}

// validate returns what is wrong with v, nil if v is valid.
func (d Definition) validate(v tree.Value) error {
	if err := d.checkType(v); err != nil {
		return err
	}
	if d.Validation.Check != nil {
		return d.Validation.Check(v)
	}
	return nil
}

func (d Definition) checkType(v tree.Value) error {
	switch d.Type {
	case Bool:
		if _, ok := v.AsBool(); !ok {
			return fmt.Errorf("must be true or false, not %s", v)
		}
	case Int:
		return d.checkInt(v)
	case Enum:
		word, ok := v.AsText()
		if !ok || !slices.Contains(d.Validation.Allowed, word) {
			return fmt.Errorf("must be one of %q, not %s", d.Validation.Allowed, v)
		}
	case String:
		text, ok := v.AsText()
		if !ok {
			return fmt.Errorf("must be a text, not %s", v)
		}
		if limit := d.Validation.MaxLen; limit > 0 && utf8.RuneCountInString(text) > limit {
			return fmt.Errorf("must have at most %d characters", limit)
		}
	case JSON:
		if !v.Exists() {
			return fmt.Errorf("must be a JSON value")
		}
	}
	return nil
}

func (d Definition) checkInt(v tree.Value) error {
	n, ok := asInt(v)
	if !ok {
		return fmt.Errorf("must be a whole number, not %s", v)
	}
	if lo := d.Validation.Min; lo != nil && n < *lo {
		return fmt.Errorf("must be at least %d, not %d", *lo, n)
	}
	if hi := d.Validation.Max; hi != nil && n > *hi {
		return fmt.Errorf("must be at most %d, not %d", *hi, n)
	}
	return nil
}

func asInt(v tree.Value) (int, bool) {
	n, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	i, ok := n.Int64()
	if !ok || i > math.MaxInt32 || i < math.MinInt32 {
		return 0, false
	}
	return int(i), true
}
