package worldbook

import "strings"

// InjectHow says how a text joins the text that it is injected into.
type InjectHow string

// The ways. Texts that are joined have a newline between them.
const (
	InjectAppend  InjectHow = "append"
	InjectPrepend InjectHow = "prepend"
	InjectReplace InjectHow = "replace"
)

// Injection asks the host to put a text into a part of its own prompt
// (decorator inject_at of RisuAI).
type Injection struct {
	// Into names the part, in the host's words.
	Into string    `json:"into"`
	How  InjectHow `json:"how"`
	// Old is the text inside the part that InjectReplace replaces.
	Old string `json:"old,omitempty"`
}

// Apply returns target with text injected. A target without Old stays as it is.
func (in Injection) Apply(target, text string) string {
	switch in.How {
	case InjectReplace:
		if in.Old == "" {
			return text
		}
		return strings.ReplaceAll(target, in.Old, text)
	case InjectPrepend:
		return text + "\n" + target
	}
	return target + "\n" + text
}

// mergeInjected puts the texts of entries that are to stand inside another one
// (decorator inject_lore) into it, in activation order. Where the other is not
// active they stand nowhere. Texts for a part of the host's prompt are handed
// over as [Activation.Inject] and stand nowhere else.
func (s *scan) mergeInjected() {
	var titled map[string][]int // places in the list by comment
	for _, i := range s.roster.special {
		e := s.roster.activated[i]
		switch {
		case e.v3 == nil:
		case e.v3.injectLore != "":
			if titled == nil {
				titled = s.out.titled()
			}
			s.out.injectInto(titled[e.v3.injectLore], int(i), e, s.contents.of(e))
		case e.v3.inject.Into != "":
			in := e.v3.inject
			s.out.Activated[i].Inject = &in
		}
	}
}

// injected reports whether the entry's text stands inside another text.
func (e *entry) injected() bool {
	return e.gated && e.v3 != nil && (e.v3.injectLore != "" || e.v3.inject.Into != "")
}

// titled lists the places of active entries by title.
func (r *Result) titled() map[string][]int {
	places := map[string][]int{}
	for i := range r.Activated {
		title := r.Activated[i].Comment
		places[title] = append(places[title], i)
	}
	return places
}

// injectInto puts the text of the entry at from into the first of some places other than
// its own.
func (r *Result) injectInto(places []int, from int, e *entry, content string) {
	for _, i := range places {
		if i != from {
			to := &r.Activated[i]
			to.Text = e.v3.inject.Apply(to.Text, content)
			return
		}
	}
}
