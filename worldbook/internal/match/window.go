package match

import (
	"strings"
	"unicode/utf8"
	"unsafe"
)

// MaxMessages is the number of newest messages that exist for a search.
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

// Recursion holds the texts that loops of a scan made searchable. They are asked for only
// where no list of finds decides.
type Recursion interface {
	RecursionText(i int) string
}

// Texts is what a scan searches.
type Texts struct {
	Chat       Chat
	Data       [6]string // of the persona and the character, by the bit of their part
	Injections []string  // without empty ones
	Recursion  Recursion
}

// Parts is a set of the places beside the messages that keys are searched in.
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

var partNames = [...]string{
	"persona", "description", "personality", "depth prompt", "scenario",
	"creator notes", "injection", "recursion",
}

// Window is what an entry's keys are searched in.
type Window struct {
	Depth int   // number of messages, 0: nothing at all is searched
	Parts Parts // places beside the messages
}

// Place is where a key was found: in the message so many from the newest, or in one of
// the places below 0.
type Place int16

// The places that are no messages.
const (
	Anywhere Place = -1 - iota
	Spread         // over more than one text of the window
	inPart         // and below: the parts from their end
)

// Part returns the name of a part of the window, "" for other places.
func (p Place) Part() string {
	if p > inPart {
		return ""
	}
	return partNames[inPart-p]
}

// view is the text in a buffer, without a copy of it. Copies cost 13 % of a scan
// (BenchmarkScanPeer of package worldbook, 10,000 entries, window 100, full).
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Valid replaces what is not UTF-8. Checking first is several times faster.
func Valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
