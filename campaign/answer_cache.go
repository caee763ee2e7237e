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

const placeKindAnswer = "answer"

// maxAnswerBytes is the maximum size of a stored answer, with room for its JSON form and the
// reasoning. Most of a longer answer is cut off anyway.
const maxAnswerBytes = 4 * turn.MaxReplyBytes

// keyOf returns the key of a call of a model. The same request of the same campaign at the same
// version has the same key in every process; a different request has a different key. Messages with
// only a role and a text are not encoded as JSON, because a long history has thousands of them.
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

// suggestionKey returns the key of a call for suggestions, which do not move the campaign forward. The
// same question is asked again, unless it is repeated with its client turn ID.
func suggestionKey(key string, in turn.Suggest) string {
	if in.ClientTurnID == "" || key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(in.ClientTurnID))
	return key + "/" + hex.EncodeToString(sum[:8])
}

// savesAnswers reports whether answers are stored under a key.
func (c *calls) savesAnswers(key string) bool { return c.lease != nil && key != "" }

// savedReply returns the stored answer to a call that was already paid for.
func (c *calls) savedReply(version int64, key string) (turn.Replied, bool) {
	answer, err := c.lookUp(version, key)
	if err != nil {
		c.engine.cfg.Logger.Warn("campaign: a saved answer cannot be read", "campaign", c.id, "error", err)
	}
	if err != nil || len(answer) != 1 {
		return turn.Replied{}, false
	}
	in, ok := answer[0].(turn.Replied)
	if ok {
		c.answeredKeys = append(c.answeredKeys, key)
	}
	return in, ok
}

// lookUp reads the inputs stored under a key. If answers are not saved, it returns none.
func (c *calls) lookUp(version int64, key string) (answers turn.Inputs, err error) {
	err = c.readAnswer(version, key, &answers)
	return answers, err
}

// readAnswer reads the value stored under a key, if there is one.
func (c *calls) readAnswer(version int64, key string, into any) error {
	if !c.savesAnswers(key) {
		return nil
	}
	begun := c.watch.Now()
	data, err := c.engine.cluster.Answer(c.workContext(), c.id, key)
	c.watch.Stored(observe.StoreAnswer, version, begun, err)
	if err == nil && data != nil && c.engine.cfg.Codec != nil {
		data, err = c.engine.cfg.Codec.Open(Place{c.id, version, placeKindAnswer}, data)
	}
	if err == nil && data != nil {
		err = turnlog.ReadValue(data, into)
	}
	return err
}

// saveReply stores an answer before it is used. The error is non-nil only if the lease is lost;
// after any other failure the turn is played all the same.
func (c *calls) saveReply(version int64, key string, in turn.Replied) error {
	err := c.saveAnswer(version, key, turn.Inputs{in})
	if err == nil {
		c.answeredKeys = append(c.answeredKeys, key)
	}
	return c.logUnlessLeaseLost(err)
}

// logUnlessLeaseLost returns an error that means a lost lease: the turn must not continue. It logs any
// other error, because the turn can be played without a saved answer.
func (c *calls) logUnlessLeaseLost(err error) error {
	if err != nil && !errors.Is(err, ErrLeaseLost) {
		c.engine.cfg.Logger.Warn("campaign: an answer was not saved", "campaign", c.id, "error", err)
		return nil
	}
	return err
}

// forgetAnswers removes the answers of a turn that ended without a commit, for a reason other than the
// store. A person has seen that result, and expects other answers when submitting the same line
// again. All answers but the last were rejected anyway.
func (c *calls) forgetAnswers(version int64) {
	for _, key := range c.answeredKeys {
		_ = c.logUnlessLeaseLost(c.saveAnswer(version, key, turn.Inputs{})) // a lost lease changes nothing here
	}
	if c.hostAnswers != nil {
		clear(c.hostAnswers)
		_ = c.logUnlessLeaseLost(c.saveAnswer(c.hostAnswersVersion, hostAnswersKey(c.id, c.hostAnswersVersion), c.hostAnswers))
	}
}

// hostAnswersKey returns the key of the answers to all questions at a version that do not go to the
// model. They share one key, so that an instruction reads them once.
func hostAnswersKey(id string, version int64) string { return fmt.Sprintf("%s/%d/asked", id, version) }

// nameQuestion returns the name of a question that does not go to the model, or "" if its answer is
// not stored. A turn may ask the same question twice, for example if a tool is called twice, and
// get two answers. The name therefore contains the number of the occurrence.
func (c *calls) nameQuestion(version int64, question any) string {
	if !c.savesAnswers(hostAnswersKey(c.id, version)) {
		return ""
	}
	data, err := openjson.Marshal(question)
	if err != nil { // without a name its answer cannot be found again
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

// cachedAnswer returns the answer of ask to a question. If this campaign already has an answer to the same
// question at the same version, once returns that one: it may have been paid for. An answer that is
// an error is not stored.
func (c *calls) cachedAnswer(version int64, question any, ask func() (turn.Input, error)) (turn.Input, error) {
	name, key := c.nameQuestion(version, question), hostAnswersKey(c.id, version)
	if name == "" {
		return ask()
	}
	if c.hostAnswers == nil {
		err := c.readAnswer(version, key, &c.hostAnswers)
		if err != nil {
			c.engine.cfg.Logger.Warn("campaign: saved answers cannot be read", "campaign", c.id, "error", err)
		}
		if err != nil || c.hostAnswers == nil {
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

// saveAnswer stores a value under a key, if answers are saved.
func (c *calls) saveAnswer(version int64, key string, answers any) error {
	if !c.savesAnswers(key) {
		return nil
	}
	data, err := turnlog.WriteValue(answers)
	if len(data) > maxAnswerBytes {
		err = fmt.Errorf("it has %d bytes, and at most %d are saved", len(data), maxAnswerBytes)
	}
	if err == nil && c.engine.cfg.Codec != nil {
		data, err = c.engine.cfg.Codec.Seal(Place{c.id, version, placeKindAnswer}, data)
	}
	if err == nil {
		begun := c.watch.Now()
		err = c.engine.cluster.SaveAnswer(context.WithoutCancel(c.workContext()), c.id, c.fence(), key, data)
		c.watch.Stored(observe.StoreSaveAnswer, version, begun, err)
	}
	return err
}

// The states of a call without an answer, saved under a separate key.
const (
	callBegun    = "begun"
	callFinished = "over" // the host has received the result
)

func callStateKey(key string) string { return key + "/call" }

// saveCallState records the state of a call, if Sharing.PayOnce is set.
func (c *calls) saveCallState(key, what string) error {
	if !c.savesAnswers(key) || !c.engine.cfg.Sharing.PayOnce {
		return nil
	}
	return c.engine.cluster.SaveAnswer(context.WithoutCancel(c.workContext()), c.id, c.fence(), callStateKey(key), []byte(what))
}

var errCallLost = errors.New("the process that asked the model ended before it stored the answer")

// checkLostCall returns errCallLost, once, for a call that was begun by a process which did not report
// its end.
func (c *calls) checkLostCall(key string) error {
	if !c.savesAnswers(key) || !c.engine.cfg.Sharing.PayOnce {
		return nil
	}
	data, err := c.engine.cluster.Answer(c.workContext(), c.id, callStateKey(key))
	if err != nil || string(data) != callBegun {
		return err
	}
	return cmp.Or(c.saveCallState(key, callFinished), errCallLost)
}
