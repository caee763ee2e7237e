package template

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// The codes of [Vet].
const (
	codeLate      talewright.Code = "late_activation"     // activewi after the scan
	codeAmbiguous talewright.Code = "ambiguous_title"     // a different entry is found first
	codeUnknown   talewright.Code = "unknown_entry"       // no entry has the title
	codeDisplay   talewright.Code = "display_only"        // an entry for the screen of SillyTavern
	codeNotActing talewright.Code = "template_not_played" // a special entry that does nothing
	codeBadTest   talewright.Code = "template_bad"        // a test of @@if that does not compile
	codeNoName    talewright.Code = "template_needs"      // a name that nothing declares
)

// Vet returns the mistakes of authors in the books and the cards of env and in other texts:
//
//   - a title that getwi or activewi does not find, or finds in a different entry
//   - activewi after the scan, where it has no effect
//   - initial variables that are not an object
//   - a special entry that does nothing
//   - a test of @@if that does not compile
//   - a name that no text declares, such as a function of a different script
//
// Vet checks only titles that are constants in the code. It does not report texts that do not compile,
// see [Compile]. All problems are warnings, in the order of the books and texts. The search for titles
// may use the steps of one build. The titles after that are not checked.
func Vet(env Env, texts ...Piece) talewright.Problems {
	build := NewBuild(Env{Books: env.Books, Cards: env.Cards, EarlyActivation: env.EarlyActivation})
	v := vetter{build: build, hasEngine: env.Engine != nil}
	v.build.visit(v.entry)
	for _, p := range texts {
		v.text(p.Text, "", p.Path, origin{}, false)
	}
	v.unknownNames()
	if v.displays > 0 {
		v.warn(codeDisplay, v.firstDisplay.Path, v.firstDisplay.ID, "entries for the screen of SillyTavern (%d) "+
			"take no part in a prompt: take them out, or let the host show them", v.displays)
	}
	return v.problems
}

// vetter is one run of Vet.
type vetter struct {
	build        *Build
	hasEngine    bool // an engine runs what this package does not
	usedUp       bool // the steps of the build are used
	problems     talewright.Problems
	uses         []textNames
	displays     int // entries for the screen
	firstDisplay talewright.Problem
}

// textNames are the names of one text.
type textNames struct {
	nameUse
	path, id string
}

// unknownNames reports each name that a text reads and no text makes, at its first place.
func (v *vetter) unknownNames() {
	known := map[string]bool{}
	for _, u := range v.uses {
		if u.computed {
			return
		}
		maps.Copy(known, u.makes)
	}
	for _, u := range v.uses {
		for _, name := range u.reads {
			if _, isLibrary := v.build.library.names[name]; isLibrary || known[name] || contextNames[name] != nil {
				continue
			}
			known[name] = true
			v.warn(codeNoName, u.path, u.id, "the code reads the name %q, which no text declares, so it fails there: "+
				"declare it, or write the text without it", name)
		}
	}
}

// warn adds a problem.
func (v *vetter) warn(code talewright.Code, path, id, format string, args ...any) {
	v.problems = append(v.problems, talewright.Problem{Path: path, ID: id, Code: code, Severity: talewright.Warning,
		Text: fmt.Sprintf(format, args...)})
}

// entry checks one entry.
func (v *vetter) entry(a authored) {
	e, kind := a.entry, a.purpose.kind
	if e.Literal {
		return
	}
	id := cmp.Or(e.Comment, e.UID)
	switch {
	case kind == display && strings.HasPrefix(e.Comment, injectTitle):
		v.warn(codeNotActing, a.path, id, "an entry with the title @INJECT is not in a prompt, as in SillyTavern before this is switched on: "+
			"use a depth of the entry, or the title [GENERATE:BEFORE]")
		return
	case kind == display:
		if v.displays++; v.displays == 1 {
			v.firstDisplay = talewright.Problem{Path: a.path, ID: id}
		}
		return
	case kind != lore && !a.isOn():
		v.warn(codeNotActing, a.path, id, "the entry acts only if it is switched off or has @@always_enabled: switch it off")
		return
	case kind == initial && !hasTag(a.content) && !strings.Contains(a.content, "{{"):
		data, err := tree.ParseValue([]byte(strings.TrimSpace(a.content)))
		if err != nil || !data.IsObject() {
			v.warn(codeBadInitial, a.path, id, notInitial)
		}
	}
	if test, ok := a.decorator("if"); ok {
		_, err := compile(condition(test))
		if err != nil && !(v.hasEngine && NeedsEngine(err.problem(a.path))) {
			v.warn(codeBadTest, a.path, id,
				"the test of @@if cannot be read, so the entry is never left out: %v: correct it", err)
		}
		v.text(condition(test), id, a.path, a.origin, true)
	}
	v.text(a.content, id, a.path, a.origin, v.runsEarly(a))
}

// runsEarly reports whether the content of an entry is evaluated before the scan.
func (v *vetter) runsEarly(a authored) bool {
	return a.isPreprocessed() || a.has("only_preload") ||
		a.purpose == purpose{kind: generate, message: -1} ||
		v.build.env.EarlyActivation && a.activatesEarly()
}

// text checks the calls of a text. id and path are for its problems. early reports whether it runs before
// the scan.
func (v *vetter) text(text, id, path string, of origin, early bool) {
	if v.usedUp || !hasTag(text) {
		return
	}
	t, err := compile(text)
	if err != nil {
		return
	}
	v.uses = append(v.uses, textNames{t.names, path, id})
	reported := early // activewi after the scan is reported once for each text
	for _, c := range t.lookups {
		function := c.fn.(*nameExpr).name
		if strings.HasPrefix(function, "activ") && !reported {
			v.warn(codeLate, path, id, "%s runs here after the scan and has no effect: "+
				"call it in an entry with @@preprocessing or @@if, or in [GENERATE:BEFORE]", function)
			reported = true
		}
		bookName, title, ok := spelledTitle(c)
		if ok {
			v.lookup(function, bookName, title, id, path, of)
		}
	}
}

// lookup checks the title in a call of a function. id, path and of belong to the text with the call.
func (v *vetter) lookup(function string, bookName, title value, id, path string, of origin) {
	var found *worldbook.Entry
	var book *worldbook.Book
	f := &frame{build: v.build, src: &source{}, origins: []origin{of}}
	_, err := v.build.try(func() string {
		book = f.bookOf(bookName)
		_, found = f.findEntry(bookName, title)
		return ""
	})
	wanted := quote(title.text)
	switch {
	case err != nil:
		v.usedUp = true
	case book == nil && bookName.isNullish():
		v.warn(codeUnknown, path, id, "there is no book for %s(%s): name the book", function, wanted)
	case found == nil:
		v.warn(codeUnknown, path, id,
			"no entry has the title %s: %s gives nothing: correct the title, or name the book", wanted, function)
	case found.Comment != title.text && found.UID != title.text:
		hasTitle := func(e *worldbook.Entry) bool { return e.Comment == title.text }
		if slices.ContainsFunc(f.sortedEntries(book), hasTitle) {
			v.warn(codeAmbiguous, path, id, "%s finds the entry %s first, whose title contains %s: rename one of them",
				function, quote(found.Comment), wanted)
		}
	}
}

// spelledTitle returns the book and the title of a call of getwi or activewi. ok is false if they are not
// constants.
func spelledTitle(c *call) (book, title value, ok bool) {
	args := make([]value, len(c.args))
	isConstant := make([]bool, len(c.args))
	for i, x := range c.args {
		switch x := x.(type) {
		case *constant:
			args[i], isConstant[i] = x.v, true
		case *nameExpr:
			isConstant[i] = x.name == "undefined"
		case *objectExpr:
			args[i].kind = objectKind
		}
	}
	switch {
	case len(args) == 0:
		return book, title, false
	case len(args) == 1 || len(args) == 2 && (args[1].kind == objectKind || args[1].kind == boolKind):
		return value{}, args[0], isConstant[0] && args[0].kind == textKind
	}
	isBook := isConstant[0] && (args[0].isNullish() || args[0].kind == textKind)
	return args[0], args[1], isBook && isConstant[1] && args[1].kind == textKind
}

// loreFunction reports whether a function takes the title of an entry.
func loreFunction(name string) bool {
	switch name {
	case "getwi", "getWorldInfo", "activewi", "activateWorldInfo":
		return true
	}
	return false
}
