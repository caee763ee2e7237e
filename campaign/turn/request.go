package turn

import (
	"bytes"
	"slices"

	"github.com/talewright/talewright/campaign/conflict/claimlist"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/shape"
)

// buildRequest assembles the first request of the turn.
func (t *run) buildRequest() error {
	p := t.prompter()
	written, err := p.write()
	if err != nil {
		return err
	}
	t.took(p)
	t.talk.assembled, t.talk.text, t.talk.request, t.stage.Texts.Prompted = written.result, written.text, written.request, true
	t.talk.estimated = written.tokens
	t.stage.Settle()
	t.casting.before = t.stage.Settled.State
	return nil
}

// written is the prompt of a turn: how it was assembled, and the request that it is.
type written struct {
	request request.Request
	result  prompt.Result
	text    *textPrompt // the prompt as one text, nil for messages
	tokens  int         // the estimate for all of it
}

// write assembles the prompt and says in the trace what it consists of.
func (p *prompter) write() (written, error) {
	result, shown, err := p.assemble()
	if err != nil {
		return written{}, err
	}
	r := p.asRequest(result)
	behind := len(p.spoken) // the replies to the player's line
	for i := len(r.Messages) - 1; i >= 0 && p.line; i-- {
		if r.Messages[i].Kind == request.KindHistory {
			if behind == 0 {
				r.Messages[i].Kind = request.KindPlayerInput
				break
			}
			behind--
		}
	}
	p.tracePrompt(result.Report, shown)
	return written{r, result, p.text, result.Tokens + p.toolTokens()}, nil
}

// asRequest is a prompt as the model gets it.
func (p *prompter) asRequest(result prompt.Result) request.Request {
	if p.text != nil {
		return p.text.request()
	}
	r := request.Request{Tools: p.toolSpecs(), Prefill: result.Prefill, RefusesPrefill: p.game.Content().RefusesPrefill}
	if r.CacheMark = p.game.Content().CacheMark; len(r.CacheMark) > 0 {
		r.CacheMarks = result.Breakpoints
	}
	if profile := p.game.Content().Shape; profile != "" {
		r.Shape = shape.Rules{Profile: profile, User: p.userName(), Char: p.charName()}
	}
	r.Messages = make([]request.Message, len(result.Messages))
	for i, m := range result.Messages {
		r.Messages[i] = meant(result.Origins[i], m)
	}
	return r
}

// meant is a message of the prompt with its meaning.
func meant(origin prompt.Origin, m llm.Message) request.Message {
	switch {
	case origin.Kind == prompt.KindHistory:
		return request.Message{Kind: request.KindHistory, Message: m}
	case origin.Slot == game.SlotMain:
		return request.Message{Kind: request.KindSystemBlock, Block: string(game.BlockPersona), Message: m}
	}
	return request.Message{Kind: request.KindSystemBlock, Block: origin.Slot, Message: m}
}

// nativeTools are the names of the tools that a request lists.
func (sc scenery) nativeTools() []string {
	if !sc.kind.Has(game.BlockTools) || !sc.offersTools() || !sc.values.Bool(setting.NativeTools) ||
		sc.game.IsText() {
		return nil // the prompt tells of them all the same, and calls in texts are understood
	}
	names := sc.game.ToolNames(sc.next.Allowlist, sc.next.DisabledTools)
	if len(names) > 0 && listsClaims(sc.values) && sc.suggest == nil && !slices.Contains(names, claimlist.ToolName) {
		names = append(names, claimlist.ToolName)
	}
	return names
}

func (sc scenery) toolSpecs() []llm.ToolSpec {
	var out []llm.ToolSpec
	for _, name := range sc.nativeTools() {
		description := sc.game.Texts().ListClaims
		if tool, ok := sc.game.Tools().Get(name); ok {
			description = tool.Description
		}
		out = append(out, llm.ToolSpec{Name: name, Description: description, Parameters: bytes.Clone(sc.game.ToolSchema(name))})
	}
	return out
}
