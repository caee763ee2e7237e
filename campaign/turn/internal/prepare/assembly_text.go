package prepare

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// Text writes the prompt of a turn as one text, anew for each request of the
// turn: what is appended to it stands before the beginning of the reply.
type Text struct {
	in       prompt.Input
	env      prompt.Env
	budget   prompt.Budget
	context  tavern.ContextTemplate
	template *tavern.InstructTemplate
	drawn    []float64 // later requests find the numbers of the first again

	now, tried version
}

// version is one version of the text.
type version struct {
	text      tavern.InstructText
	followUps []llm.Message
}

func newText(c *game.Content, in prompt.Input, env prompt.Env, budget prompt.Budget) *Text {
	t := &Text{in: in, env: env, budget: budget, template: c.Instruct}
	t.context = tavern.DefaultContext()
	if c.Context != nil {
		t.context = *c.Context
	}
	return t
}

// With is the prompt with further messages. It counts from then on if it is kept.
func (t *Text) With(messages []llm.Message) (prompt.Result, error) {
	in, env, budget := t.in, t.env, t.budget
	in.FollowUps = slices.Concat(t.now.followUps, messages)
	if len(in.FollowUps) > 0 {
		budget.TurnReserve = 0
	}
	next := 0
	env.Random = func() float64 {
		if next == len(t.drawn) {
			t.drawn = append(t.drawn, t.env.Random())
		}
		next++
		return t.drawn[next-1]
	}
	text, err := tavern.RenderBlocks(in, env, budget, t.context, t.template)
	if err != nil {
		return prompt.Result{}, err
	}
	t.tried = version{text, in.FollowUps}
	return text.Result, nil
}

// Keep takes over what With has tried last.
func (t *Text) Keep() { t.now = t.tried }

// Request is the text as the model gets it.
func (t *Text) Request() question.Request {
	return question.Request{Stop: t.now.text.Stop, Messages: []question.Message{{
		Kind: question.KindText, Message: llm.Message{Role: llm.User, Text: t.now.text.Text}}}}
}
