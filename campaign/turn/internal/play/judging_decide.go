package play

import (
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/turn/internal/judge"
	"github.com/talewright/talewright/prompt/script"
)

// Passed continues with an accepted output.
func Passed(t *Turn) Next {
	switch {
	case t.View().Planning():
		return ToNarrate
	case t.Narration() == "": // only calls or commands, without a text for the player
		return ToContinue
	}
	t.RunScripts(script.Where{Placement: script.AIOutput})
	return ToNext
}

// Decide collects all faults of an output, and accepts it, asks for a retry, or asks people again.
func Decide(t *Turn) Next {
	if askAgain(t) {
		return ToApproval
	}
	blocking, warnings := judge.Split(t.Out.Findings)
	blocking = blocking[:min(len(blocking), judge.MaxConflicts)]
	warnings = warnings[:min(len(warnings), judge.MaxConflicts)]
	if t.People.Consent.AllowsConflicts() { // the text reported what the model asked for, and had passed
		t.Out.Accepted, blocking = blocking, nil
	}
	t.Out.Blocking = blocking
	attempt := &t.Attempts[len(t.Attempts)-1]
	attempt.FailedCalls, attempt.Conflicts, attempt.Warnings = t.Out.RefusedCalls, blocking, warnings
	attempt.NoProgress = judge.SameFaults(t.Attempts[t.Casting.AttemptsBefore:])
	*attempt = judge.ForPeople(t.Next.Goal, t.Out.Last, *attempt)
	refusals := len(t.Out.RefusedCalls) > 0 && t.Values.Text(settingkey.OnRejection) != "commit_partial"
	if len(blocking) > 0 || refusals {
		return ToRetry
	}
	return ToNext
}
