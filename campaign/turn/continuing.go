package turn

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
)

// goOnWith makes the stage one on which a turn goes on that is committed already: nothing that
// happens at the begin of a turn happens again.
func (t *run) goOnWith(head state.Turn, values setting.Values) {
	t.head, t.stage.Number = &head, numberOf(&t.next, &head)
	t.in.Text = head.UserInput
	t.source = head.DialogTypeSource
	var known bool
	if t.kind, known = t.game.Dialog(head.DialogType); !known {
		t.kind, _ = t.game.Dialog(values.Text(setting.ManualType))
	}
	t.openDialog()
	s := &t.stage.Settled
	s.State.Hooks, s.State.Injections = t.next.State.Hooks, t.next.State.Injections
	if a, ok := t.next.HeadAlternatives(); ok {
		s.Evidence, s.Counts = stage.EvidenceOf(a.Evidence, head.Applied), countsOf(a.Rolls)
		t.stage.Dice.Keep(a.Rolls)
	}
	t.stage.Undo()
	if n := len(head.Replies); n > 0 {
		t.casting.speakers = []string{head.Replies[n-1].Speaker}
		t.beginReply()
	}
}

// countsOf says that all dice that were thrown have been seen: the next ones are new.
func countsOf(rolls map[string][]int) map[string]int {
	counts := make(map[string]int, len(rolls))
	for call, list := range rolls {
		counts[call] = len(list)
	}
	return counts
}

// whole is the text of the turn with a narration that may go on with it.
func (t *run) whole(narration string) string {
	if t.head == nil {
		return narration
	}
	return joined(t.headText(), narration, t.reply.Text)
}

// headText is the text that the turn goes on with, "" if it is a turn of its own: of a cast it is
// the last reply.
func (t *run) headText() string {
	if t.head == nil {
		return ""
	}
	if n := len(t.head.Replies); n > 0 {
		return t.head.Replies[n-1].Text
	}
	return t.head.Text
}

// longerText is the text of the turn with what goes on with it.
func (t *run) longerText() string {
	var before []string
	for _, r := range t.head.Replies[:max(len(t.head.Replies)-1, 0)] {
		before = append(before, r.Text)
	}
	return strings.Join(append(before, t.whole(strings.Join(t.replyTexts(), betweenReplies))), betweenReplies)
}

// joined puts a text behind another one. raw is the text as it came, which tells whether it
// began with a blank. A text that repeats all that is there counts as the whole.
func joined(text, more, raw string) string {
	if rest, repeats := strings.CutPrefix(more, text); repeats {
		return text + rest
	}
	if text == "" || more == "" {
		return text + more
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	first, _ := utf8.DecodeRuneInString(more)
	blank := raw[:len(raw)-len(strings.TrimLeftFunc(raw, unicode.IsSpace))]
	switch {
	case unicode.IsSpace(last) || unicode.IsSpace(first):
		return text + more
	case strings.Contains(blank, "\n\n"):
		return text + "\n\n" + more
	case strings.Contains(blank, "\n"):
		return text + "\n" + more
	case blank != "" || spacedAfter(last) && spacedBefore(first):
		return text + " " + more
	}
	return text + more
}

// spacedAfter reports whether a blank follows on a sign, where a word comes next: not on an
// opening sign, nor in a script without blanks between words.
func spacedAfter(r rune) bool { return spaced(r) && !strings.ContainsRune("([{“‘«¿¡$/-", r) }

// spacedBefore reports whether a blank stands before a sign, where a word was before: not before
// a closing sign, nor in a script without blanks between words.
func spacedBefore(r rune) bool {
	return spaced(r) && !strings.ContainsRune(".,;:!?)]}%'”’»…", r)
}

// spaced reports whether a sign belongs to a script that has blanks between words.
func spaced(r rune) bool {
	return (r < 0x2E80 || unicode.Is(unicode.Hangul, r)) && !unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// news are the findings about a text that goes on or was edited without those that the text
// had before: they have been judged.
func (t *run) news(found []conflict.Conflict, before string) []conflict.Conflict {
	if before == "" || len(found) == 0 {
		return found
	}
	known := conflict.Detect(before, nil, t.view(), t.conflictOptions())
	return slices.DeleteFunc(found, func(c conflict.Conflict) bool {
		return slices.ContainsFunc(known, func(k conflict.Conflict) bool {
			return k.Detector == c.Detector && k.Kind == c.Kind && k.EntityID == c.EntityID && k.Field == c.Field && k.Quote == c.Quote
		})
	})
}

// recordContinuation replaces the head turn by the longer one.
func (m *Machine) recordContinuation() Stop {
	t := m.turn
	p := &t.stage.Staged
	next := t.next
	next.Version = m.base.Version // it may have waited for people
	record, err := t.longer(next).AsStored()
	if err != nil {
		return m.unstorable(err)
	}
	p.State.Random = t.stage.Dice.Cursor
	t.stage.SettleLife(t.values)
	next.RenewHead(t.stage.Dice.Kept(), p.KeptEvidence())
	t.keepSecrets()
	next.State = p.State
	next.Turns = m.log.Put(next.Turns, record)
	next.Rewrite(record.ID)
	next.AddCheckpoint("", t.in.At, checkpointLimit(t.values))
	outcome := completed(record, false)
	return m.commit(RecordKind(t.ask.Instruction), t.in.At, next, &record, Todo{
		Show: t.shows(record), Host: p.Host,
		Announce: m.afterCommit(t, record, false), Outcome: &outcome,
	})
}

// longer is the head turn with what goes on with it.
func (t *run) longer(next state.Campaign) state.Turn {
	out, more := *t.head, t.record(next)
	out.Continued = append(slices.Clip(out.Continued), state.Continuation{At: len(out.Text), Instructions: t.ask.Instructions,
		ClientTurnID: more.ClientTurnID, Fingerprint: more.Fingerprint})
	out.Text = more.Text
	if n := len(out.Replies); n > 0 {
		out.Replies = slices.Clone(out.Replies)
		out.Replies[n-1].Text = t.whole(strings.Join(t.replyTexts(), betweenReplies))
	}
	if out.Original != "" { // an edited text goes on
		out.Original = ""
	}
	if more.Structured.Exists() {
		out.Structured = more.Structured
	}
	out.Applied = slices.Concat(out.Applied, more.Applied)
	out.Approvals = slices.Concat(out.Approvals, more.Approvals)
	out.Attempts = slices.Concat(out.Attempts, more.Attempts)
	out.Changes = slices.Concat(out.Changes, more.Changes)
	out.Commands = slices.Concat(out.Commands, more.Commands)
	out.Unresolved = slices.Concat(out.Unresolved, more.Unresolved)
	out.Overridden = slices.Concat(out.Overridden, more.Overridden)
	out.RetriesUsed += more.RetriesUsed
	out.SettingsRevision, out.StateSummary, out.Trace = more.SettingsRevision, more.StateSummary, more.Trace
	return out
}
