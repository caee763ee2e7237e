package state

import "github.com/talewright/talewright/memvars/tree"

// This file has the types for reading the past of a campaign: pages of its turns, and the
// difference between two turns. [campaign.Engine.History] and [campaign.Engine.Compare] use them:
//
//	for t, err := range engine.History(ctx, "greyhaven", state.HistoryPage{Limit: 20}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(t.UserInput, t.Text, len(t.Others))
//	}
//
// [campaign.Engine.Branches] lists the branches, including those on archive pages.
//
// All types are plain data.

// HistoryPage selects turns. The zero HistoryPage selects all turns up to the present head.
type HistoryPage struct {
	// Branch is the branch of the turns. Empty means the branch of Before if that is set, else the
	// present one.
	Branch string
	// Before is the ID of a turn: the page begins with the turn before it. Empty means that the
	// page begins at the head of the branch.
	Before string
	// Limit is the maximum number of turns; 0 means all.
	Limit int
	// Viewer is the ID of a character. The page then has only the turns that the character heard,
	// and only the part of them that players see, see [HistoryTurn.Shown]. Empty means everything.
	Viewer string
}

// HistoryTurn is a turn of the past with its rejected attempts ([Turn.Attempts]). Edits and
// continuations of its text are included.
type HistoryTurn struct {
	Turn
	// Others are the other answers to the same line, oldest first, as turn.Regenerate makes them:
	// at most [MostOthers], those nearest to this turn.
	Others []Turn
}

// Shown returns the part of a turn that its audience could read: the line, the text, the speakers,
// the time and the parent turn. It leaves out prompts, rejected outputs, changes of variables and
// the trace.
func (t HistoryTurn) Shown() HistoryTurn {
	out := HistoryTurn{Turn: shown(t.Turn)}
	for _, o := range t.Others {
		out.Others = append(out.Others, shown(o))
	}
	return out
}

func shown(t Turn) Turn {
	out := Turn{ID: t.ID, Index: t.Index, ParentID: t.ParentID, BranchID: t.BranchID, ActorID: t.ActorID,
		Audience: t.Audience, UserInput: t.UserInput, Text: t.Text, EarlierReplies: t.EarlierReplies, Timestamp: t.Timestamp,
		DialogType: t.DialogType, DialogTypeSource: t.DialogTypeSource, Generation: t.Generation, AlternativeOf: t.AlternativeOf}
	for _, r := range t.Replies {
		out.Replies = append(out.Replies, Reply{Speaker: r.Speaker, Text: r.Text})
	}
	return out
}

// HistoryBranches selects branches. The zero HistoryBranches selects all.
type HistoryBranches struct {
	After string // the ID of the last branch of the previous page; empty: from the beginning
	Limit int    // the maximum number of branches; 0: all
}

// HistoryBranch is a branch of a campaign. [campaign.Engine.Compare] compares the heads of two
// branches.
type HistoryBranch struct {
	ID string
	Branch
	// Present says that this is the present branch. Its HeadTurnID is the head of the campaign.
	Present bool
}

// MostOthers is the maximum number of other answers that a turn of a page has.
const MostOthers = 64

// HistorySpan selects two turns to compare, and the viewer.
type HistorySpan struct {
	A, B string
	// Viewer is the ID of a character. The result then has only the turns that the character heard.
	// It has only the changes of the world, the map, the characters and the variables that the
	// character may know. Empty means everything.
	Viewer string
}

// Comparison is the difference between two turns.
type Comparison struct {
	// Ancestor is the newest turn from which both turns descend, [StartTurnID] if there is none. If
	// one of the two turns descends from the other, Ancestor is the other. It is empty for a viewer
	// who did not hear it.
	Ancestor string
	// A and B are the IDs of the turns after the ancestor up to each of the two turns, inclusive,
	// oldest first. With a viewer they have only the turns that it heard. [campaign.Engine.History]
	// returns their texts.
	A, B []string
	// Changes lead from the state after the first turn to the state after the second. They contain
	// everything that players can notice: the party, the world, the map, people, variables and so
	// on. A path begins in [State]: "characters.0.hp.current", "variables.lamp.oil".
	Changes []tree.Change
	// Bookkeeping lists the other changes, to internal data of the engine. Examples are the ID of
	// the head turn, the state of rules and hooks, timed lore and the number of random draws.
	// Changes and Bookkeeping together are all changes, each list in the order of its paths.
	Bookkeeping []tree.Change
}
