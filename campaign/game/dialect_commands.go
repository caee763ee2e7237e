package game

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars"
)

// Commands is the dialect of the variable commands of package memvars, and of the
// command languages in [Content.Commands], with the blocks around them. It is also
// what reads the commands of players.
func Commands() Dialect {
	return Dialect{Name: nameCommands, native: true, bind: func(g *compiler) Dialect {
		return Dialect{Name: nameCommands, native: true, Read: readNothing, Opens: "<", Describe: g.describeCommands}
	}}
}

// CommandLanguage makes a dialect of a command language on the document of the
// variables, such as mvu.Dialect. All command languages of a game are read together at
// the place of the first: their commands run mixed, in the order of the text.
func CommandLanguage(d memvars.Dialect) Dialect {
	if d == nil {
		return Dialect{}
	}
	return Dialect{Name: d.Name(), commands: d, Read: readNothing, Opens: "<",
		Describe: func(s Scope) string { return describeLanguage(d.Name(), s) }}
}

// readNothing is the reader of a command language whose commands another one reads.
func readNothing(string, Scope) []Span { return nil }

// describeCommands tells of the commands where the document has a module that they
// write to, or the model may write a declared variable.
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
	for _, d := range g.content.Commands.Dialects {
		listed := slices.ContainsFunc(g.dialects, func(x Dialect) bool { return x.Name == d.Name() })
		if text := describeLanguage(d.Name(), s); text != "" && !listed {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// describeLanguage tells of a further command language where there is anything to write.
func describeLanguage(name string, s Scope) string {
	if s.Document.Root().Len() == 0 {
		return ""
	}
	return s.Texts.Languages[name]
}
