package game

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// compileDialects prepares the command languages and the dialects, or the default dialects if the
// content has none.
func (g *compiler) compileDialects() {
	vars, found := memvars.Compile(commandOptions(g.content))
	g.problems.addAll("commands", found)
	g.vars = vars
	list := g.content.Rules.Dialects
	if list == nil {
		list = g.defaultDialects()
	}
	fatal := func(i int, format string, args ...any) {
		g.problems.addFatal(fmt.Sprintf("dialects[%d]", i), format, args...)
	}
	names := map[string]bool{}
	for i, d := range list {
		if d.bind != nil {
			d = d.bind(g)
		}
		switch {
		case strings.TrimSpace(d.Name) == "":
			fatal(i, "the dialect has no name; give it one")
		case names[d.Name]:
			fatal(i, "the name %q is taken; give each dialect its own", d.Name)
		case d.Read == nil:
			fatal(i, "%q has no Read; set it", d.Name)
		default:
			g.dialects = append(g.dialects, d)
		}
		names[d.Name] = true
	}
	if len(g.content.Rules.ReplyRules) > 0 && !names[nameReplyRules] {
		g.problems.addError("replyRules", "nothing reads them; add ReplyRules() to the dialects")
	}
	g.joinCommands()
	g.stream = streamTraitsOf(g.dialects)
}

// defaultDialects returns the dialects of a content without a list: variable commands, reply rules
// if there are any, directives if variables are declared.
func (g *compiler) defaultDialects() []Dialect {
	list := []Dialect{Commands()}
	if len(g.content.Rules.ReplyRules) > 0 {
		list = append(list, ReplyRules())
	}
	if len(g.content.Rules.Variables) > 0 {
		list = append(list, Directives(DirectiveOptions{}))
	}
	return list
}

// joinCommands makes the first command language read the commands of all of them. It also records which
// languages are open. A language is open if the list of dialects has it. The name of the native commands
// is "".
func (g *compiler) joinCommands() {
	open := map[string]bool{}
	first := -1
	for i, d := range g.dialects {
		if d.native {
			open[""] = true
			for _, own := range g.content.Rules.Commands.Dialects {
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

// readCommands finds the commands of all open languages, with the blocks around them.
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
func (g *Game) OpenOps(ops []memvars.Op) []memvars.Op {
	closed := func(op memvars.Op) bool { return !g.commands[op.Dialect] }
	if !slices.ContainsFunc(ops, closed) {
		return ops
	}
	return slices.DeleteFunc(slices.Clone(ops), closed)
}

// leftovers returns the command blocks without commands of any dialect, tags without content, and
// comments with commands. These commands have no effect. They are cut, because a tag such as
// <updateMemory></updateMemory> is not meant for players.
func (g *Game) leftovers(rest string) []Span {
	if len(g.commands) == 0 {
		return nil
	}
	out := g.commentedCommands(rest)
	if !strings.Contains(rest, "<") {
		return out
	}
	if g.commands[nameMVU] {
		for _, at := range statusTags.FindAllStringIndex(rest, -1) {
			out = append(out, Span{From: at[0], To: at[1]})
		}
	}
	for _, p := range g.vars.Passages(rest) {
		if len(p.Ops) == 0 {
			out = append(out, Span{From: p.From, To: p.To})
		}
	}
	return out
}

// nameMVU is the name of the dialect of MVU.
const nameMVU = "mvu"

// statusTags finds the marks for status pages, and the copies of variables that models write for them.
var statusTags = regexp.MustCompile(`(?s)<StatusPlaceHolderImpl/>|<status_current_variable>.*?</status_current_variable>`)

// commentMarks are the beginnings and ends of comments that hide commands. An empty end means the
// end of the line.
var commentMarks = [...][2]string{{"<!--", "-->"}, {"/*", "*/"}, {"//", ""}}

// commentedCommands returns the comments that contain commands.
func (g *Game) commentedCommands(text string) []Span {
	var out []Span
	for _, mark := range commentMarks {
		for at := 0; ; {
			n := strings.Index(text[at:], mark[0])
			if n < 0 {
				break
			}
			from := at + n
			inner := from + len(mark[0])
			length := strings.Index(text[inner:], mark[1])
			if mark[1] == "" {
				if length = strings.IndexByte(text[inner:], '\n'); length < 0 {
					length = len(text) - inner
				}
			}
			if length < 0 {
				break
			}
			if at = inner + length + len(mark[1]); g.hasCommands(text[inner : inner+length]) {
				out = append(out, Span{From: from, To: at})
			}
		}
	}
	return out
}

// hasCommands reports whether a text has commands of an open language.
func (g *Game) hasCommands(text string) bool {
	return slices.ContainsFunc(g.vars.Passages(text), func(p memvars.Passage) bool { return len(g.OpenOps(p.Ops)) > 0 })
}

// Scope returns the scope for dialects while an answer is streamed.
func (g *Game) Scope() Scope {
	return Scope{Variables: g.content.Rules.Variables, Rules: g.rules, Texts: g.texts}
}

// TellLanguages returns the lines of the prompt about the languages in which the model may ask for
// changes, and about the variables that it may write. It returns nothing if there is no language.
func (g *Game) TellLanguages(scope Scope) []string {
	scope.writable = append([]rules.Variable{}, scope.Writable()...)
	var lines []string
	for i := range g.dialects {
		if d := &g.dialects[i]; d.Describe != nil {
			if text := strings.TrimSpace(d.Describe(scope)); text != "" {
				lines = append(lines, text)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	if list := scope.Writable(); len(list) > 0 {
		lines = append(lines, g.texts.Writable)
		for _, v := range list {
			lines = append(lines, "- "+variableLine(v, g.texts.Marks))
		}
	}
	return lines
}

// TellsSummaries reports whether the language of summaries is open.
func (g *Game) TellsSummaries() bool { return g.commands[""] }

// variableLine returns a line for a variable with its type and bounds, such as "gold (Gold): number
// 0…100".
func variableLine(v rules.Variable, marks Marks) string {
	line := v.ID
	if v.Name != "" && v.Name != v.ID {
		line = marks.Aside(line, v.Name)
	}
	line += marks.Colon + string(v.Type)
	if v.Min != nil || v.Max != nil {
		line += " " + formatBound(v.Min) + "…" + formatBound(v.Max)
	}
	return line
}

// formatBound writes a bound, or nothing if there is no bound.
func formatBound(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'g', -1, 64)
}

// commandOptions returns the options of the commands, including the command languages in the list
// of dialects.
func commandOptions(c Content) memvars.Options {
	o := c.Rules.Commands
	o.Hints = hintLanguage(c)
	o.Profile = commandProfile(c)
	for _, d := range c.Rules.Dialects {
		if d.commands != nil && !slices.ContainsFunc(o.Dialects, func(x memvars.Dialect) bool {
			return x.Name() == d.Name
		}) {
			o.Dialects = append(slices.Clip(o.Dialects), d.commands)
		}
	}
	return o
}

// commandProfile returns the profile of the commands. In declared variables, a list is not read as
// a pair of a value and a description. Rules read it in the same way.
func commandProfile(c Content) *memvars.Profile {
	p := memvars.DefaultProfile()
	if c.Rules.Commands.Profile != nil {
		p = *c.Rules.Commands.Profile
	}
	p.LeafRules = slices.Clip(p.LeafRules)
	for _, v := range c.Rules.Variables {
		path, err := tree.ParsePath(v.Path)
		if err == nil && v.Default.IsArray() && (path[0] == p.Character || path[0] == p.Status) {
			p.LeafRules = append(p.LeafRules, memvars.LeafRule{Path: path, Leaf: true, List: true})
		}
	}
	p = p.Sorted()
	return &p
}

// hintLanguage returns the language of the refusal texts for models.
func hintLanguage(c Content) string {
	if c.Rules.Commands.Hints == "" && c.Extensions.Texts != nil {
		return c.Extensions.Texts.Hints
	}
	return c.Rules.Commands.Hints
}
