package turn

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The journal part holds instructions that are on their way, for hosts that run each step of a
// turn by itself: a queue of jobs, or an engine for workflows. campaign/temporal, a module of its
// own, does so on Temporal.
//
// A machine is deterministic, so what it was told leads any other machine to the same place. A
// [Journal] is that; [campaign.Engine.Step] takes one, does the next thing, and says in a [JournalStep]
// what there is to add:
//
//	j, err := turn.JournalOf(Stamp(Submit{Text: "I open the door."}, now))
//	for err == nil {
//		var step turn.JournalStep
//		if step, err = engine.Step(ctx, "greyhaven", j, nil); err == nil {
//			if step.Outcome != nil {
//				break // it has ended
//			}
//			j = j.Then(step) // keep it: any process can go on from here
//		}
//	}
//
// A step whose result was lost is taken again with the same journal, in any process.
//
// Values of this package are data. They may be used from several goroutines as long as nobody
// changes them.

// JournalInline is how many bytes of inputs a journal holds itself; what comes then is kept in the
// store, where that is a campaign.Ledger, and the journal names it.
const JournalInline = 64 << 10

// Journal is what is known of an instruction that is on its way: what the machine was told of
// since the campaign was last committed. Its JSON form is for queues and workflow engines.
type Journal struct {
	// Base is the version of the campaign that the entries go on from; 0 before the first step.
	Base int64 `json:"base,omitempty"`
	// Entries are what the machine was told, oldest first: the instruction, then the answers.
	// A turn whose waiting for people has just begun has none.
	Entries []JournalEntry `json:"entries,omitempty"`
	// Cancelled says that nobody waits for the turn any more: the model is not asked again. What
	// was to be committed without it still is.
	Cancelled bool `json:"cancelled,omitempty"`
}

// JournalEntry is one input: as JSON, or by the name under which the store keeps it.
type JournalEntry struct {
	Input json.RawMessage `json:"input,omitempty"`
	Kept  string          `json:"kept,omitempty"`
}

// JournalStep is what one step has done.
type JournalStep struct {
	// Base is the version of the campaign that the entries go on from.
	Base int64 `json:"base"`
	// Entries are new. They stand behind those of the journal, or in their place if it is Renewed.
	Entries []JournalEntry `json:"entries,omitempty"`
	Renewed bool           `json:"renewed,omitempty"`
	// Stop is where the machine stands now: the question that the next step answers.
	Stop Stop `json:"stop"`
	// Again is set where the model could not be asked and a retry helps. Who wants to try again
	// drops this step, waits, and takes another one with the same journal; with this step the
	// turn fails.
	Again *JournalAgain `json:"again,omitempty"`
	// Committed says that the store has a record more than before the step.
	Committed bool `json:"committed,omitempty"`
	// Outcome is how the instruction ended; nil while it goes on.
	Outcome *Outcome `json:"-"`
}

// JournalAgain says why the model could not be asked, and how long it wants to be left alone; 0 where
// nobody said so.
type JournalAgain struct {
	Code  FailureCode   `json:"code"`
	After time.Duration `json:"after,omitempty"` // in nanoseconds
}

// JournalOf is the journal of an instruction that has not begun. Give the instruction its time before,
// with [Stamp]: the same journal then always means the same instruction. The error is
// [ErrInvalidInput] for one that has no JSON form.
func JournalOf(in Input) (Journal, error) {
	entry, err := JournalEntryOf(in)
	if err != nil {
		return Journal{}, fmt.Errorf("%w: %w", ErrInvalidInput, err)
	}
	return Journal{Entries: []JournalEntry{entry}}, nil
}

// Then is the journal after a step.
func (j Journal) Then(s JournalStep) Journal {
	if s.Renewed {
		j.Entries = nil
	}
	j.Base = s.Base
	j.Entries = append(append([]JournalEntry(nil), j.Entries...), s.Entries...)
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

// JournalEntryOf is an input as a journal holds it.
func JournalEntryOf(in Input) (JournalEntry, error) {
	data, err := json.Marshal(Inputs{in})
	if err != nil {
		return JournalEntry{}, err
	}
	return JournalEntry{Input: data[1 : len(data)-1]}, nil
}

// Read returns the input of an entry that holds it.
func (e JournalEntry) Read() (Input, error) {
	if len(e.Input) == 0 {
		return nil, errors.New("journal: the entry does not hold its input")
	}
	var in Inputs
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
func (e JournalEntry) Sum() string {
	if e.Kept != "" {
		return e.Kept
	}
	sum := sha256.Sum256(e.Input)
	return hex.EncodeToString(sum[:])
}

// Elsewhere is the entry without its input, which somebody else keeps.
func (e JournalEntry) Elsewhere() JournalEntry { return JournalEntry{Kept: e.Sum()} }
