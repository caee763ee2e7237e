package asking

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/request"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/adjudicate"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turn/internal/view"
	"github.com/talewright/talewright/campaign/turn/internal/window"
	"github.com/talewright/talewright/campaign/turn/internal/wording"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// feedback is what the model is told of its own output: what its calls have led to, and what is wrong.
type feedback struct {
	window.Window
	out     *play.Output
	decided map[string]approval.Decision // by people
	staged  []state.Applied
	settled *stage.Progress
	// commands are those of the output, if they are carried out already.
	commands []state.CommandResult
	limit    int // how many native calls a request repeats
}

// feedbackOf is what the model may be told of its last output.
func feedbackOf(t *play.Turn) feedback {
	return feedback{Window: t.Window(), out: &t.Out, decided: t.People.Consent.Decided, staged: t.Stage.Staged.Applied,
		settled: &t.Stage.Settled, commands: t.Stage.Staged.Commands[len(t.Stage.Settled.Commands):], limit: t.Calls.MaxCalls + adjudicate.MaxCallsListed}
}

// listed are the native calls that a request repeats.
func (fb feedback) listed() []llm.ToolCall {
	return fb.out.Last.Native[:min(len(fb.out.Last.Native), fb.limit)]
}

// results are the calls of the output and what they have led to.
func (fb feedback) results(told int) (calls request.Message, answers []request.Message) {
	native := fb.out.Last.Native
	listed := fb.listed()
	calls = request.Message{Kind: request.KindToolCalls, Message: llm.Message{
		Role: llm.Assistant, Text: wording.Shorten(fb.out.Last.Raw, play.MaxRejected, fb.Game.Texts().LeftOut), ToolCalls: listed, Thoughts: fb.out.Reply.Thoughts}}
	results := map[string][]tree.Value{} // in the order of the calls, of which several may have one id
	var list []tree.Value
	for _, a := range fb.staged[told:] {
		v := tree.Object(
			tree.Member{Key: "id", Value: tree.Text(a.ID)},
			tree.Member{Key: "tool", Value: tree.Text(a.Tool)},
			tree.Member{Key: "result", Value: a.Result})
		if fb.decided[a.ID].Verdict == approval.Edit {
			v = v.With("args_as_approved", a.Args)
		}
		results[a.ID] = append(results[a.ID], v)
		list = append(list, v)
	}
	for _, f := range fb.out.Unsettled {
		v, err := tree.Of(briefCall(f))
		if err == nil {
			results[f.ID] = append(results[f.ID], v)
			list = append(list, v)
		}
	}
	if len(listed) == 0 {
		return calls, []request.Message{{Kind: request.KindToolResults, Message: llm.Message{
			Role: llm.User, Text: fb.Game.Texts().ToolResults + "\n" + tree.Array(list...).String()}}}
	}
	answers = make([]request.Message, len(listed))
	texts := len(fb.out.Last.Calls) - len(native) // calls of the text
	for i, call := range fb.out.Last.Calls[:texts+len(listed)] {
		var result tree.Value
		if left := results[call.ID]; len(left) > 0 {
			result, results[call.ID] = left[0], left[1:]
		}
		if i -= texts; i >= 0 { // providers want one result for each native call
			answers[i] = request.Message{Kind: request.KindToolResults, Message: llm.Message{
				Role: llm.Tool, ToolCallID: listed[i].ID, Name: listed[i].Name, Text: result.String()}}
		}
	}
	return calls, answers
}

// changes tells the model what became of an output that had only commands, and asks for the narration.
func (fb feedback) changes() request.Message {
	texts := fb.Game.Texts()
	text := texts.OnlyCommands
	if refused := fb.Game.Vars().Feedback(fb.commands); len(refused) > 0 {
		text += "\n" + texts.Commands + "\n" + view.JSON(refused, fb.Sight())
	}
	return request.Message{Kind: request.KindToolResults, Message: llm.Message{Role: llm.User, Text: text}}
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
	text := fb.out.Last.Raw
	if len(fb.out.Last.Native) > 0 {
		text = strings.TrimSpace(text + "\n" + wording.JSON(fb.listed()))
	}
	if strings.TrimSpace(text) == "" {
		return fb.Game.Texts().Empty // providers refuse empty messages
	}
	return text
}

// faults tells what is wrong with the last output.
func (fb feedback) faults(blocking []conflict.Conflict, left int) (out []request.Message) {
	tell := func(kind request.Kind, title string, what any) {
		out = append(out, request.Message{Kind: kind, Message: llm.Message{
			Role: llm.User, Text: title + "\n" + view.JSON(what, fb.Sight())}})
	}
	if len(fb.out.Unsettled) > 0 {
		f := toolFeedback{RetriesLeft: left, RolledBack: []string{}, DisabledTools: []string{}, AllowedTools: []string{}}
		if fb.OffersTools() && !fb.Narrating {
			f.AllowedTools = fb.Game.ToolNames(fb.Campaign.Allowlist, fb.Campaign.DisabledTools)
		}
		f.FailedCalls, f.Omitted = briefCalls(fb.out.Unsettled)
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
		title := fb.Game.Texts().OutputDebug
		if slices.ContainsFunc(blocking, func(c conflict.Conflict) bool { return c.Detector != conflict.OutputName }) {
			title = fb.Game.Texts().ConflictDebug
		}
		tell(request.KindConflictDebug, title, d)
	}
	return out
}

// briefCalls bounds a list of refused calls for the model.
func briefCalls(list []state.FailedCall) (out []state.FailedCall, omitted int) {
	out = []state.FailedCall{}
	for _, f := range list[:min(len(list), play.MaxFeedback)] {
		out = append(out, briefCall(f))
	}
	return out, len(list) - len(out)
}

// briefConflicts bounds a list of conflicts for the model. A quote stays an exact
// part of the text.
func briefConflicts(list []conflict.Conflict) (out []conflict.Conflict, omitted int) {
	out = append([]conflict.Conflict{}, list[:min(len(list), play.MaxFeedback)]...)
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
