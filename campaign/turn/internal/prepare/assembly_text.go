package prepare

import (
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// Text writes the prompt of a turn as one text. It writes the text again for each request of the
// turn, because appended messages come before the beginning of the reply.
type Text struct {
	in       prompt.Input
	env      prompt.Env
	budget   prompt.Budget
	context  tavern.ContextTemplate
	template *tavern.InstructTemplate
	random   draws  // later requests use the random numbers of the first again
	before   string // the text of lore before the prompt

	now, tried version
}

// version is one version of the text.
type version struct {
	text      tavern.InstructText
	followUps []llm.Message
}

func newText(context *tavern.ContextTemplate, instruct *tavern.InstructTemplate, in prompt.Input, env prompt.Env, budget prompt.Budget) *Text {
	t := &Text{in: in, env: env, budget: budget, template: instruct, random: draws{draw: env.Random}}
	t.context = tavern.DefaultContext()
	if context != nil {
		t.context = *context
	}
	return t
}

// draws repeats random numbers: after next is set to 0, number returns the same ones again.
type draws struct {
	draw  func() float64
	drawn []float64
	next  int
}

func (d *draws) number() float64 {
	if d.next == len(d.drawn) {
		d.drawn = append(d.drawn, d.draw())
	}
	d.next++
	return d.drawn[d.next-1]
}

// With returns the prompt with further messages. They become permanent with Keep.
func (t *Text) With(messages []llm.Message) (prompt.Result, error) {
	in, env, budget := t.in, t.env, t.budget
	in.FollowUps = slices.Concat(t.now.followUps, messages)
	if len(in.FollowUps) > 0 {
		budget.TurnReserve = 0
	}
	t.random.next, env.Random = 0, t.random.number
	text, err := tavern.RenderBlocks(in, env, budget, t.context, t.template)
	if err != nil {
		return prompt.Result{}, err
	}
	t.tried = version{text, in.FollowUps}
	return text.Result, nil
}

// Keep makes the last result of With permanent.
func (t *Text) Keep() { t.now = t.tried }

// Request returns the text as a request to the model.
func (t *Text) Request() question.Request {
	return question.Request{Stop: t.now.text.Stop, Messages: []question.Message{{
		Kind: question.KindText, Message: llm.Message{Role: llm.User, Text: t.before + t.now.text.Text}}}}
}
