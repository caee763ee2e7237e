package memvars

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// Thresholds of the summaries where config does not name them.
const (
	defaultSmallToBig = 50
	defaultCleanBig   = 20
	defaultHideLatest = 5
)

// configCount reads a threshold: a number or a text that is one. A fraction is reached by the
// next whole number.
func (s *System) configCount(assets tree.Value, key string, def int) int {
	n, ok := numeric(assets.Lookup(s.profile.Config).Get(key))
	if !ok {
		return def
	}
	return int(max(min(math.Ceil(n.Float64()), 1e9), -1e9))
}

// runSummaries moves the flags of the summaries and clears what was summed up:
// settle small, settle big, raise small, raise big.
//
// The flags are those at the beginning of the turn, so the turn that reaches a
// threshold never clears, and an entry of the long memory that was written while
// the flag was down clears nothing. In this order:
//
//  1. The small flag was up and the long memory was updated: the short memory is
//     cleared, also of what was added in this turn (unless by option), and the flag
//     falls.
//  2. The big flag was up and the long memory was updated: its newest entries stay,
//     the others go, and the flag falls.
//  3. The short memory has reached its threshold: the small flag rises.
//  4. So has the long memory: the big flag rises.
//
// Protected entries stay in both. Without a config or one of the memories nothing
// happens.
func runSummaries(r *turnRun) {
	prof := &r.sys.profile
	assets := r.edit.Lookup(tree.Path{prof.Assets})
	small, big := assets.Lookup(prof.Small), assets.Lookup(prof.Big)
	if !assets.Lookup(prof.Config).IsObject() || !small.IsObject() || !big.IsObject() {
		return
	}
	config := profile.Within(prof.Assets, prof.Config)
	flagSmall, flagBig := config.Child("flags").Child("clean_small_flag"),
		config.Child("flags").Child("clean_big_flag")
	countSmall, countBig := config.Child("counters").Child("big_length_on_flag"),
		config.Child("counters").Child("big_length_on_big_flag")

	if r.base.CleanSmall && r.bigUpdated(big, countSmall) {
		r.clear(profile.Within(prof.Assets, prof.Small), small, func(key string, _ int) bool {
			return r.sys.keepUnsummarised && !r.base.Small.Get(key).Exists()
		})
		r.store(flagSmall, tree.Bool(false), "summary")
	}
	if r.base.CleanBig && r.bigUpdated(big, countBig) {
		r.clear(profile.Within(prof.Assets, prof.Big), big, func(_ string, i int) bool {
			return i >= big.Len()-r.sys.keepBig
		})
		r.store(flagBig, tree.Bool(false), "summary")
	}
	now := r.edit.Lookup(tree.Path{prof.Assets})
	entries := now.Lookup(prof.Big).Len()
	r.raise(flagSmall, countSmall, entries, now.Lookup(prof.Small).Len(),
		r.sys.configCount(now, "small_to_big_count", defaultSmallToBig))
	r.raise(flagBig, countBig, entries, entries,
		r.sys.configCount(now, "clean_big_count", defaultCleanBig))
}

// bigUpdated reports whether summary.big was updated in this turn: an entry was
// added or changed, or by option there are more than when the flag rose.
func (r *turnRun) bigUpdated(big tree.Value, counter tree.Path) bool {
	if r.sys.bigByCount {
		n, ok := r.number(counter)
		return ok && tree.Number(strconv.Itoa(big.Len())).Cmp(n) > 0
	}
	if big.Same(r.base.Big) {
		return false
	}
	for key, entry := range big.Members() {
		if old := r.base.Big.Get(key); !old.Exists() || !old.Equal(entry) {
			return true
		}
	}
	return false
}

// clear removes the entries that are neither kept nor protected.
func (r *turnRun) clear(path tree.Path, entries tree.Value, keep func(key string, i int) bool) {
	for i := range entries.Len() {
		key, entry := entries.KeyAt(i), entries.At(i)
		if !keep(key, i) && !r.sys.guards(entry) {
			r.drop(path.Child(key), entry, "summary")
		}
	}
}

// raise puts a flag up when count reaches the threshold.
func (r *turnRun) raise(flag, counter tree.Path, entries, count, threshold int) {
	if threshold <= 0 || count < threshold || truthy(r.edit.Peek(flag)) {
		return
	}
	r.store(flag, tree.Bool(true), "summary")
	r.store(counter, tree.Int(int64(entries)), "summary")
}

// greenWindow is how many replies are searched for keywords.
func (r *turnRun) greenWindow() int {
	if r.sys.greenWindow != nil {
		return *r.sys.greenWindow
	}
	assets := r.root().Get(r.sys.profile.Assets)
	return r.sys.configCount(assets, "hide_latest_count", defaultHideLatest)
}

// runGreenLights shows the filtered nodes whose keyword occurs in the latest
// replies and hides the others.
//
// A keyword is the third segment below the assets, which is where characters and
// places have their names; on shorter paths it is the last one. The replies are
// searched as they are, commands included, without regard to letter case: what the
// model just wrote about, it will want to see.
func runGreenLights(r *turnRun) {
	n := r.greenWindow()
	assets := tree.Path{r.sys.profile.Assets}
	v := r.edit.Lookup(assets)
	if n <= 0 || !v.Exists() {
		return
	}
	// Most documents have no filtered nodes, and nothing has to be searched then.
	r.light(assets, v, sync.OnceValue(func() []string {
		var texts []string
		for _, t := range r.window[max(len(r.window)-n, 0):] {
			if r.sys.scanUser {
				for _, said := range t.Player {
					texts = append(texts, strings.ToLower(said))
				}
			}
			texts = append(texts, strings.ToLower(t.Reply))
		}
		return texts
	}))
}

// keywordLevel is the segment below the assets that a node is known by.
const keywordLevel = 3

// light sets the flags of a node and of everything below it, in the order of the
// document. The walk is over the state before the pass; only the flags themselves
// are written.
func (r *turnRun) light(path tree.Path, v tree.Value, heard func() []string) {
	if len(path) > 1 && truthy(v.Get("_filter")) {
		keyword := strings.ToLower(path[min(keywordLevel, len(path)-1)])
		show := tree.Bool(slices.ContainsFunc(heard(), func(text string) bool { return strings.Contains(text, keyword) }))
		if flag := v.Get("_showInEJS"); !flag.Equal(show) {
			at := path.Child("_showInEJS")
			r.write(write{kind: put, path: at, value: show})
			r.change(tree.Change{Path: at, Old: flag, New: show, By: "green"})
		}
	}
	for i := range v.Len() {
		child := v.At(i)
		switch {
		case child.IsObject():
			key := v.KeyAt(i)
			if v.IsArray() {
				key = strconv.Itoa(i)
			}
			r.light(path.Child(key), child, heard)
		case child.IsArray():
			key := v.KeyAt(i)
			if v.IsArray() {
				key = strconv.Itoa(i)
			}
			r.light(path.Child(key), child, heard)
		}
	}
}
