package card

import (
	"errors"
	"strings"

	"github.com/talewright/talewright"
)

// Codes of problems: the card was read, but not exactly as it was written.
const (
	codeNoSpec       talewright.Code = "no_spec"       // no "spec", but a data object: read as V2
	codeNewerVersion talewright.Code = "newer_version" // spec_version above 3.0
	codeBadType      talewright.Code = "bad_type"      // not the JSON type of the field
	codeBadText      talewright.Code = "bad_text"      // not UTF-8, or half a surrogate pair
	codeEmptyName    talewright.Code = "empty_name"    // a character without a name
	codeBadCRC       talewright.Code = "bad_crc"       // checksum of a PNG chunk or of card.json
	codeNoIEND       talewright.Code = "no_iend"       // the PNG lacks its end chunk
	// DamagedPicture: the PNG is cut off, or a chunk has an impossible length, after a card.
	codeDamagedPicture talewright.Code = "damaged_picture"
	codeBadChunk       talewright.Code = "bad_chunk"      // unreadable ccv3 chunk, chara was used
	codeNotBase64      talewright.Code = "not_base64"     // plain JSON instead of base64
	codeBadAssetPath   talewright.Code = "bad_asset_path" // absolute, or leaves the archive
	codeMissingAsset   talewright.Code = "missing_asset"  // the archive has no such file
	codeMendedJSON     talewright.Code = "mended_json"    // comments, or a comma at the end of a list
	codeInList         talewright.Code = "in_list"        // the card is the one element of a list
	codeDuplicate      talewright.Code = "duplicate"      // a repeated name in an object or an archive
	codeMore           talewright.Code = "more"           // further problems are not listed
)

// Codes of errors: no card could be read.
const (
	codeBadJSON     talewright.Code = "bad_json"     // not JSON
	codeNotACard    talewright.Code = "not_a_card"   // readable, but something else
	codeNotABook    talewright.Code = "not_a_book"   // readable, but not a lorebook
	codeIsLorebook  talewright.Code = "is_lorebook"  // a stand-alone lorebook: see ParseBook
	codeBadVersion  talewright.Code = "bad_version"  // spec_version is not a number
	codeNotPNG      talewright.Code = "not_png"      // no PNG signature
	codeTruncated   talewright.Code = "truncated"    // the PNG ends in the middle of a chunk
	codeNoCard      talewright.Code = "no_card"      // the container is valid, but has no card
	codeNotZIP      talewright.Code = "not_zip"      // no ZIP archive
	codeEncrypted   talewright.Code = "encrypted"    // the archive needs a password
	codeDamaged     talewright.Code = "damaged"      // unreadable data in a container
	codeTooLarge    talewright.Code = "too_large"    // beyond a limit of this package
	codeTooDeep     talewright.Code = "too_deep"     // JSON nested beyond the limit
	codeWouldLose   talewright.Code = "would_lose"   // V1 has no place for some of the fields
	codeRemoteAsset talewright.Code = "remote_asset" // a remote asset, never fetched
	codeBadAsset    talewright.Code = "bad_asset"    // an unreadable asset address
)

// Error says why there is no card (or no asset, or no file written). Get it with
// errors.AsType[*card.Error] or errors.As.
type Error struct {
	Code talewright.Code
	// Path is the place in the JSON text ("data.tags.2") or the byte offset in a container
	// ("@120").
	Path string
	// Message is a sentence for users: what is wrong and what to do.
	Message string
	// Err is the cause, if a different package reported one.
	Err error
}

// Error returns the message, with the package name as prefix.
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

// fatal returns the error of a file without a card as a problem.
func fatal(err error) talewright.Problems {
	p := talewright.Problem{Severity: talewright.Fatal}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		p.Text = err.Error()
		return talewright.Problems{p}
	}
	p.Code, p.Path, p.Text = e.Code, e.Path, e.Message
	if e.Err != nil {
		p.Text += ": " + e.Err.Error()
	}
	return talewright.Problems{p}
}

// fail, failAt and failWith build errors. The message is a statement and advice, separated by a
// full stop, without a full stop at the end.

func fail(code talewright.Code, message string) *Error {
	return &Error{Code: code, Message: message}
}

func failAt(code talewright.Code, path, message string) *Error {
	return &Error{Code: code, Path: path, Message: message}
}

func failWith(code talewright.Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, Err: cause}
}

// maxProblems limits the list, so that a hostile file cannot fill the memory with problems.
const maxProblems = 100

// report collects problems up to the limit.
type report struct {
	problems talewright.Problems
}

// severityOf returns Warning if the value was read in full although it is not written correctly.
// Other problems mean that a value was lost or replaced.
func severityOf(code talewright.Code) talewright.Severity {
	switch code {
	case codeNoSpec, codeNewerVersion, codeEmptyName, codeBadCRC, codeNoIEND, codeDamagedPicture, codeNotBase64, codeMendedJSON, codeInList:
		return talewright.Warning
	}
	return talewright.Error
}

// add appends a problem. At the limit it adds once a note that there are more.
func (r *report) add(code talewright.Code, path, message string) {
	switch n := len(r.problems); {
	case n < maxProblems:
		r.problems = append(r.problems, talewright.Problem{Path: path, Code: code, Severity: severityOf(code), Text: message})
	case n == maxProblems:
		r.problems = append(r.problems,
			talewright.Problem{Code: codeMore, Severity: talewright.Warning, Text: "further problems are not listed"})
	}
}

// full reports whether further problems would be dropped.
func (r *report) full() bool { return len(r.problems) > maxProblems }

// addAll appends the problems of a part.
func (r *report) addAll(list talewright.Problems) {
	for _, p := range list {
		r.add(p.Code, p.Path, p.Text)
	}
}
