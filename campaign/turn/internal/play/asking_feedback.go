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

// feedback is the feedback to the model about its own output: the results of its calls, and the
// faults.
type feedback struct {
	past.Window
	out     *Output
	decided map[string]state.ApprovalDecision // decisions of people, by call ID
	staged  []state.Applied                   // calls that were applied in this turn
	base    *draft.Progress                   // the state that a rejected output does not change
	// commands are the commands of the output, if they are already applied.
	commands []state.CommandResult
	limit    int // maximum number of native calls that a request repeats
}

// feedbackOf returns the feedback about the last output.
func feedbackOf(t *Turn) feedback {
	return feedback{Window: t.Window(), out: &t.Out, decided: t.People.Consent.Decided, staged: t.Stage.Pending.Applied,
		base: &t.Stage.Base, commands: t.Stage.Pending.Commands[len(t.Stage.Base.Commands):],
		limit: t.Calls.MaxCalls + judge.MaxCallsListed}
}

// listed returns the native calls that a request repeats.
func (fb feedback) listed() []llm.ToolCall {
	return fb.out.Last.Native[:min(len(fb.out.Last.Native), fb.limit)]
}

// results returns the calls of the output and their results. It skips the results of the first sent
// calls of the turn, which the model has already received.
func (fb feedback) results(sent int) (calls question.Message, answers []question.Message) {
	listed := fb.listed()
	calls = question.Message{Kind: question.KindToolCalls, Message: llm.Message{
		Role: llm.Assistant, Text: draft.Shorten(fb.out.Last.Raw, MaxRejected, fb.Game.Texts().LeftOut),
		ToolCalls: listed, Thoughts: fb.out.Reply.Thoughts}}
	all, byID := fb.callResults(sent)
	if len(listed) == 0 {
		return calls, []question.Message{{Kind: question.KindToolResults, Message: llm.Message{
			Role: llm.User, Text: fb.Game.Texts().ToolResults + "\n" + tree.Array(all...).String()}}}
	}
	return calls, fb.nativeResults(listed, byID)
}

// callResults returns the results of the applied calls after the first sent ones, and then the
// refusals: all in one list, and by call ID. Several calls may have the same ID, so each ID has a
// list, in the order of the calls.
func (fb feedback) callResults(sent int) (all []tree.Value, byID map[string][]tree.Value) {
	byID = map[string][]tree.Value{}
	for _, a := range fb.staged[sent:] {
		v := tree.Object(
			tree.Member{Key: "id", Value: tree.Text(a.ID)},
			tree.Member{Key: "tool", Value: tree.Text(a.Tool)},
			tree.Member{Key: "result", Value: a.Result})
		if fb.decided[a.ID].Verdict == state.Edit {
			v = v.With("args_as_approved", a.Args)
		}
		byID[a.ID] = append(byID[a.ID], v)
		all = append(all, v)
	}
	for _, f := range fb.out.RefusedCalls {
		v, _ := tree.Of(briefCall(f)) // texts and JSON values have a JSON form
		byID[f.ID] = append(byID[f.ID], v)
		all = append(all, v)
	}
	return all, byID
}

// nativeResults returns one message for each native call, as providers need it. In Last.Calls the
// calls of the text come first. They use up the results with their IDs.
func (fb feedback) nativeResults(listed []llm.ToolCall, byID map[string][]tree.Value) []question.Message {
	answers := make([]question.Message, len(listed))
	inText := len(fb.out.Last.Calls) - len(fb.out.Last.Native)
	for i, call := range fb.out.Last.Calls[:inText+len(listed)] {
		var result tree.Value
		if left := byID[call.ID]; len(left) > 0 {
			result, byID[call.ID] = left[0], left[1:]
		}
		if i -= inText; i >= 0 {
			answers[i] = question.Message{Kind: question.KindToolResults, Message: llm.Message{
				Role: llm.Tool, ToolCallID: listed[i].ID, Name: listed[i].Name, Text: result.String()}}
		}
	}
	return answers
}

// changes returns the result of an output that had only commands, with a request for the narration.
func (fb feedback) changes() question.Message {
	texts := fb.Game.Texts()
	text := texts.OnlyCommands
	if refused := fb.Game.Vars().Feedback(fb.commands); len(refused) > 0 {
		text += "\n" + texts.Commands + "\n" + draft.JSON(refused, fb.Sight())
	}
	return question.Message{Kind: question.KindToolResults, Message: llm.Message{Role: llm.User, Text: text}}
}

// toolFeedback is the feedback about refused calls.
type toolFeedback struct {
	FailedCalls   []state.FailedCall `json:"failed_calls"`
	Omitted       int                `json:"omitted_calls,omitempty"` // number of refused calls that are not listed
	RolledBack    []string           `json:"rolled_back_calls"`
	AllowedTools  []string           `json:"allowed_tools"`
	DisabledTools []string           `json:"disabled_tools"`
	RetriesLeft   int                `json:"retries_left"`
}

// conflictDebug is the feedback about contradictions.
type conflictDebug struct {
	Expected    tree.Value          `json:"expected_state_snippet"`
	Mismatches  []conflict.Conflict `json:"mismatches"`
	Omitted     int                 `json:"omitted_mismatches,omitempty"`
	RetriesLeft int                 `json:"retries_left"`
}

// rejected returns the last output as text, because providers refuse a native call without its
// result.
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

// faults returns messages about the faults of the last output.
func (fb feedback) faults(blocking []conflict.Conflict, left int) (out []question.Message) {
	add := func(kind question.MessageKind, title string, what any) {
		out = append(out, question.Message{Kind: kind, Message: llm.Message{
			Role: llm.User, Text: title + "\n" + draft.JSON(what, fb.Sight())}})
	}
	if len(fb.out.RefusedCalls) > 0 {
		f := toolFeedback{RetriesLeft: left, RolledBack: []string{}, DisabledTools: []string{}, AllowedTools: []string{}}
		if fb.OffersTools() && !fb.Narrating {
			f.AllowedTools = fb.Game.ToolNames(fb.Campaign.Allowlist, fb.Campaign.DisabledTools)
		}
		f.FailedCalls, f.Omitted = briefCalls(fb.out.RefusedCalls)
		for _, a := range fb.staged[len(fb.base.Applied):] {
			if fb.decided[a.ID].Verdict == state.Deny {
				continue // it is in FailedCalls
			}
			f.RolledBack = append(f.RolledBack, a.ID)
		}
		for name := range fb.Campaign.DisabledTools {
			f.DisabledTools = append(f.DisabledTools, name)
		}
		slices.Sort(f.DisabledTools)
		add(question.KindToolFeedback, fb.Game.Texts().ToolFeedback, f)
	}
	if len(blocking) > 0 {
		d := conflictDebug{Expected: secret.Of(&fb.base.State, fb.Viewer()).State.Expected(), RetriesLeft: left}
		d.Mismatches, d.Omitted = briefConflicts(blocking)
		title := fb.Game.Texts().OutputDebug
		if slices.ContainsFunc(blocking, func(c conflict.Conflict) bool { return c.Detector != conflict.OutputName }) {
			title = fb.Game.Texts().ConflictDebug
		}
		add(question.KindConflictDebug, title, d)
	}
	return out
}

// briefCalls limits a list of refused calls for the model.
func briefCalls(list []state.FailedCall) (out []state.FailedCall, omitted int) {
	out = []state.FailedCall{}
	for _, f := range list[:min(len(list), MaxFeedback)] {
		out = append(out, briefCall(f))
	}
	return out, len(list) - len(out)
}

// briefConflicts limits a list of conflicts for the model. A shortened quote is still an exact part
// of the text.
func briefConflicts(list []conflict.Conflict) (out []conflict.Conflict, omitted int) {
	out = append([]conflict.Conflict{}, list[:min(len(list), MaxFeedback)]...)
	for i := range out {
		out[i].Quote = utf8text.Cut(out[i].Quote, draft.MaxText)
	}
	return out, len(list) - len(out)
}

// briefCall limits the texts of a tool about a refused call.
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
