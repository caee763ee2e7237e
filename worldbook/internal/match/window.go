package match

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// MaxMessages is the number of newest messages that a search can see.
const MaxMessages = 1000

// joint separates the parts of a window.
const joint = "\n\x01"

// Message is one visible line of a chat.
type Message struct{ Name, Text string }

// Chat is a list of messages, oldest first.
type Chat interface {
	Len() int
	At(i int) Message
}

// Recursion returns the texts that loops of a scan made searchable. It is called only if no list of
// finds decides.
type Recursion interface {
	RecursionText(i int) string
}

// Texts holds the texts that a scan searches.
type Texts struct {
	Chat       Chat
	Data       [6]string // of the persona and the character, by the bit of their part
	Injections []string  // without empty ones
	Recursion  Recursion
	// Passes reports whether a message is in the windows with a filter. Nil if no window has one.
	Passes func(filter uint16, at int) bool
}

// Parts is a set of the searched places other than messages.
type Parts uint8

const (
	PartPersona Parts = 1 << iota
	PartDescription
	PartPersonality
	PartDepthPrompt
	PartScenario
	PartCreatorNotes
	PartInjection
	PartRecursion
)

// Window is the text that an entry's keys are searched in.
type Window struct {
	Depth int   // number of messages; 0 means that nothing is searched
	Parts Parts // places other than messages
	// Only, if not 0, is the number of a filter for the messages, see [Texts].
	Only uint16
}

// Place is the place where a key was found: a message, counted from the newest, or one of the
// places below 0.
type Place int16

// The places other than messages.
const (
	Anywhere Place = -1 - iota
	Spread         // over more than one text of the window
	inPart         // and below: the parts, counted from their end
)

// placeNames are the names of the places other than messages.
var placeNames = [...]string{
	"anywhere", "window",
	"persona", "description", "personality", "depth prompt", "scenario", "creator notes", "injection", "recursion",
}

// Name returns the name of a place other than a message.
func (p Place) Name() string { return placeNames[Anywhere-p] }

// stringOf returns the text in a buffer without copying. Copies would cost 13 % of a scan
// (BenchmarkScanPeer of package worldbook, 10,000 entries, window 100, full).
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Valid replaces invalid UTF-8. Checking first is several times faster.
func Valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// maxSteps limits the steps of all regexes of a scan together: about a second.
const maxSteps = 1 << 28

// Fuses limit the regexes of one scan. The result of a regex depends only on texts, book and state,
// and not on whether an answer comes from a cache.
type Fuses struct {
	names       []string            // of stopped keys, in the order in which they were stopped
	stoppedSet  map[string]struct{} // names as a set
	joinedNames string              // names as one text, for comparison; empty until requested
	stepsLeft   int                 // remaining steps of the scan
}

// NewFuses returns the fuses for a search outside a chat.
func NewFuses() *Fuses { return &Fuses{stepsLeft: maxSteps} }

// Reset prepares the fuses for a scan: no key is stopped.
func (f *Fuses) Reset() {
	f.names, f.joinedNames, f.stepsLeft = f.names[:0], "", maxSteps
	clear(f.stoppedSet)
}

// Names returns the stopped keys, in the order in which they were stopped.
func (f *Fuses) Names() []string { return f.names }

// has reports whether a key is stopped.
func (f *Fuses) has(name string) bool {
	if len(f.names) == 0 {
		return false
	}
	_, ok := f.stoppedSet[name]
	return ok
}

// Blow stops a key.
func (f *Fuses) Blow(name string) {
	if f.has(name) {
		return
	}
	if f.stoppedSet == nil {
		f.stoppedSet = map[string]struct{}{}
	}
	f.names = append(f.names, name)
	f.stoppedSet[name] = struct{}{}
	f.joinedNames = "" // computed on request
}

// signature identifies the list of names. It is empty for an empty list.
func (f *Fuses) signature() string {
	if f.joinedNames == "" && len(f.names) > 0 {
		f.joinedNames = strings.Join(f.names, "\x00")
	}
	return f.joinedNames
}
