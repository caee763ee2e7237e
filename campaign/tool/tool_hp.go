package tool

import (
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// hpDeltaTool hurts and heals.
func hpDeltaTool() Tool {
	return Tool{
		Name:        "hp_delta",
		Description: "Change a character's hit points: negative for damage, positive for healing.",
		Manual: "Adds to a character's hit points, within 0 and the maximum. At 0 an alive " +
			"character goes down; above 0 it is alive again. Healing at full health is allowed " +
			"and changes nothing.",
		Params: map[string]Param{
			"target_character_id": {Type: StringParam, Required: true, Description: "who is hurt or healed"},
			"delta":               {Type: IntegerParam, Required: true, Description: "hit points to add"},
			"cause":               {Type: StringParam, Required: true, Description: "what hurts or heals"},
		},
		Reasons: map[state.CallCode]string{
			codeHPUnknownTarget:   "no such character",
			codeHPZeroDelta:       "a change by nothing",
			codeHPDeltaOutOfRange: "more than the rules allow at once",
			codeHPCauseRequired:   "say what hurts or heals",
			codeHPTargetDead:      "the dead cannot be hurt or healed",
		},
		Translations: inChinese("hp_delta"),
		Affects:      []string{conflict.FieldHP, conflict.FieldAliveState},
		Judge:        judgeHPDelta,
	}
}

func judgeHPDelta(call Call, view View) Judgement {
	target, ok := view.State.Character(call.Text("target_character_id"))
	delta := call.Int("delta")
	limit := view.MaxHPDelta
	switch {
	case !ok:
		return Judgement{Reason: codeHPUnknownTarget}
	case delta == 0:
		return Judgement{Reason: codeHPZeroDelta}
	case limit > 0 && (delta > limit || delta < -limit):
		return Judgement{Reason: codeHPDeltaOutOfRange, Expected: tree.Object(
			tree.Member{Key: "max_abs_delta", Value: tree.Int(int64(limit))})}
	case strings.TrimSpace(call.Text("cause")) == "":
		return Judgement{Reason: codeHPCauseRequired}
	case target.Status.AliveState == state.Dead:
		return Judgement{Reason: codeHPTargetDead}
	case delta > 0 && !view.Life[target.Status.AliveState].AcceptsHealing:
		return Judgement{Reason: codeHPTargetDead}
	}
	after := target.Clone()
	after.ChangeHP(delta, view.Life)
	return Judgement{
		Result: tree.Object(
			tree.Member{Key: "target_character_id", Value: tree.Text(target.ID)},
			tree.Member{Key: "hp_before", Value: tree.Int(int64(target.HP.Current))},
			tree.Member{Key: "hp_after", Value: tree.Int(int64(after.HP.Current))},
			tree.Member{Key: "applied_delta",
				Value: tree.Int(int64(after.HP.Current - target.HP.Current))},
			tree.Member{Key: "alive_before", Value: tree.Text(string(target.Status.AliveState))},
			tree.Member{Key: "alive_after", Value: tree.Text(string(after.Status.AliveState))}),
		Effects: effect.List{effect.ChangeHP{
			CharacterID: target.ID, Delta: delta, Cause: call.Text("cause"),
		}},
	}
}

// The codes of the tool hp_delta.
const (
	codeHPUnknownTarget   state.CallCode = "unknown_target"
	codeHPZeroDelta       state.CallCode = "zero_delta"
	codeHPDeltaOutOfRange state.CallCode = "delta_out_of_range" // see setting rules.max_hp_delta
	codeHPCauseRequired   state.CallCode = "cause_required"
	codeHPTargetDead      state.CallCode = "target_dead"
)
