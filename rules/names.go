package rules

import (
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/declare"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/ledger"
)

// What the packages under this one have, by the names of this one.
type (
	AIAccess           = declare.AIAccess
	Actions            = effect.Actions
	Activation         = declare.Activation
	AddEntry           = effect.AddEntry
	AddMessage         = effect.AddMessage
	BackupBranch       = effect.BackupBranch
	Caused             = effect.Caused
	ChangeHP           = effect.ChangeHP
	ChangeRelationship = effect.ChangeRelationship
	ChangeState        = effect.ChangeState
	Custom             = effect.Custom
	Directive          = ledger.Directive
	Effect             = effect.Effect
	Effects            = effect.List
	Emit               = effect.Emit
	EndCampaign        = effect.EndCampaign
	InjectDirective    = effect.InjectDirective
	InjectPrompt       = effect.InjectPrompt
	Ledger             = ledger.Ledger
	Logic              = condition.Logic
	Mode               = declare.Mode
	Module             = declare.Module
	MoveCharacter      = effect.MoveCharacter
	Notify             = effect.Notify
	Operation          = effect.Operation
	Operator           = condition.Operator
	PlayAudio          = effect.PlayAudio
	Random             = effect.Random
	RandomKind         = effect.RandomKind
	Reason             = effect.Reason
	Refusal            = effect.Refusal
	RemoveDirective    = effect.RemoveDirective
	RequestAI          = effect.RequestAI
	Rewrite            = effect.Rewrite
	RewriteTarget      = effect.RewriteTarget
	SendContext        = effect.SendContext
	SetVariable        = effect.SetVariable
	ShowMoment         = effect.ShowMoment
	StartWorkflow      = effect.StartWorkflow
	System             = effect.System
	ToggleBook         = effect.ToggleBook
	ToggleEntry        = effect.ToggleEntry
	ToggleRule         = effect.ToggleRule
	ToggleVariable     = effect.ToggleVariable
	TriggerRule        = effect.TriggerRule
	VarMap             = condition.VarMap
	Variable           = declare.Variable
	VariableType       = declare.Type
	Vars               = condition.Vars
	Veto               = effect.Veto
	WriteLog           = effect.WriteLog
	WriteMemory        = effect.WriteMemory
)

// The words of those packages.
const (
	AINone            = declare.AINone
	AIRead            = declare.AIRead
	AIWrite           = declare.AIWrite
	Add               = effect.Add
	All               = condition.All
	Any               = condition.Any
	Append            = effect.Append
	BadPath           = effect.BadPath
	BadValue          = effect.BadValue
	BooleanType       = declare.Boolean
	Contains          = condition.Contains
	Delete            = effect.Delete
	DiceKind          = effect.DiceKind
	Eq                = condition.Eq
	Gt                = condition.Gt
	Gte               = condition.Gte
	InactiveVariable  = effect.InactiveVariable
	InternalVariable  = effect.InternalVariable
	JSONType          = declare.JSON
	ListKind          = effect.ListKind
	Lt                = condition.Lt
	Lte               = condition.Lte
	MaxRewritten      = effect.MaxRewritten
	Merge             = effect.Merge
	ModeAlways        = declare.ModeAlways
	ModeConditions    = declare.ModeConditions
	ModeGreeting      = declare.ModeGreeting
	ModeKeywords      = declare.ModeKeywords
	ModeManual        = declare.ModeManual
	Multiply          = effect.Multiply
	Neq               = condition.Neq
	NoReference       = effect.NoReference
	NotFinite         = effect.NotFinite
	NotReadable       = effect.NotReadable
	NumberType        = declare.Number
	OncePerChain      = effect.OncePerChain
	OnceTrue          = effect.OnceTrue
	Push              = effect.Push
	RangeKind         = effect.RangeKind
	ReadOnlyVariable  = effect.ReadOnlyVariable
	RewriteLine       = effect.RewriteLine
	RewritePrompt     = effect.RewritePrompt
	RewriteReply      = effect.RewriteReply
	Set               = effect.Set
	StringType        = declare.String
	StructureGuard    = effect.StructureGuard
	Subtract          = effect.Subtract
	SystemPath        = effect.SystemPath
	Toggle            = effect.Toggle
	TooLarge          = effect.TooLarge
	TypeActionFired   = event.TypeActionFired
	TypeAudio         = event.TypeAudio
	TypeContext       = event.TypeContext
	TypeModelMessage  = event.TypeModelMessage
	TypeMoment        = event.TypeMoment
	TypeNotification  = event.TypeNotification
	TypePlayerMessage = event.TypePlayerMessage
	TypeSessionStart  = event.TypeSessionStart
	TypeStateChanged  = event.TypeStateChanged
	TypeStateCrossed  = event.TypeStateCrossed
	TypeTrigger       = event.TypeTrigger
	TypeTurnComplete  = event.TypeTurnComplete
	UnknownOperation  = effect.UnknownOperation
	UnknownVariable   = effect.UnknownVariable
	Unplaced          = declare.Unplaced
	WrongOperand      = effect.WrongOperand
	WrongType         = effect.WrongType
	WrongVariable     = effect.WrongVariable
)

// The verbs of those packages.
var (
	ActionFired     = event.ActionFired
	ActionTypes     = effect.Types
	AsData          = effect.AsData
	By              = effect.By
	Changed         = event.Changed
	EffectOf        = effect.Of
	EventOf         = effect.EventOf
	Holds           = condition.Holds
	MarshalEffect   = effect.Marshal
	ModelMessage    = event.ModelMessage
	NewEvent        = event.New
	PlayerMessage   = event.PlayerMessage
	ReadBack        = effect.ReadBack
	ReadCondition   = condition.Read
	ReadEffect      = effect.Read
	ReadMistake     = effect.Mistake
	ReadRandom      = effect.ReadRandom
	SessionStart    = event.SessionStart
	TriggerByHand   = event.TriggerByHand
	TurnComplete    = event.TurnComplete
	TurnEvents      = event.OfTurn
	UnmarshalEffect = effect.Unmarshal
	WriteEffect     = effect.Write
)
