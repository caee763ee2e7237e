package memvars

import (
	"encoding/json"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Op is one command as written in a message. It has not been checked against a document yet.
type Op struct {
	Name string `json:"op"` // without its prefix
	Args []Arg  `json:"args,omitempty"`
	// Reason is the comment after the call, on the same line.
	Reason string `json:"reason,omitempty"`
	// Pos is the start of the call, including its prefix. End is the byte offset after it.
	Pos Position `json:"pos,omitzero"`
	End int      `json:"end,omitempty"`
	// Dialect is the language of the command, "" for the language of this package.
	Dialect string `json:"dialect,omitempty"`
	// Fault says why the text of the call could not be read; nil if it was read.
	Fault *Fault `json:"fault,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// Position is a place in a message. Lines and columns count from 1, columns in
// code points; Offset counts bytes from 0.
type Position struct {
	Line   int `json:"line"`
	Col    int `json:"col"`
	Offset int `json:"offset"`
}

// Fault is a mistake in the text of a call.
type Fault struct {
	Code Code     `json:"code"`
	At   Position `json:"at,omitzero"`
}

// Arg is one argument of a command.
type Arg struct {
	// Text is the source of a path or a key: the content of a string with its escapes decoded, else
	// the source text.
	Text string `json:"text"`
	// Value is the source of a value: the decoded JSON of a string that contains JSON.
	Value tree.Value `json:"value,omitzero"`
	// Quoted distinguishes a string from a bare word, a number or a literal.
	Quoted bool `json:"quoted,omitempty"`
	// Code is bad_json if Text is a JSON object that cannot be repaired.
	Code     Code      `json:"code,omitempty"`
	Warnings []Warning `json:"warnings,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown JSON members
}

// MarshalJSON writes the known fields and then the unknown ones.
func (o Op) MarshalJSON() ([]byte, error) { return openjson.Write(o) }

// UnmarshalJSON keeps unknown members in Extra.
func (o *Op) UnmarshalJSON(data []byte) error { return openjson.Read(data, o) }

// MarshalJSON writes the known fields and then the unknown ones.
func (a Arg) MarshalJSON() ([]byte, error) { return openjson.Write(a) }

// UnmarshalJSON keeps unknown members in Extra.
func (a *Arg) UnmarshalJSON(data []byte) error { return openjson.Read(data, a) }

// TextArg returns the argument for a path, a key or a text value.
func TextArg(s string) Arg { return Arg{Text: s, Value: tree.Text(s), Quoted: true} }

// ValueArg returns the argument for any value.
func ValueArg(v tree.Value) Arg {
	if s, ok := v.AsText(); ok {
		return TextArg(s)
	}
	return Arg{Text: v.String(), Value: v}
}

// String returns the command in its canonical form. [System.Parse] reads it back to an equivalent
// command, unless Fault is set.
func (o Op) String() string {
	var b strings.Builder
	b.WriteString(o.Name)
	b.WriteByte('(')
	for i, a := range o.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case a.Quoted && o.isKey(i):
			b.WriteString(quoteText(a.Text))
		case i > 0 && a.Code == "" && a.Value.Exists() && a.Value.Kind() != tree.KindText:
			b.Write(a.Value.AppendJSON(nil))
		default:
			b.WriteString(quoteText(a.Text))
		}
	}
	b.WriteString(");")
	if o.Reason != "" {
		b.WriteString(" // " + o.Reason)
	}
	return b.String()
}

// isKey reports whether an argument is a key. For a key the text is used.
func (o Op) isKey(i int) bool {
	return i == 1 && (o.Name == "memory" && len(o.Args) == 3 || o.Name == "delete")
}

// Key returns the argument as a literal key: a text, a bare word or a number. A dot does not split
// it. Quoted text is always a key. ok is false for a blank text, and for every other argument that
// was not quoted.
func (a *Arg) Key() (key string, ok bool) {
	if strings.TrimSpace(a.Text) == "" {
		return "", false
	}
	if !a.Quoted {
		switch a.Value.Kind() {
		case tree.KindNull, tree.KindBool, tree.KindArray, tree.KindObject:
			return "", false
		}
	}
	return a.Text, a.Quoted || a.Code == ""
}

// quoteText writes a string with escapes for everything that reading would change.
func quoteText(s string) string {
	return "'" + quoteReplacer().Replace(s) + "'"
}

// quoteReplacer escapes characters that would end a string or would not survive reading.
func quoteReplacer() *strings.Replacer {
	return strings.NewReplacer(
		`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`,
		"\b", `\b`, "\f", `\f`, "\v", `\v`, "\x00", `\0`,
	)
}

// isCommand reports whether a name is one of the four commands. Letter case matters.
func isCommand(name string) bool {
	switch name {
	case "set_attribute", "set_status", "memory", "delete":
		return true
	}
	return false
}
