package tool

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// moveTool moves a character along a path of the map.
func moveTool() Tool {
	return Tool{
		Name:        "move",
		Description: "Move a character to a connected area.",
		Manual: "Moves the acting character along an open path of the map. The model need not say " +
			"where the character is; if it does and is wrong, the call is refused.",
		Params: map[string]Param{
			"actor_id":     {Type: StringParam, Required: true, Description: "the acting character"},
			"to_area_id":   {Type: StringParam, Required: true, Description: "the area to go to"},
			"from_area_id": {Type: StringParam, Description: "the area the character is in"},
			"path_id":      {Type: StringParam, Description: "the path to take"},
		},
		Reasons: map[state.CallCode]string{
			"unknown_area":       "no such area",
			"from_area_mismatch": "the character is somewhere else",
			"already_there":      "the character is there already",
			"movement_locked":    "nobody can move now",
			"area_locked":        "the area is locked",
			"unknown_path":       "no such path",
			"path_mismatch":      "the path does not lead there",
			"not_connected":      "no path leads there from here",
			"path_locked":        "the path is locked",
		},
		Translations: inChinese("move"),
		Affects:      []string{conflict.FieldPosition},
		Judge:        judgeMove,
	}
}

// judgeMove refuses a call for the first of these reasons:
//
//  1. The area does not exist.
//  2. The character is not in the area from_area_id.
//  3. The character is in the area already.
//  4. All movement is locked.
//  5. The area is locked.
//  6. The named path does not exist, does not lead to the area, or is locked. Without a name: no path
//     leads to the area, or all such paths are locked.
func judgeMove(call Call, view View) Judgement {
	actor, ok := view.State.Character(call.Text("actor_id"))
	if !ok {
		actor, _ = view.State.Character(view.ActorID)
	}
	m := view.State.Map
	to, known := m.Area(call.Text("to_area_id"))
	from := call.Text("from_area_id")
	switch lock := view.State.MovementLock; {
	case !known:
		return Judgement{Reason: "unknown_area"}
	case from != "" && from != actor.AreaID:
		return Judgement{Reason: "from_area_mismatch", Expected: object("from_area_id", tree.Text(actor.AreaID))}
	case to.ID == actor.AreaID:
		return Judgement{Reason: "already_there"}
	case lock.Locked:
		return Judgement{Reason: "movement_locked", DisabledUntil: lock.DisabledUntil, Hint: lockHint(lock.Reason)}
	case to.Locked:
		return Judgement{Reason: "area_locked", DisabledUntil: to.DisabledUntil, Hint: lockHint(to.LockReason)}
	}
	path, refusal := choosePath(m, actor.AreaID, to.ID, call.Text("path_id"))
	if refusal.Reason != "" {
		return refusal
	}
	return Judgement{
		Result: tree.Object(
			tree.Member{Key: "actor_id", Value: tree.Text(actor.ID)},
			tree.Member{Key: "from_area_id", Value: tree.Text(actor.AreaID)},
			tree.Member{Key: "to_area_id", Value: tree.Text(to.ID)},
			tree.Member{Key: "path_id", Value: tree.Text(path.ID)}),
		Effects: effect.List{effect.MoveCharacter{
			CharacterID: actor.ID, FromAreaID: actor.AreaID, ToAreaID: to.ID, PathID: path.ID,
		}},
	}
}

// lockHint returns the reason of a lock as a hint, if there is one.
func lockHint(reason string) tree.Value {
	if reason == "" {
		return tree.Value{}
	}
	return object("lock_reason", tree.Text(reason))
}

// choosePath returns the named path or, without a name, the first open path in map order. If there is
// none, it returns a refusal.
func choosePath(m state.Map, from, to, named string) (state.MapPath, Judgement) {
	if named != "" {
		i := slices.IndexFunc(m.Paths, func(p state.MapPath) bool { return p.ID == named })
		switch {
		case i < 0:
			return state.MapPath{}, Judgement{Reason: "unknown_path"}
		case !m.Paths[i].Leads(from, to):
			return state.MapPath{}, Judgement{Reason: "path_mismatch"}
		case m.Paths[i].Locked:
			return state.MapPath{}, Judgement{Reason: "path_locked", DisabledUntil: m.Paths[i].DisabledUntil,
				Hint: lockHint(m.Paths[i].LockReason)}
		}
		return m.Paths[i], Judgement{}
	}
	var locked *state.MapPath
	for _, p := range m.Paths {
		if !p.Leads(from, to) {
			continue
		}
		if !p.Locked {
			return p, Judgement{}
		}
		if locked == nil {
			locked = &p
		}
	}
	if locked != nil {
		return state.MapPath{}, Judgement{Reason: "path_locked", DisabledUntil: locked.DisabledUntil,
			Hint: lockHint(locked.LockReason)}
	}
	return state.MapPath{}, Judgement{Reason: "not_connected", Hint: object("reachable_area_ids", reachable(m, from))}
}

// reachable lists the unlocked areas at the end of unlocked paths, sorted.
func reachable(m state.Map, from string) tree.Value {
	var ids []string
	for _, e := range m.Exits(from) {
		if !e.Path.Locked && !e.Area.Locked && !slices.Contains(ids, e.Area.ID) {
			ids = append(ids, e.Area.ID)
		}
	}
	slices.Sort(ids)
	out := make([]tree.Value, len(ids))
	for i, id := range ids {
		out[i] = tree.Text(id)
	}
	return tree.Array(out...)
}
