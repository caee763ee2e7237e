package play

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// feedback is what the model is told of its own output: what its calls have led to, and what is wrong.
type feedback struct {
	past.Window
	out     *Output
	decided map[string]state.ApprovalDecision // by people
	staged  []state.Applied
	settled *draft.Progress
	// commands are those of the output, if they are carried out already.
	commands []state.CommandResult
	limit    int // how many native calls a request repeats
}

// feedbackOf is what the model may be told of its last output.
func feedbackOf(t *Turn) feedback {
	return feedback{Window: t.Window(), out: &t.Out, decided: t.People.Consent.Decided, staged: t.Stage.Staged.Applied,
		settled: &t.Stage.Settled, commands: t.Stage.Staged.Commands[len(t.Stage.Settled.Commands):], limit: t.Calls.MaxCalls + judge.MaxCallsListed}
}

// listed are the native calls that a request repeats.
func (fb feedback) listed() []llm.ToolCall {
	return fb.out.Last.Native[:min(len(fb.out.Last.Native), fb.limit)]
}

// results are the calls of the output and what they have led to.
func (fb feedback) results(told int) (calls question.Message, answers []question.Message) {
	native := fb.out.Last.Native
	listed := fb.listed()
	calls = question.Message{Kind: question.KindToolCalls, Message: llm.Message{
		Role: llm.Assistant, Text: draft.Shorten(fb.out.Last.Raw, MaxRejected, fb.Game.Texts().LeftOut), ToolCalls: listed, Thoughts: fb.out.Reply.Thoughts}}
	results := map[string][]tree.Value{} // in the order of the calls, of which several may have one id
	var list []tree.Value
	for _, a := range fb.staged[told:] {
		v := tree.Object(
			tree.Member{Key: "id", Value: tree.Text(a.ID)},
			tree.Member{Key: "tool", Value: tree.Text(a.Tool)},
			tree.Member{Key: "result", Value: a.Result})
		if fb.decided[a.ID].Verdict == state.Edit {
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
		return calls, []question.Message{{Kind: question.KindToolResults, Message: llm.Message{
			Role: llm.User, Text: fb.Game.Texts().ToolResults + "\n" + tree.Array(list...).String()}}}
	}
	answers = make([]question.Message, len(listed))
	texts := len(fb.out.Last.Calls) - len(native) // calls of the text
	for i, call := range fb.out.Last.Calls[:texts+len(listed)] {
		var result tree.Value
		if left := results[call.ID]; len(left) > 0 {
			result, results[call.ID] = left[0], left[1:]
		}
		if i -= texts; i >= 0 { // providers want one result for each native call
			answers[i] = question.Message{Kind: question.KindToolResults, Message: llm.Message{
				Role: llm.Tool, ToolCallID: listed[i].ID, Name: listed[i].Name, Text: result.String()}}
		}
	}
	return calls, answers
}

// changes tells the model what became of an output that had only commands, and asks for the narration.
func (fb feedback) changes() question.Message {
	texts := fb.Game.Texts()
	text := texts.OnlyCommands
	if refused := fb.Game.Vars().Feedback(fb.commands); len(refused) > 0 {
		text += "\n" + texts.Commands + "\n" + draft.JSON(refused, fb.Sight())
	}
	return question.Message{Kind: question.KindToolResults, Message: llm.Message{Role: llm.User, Text: text}}
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
		text = strings.TrimSpace(text + "\n" + draft.WordingJSON(fb.listed()))
	}
	if strings.TrimSpace(text) == "" {
		return fb.Game.Texts().Empty // providers refuse empty messages
	}
	return text
}

// faults tells what is wrong with the last output.
func (fb feedback) faults(blocking []conflict.Conflict, left int) (out []question.Message) {
	tell := func(kind question.MessageKind, title string, what any) {
		out = append(out, question.Message{Kind: kind, Message: llm.Message{
			Role: llm.User, Text: title + "\n" + draft.JSON(what, fb.Sight())}})
	}
	if len(fb.out.Unsettled) > 0 {
		f := toolFeedback{RetriesLeft: left, RolledBack: []string{}, DisabledTools: []string{}, AllowedTools: []string{}}
		if fb.OffersTools() && !fb.Narrating {
			f.AllowedTools = fb.Game.ToolNames(fb.Campaign.Allowlist, fb.Campaign.DisabledTools)
		}
		f.FailedCalls, f.Omitted = briefCalls(fb.out.Unsettled)
		for _, a := range fb.staged[len(fb.settled.Applied):] {
			if fb.decided[a.ID].Verdict == state.Deny {
				continue // it is among the failed ones
			}
			f.RolledBack = append(f.RolledBack, a.ID)
		}
		for name := range fb.Campaign.DisabledTools {
			f.DisabledTools = append(f.DisabledTools, name)
		}
		slices.Sort(f.DisabledTools)
		tell(question.KindToolFeedback, fb.Game.Texts().ToolFeedback, f)
	}
	if len(blocking) > 0 {
		d := conflictDebug{Expected: secret.Of(&fb.settled.State, fb.Viewer()).State.Expected(), RetriesLeft: left}
		d.Mismatches, d.Omitted = briefConflicts(blocking)
		title := fb.Game.Texts().OutputDebug
		if slices.ContainsFunc(blocking, func(c conflict.Conflict) bool { return c.Detector != conflict.OutputName }) {
			title = fb.Game.Texts().ConflictDebug
		}
		tell(question.KindConflictDebug, title, d)
	}
	return out
}

// briefCalls bounds a list of refused calls for the model.
func briefCalls(list []state.FailedCall) (out []state.FailedCall, omitted int) {
	out = []state.FailedCall{}
	for _, f := range list[:min(len(list), MaxFeedback)] {
		out = append(out, briefCall(f))
	}
	return out, len(list) - len(out)
}

// briefConflicts bounds a list of conflicts for the model. A quote stays an exact
// part of the text.
func briefConflicts(list []conflict.Conflict) (out []conflict.Conflict, omitted int) {
	out = append([]conflict.Conflict{}, list[:min(len(list), MaxFeedback)]...)
	for i := range out {
		out[i].Quote = utf8text.Cut(out[i].Quote, draft.MaxText)
	}
	return out, len(list) - len(out)
}

// briefCall bounds what a tool says about a refused call.
func briefCall(f state.FailedCall) state.FailedCall {
	f.Message = utf8text.Cut(f.Message, draft.MaxText)
	if len(f.Expected.String()) > draft.MaxText {
		f.Expected = tree.Value{}
	}
	if len(f.Hint.String()) > draft.MaxText {
		f.Hint = tree.Value{}
	}
	return f
}
