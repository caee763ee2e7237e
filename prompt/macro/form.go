package macro

import (
	"strings"

	"github.com/talewright/talewright/prompt/macro/internal/mark"
)

// place stands in the text of a form where data goes.
const place = '\xff'

// Part is a piece of a form: a text of its author, or, if Data is set, a place for
// text of any origin.
type Part struct {
	Text string
	Data bool
}

// Form is a template with places, which [Run.Fill] fills anew each time. It is
// immutable and bound to the macros of the run that made it.
type Form struct{ template *Template }

// Form compiles a template with places. What fills a place is data: it opens,
// closes, separates and names nothing, but it may be an argument or a part of one.
func (r *Run) Form(parts ...Part) Form {
	var b strings.Builder
	var places []int
	for _, p := range parts {
		if p.Data {
			places = append(places, b.Len())
			b.WriteByte(place)
			continue
		}
		// A byte that is no text would be taken for a place.
		b.WriteString(strings.ToValidUTF8(p.Text, "\ufffd"))
	}
	t := *r.env.Compile("").set.Compile(b.String())
	t.places = places
	return Form{&t}
}

// Plain reports whether there is nothing to expand: the filled form is its parts.
func (f Form) Plain() bool { return f.template.plain }

// Fill expands a form in mode [Full], with data for each of its places in order.
// Fewer data than places leave the last places empty.
func (r *Run) Fill(f Form, data ...string) string {
	filled := make([]string, len(f.template.places))
	for i, text := range data[:min(len(data), len(filled))] {
		filled[i] = asData.Replace(text)
	}
	return r.evaluate(&evaluator{run: r, t: f.template, locals: &Locals{}, data: filled})
}

// asData keeps the backslash in front of a brace, which is taken away in what the
// author wrote. The mark vanishes with all others.
var asData = strings.NewReplacer(`\{`, `\`+mark.Else+`{`, `\}`, `\`+mark.Else+`}`)
