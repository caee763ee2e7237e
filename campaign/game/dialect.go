package game

import (
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Dialect is a language in which a model asks for changes within its text. A reply
// passes the dialects of [Content] in their order; each finds its passages, which are
// cut from what players see, and says what they ask for. A later dialect does not see
// what an earlier one took: there are blanks instead.
//
// What a dialect asks for is no change yet. Writes to variables go through the same gate
// as those of every other model's word: type, bounds, access. What is refused is told to
// the model in its next prompt and stands in [state.Turn.Commands].
//
// The built-in dialects are [Commands], [CommandLanguage], [ReplyRules] and [Directives].
type Dialect struct {
	// Name is the cause of what the dialect changes ("dialect.<name>"), and what refusals
	// go by. It must be unique.
	Name string
	// Read finds the passages of a text. It must be pure, safe for concurrent use, and
	// linear in the length of the text; where the passages are must depend on the text and
	// the declared variables alone. Spans may overlap. One that leaves the text or cuts a
	// character in two is ignored. What they ask for is carried out in the order of the
	// result.
	Read func(text string, scope Scope) []Span
	// Answer, if not nil, reads an answer that is a document as a whole and none of the
	// engine's own forms, such as {"narrative": …}. It returns the narration, which is then
	// read like any other, and what the document asks for; the places of these spans do not
	// count. ok is false for an answer of another form.
	Answer func(answer string, scope Scope) (narration string, asked []Span, ok bool)
	// Describe, if not nil, is what the prompt tells the model about the language; an empty
	// text tells nothing.
	Describe func(scope Scope) string
	// Opens lists the characters with which passages begin. While an answer comes in, the
	// text before the first of them can be shown at once. Empty means that a passage may
	// begin with anything: the narration is then shown when the answer is complete.
	Opens string

	commands memvars.Dialect // of a command language
	native   bool            // the four commands of package memvars
	bind     func(*compiler) Dialect
}

// Scope is what a dialect may know while it reads. It is the author's view: State and
// Document also hold what a model may not see, so nothing of them belongs in texts for
// the model as it is.
type Scope struct {
	// Variables are the declared variables, in the order of the content. It is nil if none
	// are declared.
	Variables []rules.Variable
	// Rules and State are for trying writes before asking for them. While an answer
	// comes in State is empty.
	Rules *rules.Program
	State rules.State
	// Document holds the variables that the campaign has now.
	Document tree.Document
	// Texts are those of the game.
	Texts Texts

	writable []rules.Variable // once it is known
}

// Writable lists the declared variables that a model may write now.
func (s Scope) Writable() []rules.Variable {
	if s.writable != nil {
		return s.writable
	}
	var out []rules.Variable
	for _, v := range s.Variables {
		if s.Rules.Access(s.State, v.ID).Writable {
			out = append(out, v)
		}
	}
	return out
}

// Span is a passage of a text and what it asks for.
type Span struct {
	// From and To are places in bytes. What lies between them is cut; an empty span asks
	// without cutting.
	From, To int
	// Commands are commands of package memvars or of one of its dialects. They are carried
	// out before the effects of any dialect, all of a reply in the order of the text.
	Commands []command.Op
	// Effects are carried out in order. Their texts count as a model's words.
	Effects effect.List
	// Refused says what is wrong with the passage, in words for the model.
	Refused string
	// Warning is for the host: it goes into the trace of the turn.
	Warning string
}

// asks reports whether a span is more than a cut.
func (s Span) asks() bool {
	return len(s.Commands) > 0 || len(s.Effects) > 0 || s.Refused != "" || s.Warning != ""
}

// streaming says what of the dialects matters while an answer comes in.
type streaming struct {
	opens   string // a passage may begin with one of these
	others  string // the same without the commands and the directives
	atEnd   bool   // a passage may begin with anything
	answers bool   // a dialect reads documents
}

func streamingOf(list []Dialect) streaming {
	var l streaming
	for _, d := range list {
		l.opens += d.Opens
		l.atEnd = l.atEnd || d.Opens == ""
		l.answers = l.answers || d.Answer != nil
		if d.Name != nameDirectives && !d.native && d.commands == nil {
			l.others += d.Opens
		}
	}
	return l
}

// Names of the built-in dialects.
const (
	nameCommands   = "commands"
	nameReplyRules = "reply_rules"
	nameDirectives = "directives"
)

// nameReceipt is the key of the text about receipts.
const nameReceipt = "receipt"
