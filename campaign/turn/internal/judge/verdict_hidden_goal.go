package judge

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// Only the model knows a hidden goal. Every part of an answer of the model is checked for it. In a
// refused answer, the words of the goal are removed before people see it. The inputs in the log
// keep them.

// Leaks finds the hidden goal in the parts of an answer other than the narration: the other members
// and the arguments of its calls.
func (x Examiner) Leaks(last answer.Answer) []conflict.Conflict {
	if !x.View.Goal.Hidden {
		return nil
	}
	texts := secret.Texts(last.Extra)
	for _, c := range last.Calls {
		texts = append(append(texts, c.Reason), secret.Texts(c.Args)...)
	}
	if len(texts) == 0 {
		return nil
	}
	only := x.Options
	only.Extra = nil
	view := conflict.View{ActorID: x.View.ActorID, Goal: x.View.Goal, Language: x.View.Language}
	found := conflict.Detect(strings.Join(texts, "\n"), nil, view, only)
	return slices.DeleteFunc(found, func(c conflict.Conflict) bool {
		return c.Kind != conflict.HiddenGoalLeak
	})
}

// ForPeople returns an attempt without the words of a hidden goal.
func ForPeople(goal state.Goal, last answer.Answer, a state.Attempt) state.Attempt {
	if !goal.Hidden {
		return a
	}
	hide := func(text string) string { return conflict.Redact(text, goal.Text) }
	output := a.Output
	if !last.Structured {
		a.Output = hide(a.Output)
	} else if form := formOfOutput(last); form.String() != redactedValue(form, hide).String() {
		// Words may be written with escapes, or be split over several members.
		a.Output = redactedValue(form, hide).String()
	} else {
		a.Output = hide(output)
	}
	a.Calls = slices.Clone(a.Calls)
	for i, c := range a.Calls {
		a.Calls[i] = llm.ToolCall{ID: c.ID, Name: c.Name, Arguments: hide(c.Arguments), Extra: c.Extra}
		if v, err := tree.ParseValue([]byte(c.Arguments)); err == nil {
			if safe := redactedValue(v, hide); !safe.Equal(v) {
				a.Calls[i].Arguments = safe.String()
			}
		}
	}
	a.FailedCalls = slices.Clone(a.FailedCalls)
	for i := range a.FailedCalls {
		f := &a.FailedCalls[i]
		f.ID, f.Tool, f.Message = hide(f.ID), hide(f.Tool), hide(f.Message)
		f.Violations = slices.Clone(f.Violations)
		for j, text := range f.Violations {
			f.Violations[j] = hide(text)
		}
	}
	a.Questions = slices.Clone(a.Questions)
	for i := range a.Questions {
		a.Questions[i].Quote = hide(a.Questions[i].Quote)
	}
	a.Conflicts, a.Warnings = redactedQuotes(a.Conflicts, hide), redactedQuotes(a.Warnings, hide)
	return a
}

func redactedQuotes(list []conflict.Conflict, hide func(string) string) []conflict.Conflict {
	list = slices.Clone(list)
	for i := range list {
		list[i].Quote = hide(list[i].Quote)
	}
	return list
}

// redactedValue hides words in all texts of a value.
func redactedValue(v tree.Value, hide func(string) string) tree.Value {
	if text, ok := v.AsText(); ok {
		return tree.Text(hide(text))
	}
	switch {
	case v.IsArray():
		var out []tree.Value
		for _, e := range v.Elements() {
			out = append(out, redactedValue(e, hide))
		}
		return tree.Array(out...)
	case v.IsObject():
		var out []tree.Member
		for key, m := range v.Members() {
			out = append(out, tree.Member{Key: hide(key), Value: redactedValue(m, hide)})
		}
		return tree.Object(out...)
	}
	return v
}

// formOfOutput returns a structured answer in the form {text, tool_calls, …}.
func formOfOutput(o answer.Answer) tree.Value {
	out := []tree.Member{{Key: "text", Value: tree.Text(o.Text)}}
	var calls []tree.Value
	for _, c := range o.Calls[:max(0, len(o.Calls)-len(o.Native))] {
		calls = append(calls, c.Value())
	}
	if len(calls) > 0 {
		out = append(out, tree.Member{Key: "tool_calls", Value: tree.Array(calls...)})
	}
	for key, v := range o.Extra.Members() {
		out = append(out, tree.Member{Key: key, Value: v})
	}
	return tree.Object(out...)
}
