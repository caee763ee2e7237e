package state

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	"github.com/talewright/talewright/memvars/tree"
)

// HeadValue is the campaign as a JSON value without its turns and snapshots,
// which a record carries or implies. The variables are put in as they are, so
// that a comparison of two heads skips what they share.
func (c Campaign) HeadValue() (tree.Value, error) {
	vars := c.State.Variables
	c.Turns, c.Snapshots = nil, nil
	c.State.Variables = tree.Document{}
	v, err := tree.Of(c)
	if err != nil {
		return v, err
	}
	edit, err := v.Edit()
	if err != nil {
		return v, err
	}
	if err := edit.Set(tree.Path{"state", "variables"}, vars.Root()); err != nil {
		return v, err
	}
	return edit.Value(), nil
}

// WithHeadValue is the reverse of headValue: turns and snapshots are those of c.
func (c Campaign) WithHeadValue(v tree.Value) (Campaign, error) {
	vars, err := tree.NewDocument(v.Lookup(tree.Path{"state", "variables"}))
	if err != nil {
		return c, err
	}
	edit, err := v.Edit()
	if err != nil {
		return c, err
	}
	if err := edit.Set(tree.Path{"state", "variables"}, tree.Object()); err != nil {
		return c, err
	}
	var next Campaign
	if err := json.Unmarshal(edit.Value().AppendJSON(nil), &next); err != nil {
		return c, fmt.Errorf("campaign: state in a record: %w", err)
	}
	next.State.Variables = vars
	next.Turns, next.Snapshots = c.Turns, c.Snapshots
	return next, nil
}

// AsStored is the campaign as a store will give it back, and its value without turns
// and snapshots: what a reader of the log drops or changes, the campaign in memory
// must not keep. base is the campaign before, and head its value, if base is as it is
// stored and the value is known.
func (c Campaign) AsStored(base Campaign, head tree.Value) (Campaign, tree.Value, error) {
	read := Campaign.readBack
	if head.Exists() && c.sameExtra(base) {
		read = func(c Campaign) (Campaign, tree.Value, error) { return c.storedParts(base, head) }
	}
	out, v, err := read(c)
	if err == nil {
		out.renewSnapshots(base)
	}
	return out, v, err
}

// renewSnapshots makes the references that are new since base lead to states as they
// are stored.
func (c *Campaign) renewSnapshots(base Campaign) {
	if reflect.ValueOf(c.Snapshots).Pointer() == reflect.ValueOf(base.Snapshots).Pointer() {
		c.Snapshots = maps.Clone(c.Snapshots)
	}
	maps.DeleteFunc(c.Snapshots, func(ref string, _ *State) bool {
		_, known := base.Snapshots[ref]
		return !known
	})
	c.findSnapshots(base.State)
}
