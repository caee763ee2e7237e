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
	decided map[string]state.ApprovalDecision // decisions of people
	staged  []state.Applied
	settled *draft.Progress
	// commands are the commands of the output, if they are already applied.
	commands []state.CommandResult
	limit    int // maximum number of native calls that a request repeats
}

// feedbackOf returns the feedback about the last output.
func feedbackOf(t *Turn) feedback {
	return feedback{Window: t.Window(), out: &t.Out, decided: t.People.Consent.Decided, staged: t.Stage.Pending.Applied,
		settled: &t.Stage.Base, commands: t.Stage.Pending.Commands[len(t.Stage.Base.Commands):], limit: t.Calls.MaxCalls + judge.MaxCallsListed}
}

// listed returns the native calls that a request repeats.
func (fb feedback) listed() []llm.ToolCall {
	return fb.out.Last.Native[:min(len(fb.out.Last.Native), fb.limit)]
}

// results returns the calls of the output and their results. It skips the first told results, which
// the model has already seen.
func (fb feedback) results(told int) (calls question.Message, answers []question.Message) {
	native := fb.out.Last.Native
	listed := fb.listed()
	calls = question.Message{Kind: question.KindToolCalls, Message: llm.Message{
		Role: llm.Assistant, Text: draft.Shorten(fb.out.Last.Raw, MaxRejected, fb.Game.Texts().LeftOut), ToolCalls: listed, Thoughts: fb.out.Reply.Thoughts}}
	results := map[string][]tree.Value{} // in the order of the calls, because several calls may have the same ID
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
		v, _ := tree.Of(briefCall(f)) // texts and JSON values have a JSON form
		results[f.ID] = append(results[f.ID], v)
		list = append(list, v)
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
		if i -= texts; i >= 0 { // providers need one result for each native call
			answers[i] = question.Message{Kind: question.KindToolResults, Message: llm.Message{
				Role: llm.Tool, ToolCallID: listed[i].ID, Name: listed[i].Name, Text: result.String()}}
		}
	}
	return calls, answers
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
				continue // it is in FailedCalls
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
