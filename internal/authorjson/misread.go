package authorjson

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
)

// Unreadable is the code of members of the wrong type.
const Unreadable talewright.Code = "unreadable"

// Misread reports the members that do not have the wanted type. want describes the type: "a number".
// path is the path of an object, and extra is the result of [Fields.Rest] for it. Rest returns the
// unknown members and the known members of a wrong type. Misread reports each given member that is in
// extra.
func Misread(
	path, id string, extra map[string]json.RawMessage, want string, members ...string,
) talewright.Problems {
	var ps talewright.Problems
	for _, member := range members {
		if raw, bad := extra[member]; bad {
			ps = append(ps, talewright.Problem{Path: path + "." + member, ID: id, Code: Unreadable,
				Text: "ignored: " + Line(string(raw)) + " is not " + want})
		}
	}
	return ps
}

// Line shortens a text for people to one short line.
func Line(s string) string {
	const most = 40
	s, _, _ = strings.Cut(s[:min(len(s), (most+1)*utf8.UTFMax)], "\n")
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
