package game

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// The codes of problems that this package finds itself; the others are those of the
// packages that read the content.
const (
	BadContent talewright.Code = "bad_content" // what cannot be played
	NotPlayed  talewright.Code = "not_played"  // content that no turn of a campaign uses
)

// findings collect the problems of a content.
type findings struct{ list talewright.Problems }

// in takes over what a package found in a part of the content.
func (f *findings) in(part string, list talewright.Problems) {
	f.list = append(f.list, list.In(part)...)
}

func (f *findings) add(severity talewright.Severity, code talewright.Code, path, format string, args ...any) {
	f.list = append(f.list, talewright.Problem{
		Path: path, Code: code, Severity: severity, Text: fmt.Sprintf(format, args...)})
}

// fatal keeps the content from being played.
func (f *findings) fatal(path, format string, args ...any) {
	f.add(talewright.Fatal, BadContent, path, format, args...)
}

// wrong leaves something of the content without effect.
func (f *findings) wrong(path, format string, args ...any) {
	f.add(talewright.Error, BadContent, path, format, args...)
}

// unplayed tells of what no turn asks for.
func (f *findings) unplayed(path, format string, args ...any) {
	f.add(talewright.Warning, NotPlayed, path, format, args...)
}

// unplayedModules reports what of modules no turn asks for.
func unplayedModules(list []rules.Module, problems *findings) {
	for i, m := range list {
		if m.Order != 0 {
			problems.unplayed(fmt.Sprintf("modules[%d].order", i), "has no effect: modules that are active take part alike")
		}
	}
}

// compiler makes a game, part by part.
type compiler struct {
	*Game
	problems findings
}

// aboutCharacters reports whether a text speaks of a variable that the engine puts in,
// which no author declares.
func aboutCharacters(text string) bool {
	_, name, _ := strings.Cut(text, `"`)
	return state.IsView(name)
}
