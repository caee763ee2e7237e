package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/hookevent"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
)

// course is the order in which everything happens, from the top to the bottom. A row
// leads to the one below it; where it may lead elsewhere, it says so behind "or", and
// where it always does, behind "then". An instruction begins at the stop that its apply
// returns.
var course = []row{
	{idle, Idle, end()},

	// A turn. Before the model speaks.
	{atRoute, Prompting, ask(whichDialog, answered[Routed])},
	{"dialog", Prompting, work(openDialog)},
	{"past", Prompting, ask(whichTurns, told(turnsRead)).or(idle)}, // more than the head holds
	{"before_receive", Prompting, raise(on.BeforeReceive, hookevent.Occasion.TellArrival).when(hasLine)},
	{"accepted", Prompting, raise(game.EventTurnAccepted, hookevent.Occasion.TellSaid)},
	{"before_turn_started", Prompting, raise(on.BeforeTurnStarted, nil)},
	{"after_profile_load", Prompting, raise(on.AfterProfileLoad, nil).when(hasProfile)},
	{"before_attachments", Prompting, raise(on.BeforeAttachments, nil).when(untold(on.BeforeAttachments))},
	{"host_events", Prompting, raiseEach(nextHostEvent)},
	{"after_attachments", Prompting, raise(on.AfterAttachments, nil).when(untold(on.AfterAttachments))},
	{"player_line", Prompting, work((*run).hearPlayer)},
	{"after_reaction_plan", Prompting, raise(on.AfterReactionPlan, hookevent.Occasion.TellPlan).when(untold(on.AfterReactionPlan))},
	{"veto_line", Prompting, conclude(endIfVetoed).or(idle, atCommit)}, // a rule or hook forbids it
	{"speakers", Prompting, do(chooseSpeakers).or(atSettle)},           // nobody of the cast speaks
	{atHistory, Prompting, ask(whichTurns, told(turnsRead)).or(idle)},  // a text that goes on begins here
	{"recall", Prompting, ask(whatToRecall, answered[Recalled])},
	{"remembered", Prompting, ask(whichRemembered, told(turnsRead)).or(idle)},
	{"memories", Prompting, work((*run).judgeMemories)},
	{"after_memory_retrieve", Prompting, raise(on.AfterMemoryRetrieve, hookevent.Occasion.TellRemembered).when(untold(on.AfterMemoryRetrieve))},
	// Here it begins anew for each member of a cast who speaks.
	{atSpeaker, Prompting, raise(game.EventSpeakerBegins, hookevent.Occasion.TellSpeaker).when(hasSpeaker)},
	{"before_knowledge", Prompting, raise(on.BeforeKnowledge, nil).when(untold(on.BeforeKnowledge))},
	{"retrieve", Prompting, ask(whichLore, answered[Retrieved])},
	{"after_knowledge", Prompting, raise(on.AfterKnowledge, hookevent.Occasion.TellKnowledge).when(untold(on.AfterKnowledge))},
	{"lore", Prompting, work((*run).scanBook)},
	{"after_book_match", Prompting, raise(on.AfterWorldBookMatch, hookevent.Occasion.TellLore)},
	{"before_turn_finished", Prompting, raise(on.BeforeTurnFinished, hookevent.Occasion.TellMood).when(firstReply)},
	{"before_prompt_render", Prompting, raise(on.BeforePromptRender, nil)},
	{"veto_prompt", Prompting, conclude(endIfVetoed).or(idle, atCommit)},
	{"request", Prompting, do(firstRequest).or(atNoRoom)},
	{"after_prompt_render", Prompting, raise(on.AfterPromptRender, nil)},

	// The model speaks. The phase of the first row is that of the row before: prompting,
	// retrying, or adjudicating for a continuation.
	{atModel, "", raise(on.BeforeModelCall, nil)},
	{"veto_call", "", conclude(endIfVetoed).or(idle, atCommit)},
	{"generate", Generating, ask(generation, either(answered[Replied], told(generateFailed))).or(idle, atCommit)}, // no answer

	// What it said is judged: its form, its calls one by one, its narration.
	{"read", Adjudicating, work(readReply)},
	{"stream_chunk", Adjudicating, raise(on.StreamChunk, hookevent.Occasion.TellChunk).when(streamed)},
	{"after_model_call", Adjudicating, raise(on.AfterModelCall, hookevent.Occasion.TellReply)},
	{"form", Adjudicating, do(judgeForm).or(atDecide)},    // there is nothing to judge
	{atCalls, Adjudicating, do(nextCall).or(atNarration)}, // there is none left
	{"before_call", Adjudicating, raise(on.BeforeToolCall, hookevent.Occasion.TellCall)},
	{"outside", Adjudicating, ask(whatIsOutside, answered[Answered])},
	{"judge_call", Adjudicating, work(judgeCall)},
	{"after_call", Adjudicating, raise(on.AfterToolCall, hookevent.Occasion.TellRuling).then(atCalls)},
	{atNarration, Adjudicating, work(judgeNarration)},
	{"judge", Adjudicating, ask(secondOpinion, answered[Judged])},
	{atDecide, Adjudicating, do(decide).or(atRetry, atApproval)},

	// It may count. People are asked last, and nothing goes on until they have answered.
	{atApproval, Adjudicating, conclude(seekApproval).or(atPassed, idle)}, // nobody is asked
	{"approval_pending", Committing, want(toWrite, either(told(waiting), told(commitFailed))).or(idle)},
	{"approve", Approving, want(whatToApprove, either(told(approved), told(discarded))).or(atCalls, atDenied, atCommit, idle)},
	{atPassed, Adjudicating, do(passed).or(atContinue, atNarrate)},

	// It has passed, and the next one of a cast may speak.
	{atKeep, Adjudicating, do(keepReply).or(atSettle)}, // without a cast
	{atSpoken, Adjudicating, raise(game.EventSpeakerDone, hookevent.Occasion.TellSpoken)},
	{"next_speaker", Adjudicating, do(nextSpeaker).or(atSpeaker, atReport)},

	// All have: what follows from it.
	{atSettle, Settling, raise(on.AfterTurnStarted, nil)},
	{"consequences", Settling, work(workOut)},
	{"state_changed", Settling, raise(on.StateChanged, hookevent.Occasion.TellChange).when(hasChanges)},
	{"after_state_update", Settling, raise(on.AfterStateUpdate, hookevent.Occasion.TellMood)},
	{"after_turn_finished", Settling, raise(on.AfterTurnFinished, hookevent.Occasion.TellMood)},
	{"before_send", Settling, raise(on.BeforeSend, hookevent.Occasion.TellText).when(saysSomething)},
	{atRecord, Settling, conclude(recordTurn).or(idle)}, // it cannot be stored

	// Every instruction that changes something ends here.
	{atCommit, Committing, want(toWrite, either(told(committed), told(commitFailed))).then(idle)},

	// It has not passed, or there is more to come: the model is asked again, if the prompt has room.
	{atContinue, Adjudicating, do(nextRound).or(atModel, atRetry, atNoRoom)},
	{atNarrate, Adjudicating, do(narrate).or(atModel, atNoRoom)},
	{atDenied, Retrying, do(deniedCalls).or(atModel, atNoRoom)},
	{atRetry, Retrying, do(retry).or(atModel, atApproval, atGiveUp, atNoRoom)},
	{atGiveUp, Retrying, do(giveUp).or(atSpoken)}, // one of a cast is left out

	// Nothing comes of it: a person decides, or the prompt has no room.
	{atReport, "", conclude(report).or(idle, atCommit)},
	{atNoRoom, "", conclude(noRoom).or(idle, atCommit)},

	// Beside the story: what the player could do or say next. Nothing of it stays.
	{atSuggest, Prompting, ask(whichTurns, told(turnsRead)).or(idle)},
	{"suggest_recall", Prompting, ask(whatToRecall, answered[Recalled])},
	{"suggest_lore", Prompting, ask(whichLore, answered[Retrieved])},
	{"suggest_request", Prompting, do(suggestRequest).or(atNoRoom)},
	{"suggest_generate", Generating, ask(generation, either(told(suggested), told(generateFailed))).then(idle)},

	// Between turns: hooks hear that the clock goes on.
	{atClock, Settling, raise(on.ClockPassed, hookevent.Occasion.TellClock)},
	{"clock_passed", Settling, conclude(clockPassed).or(atCommit, idle)},

	// An instruction that returns to a state of before asks for it, and begins anew.
	{atPast, Settling, want(whichPast, told(pastRead)).or(atCommit, idle)},

	// And of an [Announce].
	{atAnnounce, Settling, raiseEach(nextHostEvent)},
	{"announced", Settling, conclude(announced).or(atCommit, idle)},
}

// rowOf finds the rows of the course by their names.
var rowOf = func() map[Stop]int {
	rows := make(map[Stop]int, len(course))
	for i, r := range course {
		rows[r.stop] = i
	}
	return rows
}()

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
	// take takes the answer. nil: the row asks nothing.
	take taker
	// leads are the stops that it may lead to, but for the row below.
	leads []Stop
}

// do is a step of the turn that says where to go.
func do(step func(*run) next) action {
	return conclude(func(m *Machine) Stop { return Stop(step(m.turn)) })
}

// work is a step of the turn that leads to the next row.
func work(step func(*run)) action {
	return conclude(func(m *Machine) Stop { step(m.turn); return onward })
}

// conclude is a step with which an instruction may come to its end.
func conclude(step func(*Machine) Stop) action {
	return action{begin: func(m *Machine) (Todo, Stop) { return Todo{}, step(m) }}
}

// end is the row at which a machine waits for an instruction.
func end() action {
	return action{begin: func(m *Machine) (Todo, Stop) { return m.finish(), wait }}
}

// want is a question that is always asked.
func want(todo func(*Machine) Todo, take taker) action {
	return action{take: take, begin: func(m *Machine) (Todo, Stop) { return todo(m), wait }}
}

// ask asks what the turn wants to know; if that is nothing, the next row follows.
func ask[Q wondered](question func(*run) *Q, take taker) action {
	return action{take: take, begin: func(m *Machine) (Todo, Stop) {
		if q := question(m.turn); q != nil {
			return todoOf(q), wait
		}
		return Todo{}, onward
	}}
}

// taker takes an answer and returns where to go. It reports false, and has done nothing, for an
// answer to something else.
type taker func(*Machine, Input) (Stop, bool)

// told takes answers of one type that may lead anywhere.
func told[A Input](take func(*Machine, A) Stop) taker {
	return func(m *Machine, in Input) (Stop, bool) {
		if a, ok := in.(A); ok {
			return take(m, a), true
		}
		return wait, false
	}
}

// answered takes answers of one type with which the turn goes on.
func answered[A answering](m *Machine, in Input) (Stop, bool) {
	a, ok := in.(A)
	if ok {
		a.tell(m.turn)
	}
	return onward, ok
}

// either takes answers of two types.
func either(a, b taker) taker {
	return func(m *Machine, in Input) (Stop, bool) {
		if to, ok := a(m, in); ok {
			return to, true
		}
		return b(m, in)
	}
}

// raise lets hooks hear of an event, if one of them waits for it.
func raise(event string, payload func(hookevent.Occasion) []tree.Member) action {
	return action{take: answered[HooksRan], begin: func(m *Machine) (Todo, Stop) {
		if !m.game.Hooks().Wants(event) {
			return Todo{}, onward
		}
		now := occasionOf(m.turn)
		var about []tree.Member
		if payload != nil {
			about = payload(now)
		}
		return Todo{Hooks: now.Question(event, about)}, wait
	}}
}

// raiseEach lets hooks hear of a list of events, one after the other. Each call of one
// returns the next of them, and false after the last.
func raiseEach(one func(*run) (state.HostEvent, bool)) action {
	return action{
		begin: func(m *Machine) (Todo, Stop) {
			e, ok := one(m.turn)
			switch {
			case !ok:
				return Todo{}, onward
			case !m.game.Hooks().Wants(e.Event):
				return Todo{}, again
			}
			return Todo{Hooks: occasionOf(m.turn).Question(e.Event, hookevent.Members(e.Payload))}, wait
		},
		take: told(func(m *Machine, ran HooksRan) Stop { ran.tell(m.turn); return again }),
	}
}

// or says where the row may lead but for the one below. It is for readers, and a test
// holds the course to it.
func (a action) or(leads ...Stop) action {
	a.leads = leads
	return a
}

// when leaves the row out unless the turn says yes.
func (a action) when(yes func(*run) bool) action {
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
	a.leads = append(a.leads, to)
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
