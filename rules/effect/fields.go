package effect

import "github.com/talewright/talewright/memvars/tree"

// A field that is absent in an effect is absent in its event. The exceptions are fields with a
// default that patterns match: the style of a notice, the role of a context, the action of a sound.
// The reverse conversion drops fields of the wrong type one by one. It fails only if a notice has
// no message or a sound no track.

// textField returns a member. It is absent if the text is empty, and [event.New] leaves out absent
// members.
func textField(key, s string) tree.Member {
	if s == "" {
		return tree.Member{Key: key}
	}
	return tree.Member{Key: key, Value: tree.Text(s)}
}

// numberField returns a member. It is absent if there is no number.
func numberField(key string, f *float64) tree.Member {
	if f == nil {
		return tree.Member{Key: key}
	}
	return tree.Member{Key: key, Value: tree.Float(*f)}
}
