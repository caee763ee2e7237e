package game

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// The codes of problems that this package finds itself. Other problems have the codes of the
// packages that read the content.
const (
	codeBadContent talewright.Code = "bad_content" // content that cannot be played
	codeNotPlayed  talewright.Code = "not_played"  // content that no turn of a campaign uses
)

// findings collects the problems of a content.
type findings struct{ list talewright.Problems }

// addAll adds the problems that a package found in a part of the content.
func (f *findings) addAll(part string, list talewright.Problems) {
	f.list = append(f.list, list.In(part)...)
}

func (f *findings) add(severity talewright.Severity, code talewright.Code, path, format string, args ...any) {
	f.list = append(f.list, talewright.Problem{
		Path: path, Code: code, Severity: severity, Text: fmt.Sprintf(format, args...)})
}

// addFatal adds a problem that prevents a game.
func (f *findings) addFatal(path, format string, args ...any) {
	f.add(talewright.Fatal, codeBadContent, path, format, args...)
}

// addError adds a problem that makes a part of the content ineffective.
func (f *findings) addError(path, format string, args ...any) {
	f.add(talewright.Error, codeBadContent, path, format, args...)
}

// addUnplayed adds a warning about content that no turn uses.
func (f *findings) addUnplayed(path, format string, args ...any) {
	f.add(talewright.Warning, codeNotPlayed, path, format, args...)
}

// warn adds a warning about a part of the content with an ID.
func (f *findings) warn(code talewright.Code, path, id, format string, args ...any) {
	f.add(talewright.Warning, code, path, format, args...)
	f.list[len(f.list)-1].ID = id
}

// reportUnplayedModules reports the parts of modules that no turn uses.
func reportUnplayedModules(list []rules.Module, problems *findings) {
	for i, m := range list {
		if m.Order != 0 {
			problems.addUnplayed(fmt.Sprintf("modules[%d].order", i), "has no effect: all active modules take part alike; remove it")
		}
	}
}

// compiler builds a game, part by part.
type compiler struct {
	*Game
	problems findings
	ofHooks  talewright.Problems // found with the rules, reported with the hooks
}

// isAboutView reports whether the text of a problem is about a view. The engine adds views, and authors
// do not declare them. The first quoted word of such a text is the name of the variable.
func isAboutView(text string) bool {
	_, name, _ := strings.Cut(text, `"`)
	return state.IsView(name)
}
