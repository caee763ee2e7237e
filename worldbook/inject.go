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
	for _, i := range s.special {
		a := s.activated[i]
		switch {
		case a.v3 == nil:
		case a.v3.injectLore != "":
			s.injectInto(int(i), a)
		case a.v3.inject.Into != "":
			in := a.v3.inject
			s.out.Activated[i].Inject = &in
		}
	}
}

// injected reports whether the entry's text stands inside another text.
func (e *entry) injected() bool {
	return e.gated && e.v3 != nil && (e.v3.injectLore != "" || e.v3.inject.Into != "")
}

// injectInto changes the first active entry of the title, other than itself.
func (s *scan) injectInto(i int, a *entry) {
	if s.titled == nil {
		s.titled = map[string][]int{}
		for k := range s.out.Activated {
			title := s.out.Activated[k].Comment
			s.titled[title] = append(s.titled[title], k)
		}
	}
	for _, k := range s.titled[a.v3.injectLore] {
		if k != i {
			to := &s.out.Activated[k]
			to.Text = a.v3.inject.Apply(to.Text, s.contentOf(a))
			return
		}
	}
}
