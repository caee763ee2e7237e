package turn

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// This file has the journal of a running instruction. It is for hosts that run each step of a turn
// separately, in a queue of jobs or in a workflow engine. The separate module campaign/temporal
// does this on Temporal.
//
// A machine is deterministic: the same inputs lead every machine to the same state. A [Journal] is
// the list of these inputs. [campaign.Engine.Step] takes a journal, runs the next step, and returns
// in a [JournalStep] what to append:
//
//	j, err := turn.JournalOf(turn.Stamp(turn.Submit{Text: "I open the door."}, now))
//	for err == nil {
//		var step turn.JournalStep
//		if step, err = engine.Step(ctx, "greyhaven", j, nil); err == nil {
//			if step.Outcome != nil {
//				break // it has ended
//			}
//			j = j.Then(step) // keep it: any process can continue from here
//		}
//	}
//
// If the result of a step is lost, run the step again with the same journal, in any process.
//
// The types are plain values. Several goroutines may use them if none modifies them.

// JournalInline is the number of bytes of inputs that a journal holds itself. Later inputs are in
// the store, if it is a campaign.Cluster, and the journal holds their names.
const JournalInline = 64 << 10

// Journal is the state of a running instruction: the inputs of the machine since the last commit of
// the campaign. Its JSON form is for queues and workflow engines.
type Journal struct {
	// Base is the version of the campaign on which the entries build; 0 before the first step.
	Base int64 `json:"base,omitempty"`
	// Entries are the inputs of the machine, oldest first: the instruction, then the answers. When
	// a turn has just begun to wait for people, the list is empty.
	Entries []JournalEntry `json:"entries,omitempty"`
	// Cancelled reports that the caller no longer waits for the turn. The model is not asked again.
	// A commit that needs no further model output still happens.
	Cancelled bool `json:"cancelled,omitempty"`
}

// JournalEntry is one input: as JSON, or as the name under which the store keeps it.
type JournalEntry struct {
	Input json.RawMessage `json:"input,omitempty"`
	Kept  string          `json:"kept,omitempty"`
}

// JournalStep is the result of one step.
type JournalStep struct {
	// Base is the version of the campaign on which the entries build.
	Base int64 `json:"base"`
	// Entries are the new entries. Append them to the journal, or replace its entries with them if
	// Renewed is true.
	Entries []JournalEntry `json:"entries,omitempty"`
	Renewed bool           `json:"renewed,omitempty"`
	// Stop is the present stop of the machine: the question that the next step answers.
	Stop Stop `json:"stop"`
	// Again is set if the model could not be asked and a retry may help. To retry, drop this step,
	// wait, and run the step again with the same journal. If you append this step, the turn fails.
	Again *JournalAgain `json:"again,omitempty"`
	// Committed reports whether the step added a record to the store.
	Committed bool `json:"committed,omitempty"`
	// Outcome is the result of the instruction; nil while it is running.
	Outcome *Outcome `json:"-"`
}

// JournalAgain says why the model could not be asked, and how long to wait; 0 if this is unknown.
type JournalAgain struct {
	Code  FailureCode   `json:"code"`
	After time.Duration `json:"after,omitempty"` // in nanoseconds
}

// JournalOf returns the journal of an instruction that has not begun. Set its time first, with
// [Stamp]: then the same journal always means the same instruction. The error is [ErrInvalidInput]
// for an instruction without a JSON form.
func JournalOf(in Input) (Journal, error) {
	entry, err := JournalEntryOf(in)
	if err != nil {
		return Journal{}, fmt.Errorf("%w: %w", ErrInvalidInput, err)
	}
	return Journal{Entries: []JournalEntry{entry}}, nil
}

// Then returns the journal after a step.
func (j Journal) Then(s JournalStep) Journal {
	if s.Renewed {
		j.Entries = nil
	}
	j.Base = s.Base
	j.Entries = append(append([]JournalEntry(nil), j.Entries...), s.Entries...)
	return j
}

// Size returns the number of bytes of inputs that the journal holds itself.
func (j Journal) Size() int {
	n := 0
	for _, e := range j.Entries {
		n += len(e.Input)
	}
	return n
}

// JournalEntryOf returns the journal entry of an input.
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
		return nil, errors.New("journal: the entry does not have its input")
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

// Sum returns the name of the entry's input. Different inputs have different names.
func (e JournalEntry) Sum() string {
	if e.Kept != "" {
		return e.Kept
	}
	sum := sha256.Sum256(e.Input)
	return hex.EncodeToString(sum[:])
}

// Elsewhere returns the entry with the name of its input and without the input itself, which the
// caller stores elsewhere.
func (e JournalEntry) Elsewhere() JournalEntry { return JournalEntry{Kept: e.Sum()} }
