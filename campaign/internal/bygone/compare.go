package bygone

import (
	"fmt"

	"github.com/talewright/talewright/campaign/history"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Compare says what lies between two turns.
func (l Log) Compare(c state.Campaign, a, b string) (out history.Comparison, err error) {
	if c, err = l.Whole(c); err != nil {
		return out, err
	}
	from, err := l.after(c, a)
	if err != nil {
		return out, err
	}
	to, err := l.after(c, b)
	if err != nil {
		return out, err
	}
	out.Changes = tree.Change{Old: from, New: to}.Parts()
	out.Ancestor = c.Ancestor(a, b)
	for _, side := range []struct {
		turn string
		ids  *[]string
	}{{a, &out.A}, {b, &out.B}} {
		place, _ := c.Place(side.turn, side.turn)
		shared, _ := c.Place(out.Ancestor, side.turn)
		*side.ids = c.Newest(side.turn, place-shared)
	}
	return out, nil
}

// after is the state after a turn.
func (l Log) after(c state.Campaign, turnID string) (tree.Value, error) {
	version, err := l.VersionOf(c, turnID)
	if err != nil {
		return tree.Value{}, err
	}
	if version == 0 {
		return tree.Value{}, &state.Refusal{Code: state.UnknownTurn, Detail: "no turn " + turnID}
	}
	head, err := l.head(c, version)
	if err != nil {
		return tree.Value{}, err
	}
	if head.State.HeadTurnID != turnID {
		return tree.Value{}, &state.Refusal{Code: state.CheckpointNotFound,
			Detail: fmt.Sprintf("the state after %s is not known: the campaign began with that turn", turnID)}
	}
	v, err := head.HeadValue()
	return v.Get("state"), err
}
