package setting

import (
	"fmt"
	"math"

	"github.com/talewright/talewright/memvars/tree"
)

// The keys of the settings that the turn engine reads.
const (
	FullContextEnabled = keyFull     // bool, true: every turn of the branch is in the prompt
	CompressEnabled    = keyCompress // bool, false: the summary replaces old turns
	RecentTurns        = "context.recent_turns"
	HPZeroEndsGame     = "rules.hp_zero_ends_game"
	MaxHPDelta         = "rules.max_hp_delta" // 0: no limit
	MaxCheckpoints     = "rollback.max_checkpoints"
	ManualType         = "dialog.manual_type"
	AutoRouteEnabled   = "dialog.auto_route_enabled"
	ToolTypes          = "dialog.tool_types"
	MaxRetries         = "retry.max_retries"
	OnRejection        = "retry.on_rejection" // regenerate or commit_partial
	ConflictMode       = "conflict.mode"      // off, warn or strict
	InterceptOutput    = "conflict.intercept_output"
	HPQualitative      = "conflict.hp_qualitative" // off, warn or block
	Detectors          = "conflict.detectors"      // detector -> off, warn or block
	Judge              = "conflict.judge"          // off, confirm or full
	Ask                = "conflict.ask"            // doubtful, off or all: ask what doubtful parts of a text say
	Claims             = "conflict.claims"         // off or listed: the model lists its claims, see package conflict
	TurnMode           = "turn.mode"               // single or plan_narrate
	MaxToolCalls       = "turn.max_tool_calls"     // per output
	MaxToolRounds      = "turn.max_tool_rounds"    // rounds of calls without narration
	TurnOrder          = "turn.order"              // active_actor, free or round_robin
	TurnConcurrency    = "turn.concurrency"        // reject or queue: the queue has one line of each member of the party and 64 other instructions at most
	MaxMemory          = "memory.max_tokens"       // 0: no memories are recalled
	KeepRolls          = "alternatives.keep_rolls" // bool, true: a different answer uses the same rolls
	MaxAlternatives    = "alternatives.max"        // answers to one line that are kept, including the chosen one
	ToolApproval       = "tools.approval"          // declared, off or all
	MaxDenials         = "tools.max_denials"       // answers after a call was denied, per turn
	CastOrder          = "cast.order"              // natural, list, manual or pooled
	CastCards          = "cast.cards"              // swap, join or join_muted
	CastSelfReply      = "cast.self_reply"         // bool, false: the last speaker may continue without the player
	CastAutoReplies    = "cast.auto_replies"       // rounds without the player, 0: none
	NativeTools        = "tools.native"            // bool, true: models also get the tools in their provider's form
	Calibrate          = "context.calibrate"       // bool, true: the usage that the provider reports corrects the estimate
	VisibilityMode     = "visibility.mode"         // marked, off or strict: see [state.AudienceMode]
	SecondModel        = "variables.second_model"  // bool, false: a second request asks for the changes of variables
)

// Builtin returns the registry of the settings that the turn engine reads.
func Builtin() Registry {
	r, err := NewRegistry(builtin()...)
	if err != nil {
		panic(err) // the definitions below are inconsistent
	}
	return r
}

func builtin() []Definition {
	return []Definition{
		boolean(FullContextEnabled, true, "context"),
		boolean(CompressEnabled, false, "context"),
		integer(RecentTurns, 6, 1, 200, "context"),
		boolean(HPZeroEndsGame, true, "rules"),
		integer(MaxHPDelta, 0, 0, math.MaxInt32, "rules"),
		integer(MaxCheckpoints, 10, 0, 100, "storage"),
		enum(ManualType, []string{"scene", "action", "rules", "free_chat", "chat"}, "context"),
		boolean(AutoRouteEnabled, false, "routing"),
		{
			Key: ToolTypes, Type: JSON, EffectTags: []string{"rules"},
			Default: tree.Array(tree.Text("scene"), tree.Text("action")),
			Validation: Validation{Check: listOfTexts,
				Text: "a list of dialog types in which tools are offered and accepted"},
			UIHint: "multi-select",
		},
		integer(MaxRetries, 2, 0, 5, "rules"),
		enum(OnRejection, []string{"regenerate", "commit_partial"}, "rules"),
		enum(ConflictMode, []string{"strict", "off", "warn"}, "rules"),
		boolean(InterceptOutput, true, "ui"),
		enum(HPQualitative, []string{"warn", "off", "block"}, "rules"),
		{
			Key: Detectors, Type: JSON, Default: tree.Object(), EffectTags: []string{"rules"},
			Validation: Validation{Check: detectorModes,
				Text: "an object from detector names to off, warn or block"},
			UIHint: "json",
		},
		enum(Judge, []string{"off", "confirm", "full"}, "rules"),
		enum(Ask, []string{"doubtful", "off", "all"}, "rules"),
		enum(Claims, []string{"off", "listed"}, "rules"),
		enum(TurnMode, []string{"single", "plan_narrate"}, "rules"),
		integer(MaxToolCalls, 8, 0, 100, "rules"),
		integer(MaxToolRounds, 4, 1, 100, "rules"),
		enum(TurnOrder, []string{"active_actor", "free", "round_robin"}, "rules"),
		enum(TurnConcurrency, []string{"reject", "queue"}, "rules"),
		integer(MaxMemory, 600, 0, 100_000, "context"),
		boolean(KeepRolls, true, "rules"),
		integer(MaxAlternatives, 10, 1, 100, "storage"),
		enum(ToolApproval, []string{"declared", "off", "all"}, "rules"),
		integer(MaxDenials, 3, 0, 100, "rules"),
		enum(CastOrder, []string{"natural", "list", "manual", "pooled"}, "rules"),
		enum(CastCards, []string{"swap", "join", "join_muted"}, "context"),
		boolean(CastSelfReply, false, "rules"),
		integer(CastAutoReplies, 0, 0, 100, "rules"),
		boolean(NativeTools, true, "context"),
		boolean(Calibrate, true, "context"),
		enum(VisibilityMode, []string{"marked", "off", "strict"}, "context"),
		boolean(SecondModel, false, "rules"),
	}
}

func boolean(key string, def bool, tag string) Definition {
	return Definition{Key: key, Type: Bool, Default: tree.Bool(def), EffectTags: []string{tag}}
}

func integer(key string, def, lo, hi int, tag string) Definition {
	return Definition{Key: key, Type: Int, Default: tree.Int(int64(def)),
		Validation: Validation{Min: &lo, Max: &hi}, EffectTags: []string{tag}}
}

// enum returns an enum setting. Its default is the first word.
func enum(key string, words []string, tag string) Definition {
	return Definition{Key: key, Type: Enum, Default: tree.Text(words[0]),
		Validation: Validation{Allowed: words}, EffectTags: []string{tag}}
}

func listOfTexts(v tree.Value) error {
	if !v.IsArray() {
		return fmt.Errorf("must be a list of texts, not %s", v)
	}
	for _, e := range v.Elements() {
		if _, ok := e.AsText(); !ok {
			return fmt.Errorf("must be a list of texts, but has %s", e)
		}
	}
	return nil
}

func detectorModes(v tree.Value) error {
	if !v.IsObject() {
		return fmt.Errorf("must be an object, not %s", v)
	}
	for name, mode := range v.Members() {
		switch word, _ := mode.AsText(); word {
		case "off", "warn", "block":
		default:
			return fmt.Errorf("%s must be off, warn or block, not %s", name, mode)
		}
	}
	return nil
}
