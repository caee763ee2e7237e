package state

import (
	"github.com/talewright/talewright/memvars/tree"
)

// The history part has the words for looking back in a campaign: pages of its turns, and what lies
// between two of them. [campaign.Engine.History] and [campaign.Engine.Compare] speak them:
//
//	for t, err := range engine.History(ctx, "greyhaven", state.HistoryPage{Limit: 20}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(t.UserInput, t.Text, len(t.Others))
//	}
//
// [campaign.Engine.Branches] lists the branches, those too that were left long ago.
//
// All of its types are plain data.

// HistoryPage says which turns are wanted. The zero Page is all that lead to the present head.
type HistoryPage struct {
	// Branch is the branch whose turns they are; empty means the present one, or, if Before is
	// there, whichever that is of.
	Branch string
	// Before is the id of a turn: the page begins with the one before it. Empty means at the head
	// of the branch.
	Before string
	// Limit is how many turns there are at most; 0: all.
	Limit int
	// Viewer is the id of a character: the page has the turns that it heard, and of each what was
	// shown, see [HistoryTurn.Shown]. Empty: everything.
	Viewer string
}

// HistoryTurn is a turn of the past, with its rejected attempts ([Turn.Attempts]) and its text as it
// reads now.
type HistoryTurn struct {
	Turn
	// Others are the other answers to the same line, oldest first, as turn.Regenerate
	// gave them: at most [MostOthers], the nearest ones.
	Others []Turn
}

// Shown is a turn as those who heard it have read it: who said what, when, and which turn it
// follows. What the model was told, what was rejected, and what the turn did to the variables and
// why, is left out.
func (t HistoryTurn) Shown() HistoryTurn {
	others := make([]Turn, len(t.Others))
	for i, o := range t.Others {
		others[i] = shown(o)
	}
	if len(others) == 0 {
		others = nil
	}
	return HistoryTurn{shown(t.Turn), others}
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

// HistoryBranches says which branches are wanted. The zero Branches are all.
type HistoryBranches struct {
	After string // the id of the last branch of the page before; empty: from the beginning
	Limit int    // how many there are at most; 0: all
}

// HistoryBranch is a branch of a campaign. [campaign.Engine.Compare] says what lies between the heads of two.
type HistoryBranch struct {
	ID string
	Branch
	// Present says that it is the one that is being played: its HeadTurnID is where the campaign stands.
	Present bool
}

// MostOthers is how many other answers to its line a turn of a page has at most.
const MostOthers = 64

// HistorySpan says which two turns are compared, and for whom.
type HistorySpan struct {
	A, B string
	// Viewer is the id of a character: the changes are those of what it may know of the world, the
	// map, the characters and the variables, and of nothing else, and the turns those that it heard.
	// Empty: everything.
	Viewer string
}

// Comparison is what lies between two turns.
type Comparison struct {
	// Ancestor is the newest turn that leads to both, [StartTurnID] if none does. It is one
	// of the two where that leads to the other. For a viewer who did not hear it it is empty.
	Ancestor string
	// A and B are the turns behind the ancestor that lead to either of them, itself included,
	// oldest first, of which a viewer has heard. A page has their texts.
	A, B []string
	// Changes turn the state after the first into the state after the second: the party, the world, the map, people,
	// variables and whatever else players can meet. A path begins in [State]: "characters.0.hp.current",
	// "variables.lamp.oil".
	Changes []tree.Change
	// Bookkeeping are the other changes: what the engine counts and remembers for itself, such as the id of the head
	// turn, the state of rules and hooks, timed lore and the number of dice drawn. Changes and Bookkeeping together are
	// all changes, each in the order of their paths.
	Bookkeeping []tree.Change
}
