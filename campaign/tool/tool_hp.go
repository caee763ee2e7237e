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
			"unknown_target":     "no such character",
			"zero_delta":         "a change by nothing",
			"delta_out_of_range": "more than the rules allow at once",
			"cause_required":     "say what hurts or heals",
			"target_dead":        "the dead cannot be hurt or healed",
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
		return Judgement{Reason: "unknown_target"}
	case delta == 0:
		return Judgement{Reason: "zero_delta"}
	case limit > 0 && (delta > limit || delta < -limit):
		return Judgement{Reason: "delta_out_of_range", Expected: object("max_abs_delta", tree.Int(int64(limit)))}
	case strings.TrimSpace(call.Text("cause")) == "":
		return Judgement{Reason: "cause_required"}
	case target.Status.AliveState == state.Dead, delta > 0 && !view.Life[target.Status.AliveState].AcceptsHealing:
		return Judgement{Reason: "target_dead"}
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
