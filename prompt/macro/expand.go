package macro

import (
	"cmp"
	"strings"
)

// NewRun returns a Run for the beginning of a build. The environment is copied; its maps and slices
// are only read.
func NewRun(env Env) *Run {
	r := &Run{env: env}
	r.env.Chat = cmp.Or[Chat](r.env.Chat, Messages(nil))
	if r.env.Compile == nil {
		r.env.Compile = Compile
	}
	r.vars = &store{run: r, values: env.Vars}
	r.globals = &store{run: r, values: env.Globals, global: true}
	if len(env.Macros) > 0 {
		r.buildMacros = make(map[string]string, len(env.Macros))
		for name, text := range env.Macros {
			r.buildMacros[strings.ToLower(name)] = text
		}
	}
	return r
}

// Expand expands a text in a mode. Use [Full] only for texts of authors.
//
// Macros are expanded from left to right, innermost first. The result of a macro is never expanded
// again. In mode Full, at the end, {{trim}} is removed with all newlines that touch it, and \{ and
// \} become braces. Macros that cannot be expanded stay as written and are reported in the trace.
func (r *Run) Expand(text string, mode Mode) string {
	return r.ExpandWith(text, mode, Locals{})
}

// mayExpand reports whether the text has one of the bytes with which macros and escapes begin. Most
// lines of a history have none, so they need no template.
func mayExpand(text string) bool {
	return strings.IndexByte(text, '{') >= 0 || strings.IndexByte(text, '<') >= 0 ||
		strings.IndexByte(text, '\\') >= 0
}

// ExpandWith is [Run.Expand] with macros for this text only.
func (r *Run) ExpandWith(text string, mode Mode, locals Locals) string {
	if mode != Full && mode != Names || !mayExpand(text) {
		return text
	}
	if r.env.CBS != nil && mode == Full {
		return r.expandCBS(text, locals)
	}
	t := r.env.Compile(text)
	if t.plain || mode == Names && len(t.nodes) == 0 {
		return text
	}
	return r.template(t, mode, locals)
}

// template expands a compiled text. It is a function of its own so that a text without macros
// allocates no locals.
func (r *Run) template(t *Template, mode Mode, locals Locals) string {
	return r.evaluate(&evaluator{run: r, template: t, locals: &locals, names: mode == Names})
}

// evaluate expands the template of an evaluator. In mode Names only names are changed, not even escapes.
func (r *Run) evaluate(e *evaluator) string {
	t := e.template
	for _, p := range t.problems {
		r.problem(p)
	}
	if len(t.nodes) == 0 && len(t.places) == 0 {
		return unescape(t.text)
	}
	e.out = make([]byte, 0, len(t.text)+64)
	if len(t.nodes) == 0 {
		e.writeSource(0, len(t.text))
	}
	e.writeNodes(t.nodes)
	if e.names {
		return string(e.out)
	}
	return removeMarks(unescape(string(e.out)))
}

// Expand expands one text of an author in a new [Run] and returns the text and the trace. Variables
// that the text writes are lost; use a Run to keep them.
func Expand(text string, env Env) (string, Trace) {
	r := NewRun(env)
	return r.Expand(text, Full), r.Trace()
}

// cardText returns the expanded text of a field of the card.
func (r *Run) cardText(key, template string, mode Mode) string {
	return r.field(key, func() string {
		return trim(r.Expand(template, cmp.Or(mode, Full)))
	})
}

// Prepare expands the fields of the card that every prompt uses: description, personality, persona,
// scenario and examples, in this order. The variables that they set are then available to all other
// texts.
func (r *Run) Prepare() {
	for _, name := range [...]string{
		"description", "personality", "persona", "scenario", "mesexamplesraw",
	} {
		r.cardField(name)
	}
}

// Outlet returns the text of an outlet and reports whether the outlet exists. A call counts as a
// use.
func (r *Run) Outlet(name string) (string, bool) {
	pieces, ok := r.env.Outlets[name]
	if !ok || name == "" {
		return "", false
	}
	return r.field("outlet "+name, func() string {
		var texts []string
		for _, p := range pieces {
			text := p.Text
			if !p.Literal {
				text = r.Expand(text, Full)
			}
			if trim(text) != "" {
				texts = append(texts, text)
			}
		}
		return strings.Join(texts, "\n")
	}), true
}

// cardField returns a field by the lower-case name of its macro. The name is also the key of the
// cached text, so that all aliases of a macro share one expansion and its side effects happen once.
func (r *Run) cardField(name string) string {
	card := &r.env.Card
	template := map[string]string{
		"description":     card.Description,
		"personality":     card.Personality,
		"scenario":        card.Scenario,
		"persona":         r.env.Persona,
		"charprompt":      card.SystemPrompt,
		"charinstruction": card.PostHistory,
		"chardepthprompt": card.DepthPrompt,
		"creatornotes":    card.CreatorNotes,
		"mesexamplesraw":  card.Examples,
	}[name]
	mode := r.env.CardMode
	if name == "persona" {
		mode = r.env.PersonaMode
	}
	return r.cardText(name, template, mode)
}

// placeMark stands for a place for data in the text of a form. No valid UTF-8 contains it.
const placeMark = '\xff'

// Part is a piece of a form: a text of its author, or, if Data is set, a place for text of any
// origin.
type Part struct {
	Text string
	Data bool
}

// Form is a template with places for data. [Run.Fill] fills the places each time. A Form is
// immutable and bound to the macros of the run that made it.
type Form struct{ template *Template }

// Form compiles a template with places. The text in a place is data: it cannot open, close,
// separate or name anything. It may be an argument or part of an argument.
func (r *Run) Form(parts ...Part) Form {
	var b strings.Builder
	var places []int
	for _, p := range parts {
		if p.Data {
			places = append(places, b.Len())
			b.WriteByte(placeMark)
			continue
		}
		// Only placeMark may be invalid UTF-8.
		b.WriteString(strings.ToValidUTF8(p.Text, "\ufffd"))
	}
	t := *r.env.Compile("").set.Compile(b.String())
	t.places = places
	return Form{&t}
}

// Plain reports whether there is nothing to expand: the filled form is just its parts.
func (f Form) Plain() bool { return f.template.plain }

// Fill expands a form in mode [Full], with data for its places in order. If there are fewer data
// than places, the last places are empty.
func (r *Run) Fill(f Form, data ...string) string {
	filled := make([]string, len(f.template.places))
	for i, text := range data[:min(len(data), len(filled))] {
		if filled[i] = asData.Replace(text); strings.HasSuffix(text, `\`) {
			filled[i] += markData
		}
	}
	return r.evaluate(&evaluator{run: r, template: f.template, locals: &Locals{}, data: filled})
}

// asData puts a mark between a backslash and a brace of data. Without it, expansion would remove the
// backslash, as it does in texts of authors. The mark is removed at the end.
var asData = strings.NewReplacer(`\{`, `\`+markData+`{`, `\}`, `\`+markData+`}`)
