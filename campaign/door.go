package campaign

import (
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// These aliases name the types that a host uses every day, so that a program imports this package
// and a model. The package of each type documents it.
type (
	// Content is the content that authors write, see [game.Content]. The types after it are its
	// groups.
	Content = game.Content
	// Lore is the world books of a Content, see [game.Lore].
	Lore = game.Lore
	// People is the cards and the persona of a Content, see [game.People].
	People = game.People
	// CastMember is one of several characters that the model plays, see [game.CastMember].
	CastMember = game.CastMember
	// Rules is the variables, rules and hooks of a Content, see [game.Rules].
	Rules = game.Rules
	// Prompt is the presets and the layout of a Content, see [game.Prompt].
	Prompt = game.Prompt
	// Extensions is a host's own tools, settings and texts in a Content, see [game.Extensions].
	Extensions = game.Extensions
	// Game is compiled content, see [game.Game].
	Game = game.Game
	// Setup describes how a campaign begins, see [state.Setup].
	Setup = state.Setup
	// State is the part of a campaign that turns change, see [state.State].
	State = state.State
	// Character is a person of a campaign, see [state.Character].
	Character = state.Character
	// HP is the hit points of a character, see [state.HP].
	HP = state.HP
	// Settings maps the keys of settings to values, see [setting.Snapshot].
	Settings = setting.Snapshot
	// Outcome is the result of an instruction, see [turn.Outcome].
	Outcome = turn.Outcome
	// Refusal explains why an instruction was refused, see [state.Refusal].
	Refusal = state.Refusal
	// Failure explains why a turn failed, see [turn.Failure].
	Failure = turn.Failure
	// CallCode explains why a call was refused, see [state.CallCode].
	CallCode = state.CallCode
	// Problem is a mistake of an author, see [talewright.Problem].
	Problem = talewright.Problem
	// Problems lists all mistakes of an author, see [talewright.Problems].
	Problems = talewright.Problems
)

// CampaignBusy is the code of a [Refusal]: another instruction of the campaign is running.
const CampaignBusy = state.CampaignBusy

// Input is any instruction for [Engine.Turn], [Engine.Do] and [Engine.Stream], see [turn.Input].
type Input = turn.Input

// These are the instructions. Package turn documents each of them.
type (
	AdvanceMilestone = turn.AdvanceMilestone
	ApplyEffects     = turn.ApplyEffects
	Approve          = turn.Approve
	Choose           = turn.Choose
	Continue         = turn.Continue
	Discard          = turn.Discard
	EditText         = turn.EditText
	EndCampaign      = turn.EndCampaign
	MakeCheckpoint   = turn.MakeCheckpoint
	NextAnswer       = turn.NextAnswer
	Once             = turn.Once
	PassTime         = turn.PassTime
	PatchSettings    = turn.PatchSettings
	PreviousAnswer   = turn.PreviousAnswer
	Proceed          = turn.Proceed
	RaiseEvents      = turn.RaiseEvents
	Redo             = turn.Redo
	Regenerate       = turn.Regenerate
	ResolveConflict  = turn.ResolveConflict
	RollBack         = turn.RollBack
	SelectActor      = turn.SelectActor
	SetCharacter     = turn.SetCharacter
	SetLocks         = turn.SetLocks
	SetParty         = turn.SetParty
	SetTimer         = turn.SetTimer
	SetTools         = turn.SetTools
	SetWorld         = turn.SetWorld
	Submit           = turn.Submit
	Suggest          = turn.Suggest
	SwitchBranch     = turn.SwitchBranch
	Travel           = turn.Travel
	Undo             = turn.Undo
	UndoRollBack     = turn.UndoRollBack
)

// Compile checks content once and returns the game, which serves any number of campaigns and is
// safe for concurrent use. It reports all mistakes together. With a fatal mistake, which
// [talewright.Problems.Err] returns, there is no game. See [game.Compile].
func Compile(content Content) (*Game, Problems) { return game.Compile(content) }
