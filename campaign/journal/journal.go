package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/turn"
)

// Inline is how many bytes of inputs a journal holds itself; what comes then is kept in the
// store, where that is a campaign.Ledger, and the journal names it.
const Inline = 64 << 10

// Journal is what is known of an instruction that is on its way: what the machine was told of
// since the campaign was last committed. Its JSON form is for queues and workflow engines.
type Journal struct {
	// Base is the version of the campaign that the entries go on from; 0 before the first step.
	Base int64 `json:"base,omitempty"`
	// Entries are what the machine was told, oldest first: the instruction, then the answers.
	// A turn whose waiting for people has just begun has none.
	Entries []Entry `json:"entries,omitempty"`
	// Cancelled says that nobody waits for the turn any more: the model is not asked again. What
	// was to be committed without it still is.
	Cancelled bool `json:"cancelled,omitempty"`
}

// Entry is one input: as JSON, or by the name under which the store keeps it.
type Entry struct {
	Input json.RawMessage `json:"input,omitempty"`
	Kept  string          `json:"kept,omitempty"`
}

// Step is what one step has done.
type Step struct {
	// Base is the version of the campaign that the entries go on from.
	Base int64 `json:"base"`
	// Entries are new. They stand behind those of the journal, or in their place if it is Renewed.
	Entries []Entry `json:"entries,omitempty"`
	Renewed bool    `json:"renewed,omitempty"`
	// Stop is where the machine stands now: the question that the next step answers.
	Stop turn.Stop `json:"stop"`
	// Again is set where the model could not be asked and a retry helps. Who wants to try again
	// drops this step, waits, and takes another one with the same journal; with this step the
	// turn fails.
	Again *Again `json:"again,omitempty"`
	// Committed says that the store has a record more than before the step.
	Committed bool `json:"committed,omitempty"`
	// Outcome is how the instruction ended; nil while it goes on.
	Outcome *turn.Outcome `json:"-"`
}

// Again says why the model could not be asked, and how long it wants to be left alone; 0 where
// nobody said so.
type Again struct {
	Code  failure.Code  `json:"code"`
	After time.Duration `json:"after,omitempty"` // in nanoseconds
}

// Of is the journal of an instruction that has not begun. Give the instruction its time before,
// with [turn.Stamp]: the same journal then always means the same instruction. The error is
// [turn.ErrInvalidInput] for one that has no JSON form.
func Of(in turn.Input) (Journal, error) {
	entry, err := EntryOf(in)
	if err != nil {
		return Journal{}, fmt.Errorf("%w: %w", turn.ErrInvalidInput, err)
	}
	return Journal{Entries: []Entry{entry}}, nil
}

// Then is the journal after a step.
func (j Journal) Then(s Step) Journal {
	if s.Renewed {
		j.Entries = nil
	}
	j.Base = s.Base
	j.Entries = append(append([]Entry(nil), j.Entries...), s.Entries...)
	return j
}

// Size is how many bytes of inputs the journal holds itself.
func (j Journal) Size() int {
	n := 0
	for _, e := range j.Entries {
		n += len(e.Input)
	}
	return n
}

// EntryOf is an input as a journal holds it.
func EntryOf(in turn.Input) (Entry, error) {
	data, err := json.Marshal(turn.Inputs{in})
	if err != nil {
		return Entry{}, err
	}
	return Entry{Input: data[1 : len(data)-1]}, nil
}

// Read returns the input of an entry that holds it.
func (e Entry) Read() (turn.Input, error) {
	if len(e.Input) == 0 {
		return nil, errors.New("journal: the entry does not hold its input")
	}
	var in turn.Inputs
	list := append(append([]byte{'['}, e.Input...), ']')
	if err := json.Unmarshal(list, &in); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	if len(in) != 1 {
		return nil, fmt.Errorf("journal: an entry is one input, not %d", len(in))
	}
	return in[0], nil
}

// Sum is the name of the entry's input: that of another one is another.
func (e Entry) Sum() string {
	if e.Kept != "" {
		return e.Kept
	}
	sum := sha256.Sum256(e.Input)
	return hex.EncodeToString(sum[:])
}

// Elsewhere is the entry without its input, which somebody else keeps.
func (e Entry) Elsewhere() Entry { return Entry{Kept: e.Sum()} }
