package effect

import "github.com/talewright/talewright/memvars/tree"

// A field that is absent from an effect is absent from its event, but for those with a default
// that patterns match on: the style of a notice, the role of a context, the action of a sound.
// The way back drops fields of the wrong type one by one, and gives up only where a notice has
// no message or a sound no track.

// textField is a member, absent if it would be empty: events carry what was said and nothing
// else, and [event.New] leaves out what is absent.
func textField(key, s string) tree.Member {
	if s == "" {
		return tree.Member{Key: key}
	}
	return tree.Member{Key: key, Value: tree.Text(s)}
}

// numberField is a member, absent if there is no number.
func numberField(key string, f *float64) tree.Member {
	if f == nil {
		return tree.Member{Key: key}
	}
	return tree.Member{Key: key, Value: tree.Float(*f)}
}
