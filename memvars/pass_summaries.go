package memvars

import (
	"math"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// Thresholds of the summaries that config does not contain.
const (
	defaultSmallToBig = 50
	defaultCleanBig   = 20
	// defaultHideLatest is the number of newest entries of summary.big that prompts leave out.
	defaultHideLatest = 5
)

// configCount reads a threshold: a number or a text that reads as one, with or without a
// description. A fraction is rounded up.
func (s *System) configCount(assets tree.Value, key string, def int) int {
	n, ok := numeric(assets.Lookup(s.profile.Config).Get(key))
	if !ok {
		return def
	}
	return int(max(min(math.Ceil(n.Float64()), 1e9), -1e9))
}

// summaries updates the flags of the summaries and clears entries that were summarised. It uses the
// flags from the beginning of the turn. The turn that reaches a threshold therefore never clears
// entries, and neither does an entry of the long memory that was written before the flag was set.
//
// The steps, in order:
//
//  1. If the small flag was set and the long memory was updated, the short memory is cleared and the
//     flag is reset. Entries of this turn are cleared too (unless an option keeps them).
//  2. If the big flag was set and the long memory was updated, its newest entries stay, the others
//     are removed, and the flag is reset.
//  3. If the short memory has reached its threshold, the small flag is set.
//  4. If the long memory has reached its threshold, the big flag is set.
//
// Protected entries stay in both. Without a config or one of the memories nothing happens.
func (r *turnPasses) summaries() {
	prof := &r.sys.profile
	assets := r.edit.Lookup(tree.Path{prof.Assets})
	small, big := assets.Lookup(prof.Small), assets.Lookup(prof.Big)
	if !assets.Lookup(prof.Config).IsObject() || !small.IsObject() || !big.IsObject() {
		return
	}
	config := withinModule(prof.Assets, prof.Config)
	flagSmall, flagBig := config.Child("flags").Child("clean_small_flag"),
		config.Child("flags").Child("clean_big_flag")
	countSmall, countBig := config.Child("counters").Child("big_length_on_flag"),
		config.Child("counters").Child("big_length_on_big_flag")

	if r.base.CleanSmall && r.isBigUpdated(big, countSmall) {
		r.clear(withinModule(prof.Assets, prof.Small), small, func(key string, _ int) bool {
			return r.sys.options.KeepUnsummarised && !r.base.Small.Get(key).Exists()
		})
		r.store(flagSmall, tree.Bool(false), "summary")
	}
	if r.base.CleanBig && r.isBigUpdated(big, countBig) {
		r.clear(withinModule(prof.Assets, prof.Big), big, func(_ string, i int) bool {
			return i >= big.Len()-*r.sys.options.KeepBig
		})
		r.store(flagBig, tree.Bool(false), "summary")
	}
	now := r.edit.Lookup(tree.Path{prof.Assets})
	entries := now.Lookup(prof.Big).Len()
	r.setFlag(flagSmall, countSmall, entries, now.Lookup(prof.Small).Len(),
		r.sys.configCount(now, "small_to_big_count", defaultSmallToBig))
	r.setFlag(flagBig, countBig, entries, entries,
		r.sys.configCount(now, "clean_big_count", defaultCleanBig))
}

// isBigUpdated reports whether summary.big was updated in this turn: an entry was added or changed.
// With the option big_update: count it must have more entries than when the flag was set.
func (r *turnPasses) isBigUpdated(big tree.Value, counter tree.Path) bool {
	if r.sys.options.BigUpdate == "count" {
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
func (r *turnPasses) clear(path tree.Path, entries tree.Value, keep func(key string, i int) bool) {
	for i := range entries.Len() {
		key, entry := entries.KeyAt(i), entries.At(i)
		if !keep(key, i) && !r.sys.guards(entry) {
			r.drop(path.Child(key), entry, "summary")
		}
	}
}

// setFlag sets a flag when count reaches the threshold.
func (r *turnPasses) setFlag(flag, counter tree.Path, entries, count, threshold int) {
	if threshold <= 0 || count < threshold || truthy(r.edit.Peek(flag)) {
		return
	}
	r.store(flag, tree.Bool(true), "summary")
	r.store(counter, tree.Int(int64(entries)), "summary")
}
