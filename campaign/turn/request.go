package turn

import (
	"bytes"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/conflict/claimlist"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
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
	t.assembled, t.text, t.request, t.stage.Texts.Prompted = written.result, written.text, written.request, true
	t.estimated = written.tokens
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

// appendMessage puts a message behind the request; everything before it stays.
func (t *run) appendMessage(kind request.Kind, role llm.Role, text string) {
	t.follow(request.Message{Kind: kind, Message: llm.Message{Role: role, Text: text}})
}

// follow appends messages, if the budget has room for them; if not, the turn ends
// before the model is asked again.
func (t *run) follow(list ...request.Message) {
	if t.tooLong == nil {
		t.assembled, t.tooLong = t.extended(list)
	}
	if t.text == nil {
		t.request.Messages = append(slices.Clip(t.request.Messages), list...)
	} else if t.tooLong == nil {
		t.text.keep()
		t.request = t.text.request()
	}
}

// extended is the prompt with further messages, or why there is no room for them.
func (t *run) extended(list []request.Message) (prompt.Result, error) {
	messages := make([]llm.Message, len(list))
	for i, m := range list {
		messages[i] = m.Message
	}
	if t.text != nil {
		return t.text.with(messages)
	}
	return t.assembled.Extend(t.scenery().budget(), messages...)
}

// continueRequest appends the calls of an output and their results.
func (t *run) continueRequest() {
	native := t.last.Native
	calls := t.toldCalls(native)
	t.follow(request.Message{Kind: request.KindToolCalls, Message: llm.Message{
		Role: llm.Assistant, Text: shorten(t.last.Raw, maxRejected), ToolCalls: calls, Thoughts: t.reply.Thoughts}})
	results := map[string]tree.Value{}
	var list []tree.Value
	for _, a := range t.stage.Staged.Applied[t.resultsTold:] {
		v := tree.Object(
			tree.Member{Key: "id", Value: tree.Text(a.ID)},
			tree.Member{Key: "tool", Value: tree.Text(a.Tool)},
			tree.Member{Key: "result", Value: a.Result})
		if t.consent.decided[a.ID].Verdict == approval.Edit {
			v = v.With("args_as_approved", a.Args)
		}
		results[a.ID] = v
		list = append(list, v)
	}
	t.resultsTold = len(t.stage.Staged.Applied)
	for _, f := range t.unsettled {
		v, err := tree.Of(briefCall(f))
		if err == nil {
			results[f.ID] = v
			list = append(list, v)
		}
	}
	if len(calls) == 0 {
		t.appendMessage(request.KindToolResults, llm.User,
			t.game.Texts().ToolResults+"\n"+tree.Array(list...).String())
		return
	}
	answers := make([]request.Message, len(calls))
	for i, c := range calls { // providers want one result for each native call
		id := t.last.Calls[len(t.last.Calls)-len(native)+i].ID
		answers[i] = request.Message{Kind: request.KindToolResults, Message: llm.Message{
			Role: llm.Tool, ToolCallID: c.ID, Name: c.Name, Text: results[id].String()}}
	}
	t.follow(answers...)
}

// toolFeedback is what the model is told about refused calls.
type toolFeedback struct {
	FailedCalls   []state.FailedCall `json:"failed_calls"`
	Omitted       int                `json:"omitted_calls,omitempty"` // refused ones that are not listed
	RolledBack    []string           `json:"rolled_back_calls"`
	AllowedTools  []string           `json:"allowed_tools"`
	DisabledTools []string           `json:"disabled_tools"`
	RetriesLeft   int                `json:"retries_left"`
}

// conflictDebug is what the model is told about contradictions.
type conflictDebug struct {
	Expected    tree.Value          `json:"expected_state_snippet"`
	Mismatches  []conflict.Conflict `json:"mismatches"`
	Omitted     int                 `json:"omitted_mismatches,omitempty"`
	RetriesLeft int                 `json:"retries_left"`
}

// feedback appends the rejected output and what is wrong with it. Of a long output
// the middle is left out, and more of it where the prompt has little room.
func (t *run) feedback(blocking []conflict.Conflict, left int) {
	reasons := t.faults(blocking, left)
	rejected := t.rejectedText()
	var list []request.Message
	for limit := maxRejected; limit >= 128; limit /= 4 {
		list = append([]request.Message{{Kind: request.KindRejected, Message: llm.Message{
			Role: llm.Assistant, Text: shorten(rejected, limit)}}}, reasons...)
		if _, err := t.extended(list); err == nil {
			break
		}
	}
	t.follow(list...)
}

// rejectedText is the last output as text: a native call without its result is an
// error for a provider.
func (t *run) rejectedText() string {
	text := t.last.Raw
	if len(t.last.Native) > 0 {
		text = strings.TrimSpace(text + "\n" + feedbackJSON(t.toldCalls(t.last.Native)))
	}
	if strings.TrimSpace(text) == "" {
		return "(empty)" // providers refuse empty messages
	}
	return text
}

// faults tells what is wrong with the last output.
func (t *run) faults(blocking []conflict.Conflict, left int) (out []request.Message) {
	tell := func(kind request.Kind, title string, what any) {
		out = append(out, request.Message{Kind: kind, Message: llm.Message{
			Role: llm.User, Text: title + "\n" + t.scenery().discreetJSON(what)}})
	}
	if len(t.unsettled) > 0 {
		f := toolFeedback{RetriesLeft: left, RolledBack: []string{}, DisabledTools: []string{},
			AllowedTools: t.game.ToolNames(t.next.Allowlist, t.next.DisabledTools)}
		f.FailedCalls, f.Omitted = briefCalls(t.unsettled)
		for _, a := range t.stage.Staged.Applied[len(t.stage.Settled.Applied):] {
			if t.consent.decided[a.ID].Verdict == approval.Deny {
				continue // it is among the failed ones
			}
			f.RolledBack = append(f.RolledBack, a.ID)
		}
		for name := range t.next.DisabledTools {
			f.DisabledTools = append(f.DisabledTools, name)
		}
		slices.Sort(f.DisabledTools)
		tell(request.KindToolFeedback, t.game.Texts().ToolFeedback, f)
	}
	if len(blocking) > 0 {
		d := conflictDebug{Expected: secret.Of(&t.stage.Settled.State, t.scenery().viewer()).State.Expected(), RetriesLeft: left}
		d.Mismatches, d.Omitted = briefConflicts(blocking)
		tell(request.KindConflictDebug, t.game.Texts().ConflictDebug, d)
	}
	return out
}

// toldCalls returns the native calls that a request repeats.
func (t *run) toldCalls(calls []llm.ToolCall) []llm.ToolCall {
	return calls[:min(len(calls), t.court.maxCalls+maxCallsListed)]
}
