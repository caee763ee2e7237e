package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/approving"
	"github.com/talewright/talewright/campaign/turn/internal/asking"
	"github.com/talewright/talewright/campaign/turn/internal/hookevent"
	"github.com/talewright/talewright/campaign/turn/internal/judging"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/campaign/turn/internal/preparing"
	"github.com/talewright/talewright/campaign/turn/internal/settling"
	"github.com/talewright/talewright/campaign/turn/internal/speaking"
	"github.com/talewright/talewright/hooks/on"
)

// course is the order in which everything happens, from the top to the bottom. A row
// leads to the one below it; where it may lead elsewhere, it says so behind "or", and
// where it always does, behind "then". An instruction begins at the stop that its apply
// returns.
var course = []row{
	{idle, Idle, end()},

	// A turn. Before the model speaks.
	{atRoute, Prompting, ask(preparing.WhichDialog, answered[Routed])},
	{"dialog", Prompting, work(play.OpenDialog)},
	{"past", Prompting, ask(preparing.WhichTurns, told(turnsRead)).or(idle)}, // more than the head holds
	{"before_receive", Prompting, raise(on.BeforeReceive, hookevent.Occasion.TellArrival).when(play.HasLine)},
	{"accepted", Prompting, raise(game.EventTurnAccepted, hookevent.Occasion.TellSaid)},
	{"before_turn_started", Prompting, raise(on.BeforeTurnStarted, nil)},
	{"after_profile_load", Prompting, raise(on.AfterProfileLoad, nil).when(play.HasProfile)},
	{"before_attachments", Prompting, raise(on.BeforeAttachments, nil).when(play.Untold(on.BeforeAttachments))},
	{"host_events", Prompting, raiseEach(preparing.NextHostEvent)},
	{"after_attachments", Prompting, raise(on.AfterAttachments, nil).when(play.Untold(on.AfterAttachments))},
	{"player_line", Prompting, work(preparing.HearPlayer)},
	{"after_reaction_plan", Prompting, raise(on.AfterReactionPlan, hookevent.Occasion.TellPlan).when(play.Untold(on.AfterReactionPlan))},
	{"veto_line", Prompting, conclude(endIfVetoed).or(idle, atCommit)},          // a rule or hook forbids it
	{"speakers", Prompting, do(speaking.Choose).or(atSettle)},                   // nobody of the cast speaks
	{atHistory, Prompting, ask(preparing.WhichTurns, told(turnsRead)).or(idle)}, // a text that goes on begins here
	{"recall", Prompting, ask(preparing.WhatToRecall, answered[Recalled])},
	{"remembered", Prompting, ask(preparing.WhichRemembered, told(turnsRead)).or(idle)},
	{"memories", Prompting, work(preparing.JudgeMemories)},
	{"after_memory_retrieve", Prompting, raise(on.AfterMemoryRetrieve, hookevent.Occasion.TellRemembered).when(play.Untold(on.AfterMemoryRetrieve))},
	// Here it begins anew for each member of a cast who speaks.
	{atSpeaker, Prompting, raise(game.EventSpeakerBegins, hookevent.Occasion.TellSpeaker).when(play.HasSpeaker)},
	{"before_knowledge", Prompting, raise(on.BeforeKnowledge, nil).when(play.Untold(on.BeforeKnowledge))},
	{"retrieve", Prompting, ask(preparing.WhichLore, answered[Retrieved])},
	{"after_knowledge", Prompting, raise(on.AfterKnowledge, hookevent.Occasion.TellKnowledge).when(play.Untold(on.AfterKnowledge))},
	{"lore", Prompting, work(preparing.ScanBook)},
	{"after_book_match", Prompting, raise(on.AfterWorldBookMatch, hookevent.Occasion.TellLore)},
	{"before_turn_finished", Prompting, raise(on.BeforeTurnFinished, hookevent.Occasion.TellMood).when(play.FirstReply)},
	{"before_prompt_render", Prompting, raise(on.BeforePromptRender, nil)},
	{"veto_prompt", Prompting, conclude(endIfVetoed).or(idle, atCommit)},
	{"request", Prompting, do(preparing.FirstRequest).or(atNoRoom)},
	{"after_prompt_render", Prompting, raise(on.AfterPromptRender, nil)},

	// The model speaks. The phase of the first row is that of the row before: prompting,
	// retrying, or adjudicating for a continuation.
	{atModel, "", raise(on.BeforeModelCall, nil)},
	{"veto_call", "", conclude(endIfVetoed).or(idle, atCommit)},
	{"generate", Generating, ask(asking.Generation, either(answered[Replied], told(generateFailed))).or(idle, atCommit)}, // no answer

	// What it said is judged: its form, its calls one by one, its narration.
	{"read", Adjudicating, work(judging.Read)},
	{"stream_chunk", Adjudicating, raise(on.StreamChunk, hookevent.Occasion.TellChunk).when(play.Streamed)},
	{"after_model_call", Adjudicating, raise(on.AfterModelCall, hookevent.Occasion.TellReply)},
	{"form", Adjudicating, do(judging.Form).or(atDecide)},         // there is nothing to judge
	{atCalls, Adjudicating, do(judging.NextCall).or(atNarration)}, // there is none left
	{"before_call", Adjudicating, raise(on.BeforeToolCall, hookevent.Occasion.TellCall)},
	{"outside", Adjudicating, ask(judging.Outside, answered[Answered])},
	{"judge_call", Adjudicating, work(judging.Call)},
	{"after_call", Adjudicating, raise(on.AfterToolCall, hookevent.Occasion.TellRuling).then(atCalls)},
	{atNarration, Adjudicating, work(judging.Narration)},
	{"judge", Adjudicating, ask(judging.SecondOpinion, answered[Judged])},
	{atDecide, Adjudicating, do(judging.Decide).or(atRetry, atApproval)},

	// It may count. People are asked last, and nothing goes on until they have answered.
	{atApproval, Adjudicating, conclude(seekApproval).or(atPassed, idle)}, // nobody is asked
	{"approval_pending", Committing, want(toWrite, either(told(questionStored), told(commitFailed))).or(idle)},
	{"approve", Approving, want(whatToApprove, either(told(approved), told(discarded))).or(atCalls, atDenied, atCommit, idle)},
	{atPassed, Adjudicating, do(judging.Passed).or(atContinue, atNarrate)},

	// It has passed, and the next one of a cast may speak.
	{atKeep, Adjudicating, do(speaking.KeepReply).or(atSettle)}, // without a cast
	{atSpoken, Adjudicating, raise(game.EventSpeakerDone, hookevent.Occasion.TellSpoken)},
	{"next_speaker", Adjudicating, do(speaking.Next).or(atSpeaker, atReport)},

	// All have: what follows from it.
	{atSettle, Settling, raise(on.AfterTurnStarted, nil)},
	{"consequences", Settling, work(settling.WorkOut)},
	{"state_changed", Settling, raise(on.StateChanged, hookevent.Occasion.TellChange).when(play.HasChanges)},
	{"after_state_update", Settling, raise(on.AfterStateUpdate, hookevent.Occasion.TellMood)},
	{"after_turn_finished", Settling, raise(on.AfterTurnFinished, hookevent.Occasion.TellMood)},
	{"before_send", Settling, raise(on.BeforeSend, hookevent.Occasion.TellText).when(play.SaysSomething)},
	{atRecord, Settling, conclude(recordTurn).or(idle)}, // it cannot be stored

	// Every instruction that changes something ends here.
	{atCommit, Committing, want(toWrite, either(told(committed), told(commitFailed))).then(idle)},

	// It has not passed, or there is more to come: the model is asked again, if the prompt has room.
	{atContinue, Adjudicating, do(asking.NextRound).or(atModel, atRetry, atNoRoom)},
	{atNarrate, Adjudicating, do(asking.Narrate).or(atModel, atNoRoom)},
	{atDenied, Retrying, do(approving.Denied).or(atModel, atNoRoom)},
	{atRetry, Retrying, do(asking.Retry).or(atModel, atApproval, atGiveUp, atNoRoom)},
	{atGiveUp, Retrying, do(asking.GiveUp).or(atSpoken)}, // one of a cast is left out

	// Nothing comes of it: a person decides, or the prompt has no room.
	{atReport, "", conclude(report).or(idle, atCommit)},
	{atNoRoom, "", conclude(noRoom).or(idle, atCommit)},

	// Beside the story: what the player could do or say next. Nothing of it stays.
	{atSuggest, Prompting, ask(preparing.WhichTurns, told(turnsRead)).or(idle)},
	{"suggest_recall", Prompting, ask(preparing.WhatToRecall, answered[Recalled])},
	{"suggest_lore", Prompting, ask(preparing.WhichLore, answered[Retrieved])},
	{"suggest_request", Prompting, do(suggestRequest).or(atNoRoom)},
	{"suggest_generate", Generating, ask(asking.Generation, either(told(suggested), told(generateFailed))).then(idle)},

	// Between turns: hooks hear that the clock goes on.
	{atClock, Settling, raise(on.ClockPassed, hookevent.Occasion.TellClock)},
	{"clock_passed", Settling, conclude(clockPassed).or(atCommit, idle)},

	// An instruction that returns to an earlier state asks for it, and begins anew.
	{atPast, Settling, want(neededPast, told(pastRead)).or(atCommit, idle)},

	// And of an [Announce].
	{atAnnounce, Settling, raiseEach(preparing.NextHostEvent)},
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
