package worldbook

// Fuse is a regex key that was given up. It rests: until the chat has End messages it
// is not run, and counts as not found. A chat that goes back behind Start forgets it.
type Fuse struct {
	Key   string `json:"key"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// FuseRest is the number of messages for which a regex key rests.
const FuseRest = 100

// rests reports whether a key is off in a chat of so many messages.
func (r *Fuse) rests(length int) bool { return r.Start <= length && length < r.End }

// nextFuses is what the next state remembers: keys that rest still, and those that were
// given up in a chat of so many messages.
func nextFuses(resting []Fuse, blown []string, length int) []Fuse {
	if len(resting)+len(blown) == 0 {
		return nil
	}
	var list []Fuse
	known := map[string]bool{}
	for _, r := range resting {
		if r.rests(length) && !known[r.Key] {
			known[r.Key] = true
			list = append(list, r)
		}
	}
	for _, name := range blown {
		if !known[name] {
			list = append(list, Fuse{Key: name, Start: length, End: length + FuseRest})
		}
	}
	return list
}
