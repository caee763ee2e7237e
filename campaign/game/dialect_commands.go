package game

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/profile"
)

// Names of the built-in dialects.
const (
	nameCommands   = "commands"
	nameReplyRules = "reply_rules"
	nameDirectives = "directives"
)

// Commands is the dialect of the variable commands of package memvars, and of the
// command languages in [Content.Commands], with the blocks around them. It is also
// what reads the commands of players.
func Commands() Dialect {
	return Dialect{Name: nameCommands, native: true, bind: func(g *Game, _ *findings) Dialect {
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

// hintLanguage is the language in which models are told what is refused.
func hintLanguage(c Content) string {
	if c.Commands.Hints == "" && c.Texts != nil {
		return c.Texts.Hints
	}
	return c.Commands.Hints
}

// commandOptions are the options of the commands with the languages that the list of
// dialects adds.
func commandOptions(c Content) memvars.Options {
	o := c.Commands
	o.Hints = hintLanguage(c)
	for _, d := range c.Dialects {
		if d.commands != nil && !slices.ContainsFunc(o.Dialects, func(x memvars.Dialect) bool {
			return x.Name() == d.Name
		}) {
			o.Dialects = append(slices.Clip(o.Dialects), d.commands)
		}
	}
	return o
}

// joinCommands lets the first command language read for all of them.
func (g *Game) joinCommands() {
	open := map[string]bool{}
	first := -1
	for i, d := range g.dialects {
		if d.native {
			open[""] = true
			for _, own := range g.content.Commands.Dialects {
				open[own.Name()] = true
			}
		}
		if d.commands != nil {
			open[d.Name] = true
		}
		if first < 0 && (d.native || d.commands != nil) {
			first = i
		}
	}
	g.commands = open
	if first >= 0 {
		g.dialects[first].Read = func(text string, _ Scope) []Span { return g.readCommands(text) }
	}
}

// readCommands finds the commands of all open languages, with the blocks that they
// stand in.
func (g *Game) readCommands(text string) []Span {
	var out []Span
	for _, p := range g.vars.Passages(text) {
		ops := g.OpenOps(p.Ops)
		if len(ops) > 0 {
			out = append(out, Span{From: p.From, To: p.To, Commands: ops})
		}
	}
	return out
}

// OpenOps returns the commands whose languages are open.
func (g *Game) OpenOps(ops []command.Op) []command.Op {
	if !slices.ContainsFunc(ops, func(op command.Op) bool { return !g.commands[op.Dialect] }) {
		return ops
	}
	return slices.DeleteFunc(slices.Clone(ops), func(op command.Op) bool { return !g.commands[op.Dialect] })
}

// leftovers are the command blocks in which no dialect found anything, and lone tags:
// a model that writes <updateMemory></updateMemory> writes it for nobody to read.
func (g *Game) leftovers(rest string) []Span {
	if len(g.commands) == 0 || !strings.Contains(rest, "<") {
		return nil
	}
	var out []Span
	for _, p := range g.vars.Passages(rest) {
		if len(p.Ops) == 0 {
			out = append(out, Span{From: p.From, To: p.To})
		}
	}
	return out
}

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

// Profile is that of the variable commands.
func (g *Game) Profile() profile.Profile {
	if p := g.content.Commands.Profile; p != nil {
		return *p
	}
	return profile.Default()
}
