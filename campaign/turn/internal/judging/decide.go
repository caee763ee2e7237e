package judging

import (
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn/internal/approving"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/prompt/script"
)

// Passed goes on with an output that counts.
func Passed(t *play.Turn) play.Next {
	switch {
	case t.View().Planning():
		return play.ToNarrate
	case t.Narration() == "": // calls or commands alone, which tell the player nothing
		return play.ToContinue
	}
	t.RunScripts(script.Where{Placement: script.AIOutput})
	return play.ToNext
}

// Decide looks at everything that is wrong with an output, and goes on, back, or
// gives up.
func Decide(t *play.Turn) play.Next {
	if approving.AskAgain(t) {
		return play.ToApproval
	}
	blocking, warnings := verdict.Split(t.Out.Findings)
	blocking = blocking[:min(len(blocking), verdict.MaxConflicts)]
	warnings = warnings[:min(len(warnings), verdict.MaxConflicts)]
	if t.People.Consent.AllowsConflicts() { // it told of what the model asked for, and passed
		t.Out.Accepted, blocking = blocking, nil
	}
	t.Out.Blocking = blocking
	at := &t.Attempts[len(t.Attempts)-1]
	at.FailedCalls, at.Conflicts, at.Warnings = t.Out.Unsettled, blocking, warnings
	at.NoProgress = verdict.SameFaults(t.Attempts[t.Casting.AttemptsBefore:])
	*at = verdict.ForPeople(t.Next.Goal, t.Out.Last, *at)
	refusals := len(t.Out.Unsettled) > 0 && t.Values.Text(setting.OnRejection) != "commit_partial"
	if len(blocking) > 0 || refusals {
		return play.ToRetry
	}
	return play.ToNext
}
