package turn

import (
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/hooks/act"
)

// course is the order of everything in an instruction, from top to bottom. A row leads to the row
// below it. If it may lead to a different row, "or" names that row; if it always does, "then" names
// it. An instruction begins at the stop that its apply returns.
//
// The steps of the rows are in package play below internal: its files preparing, asking, judging,
// approving, speaking and settling work on the running turn. Each instruction has a file
// instruction_….go and a line in the table of instructions.go. The answers to the questions of a
// machine are in answers.go, the ways in which a turn ends in ending.go.
//
// Package draft has the stage, where calls, commands, effects and rules change a copy of the state.
// Package judge adjudicates calls and finds the faults of an answer. Packages past and prepare only
// read a turn: past reads earlier turns and records, prepare writes the request.
var course = []row{
	{idle, Idle, end()},

	// A turn, before the model is asked.
	{atRoute, Prompting, ask(play.WhichDialog, applyAnswer[Routed])},
	{"dialog", Prompting, run(play.OpenDialog)},
	{"past", Prompting, ask(play.WhichTurns, handler(turnsRead)).or(idle)}, // turns that the head does not hold
	{"before_receive", Prompting, raise(act.BeforeReceive, (*play.Turn).ArrivalPayload).when(play.HasLine)},
	{"accepted", Prompting, raise(game.EventTurnAccepted, (*play.Turn).LinePayload)},
	{"before_turn_started", Prompting, raise(act.BeforeTurnStarted, nil)},
	{"after_profile_load", Prompting, raise(act.AfterProfileLoad, nil).when(play.HasProfile)},
	{"before_attachments", Prompting, raise(act.BeforeAttachments, nil).when(play.FromEngine(act.BeforeAttachments))},
	{"host_events", Prompting, raiseEach(play.NextHostEvent)},
	{"after_attachments", Prompting, raise(act.AfterAttachments, nil).when(play.FromEngine(act.AfterAttachments))},
	{"player_line", Prompting, run(play.ProcessLine)},
	{"after_reaction_plan", Prompting, raise(act.AfterReactionPlan, (*play.Turn).PlanPayload).when(play.FromEngine(act.AfterReactionPlan))},
	{"veto_line", Prompting, conclude(endIfVetoed).or(idle, atCommit)},        // a rule or hook forbids it
	{"speakers", Prompting, decide(play.ChooseSpeakers).or(play.ToSettle)},    // no member of the cast speaks
	{atHistory, Prompting, ask(play.WhichTurns, handler(turnsRead)).or(idle)}, // [Continue] begins here
	{"recall", Prompting, ask(play.WhatToRecall, applyAnswer[Recalled])},
	{"remembered", Prompting, ask(play.WhichRemembered, handler(turnsRead)).or(idle)},
	{"memories", Prompting, run(play.JudgeMemories)},
	{"after_memory_retrieve", Prompting, raise(act.AfterMemoryRetrieve, (*play.Turn).MemoriesPayload).when(play.FromEngine(act.AfterMemoryRetrieve))},
	// From here on the rows repeat for each speaker of a cast.
	{play.ToSpeaker, Prompting, raise(game.EventSpeakerBegins, (*play.Turn).SpeakerPayload).when(play.HasSpeaker)},
	{"before_knowledge", Prompting, raise(act.BeforeKnowledge, nil).when(play.FromEngine(act.BeforeKnowledge))},
	{"retrieve", Prompting, ask(play.WhichLore, applyAnswer[Retrieved])},
	{"after_knowledge", Prompting, raise(act.AfterKnowledge, (*play.Turn).KnowledgePayload).when(play.FromEngine(act.AfterKnowledge))},
	{"lore", Prompting, run(play.ScanBook)},
	{"after_book_match", Prompting, raise(act.AfterWorldBookMatch, (*play.Turn).LorePayload)},
	{"before_turn_finished", Prompting, raise(act.BeforeTurnFinished, (*play.Turn).MoodPayload).when(play.FirstReply)},
	{"before_prompt_render", Prompting, raise(act.BeforePromptRender, nil)},
	{"veto_prompt", Prompting, conclude(endIfVetoed).or(idle, atCommit)},
	{"request", Prompting, decide(play.FirstRequest).or(play.ToNoRoom)},
	{"after_prompt_render", Prompting, raise(act.AfterPromptRender, nil)},

	// The model is asked. The phase of the first row is the phase of the row before: prompting,
	// retrying, or adjudicating for a continuation.
	{play.ToModel, "", raise(act.BeforeModelCall, nil)},
	{"veto_call", "", conclude(endIfVetoed).or(idle, atCommit)},
	{"generate", Generating, ask(play.Generation, either(applyAnswer[Replied], handler(generateFailed))).or(idle, atCommit)},

	// The answer is judged: its form, its calls one by one, its narration.
	{"read", Adjudicating, run(play.Read)},
	{"stream_chunk", Adjudicating, raise(act.StreamChunk, (*play.Turn).ChunkPayload).when(play.Streamed)},
	{"after_model_call", Adjudicating, raise(act.AfterModelCall, (*play.Turn).ReplyPayload)},
	{"form", Adjudicating, decide(play.Form).or(play.ToDecide)},              // there is nothing to judge
	{play.ToCalls, Adjudicating, decide(play.NextCall).or(play.ToNarration)}, // no call is left
	{"before_call", Adjudicating, raise(act.BeforeToolCall, (*play.Turn).CallPayload)},
	{"outside", Adjudicating, ask(play.Outside, applyAnswer[Answered])},
	{"judge_call", Adjudicating, run(play.Call)},
	{"after_call", Adjudicating, raise(act.AfterToolCall, (*play.Turn).RulingPayload).then(play.ToCalls)},
	{play.ToNarration, Adjudicating, run(play.Narration)},
	{"judge", Adjudicating, ask(play.SecondOpinion, applyAnswer[Judged])},
	{play.ToDecide, Adjudicating, decide(play.Decide).or(play.ToRetry, play.ToApproval)},

	// The output may be accepted. People are asked last, and the turn waits for their answer.
	{play.ToApproval, Adjudicating, conclude(seekApproval).or(play.ToPassed, idle)}, // no approval is needed
	{"approval_pending", Committing, askAlways(toWrite, either(handler(questionStored), handler(commitFailed))).or(idle)},
	{"approve", Approving, askAlways(approval, either(handler(approved), handler(discarded))).or(play.ToCalls, play.ToDenied, atCommit, idle)},
	{play.ToPassed, Adjudicating, decide(play.Passed).or(play.ToContinue, play.ToNarrate)},

	// The output has passed. The next speaker of a cast may follow. Only a person's override still
	// has host events to raise: the rejected outputs were undone with their events.
	{atOverridden, Adjudicating, raiseEach(play.NextHostEvent)},
	{"keep", Adjudicating, decide(play.KeepReply).or(play.ToSettle)}, // without a cast
	{play.ToSpoken, Adjudicating, raise(game.EventSpeakerDone, (*play.Turn).SpokenPayload)},
	{"next_speaker", Adjudicating, decide(play.NextSpeaker).or(play.ToSpeaker, play.ToReport)},

	// All speakers are done. Their consequences follow.
	{play.ToSettle, Settling, raise(act.AfterTurnStarted, nil)},
	{"update", Settling, ask(play.SecondRequest, either(handler(updated), handler(updateFailed))).or(idle, atCommit)}, // the store failed
	{"consequences", Settling, run(play.ApplyConsequences)},
	{"state_changed", Settling, raise(act.StateChanged, (*play.Turn).ChangePayload).when(play.HasChanges)},
	{"after_state_update", Settling, raise(act.AfterStateUpdate, (*play.Turn).MoodPayload)},
	{"after_turn_finished", Settling, raise(act.AfterTurnFinished, (*play.Turn).MoodPayload)},
	{"before_send", Settling, raise(act.BeforeSend, (*play.Turn).TextPayload).when(play.SaysSomething)},
	{atRecord, Settling, conclude(recordTurn).or(idle)}, // the turn cannot be stored

	// Every instruction that changes something ends here.
	{atCommit, Committing, askAlways(toWrite, either(handler(committed), handler(commitFailed))).then(idle)},

	// The output has not passed, or more must follow. The model is asked again, if the prompt still
	// fits its budget.
	{play.ToContinue, Adjudicating, decide(play.NextRound).or(play.ToModel, play.ToRetry, play.ToNoRoom)},
	{play.ToNarrate, Adjudicating, decide(play.Narrate).or(play.ToModel, play.ToNoRoom)},
	{play.ToDenied, Retrying, decide(play.Denied).or(play.ToModel, play.ToNoRoom)},
	{play.ToRetry, Retrying, decide(play.Retry).or(play.ToModel, play.ToApproval, play.ToGiveUp, play.ToNoRoom)},
	{play.ToGiveUp, Retrying, decide(play.GiveUp).or(play.ToSpoken)}, // one member of a cast is left out

	// The turn has no result: a person decides, or the prompt is too long.
	{play.ToReport, "", conclude(reportConflict).or(idle, atCommit)},
	{play.ToNoRoom, "", conclude(failNoRoom).or(idle, atCommit)},

	// Outside the story: suggestions for the player's next action or line. Nothing of it is stored.
	{atSuggest, Prompting, ask(play.WhichTurns, handler(turnsRead)).or(idle)},
	{"suggest_recall", Prompting, ask(play.WhatToRecall, applyAnswer[Recalled])},
	{"suggest_lore", Prompting, ask(play.WhichLore, applyAnswer[Retrieved])},
	{"suggest_request", Prompting, decide(suggestRequest).or(play.ToNoRoom)},
	{"suggest_generate", Generating, ask(play.Generation, either(handler(suggested), handler(generateFailed))).then(idle)},

	// Between turns: hooks run for the passage of time.
	{atClock, Settling, raise(act.ClockPassed, (*play.Turn).ClockPayload)},
	{"clock_passed", Settling, conclude(clockPassed).or(atCommit, idle)},

	// An instruction that needs something from the log asks for it and begins again.
	{atPast, Settling, askAlways(pastQuestion, handler(pastRead)).or(atCommit, idle)},

	// Between turns: hooks run for an [Announce].
	{atAnnounce, Settling, raiseEach(play.NextHostEvent)},
	{"announced", Settling, conclude(announced).or(atCommit, idle)},
}

// rowOf maps the names of rows to their indexes in the course.
var rowOf = func() map[Stop]int {
	rows := make(map[Stop]int, len(course))
	for i, r := range course {
		rows[r.stop] = i
	}
	return rows
}()
