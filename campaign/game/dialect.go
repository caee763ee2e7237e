package game

import (
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Dialect is a language in which a model asks for changes within its text. The dialects of
// [Content] read a reply in order. Each finds its passages and returns the changes that they ask
// for. The passages are cut from the text that players see. A later dialect sees blanks in the
// place of passages that an earlier one found.
//
// The engine checks each requested change. Writes to variables pass the same checks of type, bounds
// and access as all other writes of the model. The next prompt lists the refusals for the model,
// and [state.Turn.Commands] records them.
//
// The built-in dialects are [Commands], [CommandLanguage], [ReplyRules] and [Directives].
type Dialect struct {
	// Name is the cause of the dialect's changes ("dialect.<name>") and the name in its refusals.
	// It must be unique.
	Name string
	// Read finds the passages of a text. It must be pure, safe for concurrent use, and linear in
	// the length of the text. The positions of the passages must depend only on the text and the
	// declared variables. Spans may overlap. A span that is outside the text or cuts a character in
	// two is ignored. The requests are applied in the order of the result.
	Read func(text string, scope Scope) []Span
	// Answer, if not nil, reads an answer that as a whole is a document and not in one of the
	// engine's own forms, such as {"narrative": …}. It returns the narration, which is then read
	// like any other, and the requests of the document. The positions of these spans are ignored.
	// ok is false for an answer in a different form.
	Answer func(answer string, scope Scope) (narration string, asked []Span, ok bool)
	// Describe, if not nil, returns the description of the language for the prompt. An empty text
	// adds nothing.
	Describe func(scope Scope) string
	// Opens lists the characters with which passages begin. While an answer is streamed, the text
	// before the first of them can be shown at once. Empty means that a passage may begin with any
	// character: the narration is then shown when the answer is complete.
	Opens string

	commands memvars.Dialect // the command language, nil for other dialects
	native   bool            // it has the four commands of package memvars
	// bind, if not nil, returns the dialect for a game. A built-in dialect needs it if it reads the
	// content of the game.
	bind func(*compiler) Dialect
}

// Scope is the data that a dialect may use while it reads. It is the author's view: State and
// Document also hold data that a model may not see, so do not put it into texts for the model.
type Scope struct {
	// Variables are the declared variables, in the order of the content. It is nil if none are
	// declared.
	Variables []rules.Variable
	// Rules and State allow a dialect to try writes before it requests them. While an answer is
	// streamed, State is empty.
	Rules *rules.Program
	State rules.State
	// Document holds the present variables of the campaign.
	Document tree.Document
	// Texts are the texts of the game.
	Texts Texts

	writable []rules.Variable // cached result of Writable
}

// Writable returns the declared variables that a model may write now.
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

// Span is a passage of a text and its requests.
type Span struct {
	// From and To are byte positions. The text between them is cut. An empty span makes requests
	// without cutting.
	From, To int
	// Commands are commands of package memvars or of one of its dialects. All commands of a reply
	// are applied in the order of the text, before the effects of all dialects.
	Commands []memvars.Op
	// Effects are applied in order. Their texts count as a model's words.
	Effects effect.List
	// Refused says what is wrong with the passage, in words for the model.
	Refused string
	// Warning is for the host: it is added to the trace of the turn.
	Warning string
}

// asks reports whether a span requests a change. A refused request counts.
func (s Span) asks() bool { return len(s.Commands) > 0 || len(s.Effects) > 0 || s.Refused != "" }

// hasRequests reports whether a span does more than cut text.
func (s Span) hasRequests() bool { return s.asks() || s.Warning != "" }

// streamTraits has the properties of the dialects that matter while an answer is streamed.
type streamTraits struct {
	opens          string // the characters with which passages may begin
	others         string // the same characters, but not those that begin a command or a directive
	hasAnyOpening  bool   // the passages of a dialect may begin with any character
	readsDocuments bool   // a dialect reads answers that are documents, see Dialect.Answer
}

func streamTraitsOf(list []Dialect) streamTraits {
	var l streamTraits
	for _, d := range list {
		l.opens += d.Opens
		l.hasAnyOpening = l.hasAnyOpening || d.Opens == ""
		l.readsDocuments = l.readsDocuments || d.Answer != nil
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
