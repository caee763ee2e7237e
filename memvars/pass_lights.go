package memvars

import (
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/memvars/tree"
)

// minWindow is the minimum number of replies that are kept, so that the window can be enlarged
// later.
const minWindow = 10

// kept returns the number of rounds of the window that the next turn needs.
func (r *turnPasses) kept() int { return min(max(r.greenWindow(), minWindow), len(r.window)) }

// greenWindow returns the number of replies that are searched for keywords.
func (r *turnPasses) greenWindow() int {
	if r.sys.options.GreenWindow != nil {
		return *r.sys.options.GreenWindow
	}
	return r.sys.hiddenSummaries(r.root())
}

// greenLights shows the filtered nodes whose keyword occurs in the latest replies and hides the
// others.
//
// A keyword is the third segment below the assets, where characters and places have their names; on
// shorter paths it is the last segment. The replies are searched unchanged, commands included,
// ignoring letter case: the model needs to see what it just wrote about. A round that only some
// characters heard counts only for these, and a round without a reply does not count.
func (r *turnPasses) greenLights() {
	window := r.greenWindow()
	assets := tree.Path{r.sys.profile.Assets}
	v := r.edit.Lookup(assets)
	if window <= 0 || !v.Exists() {
		return
	}
	// Most documents have no filtered nodes, and then the replies are not searched.
	r.setLights(assets, v, sync.OnceValue(func() []string {
		var texts []string
		left := window
		for _, t := range slices.Backward(r.window) {
			if len(t.Witnesses) > 0 && (r.sees == nil || !r.sees(t.Witnesses)) {
				continue
			}
			if t.Reply != "" {
				left--
			}
			if left < 0 {
				break
			}
			if r.sys.options.ScanUser {
				for _, said := range t.Player {
					texts = append(texts, strings.ToLower(said))
				}
			}
			texts = append(texts, strings.ToLower(t.Reply))
		}
		return texts
	}))
}

// keywordLevel is the segment below the assets that is the keyword of a node.
const keywordLevel = 3

// setLights sets the flags of a node and of everything below it, in the order of the document. It
// walks the document as it was before the pass. Only the flags are written.
func (r *turnPasses) setLights(path tree.Path, v tree.Value, recentTexts func() []string) {
	if len(path) > 1 && truthy(v.Get("_filter")) {
		keyword := strings.ToLower(path[min(keywordLevel, len(path)-1)])
		mentions := func(text string) bool { return strings.Contains(text, keyword) }
		show := tree.Bool(slices.ContainsFunc(recentTexts(), mentions))
		at, flag := path.Child("_showInEJS"), v.Get("_showInEJS")
		if flag.IsPair() {
			at, flag = at.Child("0"), flag.At(0)
		}
		if !flag.Equal(show) {
			r.put(at, show)
			r.change(tree.Change{Path: at, Old: flag, New: show, By: "green"})
		}
	}
	for i := range v.Len() {
		child := v.At(i)
		if !child.IsObject() && !child.IsArray() {
			continue
		}
		r.setLights(path.Child(segmentAt(v, i)), child, recentTexts)
	}
}
