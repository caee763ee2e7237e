package template

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// The codes of [Vet].
const (
	codeLate       talewright.Code = "late_activation"     // activewi after the scan
	codeAmbiguous  talewright.Code = "ambiguous_title"     // a different entry is found first
	codeUnknown    talewright.Code = "unknown_entry"       // no entry has the title
	codeBadInitial talewright.Code = "bad_initial"         // initial variables that are not an object
	codeDisplay    talewright.Code = "display_only"        // an entry for the screen of SillyTavern
	codeNotActing  talewright.Code = "template_not_played" // a special entry that is not switched off
	codeBadTest    talewright.Code = "template_bad"        // a test of @@if that does not compile
)

// Vet returns the mistakes in books and other texts that no campaign can repair. They are titles
// that getwi and activewi do not find or find in a different entry, and activewi after the scan.
// They are also initial variables that are not an object, special entries that do nothing, and tests
// of @@if that do not compile. Vet uses the books and the cards of env. Only titles that the code
// spells out are sought. Vet does not report texts that do not compile, see [Compile]. All problems are warnings, in the order
// of the books and texts. The search has the steps of one build; later titles are not sought.
func Vet(env Env, texts ...Piece) talewright.Problems {
	v := vetter{build: NewBuild(Env{Books: env.Books, Cards: env.Cards, EarlyActivation: env.EarlyActivation}), left: true, engine: env.Engine != nil}
	v.build.visit(v.entry)
	for _, p := range texts {
		v.text(p.Text, "", p.Path, nil, nil, true)
	}
	if v.displays > 0 {
		v.tell(codeDisplay, v.first.Path, v.first.ID, "entries for the screen of SillyTavern (%d) take no part in a prompt: take them out, or let the host show them", v.displays)
	}
	return v.problems
}

// vetter is one run of Vet.
type vetter struct {
	build    *Build
	left     bool // steps are left
	engine   bool // an engine runs what this package does not
	problems talewright.Problems
	displays int                // entries for the screen
	first    talewright.Problem // the place of the first of them
}

func (v *vetter) tell(code talewright.Code, path, id, format string, args ...any) {
	v.problems = append(v.problems, talewright.Problem{Path: path, ID: id, Code: code, Severity: talewright.Warning, Text: fmt.Sprintf(format, args...)})
}

// entry checks one entry.
func (v *vetter) entry(book *worldbook.Book, e *worldbook.Entry, list []decorator, content, path string) {
	if e.Literal {
		return
	}
	id := e.Comment
	if id == "" {
		id = e.UID
	}
	purpose := specialOf(e, list)
	switch {
	case purpose.kind == display:
		if v.displays++; v.displays == 1 {
			v.first = talewright.Problem{Path: path, ID: id}
		}
		return
	case purpose.kind != lore && !acts(e, list):
		v.tell(codeNotActing, path, id, "the entry acts only if it is switched off or has @@always_enabled: switch it off")
		return
	case purpose.kind == initial && !strings.Contains(content, "<%") && !strings.Contains(content, "{{"):
		if data, err := tree.ParseValue([]byte(strings.TrimSpace(content))); err != nil || !data.IsObject() {
			v.tell(codeBadInitial, path, id, "the initial variables are not a JSON object and are not used: write {…}")
		}
	}
	_, early := has(list, "preprocessing")
	_, library := has(list, "only_preload")
	early = early || library || strings.Contains(e.Comment, "[Preprocessing]") || purpose.kind == generate && purpose.message < 0 && !purpose.after
	early = early || v.build.env.EarlyActivation && e.Constant && !e.Disable
	if test, ok := has(list, "if"); ok {
		if _, err := compile(condition(test)); err != nil && !(v.engine && NeedsEngine(err.problem(path))) {
			v.tell(codeBadTest, path, id, "the test of @@if cannot be read, so the entry is never left out: %v: correct it", err)
		}
		v.text(condition(test), id, path, book, e, false)
	}
	v.text(content, id, path, book, e, !early)
}

// text checks the calls of a text. late reports whether it runs after the scan.
func (v *vetter) text(text, id, path string, book *worldbook.Book, e *worldbook.Entry, late bool) {
	if !v.left || !strings.Contains(text, "<%") {
		return
	}
	t, err := compile(text)
	if err != nil {
		return
	}
	for _, c := range t.lookups {
		function := c.fn.(*nameOf).name
		if activates := strings.HasPrefix(function, "activ"); activates && late {
			v.tell(codeLate, path, id, "%s runs here after the scan and has no effect: call it in an entry with @@preprocessing or @@if, or in [GENERATE:BEFORE]", function)
			late = false // once for each text
		}
		v.lookup(c, id, path, book, e)
	}
}

// lookup checks the title of a call, if the code spells it out.
func (v *vetter) lookup(c *call, id, path string, book *worldbook.Book, e *worldbook.Entry) {
	bookName, title, ok := spelledTitle(c)
	if !ok {
		return
	}
	var found *worldbook.Entry
	var within *worldbook.Book
	f := &frame{build: v.build, src: &source{}, origins: []origin{{book, e}}}
	_, err := v.build.try(func() string {
		within = f.bookOf(bookName)
		_, found = f.findEntry(bookName, title)
		return ""
	})
	switch {
	case err != nil:
		v.left = false
	case within == nil && bookName.isNullish():
		v.tell(codeUnknown, path, id, "there is no book for %s(%s): name the book", c.fn.(*nameOf).name, quote(title.text))
	case found == nil:
		v.tell(codeUnknown, path, id, "no entry has the title %s: %s gives nothing: correct the title, or name the book", quote(title.text), c.fn.(*nameOf).name)
	case found.Comment != title.text && found.UID != title.text:
		for _, other := range f.sorted(within) {
			if other.Comment == title.text {
				v.tell(codeAmbiguous, path, id, "%s finds the entry %s first, whose title contains %s: rename one of them",
					c.fn.(*nameOf).name, quote(found.Comment), quote(title.text))
				return
			}
		}
	}
}

// spelledTitle returns the book and the title of a call, if both are constants.
func spelledTitle(c *call) (book, title value, ok bool) {
	at := func(i int) (v value, ok bool) {
		switch arg := c.args[i].(type) {
		case *constant:
			return arg.v, true
		case *nameOf:
			return v, arg.name == "undefined"
		}
		return v, false
	}
	switch n := len(c.args); n {
	case 0:
		return book, title, false
	case 1:
		title, ok = at(0)
		return value{}, title, ok && title.kind == textKind
	default:
		first, known := at(0)
		if !known {
			return book, title, false
		}
		second, known := at(1)
		if _, data := c.args[1].(*objectExpr); n == 2 && (data || known && second.kind == boolKind) {
			return value{}, first, first.kind == textKind
		}
		return first, second, known && second.kind == textKind && (first.isNullish() || first.kind == textKind)
	}
}

// loreFunction reports whether a function takes the title of an entry.
func loreFunction(name string) bool {
	switch name {
	case "getwi", "getWorldInfo", "activewi", "activateWorldInfo":
		return true
	}
	return false
}
