// Package tool defines the tools that a model may call. A [Tool] has a name, parameters, reasons to
// refuse, and a pure function that judges a [Call] with a [View] of the state. The function either
// refuses with a reason, which goes back to the model, or returns effects, which the engine
// applies. It has no side effects. If a tool needs data from outside the game, its Outside function
// gets that data first, and the log stores it.
//
// There are three built-in tools: move moves a character along a path of the map, hp_delta hurts
// and heals, and check rolls dice. [Builtin] returns all three. Campaigns allow the first two
// unless their setup says otherwise. [New] makes a tool from a Go function whose arguments are a
// struct:
//
//	type digArgs struct {
//		Depth int `json:"depth" about:"how deep" min:"1" max:"3"`
//	}
//	dig := tool.New(tool.Tool{
//		Name: "dig", Description: "Digs for gold.", Manual: "Rolls a d6 for each step of depth.",
//		Reasons: map[state.CallCode]string{"rock": "the ground is rock"},
//		Affects: []string{tool.AffectsNothing}, // no hit points, no place
//	}, func(a digArgs, _ tool.Call, view tool.View) tool.Judgement {
//		if c, _ := view.State.Character(view.ActorID); c.AreaID == "cliff" {
//			return tool.Judgement{Reason: "rock"}
//		}
//		found := tree.Int(int64(view.Roll(6) * a.Depth))
//		return tool.Judgement{Result: found, Effects: effect.List{
//			effect.SetVariable{Path: "gold", Operation: effect.Add, Value: found}}}
//	})
//	content.Extensions.Tools = []tool.Tool{dig} // and "dig" in Setup.Allowlist
//
// Tools and sets of tools are immutable and safe for concurrent use.
package tool
