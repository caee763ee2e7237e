package campaign

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

const placeAnswer = "answer"

// maxKept is the longest answer that is kept, with room for its form and the thinking: of
// one that is longer most is cut away anyway.
const maxKept = 4 * turn.MaxReplyBytes

// keyOf names a call of a model: the same request of the same campaign at the same version
// has the same name in every process, and another one has another. Messages that are nothing but a
// role and a text, as most are, are not made JSON of: see TestPerfLongHistory.
func keyOf(id string, version int64, attempt int, req llm.Request) string {
	sum := sha256.New()
	h := bufio.NewWriter(sum) // neither ever fails
	for _, msg := range req.Messages {
		rest := msg
		rest.Role, rest.Text = "", ""
		if reflect.ValueOf(rest).IsZero() {
			_, _ = fmt.Fprintf(h, "%d,%d:", len(msg.Role), len(msg.Text))
			_, _ = h.WriteString(string(msg.Role))
			_, _ = h.WriteString(msg.Text)
			continue
		}
		data, err := openjson.Marshal(msg)
		if err != nil {
			return ""
		}
		_, _ = fmt.Fprintf(h, "%d:%s", len(data), data)
	}
	req.Messages = nil
	data, err := openjson.Marshal(req)
	if err != nil {
		return ""
	}
	_, _ = h.Write(data)
	_ = h.Flush()
	return fmt.Sprintf("%s/%d/%d/%s", id, version, attempt, hex.EncodeToString(sum.Sum(nil)[:8]))
}

// keyBeside names a call for suggestions, which move no campaign on: the same question is asked
// anew, unless it is repeated by its id.
func keyBeside(key string, in turn.Suggest) string {
	if in.ClientTurnID == "" || key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(in.ClientTurnID))
	return key + "/" + hex.EncodeToString(sum[:8])
}

// ledger is where answers are kept, nil where they are not.
func (c *calls) ledger(key string) Ledger {
	if c.lease == nil || key == "" {
		return nil
	}
	l, _ := c.lease.desk.(Ledger)
	return l
}

// kept is the answer to a call that has been paid for before.
func (c *calls) kept(version int64, key string) (turn.Replied, bool) {
	answer, err := c.lookUp(version, key)
	if err != nil {
		c.engine.cfg.Logger.Warn("campaign: an answer that was kept cannot be read", "campaign", c.id, "error", err)
	}
	if err != nil || len(answer) != 1 {
		return turn.Replied{}, false
	}
	in, ok := answer[0].(turn.Replied)
	if ok {
		c.answered = append(c.answered, key)
	}
	return in, ok
}

// lookUp reads the inputs that are kept under a key: nothing, where there is no ledger.
func (c *calls) lookUp(version int64, key string) (answers turn.Inputs, err error) {
	err = c.readKept(version, key, &answers)
	return answers, err
}

// readKept reads the value that is kept under a key, if there is one.
func (c *calls) readKept(version int64, key string, into any) error {
	ledger := c.ledger(key)
	if ledger == nil {
		return nil
	}
	begun := c.watch.Now()
	data, err := ledger.Answer(c.inner(), c.id, key)
	c.watch.Stored(observe.StoreAnswer, version, begun, err)
	if err == nil && data != nil && c.engine.cfg.Codec != nil {
		data, err = c.engine.cfg.Codec.Open(Place{c.id, version, placeAnswer}, data)
	}
	if err == nil && data != nil {
		err = turnlog.ReadValue(data, into)
	}
	return err
}

// keep stores an answer before anything is done with it. The error is that of a lost lease;
// without the ledger the turn is played all the same.
func (c *calls) keep(version int64, key string, in turn.Replied) error {
	err := c.keepUnder(version, key, turn.Inputs{in})
	if err == nil {
		c.answered = append(c.answered, key)
	}
	return c.onlyLeaseLost(err)
}

// onlyLeaseLost returns the error if it is that of a lost lease, with which the turn must not go on. Any
// other is logged: without the ledger the turn is played all the same.
func (c *calls) onlyLeaseLost(err error) error {
	if err != nil && !errors.Is(err, ErrLeaseLost) {
		c.engine.cfg.Logger.Warn("campaign: an answer was not kept", "campaign", c.id, "error", err)
		return nil
	}
	return err
}

// forget takes out the answers of a turn that has ended without a commit, not because of the store: a
// person has heard of that, and who says the same line again asks for other ones. All of them but
// the last did not do anyway.
func (c *calls) forget(version int64) {
	for _, key := range c.answered {
		_ = c.onlyLeaseLost(c.keepUnder(version, key, turn.Inputs{})) // that the lease is lost changes nothing
	}
	if c.asked != nil {
		clear(c.asked)
		_ = c.onlyLeaseLost(c.keepUnder(c.askedAt, askedKey(c.id, c.askedAt), c.asked))
	}
}

// askedKey is the key of the answers to all questions at a version that do not go to the model: one key for
// them all, so that an instruction reads them once.
func askedKey(id string, version int64) string { return fmt.Sprintf("%s/%d/asked", id, version) }

// questionName names a question that does not go to the model, "" where its answer is not kept. A turn may ask the
// same twice, as where a tool is called twice, and may have two answers: the number of the time belongs to the name.
func (c *calls) questionName(version int64, question any) string {
	if c.ledger(askedKey(c.id, version)) == nil {
		return ""
	}
	data, err := openjson.Marshal(question)
	if err != nil { // it has no name, so its answer cannot be found again
		return ""
	}
	if c.times == nil || c.askedAt != version {
		c.asked, c.times, c.askedAt = nil, map[string]int{}, version
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%T %s", question, data))
	name := hex.EncodeToString(sum[:8])
	c.times[name]++
	return fmt.Sprintf("%s/%d", name, c.times[name])
}

// once returns the answer of ask to a question, or the one that this campaign had to the same question at the same
// version: it may have been paid for. An answer that is an error is not kept.
func (c *calls) once(version int64, question any, ask func() (turn.Input, error)) (turn.Input, error) {
	name, key := c.questionName(version, question), askedKey(c.id, version)
	if name == "" {
		return ask()
	}
	if c.asked == nil {
		err := c.readKept(version, key, &c.asked)
		if err != nil {
			c.engine.cfg.Logger.Warn("campaign: answers that were kept cannot be read", "campaign", c.id, "error", err)
		}
		if err != nil || c.asked == nil {
			c.asked = map[string]turn.Inputs{}
		}
	}
	if kept := c.asked[name]; len(kept) == 1 {
		return kept[0], nil
	}
	in, err := ask()
	if err == nil {
		c.asked[name] = turn.Inputs{in}
		_ = c.onlyLeaseLost(c.keepUnder(version, key, c.asked)) // the next call of the model finds a lost lease
	}
	return in, err
}

// keepUnder writes a value under a key.
func (c *calls) keepUnder(version int64, key string, answers any) error {
	ledger := c.ledger(key)
	if ledger == nil {
		return nil
	}
	data, err := turnlog.WriteValue(answers)
	if len(data) > maxKept {
		err = fmt.Errorf("it has %d bytes, and at most %d are kept", len(data), maxKept)
	}
	if err == nil && c.engine.cfg.Codec != nil {
		data, err = c.engine.cfg.Codec.Seal(Place{c.id, version, placeAnswer}, data)
	}
	if err == nil {
		begun := c.watch.Now()
		err = ledger.KeepAnswer(context.WithoutCancel(c.inner()), c.id, c.fence(), key, data)
		c.watch.Stored(observe.StoreKeep, version, begun, err)
	}
	return err
}

// What the ledger says of a call that has no answer, under a key of its own.
const (
	callBegun = "begun"
	callOver  = "over" // a host has heard of it
)

func callKey(key string) string { return key + "/call" }

// noteCall notes what became of a call, for hosts that pay once.
func (c *calls) noteCall(key, what string) error {
	ledger := c.ledger(key)
	if ledger == nil || !c.engine.cfg.PayOnce {
		return nil
	}
	return ledger.KeepAnswer(context.WithoutCancel(c.inner()), c.id, c.fence(), callKey(key), []byte(what))
}

var errCallLost = errors.New("the process that asked the model told nobody of the answer")

// lostCall returns errCallLost, once, for a call that was begun by a process which told nobody
// how it ended.
func (c *calls) lostCall(key string) error {
	ledger := c.ledger(key)
	if ledger == nil || !c.engine.cfg.PayOnce {
		return nil
	}
	data, err := ledger.Answer(c.inner(), c.id, callKey(key))
	if err != nil || string(data) != callBegun {
		return err
	}
	return cmp.Or(c.noteCall(key, callOver), errCallLost)
}
