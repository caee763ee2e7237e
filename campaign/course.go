package campaign

import (
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
)

// Stop names a place in the course of an instruction: one row of the table in this
// file. [Machine.Stop] says at which one a machine stands. The names are for people and
// logs; what to do is in [Machine.Todo].
type Stop string

// course is the order in which everything happens, from the top to the bottom. A row
// leads to the one below it unless its action says otherwise; where an action may lead
// elsewhere, the row says where. An instruction begins at the stop that its apply
// returns.
var course = []row{
	{idle, Idle, end()},

	// A turn. Before the model speaks.
	{atRoute, Prompting, ask((*Machine).whichDialog, answer((*Machine).routed))},
	{"dialog", Prompting, work((*turn).openDialog)},
	{"before_receive", Prompting, raise(hooks.EventBeforeReceive, (*turn).arrivalPayload)},
	{"accepted", Prompting, raise(EventTurnAccepted, (*turn).linePayload)},
	{"before_turn_started", Prompting, raise(hooks.EventBeforeTurnStarted, nil)},
	{"after_profile_load", Prompting, raise(hooks.EventAfterProfileLoad, nil).when((*turn).hasProfile)},
	{"host_events", Prompting, raiseEach((*turn).nextHostEvent)},
	{"player_line", Prompting, work((*turn).hearPlayer)},
	{"retrieve", Prompting, ask((*Machine).whichLore, answer((*Machine).retrieved))},
	{"lore", Prompting, work((*turn).scanBook)},
	{"after_book_match", Prompting, raise(hooks.EventAfterWorldBookMatch, (*turn).lorePayload)},
	{"before_turn_finished", Prompting, raise(hooks.EventBeforeTurnFinished, (*turn).moodPayload)},
	{"before_prompt_render", Prompting, raise(hooks.EventBeforePromptRender, nil)},
	{"request", Prompting, do((*Machine).firstRequest)}, // idle, commit: no room for it
	{"after_prompt_render", Prompting, raise(hooks.EventAfterPromptRender, nil)},

	// The model speaks. The phase of the first row is that of the row before: prompting,
	// retrying, or adjudicating for a continuation.
	{atModel, "", raise(hooks.EventBeforeModelCall, nil)},
	{"generate", Generating, ask((*Machine).generation, // idle, commit: no answer
		either((*Machine).replied, (*Machine).generateFailed))},

	// What it said is judged: its form, its calls one by one, its narration.
	{"read", Adjudicating, work((*turn).readReply)},
	{"after_model_call", Adjudicating, raise(hooks.EventAfterModelCall, (*turn).replyPayload)},
	{"form", Adjudicating, do((*Machine).judgeForm)}, // decide: there is nothing to judge
	{atCalls, Adjudicating, do((*Machine).nextCall)}, // narration: there is none left
	{"before_call", Adjudicating, raise(hooks.EventBeforeToolCall, (*turn).callPayload)},
	{"judge_call", Adjudicating, work((*turn).judgeCall)},
	{"after_call", Adjudicating, raise(hooks.EventAfterToolCall, (*turn).rulingPayload).then(atCalls)},
	{atNarration, Adjudicating, work((*turn).judgeNarration)},
	{"judge", Adjudicating, ask((*Machine).secondOpinion, answer((*Machine).judged))},
	{atDecide, Adjudicating, do((*Machine).decide)}, // continue, narrate, retry

	// It has passed: what follows from it.
	{atSettle, Settling, raise(hooks.EventAfterTurnStarted, nil)},
	{"consequences", Settling, work((*turn).workOut)},
	{"state_changed", Settling, raise(hooks.EventStateChanged, (*turn).changePayload).when((*turn).hasChanges)},
	{"after_state_update", Settling, raise(hooks.EventAfterStateUpdate, (*turn).moodPayload)},
	{"after_turn_finished", Settling, raise(hooks.EventAfterTurnFinished, (*turn).moodPayload)},
	{"before_send", Settling, raise(hooks.EventBeforeSend, (*turn).textPayload)},
	{atRecord, Settling, do((*Machine).recordTurn)}, // idle: it cannot be stored

	// Every instruction that changes something ends here.
	{atCommit, Committing, ask((*Machine).toWrite, // idle
		either((*Machine).committed, (*Machine).commitFailed)).then(idle)},

	// It has not passed, or there is more to come.
	{atContinue, Adjudicating, do((*Machine).nextRound)}, // before_model_call, retry
	{atNarrate, Adjudicating, do((*Machine).narrate)},    // before_model_call
	{atRetry, Retrying, do((*Machine).retry)},            // before_model_call, after_turn_started, give_up
	{atGiveUp, Retrying, do((*Machine).giveUp)},          // commit

	// Between turns: hooks hear of an [Announce].
	{atAnnounce, Settling, raiseEach((*turn).nextHostEvent)},
	{"announced", Settling, do((*Machine).announced)}, // commit
}

// The rows that others than the one above lead to.
const (
	idle        Stop = "idle" // the end of every instruction
	atRoute     Stop = "route"
	atModel     Stop = "before_model_call"
	atCalls     Stop = "calls"
	atNarration Stop = "narration"
	atDecide    Stop = "decide"
	atSettle    Stop = "after_turn_started"
	atRecord    Stop = "record"
	atCommit    Stop = "commit"
	atContinue  Stop = "continue"
	atNarrate   Stop = "narrate"
	atRetry     Stop = "retry"
	atGiveUp    Stop = "give_up"
	atAnnounce  Stop = "announce"
)

// The moves that are no names of rows.
const (
	onward Stop = ""      // to the row below
	again  Stop = "again" // to the same row: a loop, whose place the turn knows
	wait   Stop = "wait"  // nowhere: what the row asks is not answered yet
)

// row is one stop.
type row struct {
	stop  Stop
	phase Phase // "" leaves it as it is
	action
}

// action is what a row is for: to do something, to ask something, or to let hooks hear
// of something.
type action struct {
	// begin returns where to go, or a question and wait.
	begin func(*Machine) (Todo, Stop)
	// take takes the answer and returns where to go. It reports false, and has done
	// nothing, for an answer to something else. nil: the row asks nothing.
	take func(*Machine, Input) (Stop, bool)
}

// do is a step that says where to go.
func do(step func(*Machine) Stop) action {
	return action{begin: func(m *Machine) (Todo, Stop) { return Todo{}, step(m) }}
}

// work is a step that leads to the next row.
func work(step func(*turn)) action {
	return do(func(m *Machine) Stop { step(m.turn); return onward })
}

// end is the row at which a machine waits for an instruction.
func end() action {
	return action{begin: func(m *Machine) (Todo, Stop) { return m.finish(), wait }}
}

// ask asks what question returns; if it reports false, there is nothing to ask and the
// next row follows.
func ask(question func(*Machine) (Todo, bool), take func(*Machine, Input) (Stop, bool)) action {
	return action{take: take, begin: func(m *Machine) (Todo, Stop) {
		if todo, open := question(m); open {
			return todo, wait
		}
		return Todo{}, onward
	}}
}

// answer takes answers of one type.
func answer[A Input](take func(*Machine, A) Stop) func(*Machine, Input) (Stop, bool) {
	return func(m *Machine, in Input) (Stop, bool) {
		if a, ok := in.(A); ok {
			return take(m, a), true
		}
		return wait, false
	}
}

// either takes answers of two types.
func either[A, B Input](a func(*Machine, A) Stop, b func(*Machine, B) Stop) func(*Machine, Input) (Stop, bool) {
	return func(m *Machine, in Input) (Stop, bool) {
		if to, ok := answer(a)(m, in); ok {
			return to, true
		}
		return answer(b)(m, in)
	}
}

// raise lets hooks hear of an event, if one of them waits for it.
func raise(event string, payload func(*turn) []tree.Member) action {
	return action{take: answer((*Machine).hooksRan), begin: func(m *Machine) (Todo, Stop) {
		if !m.game.hooks.Wants(event) {
			return Todo{}, onward
		}
		var about []tree.Member
		if payload != nil {
			about = payload(m.turn)
		}
		return Todo{Hooks: m.turn.hookRun(event, about)}, wait
	}}
}

// raiseEach lets hooks hear of a list of events, one after the other. Each call of one
// returns the next of them, and false after the last.
func raiseEach(one func(*turn) (HostEvent, bool)) action {
	return action{
		begin: func(m *Machine) (Todo, Stop) {
			e, ok := one(m.turn)
			switch {
			case !ok:
				return Todo{}, onward
			case !m.game.hooks.Wants(e.Event):
				return Todo{}, again
			}
			return Todo{Hooks: m.turn.hookRun(e.Event, members(e.Payload))}, wait
		},
		take: answer(func(m *Machine, ran HooksRan) Stop { m.hooksRan(ran); return again }),
	}
}

// when leaves the row out unless the turn says yes.
func (a action) when(yes func(*turn) bool) action {
	begin := a.begin
	a.begin = func(m *Machine) (Todo, Stop) {
		if !yes(m.turn) {
			return Todo{}, onward
		}
		return begin(m)
	}
	return a
}

// then says where the row leads instead of to the one below.
func (a action) then(to Stop) action {
	begin, take := a.begin, a.take
	a.begin = func(m *Machine) (Todo, Stop) {
		todo, where := begin(m)
		if where == onward {
			where = to
		}
		return todo, where
	}
	a.take = func(m *Machine, in Input) (Stop, bool) {
		where, ok := take(m, in)
		if where == onward {
			where = to
		}
		return where, ok
	}
	return a
}
