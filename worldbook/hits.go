package worldbook

// parts is a set of the places beside the messages that keys are searched in.
type parts uint8

const (
	partPersona parts = 1 << iota
	partDescription
	partPersonality
	partDepthPrompt
	partScenario
	partCreatorNotes
	partInjection
	partRecursion
)

var partNames = [...]string{
	"persona", "description", "personality", "depth prompt", "scenario",
	"creator notes", "injection", "recursion",
}

// noMessage is the depth of an atom that no message has.
const noMessage = maxMessages + 1

// mark says where an atom was found in this scan.
type mark struct {
	gen        uint32 // other generations were never found
	depth      uint16 // newest message that has it
	maybeDepth uint16 // newest message after which only the joined window decides
	parts      parts
	maybeParts parts
}

// hitSet holds the marks of one matcher's atoms. It is reused between scans.
type hitSet struct {
	by    *matcher
	gen   uint32
	marks []mark
	fresh []int32 // atoms marked since the list was emptied
}

func (h *hitSet) reset(by *matcher) {
	h.by = by
	h.fresh = h.fresh[:0]
	h.gen++
	if cap(h.marks) < len(by.atoms) || h.gen == 0 {
		h.marks = make([]mark, len(by.atoms))
		h.gen = 1
	}
	h.marks = h.marks[:len(by.atoms)]
}

// at returns the mark of an atom, emptied if it is from an earlier scan.
func (h *hitSet) at(atom int32) *mark {
	m := &h.marks[atom]
	if m.gen != h.gen {
		*m = mark{gen: h.gen, depth: noMessage, maybeDepth: noMessage}
		h.fresh = append(h.fresh, atom)
	}
	return m
}

// message notes what a message holds. Messages come newest first.
func (h *hitSet) message(f *finds, depth int) {
	for _, a := range f.atoms {
		m := h.at(a)
		m.depth = min(m.depth, uint16(depth))
	}
	for _, a := range f.maybe {
		m := h.at(a)
		m.maybeDepth = min(m.maybeDepth, uint16(depth))
	}
}

// undecided leaves what a text holds to the joined window, however few messages
// that has.
func (h *hitSet) undecided(f *finds) {
	for _, list := range [...][]int32{f.atoms, f.maybe} {
		for _, a := range list {
			h.at(a).maybeDepth = 0
		}
	}
}

// part notes what another text holds.
func (h *hitSet) part(f *finds, p parts) {
	h.atoms(f.atoms, p)
	for _, a := range f.maybe {
		h.at(a).maybeParts |= p
	}
}

func (h *hitSet) atoms(list []int32, p parts) {
	for _, a := range list {
		h.at(a).parts |= p
	}
}
