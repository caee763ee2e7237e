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

	"github.com/talewright/talewright/campaign/internal/stored"
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

// lookUp reads what is kept under a key: nothing, where there is no ledger.
func (c *calls) lookUp(version int64, key string) (answers turn.Inputs, err error) {
	ledger := c.ledger(key)
	if ledger == nil {
		return nil, nil
	}
	begun := c.watch.Now()
	data, err := ledger.Answer(c.inner(), c.id, key)
	c.watch.Stored(observe.StoreAnswer, version, begun, err)
	if err == nil && data != nil && c.engine.cfg.Codec != nil {
		data, err = c.engine.cfg.Codec.Open(Place{c.id, version, placeAnswer}, data)
	}
	if err == nil && data != nil {
		err = stored.ReadValue(data, &answers)
	}
	return answers, err
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
}

// keepUnder writes answers under a key: one, or none.
func (c *calls) keepUnder(version int64, key string, answers turn.Inputs) error {
	ledger := c.ledger(key)
	if ledger == nil {
		return nil
	}
	data, err := stored.WriteValue(answers)
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
