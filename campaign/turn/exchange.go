package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/adjudicate"
	"github.com/talewright/talewright/campaign/turn/internal/assembly"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
)

// Bounds of what the model is told of its own output.
const (
	maxFeedback = 16      // refused calls, or contradictions, that one message lists
	maxRejected = 8 << 10 // bytes of a rejected output that a request repeats
)

// exchange is what the model is sent in a turn, and what it has seen of that.
type exchange struct {
	request   request.Request
	text      *assembly.Text // the prompt as one text, nil for messages
	assembled prompt.Result  // the first request, and what was appended to it
	estimated int            // tokens of the first request, its tools included
	sent      int            // messages of the request that the model has seen
	told      int            // applied calls whose results the model has seen
	tooLong   error          // set when an append did not fit the budget
	why       string         // why it is asked again
	rounds    int            // rounds of calls without narration
	narrating bool           // second phase of plan_narrate
}

// say puts a message behind the request; everything before it stays.
func (x *exchange) say(kind request.Kind, text string, room prompt.Budget) {
	x.follow(room, request.Message{Kind: kind, Message: llm.Message{Role: llm.User, Text: text}})
}

// follow appends messages, if the budget has room for them; if not, the turn ends
// before the model is asked again.
func (x *exchange) follow(room prompt.Budget, list ...request.Message) {
	if x.tooLong == nil {
		x.assembled, x.tooLong = x.extended(room, list)
	}
	if x.text == nil {
		x.request.Messages = append(slices.Clip(x.request.Messages), list...)
	} else if x.tooLong == nil {
		x.text.Keep()
		x.request = x.text.Request()
	}
}

// extended is the prompt with further messages, or why there is no room for them.
func (x *exchange) extended(room prompt.Budget, list []request.Message) (prompt.Result, error) {
	messages := make([]llm.Message, len(list))
	for i, m := range list {
		messages[i] = m.Message
	}
	if x.text != nil {
		return x.text.With(messages)
	}
	return x.assembled.Extend(room, messages...)
}

// reject appends an output that did not pass, and what is wrong with it. Of a long output
// the middle is left out, and more of it where the prompt has little room.
func (x *exchange) reject(room prompt.Budget, rejected string, faults []request.Message) {
	var list []request.Message
	for limit := maxRejected; limit >= 128; limit /= 4 {
		list = append([]request.Message{{Kind: request.KindRejected, Message: llm.Message{
			Role: llm.Assistant, Text: wording.Shorten(rejected, limit)}}}, faults...)
		if _, err := x.extended(room, list); err == nil {
			break
		}
	}
	x.follow(room, list...)
}

// feedback is what the model is told of its own output: what its calls have led to, and what is wrong.
type feedback struct {
	window.Window
	out     *output
	decided map[string]approval.Decision // by people
	staged  []state.Applied
	settled *stage.Progress
	limit   int // how many native calls a request repeats
}

// feedbackOf is what the model may be told of its last output.
func feedbackOf(t *run) feedback {
	return feedback{Window: windowOf(t), out: &t.out, decided: t.people.consent.decided, staged: t.stage.Staged.Applied,
		settled: &t.stage.Settled, limit: t.calls.MaxCalls + adjudicate.MaxCallsListed}
}

// listed are the native calls that a request repeats.
func (fb feedback) listed() []llm.ToolCall {
	return fb.out.last.Native[:min(len(fb.out.last.Native), fb.limit)]
}

// results are the calls of the output and what they have led to.
func (fb feedback) results(told int) (calls request.Message, answers []request.Message) {
	native := fb.out.last.Native
	listed := fb.listed()
	calls = request.Message{Kind: request.KindToolCalls, Message: llm.Message{
		Role: llm.Assistant, Text: wording.Shorten(fb.out.last.Raw, maxRejected), ToolCalls: listed, Thoughts: fb.out.reply.Thoughts}}
	results := map[string]tree.Value{}
	var list []tree.Value
	for _, a := range fb.staged[told:] {
		v := tree.Object(
			tree.Member{Key: "id", Value: tree.Text(a.ID)},
			tree.Member{Key: "tool", Value: tree.Text(a.Tool)},
			tree.Member{Key: "result", Value: a.Result})
		if fb.decided[a.ID].Verdict == approval.Edit {
			v = v.With("args_as_approved", a.Args)
		}
		results[a.ID] = v
		list = append(list, v)
	}
	for _, f := range fb.out.unsettled {
		v, err := tree.Of(briefCall(f))
		if err == nil {
			results[f.ID] = v
			list = append(list, v)
		}
	}
	if len(listed) == 0 {
		return calls, []request.Message{{Kind: request.KindToolResults, Message: llm.Message{
			Role: llm.User, Text: fb.Game.Texts().ToolResults + "\n" + tree.Array(list...).String()}}}
	}
	answers = make([]request.Message, len(listed))
	for i, c := range listed { // providers want one result for each native call
		id := fb.out.last.Calls[len(fb.out.last.Calls)-len(native)+i].ID
		answers[i] = request.Message{Kind: request.KindToolResults, Message: llm.Message{
			Role: llm.Tool, ToolCallID: c.ID, Name: c.Name, Text: results[id].String()}}
	}
	return calls, answers
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

// rejected is the last output as text: a native call without its result is an
// error for a provider.
func (fb feedback) rejected() string {
	text := fb.out.last.Raw
	if len(fb.out.last.Native) > 0 {
		text = strings.TrimSpace(text + "\n" + wording.JSON(fb.listed()))
	}
	if strings.TrimSpace(text) == "" {
		return "(empty)" // providers refuse empty messages
	}
	return text
}

// faults tells what is wrong with the last output.
func (fb feedback) faults(blocking []conflict.Conflict, left int) (out []request.Message) {
	tell := func(kind request.Kind, title string, what any) {
		out = append(out, request.Message{Kind: kind, Message: llm.Message{
			Role: llm.User, Text: title + "\n" + view.JSON(what, fb.Sight())}})
	}
	if len(fb.out.unsettled) > 0 {
		f := toolFeedback{RetriesLeft: left, RolledBack: []string{}, DisabledTools: []string{},
			AllowedTools: fb.Game.ToolNames(fb.Campaign.Allowlist, fb.Campaign.DisabledTools)}
		f.FailedCalls, f.Omitted = briefCalls(fb.out.unsettled)
		for _, a := range fb.staged[len(fb.settled.Applied):] {
			if fb.decided[a.ID].Verdict == approval.Deny {
				continue // it is among the failed ones
			}
			f.RolledBack = append(f.RolledBack, a.ID)
		}
		for name := range fb.Campaign.DisabledTools {
			f.DisabledTools = append(f.DisabledTools, name)
		}
		slices.Sort(f.DisabledTools)
		tell(request.KindToolFeedback, fb.Game.Texts().ToolFeedback, f)
	}
	if len(blocking) > 0 {
		d := conflictDebug{Expected: secret.Of(&fb.settled.State, fb.Viewer()).State.Expected(), RetriesLeft: left}
		d.Mismatches, d.Omitted = briefConflicts(blocking)
		tell(request.KindConflictDebug, fb.Game.Texts().ConflictDebug, d)
	}
	return out
}

// briefCalls bounds a list of refused calls for the model.
func briefCalls(list []state.FailedCall) (out []state.FailedCall, omitted int) {
	out = []state.FailedCall{}
	for _, f := range list[:min(len(list), maxFeedback)] {
		out = append(out, briefCall(f))
	}
	return out, len(list) - len(out)
}

// briefConflicts bounds a list of conflicts for the model. A quote stays an exact
// part of the text.
func briefConflicts(list []conflict.Conflict) (out []conflict.Conflict, omitted int) {
	out = append([]conflict.Conflict{}, list[:min(len(list), maxFeedback)]...)
	for i := range out {
		out[i].Quote = utf8text.Cut(out[i].Quote, stage.MaxText)
	}
	return out, len(list) - len(out)
}

// briefCall bounds what a tool says about a refused call.
func briefCall(f state.FailedCall) state.FailedCall {
	f.Message = utf8text.Cut(f.Message, stage.MaxText)
	if len(f.Expected.String()) > stage.MaxText {
		f.Expected = tree.Value{}
	}
	if len(f.Hint.String()) > stage.MaxText {
		f.Hint = tree.Value{}
	}
	return f
}
