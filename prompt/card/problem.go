package card

import (
	"fmt"
	"strings"
)

// Code names a kind of problem or error, for programs. Codes are stable.
type Code string

// Codes of problems: the card was read, but not quite as it was written.
const (
	NoSpec       Code = "no_spec"        // no "spec", but a data object: read as V2
	NewerVersion Code = "newer_version"  // spec_version above 3.0
	BadType      Code = "bad_type"       // another JSON type than the field asks for
	BadText      Code = "bad_text"       // no UTF-8, or half a surrogate pair
	EmptyName    Code = "empty_name"     // a character without a name
	BadCRC       Code = "bad_crc"        // checksum of a PNG chunk or of card.json
	NoIEND       Code = "no_iend"        // the PNG lacks its end chunk
	BadChunk     Code = "bad_chunk"      // unreadable ccv3 chunk, chara was used
	NotBase64    Code = "not_base64"     // plain JSON where base64 is asked
	BadAssetPath Code = "bad_asset_path" // absolute, or leaves the archive
	MissingAsset Code = "missing_asset"  // the archive has no such file
	More         Code = "more"           // further problems are not listed
)

// Codes of problems in decorators. Duplicate is also a name that a JSON object or
// an archive has twice.
const (
	UnknownDecorator Code = "unknown_decorator" // no such name, in a whole chain
	BadValue         Code = "bad_value"         // value missing or not allowed
	StrayFallback    Code = "stray_fallback"    // @@@ without a decorator before it
	Duplicate        Code = "duplicate"         // a name again
)

// Codes of errors: there is no card to work with.
const (
	BadJSON     Code = "bad_json"     // not JSON
	NotACard    Code = "not_a_card"   // readable, but something else
	NotABook    Code = "not_a_book"   // readable, but not a lorebook
	IsLorebook  Code = "is_lorebook"  // a stand-alone lorebook: see DecodeBook
	BadVersion  Code = "bad_version"  // spec_version is not a number
	NotPNG      Code = "not_png"      // no PNG signature
	Truncated   Code = "truncated"    // the PNG ends in the middle of a chunk
	NoCard      Code = "no_card"      // the container is fine, but holds no card
	NotZIP      Code = "not_zip"      // no ZIP archive
	Encrypted   Code = "encrypted"    // the archive asks for a password
	Damaged     Code = "damaged"      // unreadable data in a container
	TooLarge    Code = "too_large"    // beyond a limit of this package
	TooDeep     Code = "too_deep"     // JSON nested beyond the limit
	WouldLose   Code = "would_lose"   // V1 has no place for some of the fields
	RemoteAsset Code = "remote_asset" // an asset elsewhere, never fetched
	BadAsset    Code = "bad_asset"    // an asset address nobody can read
)

// Problem is one thing that was read in another way than it was written.
type Problem struct {
	Code Code `json:"code"`
	// Path is the place in the JSON text ("data.tags.2"), the number of the
	// line in the content of an entry ("3"), or the byte offset in a container
	// ("@120").
	Path string `json:"path,omitempty"`
	// Message says what is wrong and what was done about it.
	Message string `json:"message"`
}

// String returns path, message and code on one line.
func (p Problem) String() string {
	if p.Path == "" {
		return fmt.Sprintf("%s [%s]", p.Message, p.Code)
	}
	return fmt.Sprintf("%s: %s [%s]", p.Path, p.Message, p.Code)
}

// Error says why there is no card (or no asset, or no file written). Read it
// with errors.AsType[*card.Error] or errors.As.
type Error struct {
	Code Code
	// Path is the place of the mistake, in the forms of [Problem.Path].
	Path string
	// Message is a sentence for people: what is wrong and what to do.
	Message string
	// Err is the cause, where another package reported one.
	Err error
}

// Error returns the message, with the package name in front.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("card: ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.Message)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

// fail, failAt and failWith build errors; the message is a statement and advice,
// divided by a full stop, without one at the end.

func fail(code Code, message string) *Error {
	return &Error{Code: code, Message: message}
}

func failAt(code Code, path, message string) *Error {
	return &Error{Code: code, Path: path, Message: message}
}

func failWith(code Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, Err: cause}
}

// maxProblems bounds the list, so that a hostile file cannot fill the memory
// with reports about itself.
const maxProblems = 100

// report collects problems up to the bound.
type report struct {
	problems []Problem
}

// add appends a problem, or once a note that there are more.
func (r *report) add(code Code, path, message string) {
	switch n := len(r.problems); {
	case n < maxProblems:
		r.problems = append(r.problems, Problem{code, path, message})
	case n == maxProblems:
		r.problems = append(r.problems,
			Problem{Code: More, Message: "further problems are not listed"})
	}
}

// full reports whether further problems would be dropped.
func (r *report) full() bool { return len(r.problems) > maxProblems }

// addAll appends the problems of a part.
func (r *report) addAll(list []Problem) {
	for _, p := range list {
		r.add(p.Code, p.Path, p.Message)
	}
}
