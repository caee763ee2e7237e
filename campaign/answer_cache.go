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

// placeKindAnswer is the kind of the [Place] of a saved answer.
const placeKindAnswer = "answer"

// maxAnswerBytes is the maximum size of a saved answer, with room for its JSON form and the
// reasoning. The machine truncates a longer reply anyway.
const maxAnswerBytes = 4 * turn.MaxReplyBytes

// keyOf returns the key under which the answer to a request is saved, or "" if the request has no
// JSON form. version is the version of the next record. The same request has the same key in every
// process; a different one has a different key. Messages with only a role and a text are not encoded
// as JSON, because a long history has thousands of them.
func keyOf(id string, version int64, attempt int, req llm.Request) string {
	sum := sha256.New()
	h := bufio.NewWriter(sum) // neither writer ever fails
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

// suggestionKey returns the key of a call for suggestions, from the key of its request. Suggestions do
// not change the version, so a second instruction would have the same key. The key therefore contains
// the client turn ID. Without this ID there is no key: the model is asked each time.
func suggestionKey(key string, in turn.Suggest) string {
	if in.ClientTurnID == "" || key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(in.ClientTurnID))
	return key + "/" + hex.EncodeToString(sum[:8])
}

// savesAnswers reports whether answers are stored under a key.
func (c *calls) savesAnswers(key string) bool { return c.lease != nil && key != "" }

// savedReply returns the saved reply of the model to a call that was already paid for.
func (c *calls) savedReply(version int64, key string) (turn.Replied, bool) {
	var saved turn.Inputs
	if err := c.readAnswer(version, key, &saved); err != nil {
		c.engine.cfg.Logger.Warn("campaign: a saved answer cannot be read", "campaign", c.id, "error", err)
	}
	if len(saved) != 1 {
		return turn.Replied{}, false
	}
	in, ok := saved[0].(turn.Replied)
	if ok {
		c.answeredKeys = append(c.answeredKeys, key)
	}
	return in, ok
}

// readAnswer decodes the value saved under a key into a pointer. If there is none, the pointer's
// value does not change.
func (c *calls) readAnswer(version int64, key string, into any) error {
	if !c.savesAnswers(key) {
		return nil
	}
	begun := c.watch.Now()
	data, err := c.engine.cluster.Answer(c.workContext(), c.id, key)
	c.watch.Stored(observe.StoreAnswer, version, begun, err)
	if err == nil && data != nil {
		err = c.engine.archive.unsealValue(Place{c.id, version, placeKindAnswer}, data, into)
	}
	return err
}

// saveReply saves a reply of the model before the machine gets it. The only possible error is a lost
// lease, see logUnlessLeaseLost.
func (c *calls) saveReply(version int64, key string, in turn.Replied) error {
	err := c.saveAnswer(version, key, turn.Inputs{in})
	if err == nil {
		c.answeredKeys = append(c.answeredKeys, key)
	}
	return c.logUnlessLeaseLost(err)
}

// logUnlessLeaseLost returns an error that means a lost lease: the turn must not continue. It logs any
// other error and returns nil, because the turn can be played without a saved answer.
func (c *calls) logUnlessLeaseLost(err error) error {
	if err != nil && !errors.Is(err, ErrLeaseLost) {
		c.engine.cfg.Logger.Warn("campaign: an answer was not saved", "campaign", c.id, "error", err)
		return nil
	}
	return err
}

// forgetAnswers replaces the saved answers of a turn by empty ones. The turn has ended without a
// commit. A person has seen that result, and expects other answers when submitting the same line
// again.
func (c *calls) forgetAnswers(version int64) {
	for _, key := range c.answeredKeys {
		_ = c.logUnlessLeaseLost(c.saveAnswer(version, key, turn.Inputs{})) // without the lease nothing is saved: the instruction is over
	}
	if c.hostAnswers != nil {
		clear(c.hostAnswers)
		_ = c.logUnlessLeaseLost(c.saveAnswer(c.hostAnswersVersion, hostAnswersKey(c.id, c.hostAnswersVersion), c.hostAnswers))
	}
}

// hostAnswersKey returns the key of the host's answers for the record of a version. They share one
// key, so that an instruction reads them once.
func hostAnswersKey(id string, version int64) string { return fmt.Sprintf("%s/%d/asked", id, version) }

// nameQuestion counts a question to the host and returns its name, or "" if its answer is not saved. A
// turn may ask the same question twice, for example if it calls a tool twice, and get two answers.
// The name therefore contains the number of the occurrence.
func (c *calls) nameQuestion(version int64, question any) string {
	if !c.savesAnswers(hostAnswersKey(c.id, version)) {
		return ""
	}
	data, err := openjson.Marshal(question)
	if err != nil { // a question without a JSON form cannot be recognized again
		return ""
	}
	if c.occurrences == nil || c.hostAnswersVersion != version {
		c.hostAnswers, c.occurrences, c.hostAnswersVersion = nil, map[string]int{}, version
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%T %s", question, data))
	name := hex.EncodeToString(sum[:8])
	c.occurrences[name]++
	return fmt.Sprintf("%s/%d", name, c.occurrences[name])
}

// cachedAnswer returns the saved answer to a question to the host, or asks it with ask and saves the
// answer. version is the version of the next record. An answer with an error is not saved.
func (c *calls) cachedAnswer(version int64, question any, ask func() (turn.Input, error)) (turn.Input, error) {
	name, key := c.nameQuestion(version, question), hostAnswersKey(c.id, version)
	if name == "" {
		return ask()
	}
	if c.hostAnswers == nil {
		if err := c.readAnswer(version, key, &c.hostAnswers); err != nil {
			c.engine.cfg.Logger.Warn("campaign: saved answers cannot be read", "campaign", c.id, "error", err)
			c.hostAnswers = nil
		}
		if c.hostAnswers == nil {
			c.hostAnswers = map[string]turn.Inputs{}
		}
	}
	if saved := c.hostAnswers[name]; len(saved) == 1 {
		return saved[0], nil
	}
	in, err := ask()
	if err == nil {
		c.hostAnswers[name] = turn.Inputs{in}
		_ = c.logUnlessLeaseLost(c.saveAnswer(version, key, c.hostAnswers)) // the next call of the model detects a lost lease
	}
	return in, err
}

// saveAnswer saves a value under a key, if answers are saved.
func (c *calls) saveAnswer(version int64, key string, answers any) error {
	if !c.savesAnswers(key) {
		return nil
	}
	data, err := turnlog.WriteValue(answers)
	if len(data) > maxAnswerBytes {
		err = fmt.Errorf("it has %d bytes, and at most %d are saved", len(data), maxAnswerBytes)
	}
	if err == nil {
		data, err = c.engine.archive.seal(Place{c.id, version, placeKindAnswer}, data)
	}
	if err == nil {
		begun := c.watch.Now()
		err = c.engine.cluster.SaveAnswer(context.WithoutCancel(c.workContext()), c.id, c.fence(), key, data)
		c.watch.Stored(observe.StoreSaveAnswer, version, begun, err)
	}
	return err
}

// With Sharing.PayOnce the store has one of these states for each call of the model.
const (
	callBegun    = "begun"
	callFinished = "over" // the call has failed, and the host has received its error
)

// callStateKey returns the key for the state of the call whose answer has the given key.
func callStateKey(key string) string { return key + "/call" }

// saveCallState saves the state of a call, if Sharing.PayOnce is set.
func (c *calls) saveCallState(key, state string) error {
	if !c.savesAnswers(key) || !c.engine.cfg.Sharing.PayOnce {
		return nil
	}
	return c.engine.cluster.SaveAnswer(context.WithoutCancel(c.workContext()), c.id, c.fence(), callStateKey(key), []byte(state))
}

var errCallLost = errors.New("the process that asked the model ended before it stored the answer")

// checkLostCall returns errCallLost if a process began the call and did not save its end. It returns
// the error once: the next try makes the call.
func (c *calls) checkLostCall(key string) error {
	if !c.savesAnswers(key) || !c.engine.cfg.Sharing.PayOnce {
		return nil
	}
	data, err := c.engine.cluster.Answer(c.workContext(), c.id, callStateKey(key))
	if string(data) != callBegun {
		return err
	}
	return cmp.Or(c.saveCallState(key, callFinished), errCallLost)
}
