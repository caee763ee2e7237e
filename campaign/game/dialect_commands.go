package game

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars"
)

// Commands is the dialect of the variable commands of package memvars and of the command languages
// in [Rules.Commands], with the blocks around them. It also reads the commands of players.
func Commands() Dialect {
	return Dialect{Name: nameCommands, native: true, bind: func(g *compiler) Dialect {
		return Dialect{Name: nameCommands, native: true, Read: readNothing, Opens: "<", Describe: g.describeCommands}
	}}
}

// CommandLanguage returns the dialect of a command language for the variables, such as mvu.Dialect.
// All command languages of a game are read together at the position of the first one. Their
// commands run in the order of the text, whatever their language is.
func CommandLanguage(d memvars.Dialect) Dialect {
	if d == nil {
		return Dialect{}
	}
	return Dialect{Name: d.Name(), commands: d, Read: readNothing, Opens: "<",
		Describe: func(s Scope) string { return describeLanguage(d.Name(), s) }}
}

// readNothing is the Read of a command language whose commands a different dialect reads.
func readNothing(string, Scope) []Span { return nil }

// describeCommands describes the commands if the document has a module that they write to, or if
// the model may write a declared variable.
func (g *Game) describeCommands(s Scope) string {
	p := g.Profile()
	var lines []string
	modules := slices.ContainsFunc([]string{p.Character, p.Status, p.Assets}, func(name string) bool {
		return s.Document.Root().Get(name).IsObject()
	})
	if modules || len(s.Writable()) > 0 {
		lines = append(lines, strings.NewReplacer("{character}", p.Character, "{status}", p.Status,
			"{assets}", p.Assets).Replace(s.Texts.Languages[nameCommands]))
	}
	for _, d := range g.content.Rules.Commands.Dialects {
		listed := slices.ContainsFunc(g.dialects, func(x Dialect) bool { return x.Name == d.Name() })
		if text := describeLanguage(d.Name(), s); text != "" && !listed {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// describeLanguage describes a further command language if there are any variables.
func describeLanguage(name string, s Scope) string {
	if s.Document.Root().Len() == 0 {
		return ""
	}
	return s.Texts.Languages[name]
}
