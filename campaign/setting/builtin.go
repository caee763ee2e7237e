package setting

import (
	"fmt"
	"math"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/memvars/tree"
)

// Builtin returns the registry of the settings that the turn engine reads.
func Builtin() Registry {
	r, _ := Registry{}.With(
		boolean(settingkey.FullContextEnabled, true, "context"),
		boolean(settingkey.CompressEnabled, false, "context"),
		integer(settingkey.RecentTurns, 6, 1, 200, "context"),
		boolean(settingkey.HPZeroEndsGame, true, "rules"),
		integer(settingkey.MaxHPDelta, 0, 0, math.MaxInt32, "rules"),
		integer(settingkey.MaxCheckpoints, 10, 0, 100, "storage"),
		enum(settingkey.ManualType, []string{"scene", "action", "rules", "free_chat", "chat"}, "context"),
		boolean(settingkey.AutoRouteEnabled, false, "routing"),
		Definition{
			Key: settingkey.ToolTypes, Type: JSON, EffectTags: []string{"rules"},
			Default: tree.Array(tree.Text("scene"), tree.Text("action")),
			Validation: Validation{Check: listOfTexts,
				Text: "a list of dialog types in which tools are offered and accepted"},
			UIHint: "multi-select",
		},
		integer(settingkey.MaxRetries, 2, 0, 5, "rules"),
		enum(settingkey.OnRejection, []string{"regenerate", "commit_partial"}, "rules"),
		enum(settingkey.ConflictMode, []string{"strict", "off", "warn"}, "rules"),
		boolean(settingkey.InterceptOutput, true, "ui"),
		enum(settingkey.HPQualitative, []string{"warn", "off", "block"}, "rules"),
		Definition{
			Key: settingkey.Detectors, Type: JSON, Default: tree.Object(), EffectTags: []string{"rules"},
			Validation: Validation{Check: detectorModes,
				Text: "an object from detector names to off, warn or block"},
			UIHint: "json",
		},
		enum(settingkey.Judge, []string{"off", "confirm", "full"}, "rules"),
		enum(settingkey.Ask, []string{"doubtful", "off", "all"}, "rules"),
		enum(settingkey.Claims, []string{"off", "listed"}, "rules"),
		enum(settingkey.TurnMode, []string{"single", "plan_narrate"}, "rules"),
		integer(settingkey.MaxToolCalls, 8, 0, 100, "rules"),
		integer(settingkey.MaxToolRounds, 4, 1, 100, "rules"),
		enum(settingkey.TurnOrder, []string{"active_actor", "free", "round_robin"}, "rules"),
		enum(settingkey.TurnConcurrency, []string{"reject", "queue"}, "rules"),
		integer(settingkey.MaxMemory, 600, 0, 100_000, "context"),
		boolean(settingkey.KeepRolls, true, "rules"),
		integer(settingkey.MaxAlternatives, 10, 1, 100, "storage"),
		enum(settingkey.ToolApproval, []string{"declared", "off", "all"}, "rules"),
		integer(settingkey.MaxDenials, 3, 0, 100, "rules"),
		enum(settingkey.CastOrder, []string{"natural", "list", "manual", "pooled"}, "rules"),
		enum(settingkey.CastCards, []string{"swap", "join", "join_muted"}, "context"),
		boolean(settingkey.CastSelfReply, false, "rules"),
		integer(settingkey.CastAutoReplies, 0, 0, 100, "rules"),
		boolean(settingkey.NativeTools, true, "context"),
		boolean(settingkey.Calibrate, true, "context"),
		enum(settingkey.VisibilityMode, []string{"marked", "off", "strict", "common"}, "context"),
		boolean(settingkey.SecondModel, false, "rules"),
	)
	return r
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

// listOfTexts and detectorModes check the values of the settings of type JSON.
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
