package turn

import (
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/instruct"
)

// textPrompt writes the prompt of a turn as one text, anew for each request of the
// turn: what is appended to it stands before the begin of the reply.
type textPrompt struct {
	in       prompt.Input
	env      prompt.Env
	budget   prompt.Budget
	context  instruct.Context
	template *instruct.Template
	drawn    []float64 // later requests find the numbers of the first again

	now, tried version
}

// version is one version of the text.
type version struct {
	text      instruct.Text
	followUps []llm.Message
}

func newTextPrompt(c *game.Content, in prompt.Input, env prompt.Env, budget prompt.Budget) *textPrompt {
	p := &textPrompt{in: in, env: env, budget: budget, template: c.Instruct}
	p.context = instruct.DefaultContext()
	if c.Context != nil {
		p.context = *c.Context
	}
	return p
}

// with is the prompt with further messages. It counts from then on if it is kept.
func (p *textPrompt) with(messages []llm.Message) (prompt.Result, error) {
	in, env, budget := p.in, p.env, p.budget
	in.FollowUps = slices.Concat(p.now.followUps, messages)
	if len(in.FollowUps) > 0 {
		budget.TurnReserve = 0
	}
	next := 0
	env.Random = func() float64 {
		if next == len(p.drawn) {
			p.drawn = append(p.drawn, p.env.Random())
		}
		next++
		return p.drawn[next-1]
	}
	text, err := instruct.RenderBlocks(in, env, budget, p.context, p.template)
	if err != nil {
		return prompt.Result{}, err
	}
	p.tried = version{text, in.FollowUps}
	return text.Result, nil
}

// keep takes over what with has tried last.
func (p *textPrompt) keep() { p.now = p.tried }

// request is the text as the model gets it.
func (p *textPrompt) request() request.Request {
	return request.Request{Stop: p.now.text.Stop, Messages: []request.Message{{
		Kind: request.KindText, Message: llm.Message{Role: llm.User, Text: p.now.text.Text}}}}
}
