package authoring

import (
	"go/token"
	"regexp"
	"strconv"

	"github.com/talewright/talewright"
)

// The codes of problems that this package finds itself.
const (
	codeSyntax        talewright.Code = "syntax"
	codeWrongType     talewright.Code = "wrong_type"
	codeUnknownValue  talewright.Code = "unknown_value"
	codeMissing       talewright.Code = "missing"
	codeOutOfRange    talewright.Code = "out_of_range"
	codeUnknownMember talewright.Code = "unknown_member"
	codeDuplicate     talewright.Code = "duplicate"
	codeTrap          talewright.Code = "yaml_trap"
	codeUnread        talewright.Code = "unread_file"
	codeRefused       talewright.Code = "refused_file"
	codeMissingFile   talewright.Code = "missing_file"
	codeNoGame        talewright.Code = "no_game"
	codeBadSetup      talewright.Code = "bad_setup"
)

// placed matches a path that begins with a file, a line and a column.
var placed = regexp.MustCompile(`^(.+?):(\d+):(\d+)(?:: (.*))?$`)

// Position returns the file, the line and the column of a problem, and the path within the file. The
// line is 0 if the problem concerns a whole file, and the file is empty if it concerns the game.
func Position(p talewright.Problem) (at token.Position, path string) {
	m := placed.FindStringSubmatch(p.Path)
	if m == nil {
		return token.Position{Filename: p.Path}, ""
	}
	at.Filename = m[1]
	at.Line, _ = strconv.Atoi(m[2])
	at.Column, _ = strconv.Atoi(m[3])
	return at, m[4]
}

// in writes a position as the beginning of a path.
func (p place) in(file, path string) string {
	out := file
	if p.line > 0 {
		out += ":" + strconv.Itoa(p.line) + ":" + strconv.Itoa(p.column)
	}
	if path != "" {
		out += ": " + path
	}
	return out
}
