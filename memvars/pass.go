package memvars

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/talewright/talewright/memvars/tree"
)

// This file, pass_derive.go and pass_inventory.go implement the automatic rules. After the commands
// of a message: the inventory, the derived fields and the limit of the difficulty. At the end of a
// turn: the clock, the task, stocks, summaries and green lights. [Passes] says when each runs.

// turnOptions has the compiled options for the end of a turn. The fields have the meaning of the
// fields of [Options] with similar names.
type turnOptions struct {
	Calendar         Calendar
	WrapWindow       int
	Rollover         int
	TimeLeftFloor    bool
	ResourceFloor    bool
	BigByCount       bool
	KeepBig          int
	KeepUnsummarised bool
	GreenWindow      *int
	ScanUser         bool
	ProtectDeep      bool
}

func (s *turnOptions) guards(v tree.Value) bool { return guards(v, s.ProtectDeep) }

// turnPasses is the work at the end of a turn. Its methods Clock, Timer, Resources, Summaries and
// GreenLights are the passes; see [Passes].
type turnPasses struct {
	*batch
	Options *turnOptions
	Base    Baseline
	Window  []Turn // the newest last, including this turn
	// Sees reports whether a round that only some characters heard counts; nil: no such round
	// counts.
	Sees func(witnesses []string) bool
}

// Baseline is the part of a document that the end of a turn compares with.
type Baseline struct {
	Era       string     `json:"era,omitempty"`
	Date      string     `json:"date,omitempty"`
	Time      string     `json:"time,omitempty"`
	World     tree.Value `json:"world,omitzero"` // name of the world
	TimeLimit tree.Value `json:"time_limit,omitzero"`
	// Small and Big are the entries of the short and the long memory.
	Small tree.Value `json:"small,omitzero"`
	Big   tree.Value `json:"big,omitzero"`
	// CleanSmall and CleanBig are the flags that ask for a clean-up of these memories.
	CleanSmall bool `json:"clean_small_flag,omitempty"`
	CleanBig   bool `json:"clean_big_flag,omitempty"`
}

// Turn is the text of one round.
type Turn struct {
	Reply  string   `json:"reply"`            // of the model, raw, commands included
	Player []string `json:"player,omitempty"` // the player's messages before it
	// Witnesses are the only characters who heard the round, in the host's own names; empty:
	// everybody. Green lights ignore such a round, except for viewers: see [System.LightsFor].
	Witnesses []string `json:"witnesses,omitempty"`
}

// minWindow is the minimum number of replies that are kept, so that the window can be enlarged
// later.
const minWindow = 10

// Kept returns the number of rounds of the window that the next turn needs.
func (r *turnPasses) Kept() int { return min(max(r.greenWindow(), minWindow), len(r.Window)) }

// status returns the path of a place of the status module.
func (r *turnPasses) status(p tree.Path) tree.Path { return withinModule(r.Profile.Status, p) }

// clamp limits the difficulty of a check by the level of the world.
//
// It runs once per message, so that level and difficulty may be set in either order. A lower level
// also lowers a difficulty that was set earlier. An unknown level has no limit; there is no lower
// limit.
func clamp(b *batch) {
	prof := b.Profile
	name, ok := prof.Content(b.Root(), withinModule(prof.Status, prof.WorldLevel)).AsText()
	if !ok {
		return
	}
	difficulty := withinModule(prof.Status, prof.Difficulty)
	n, ok := b.Number(difficulty)
	if !ok {
		return
	}
	for _, l := range prof.Levels {
		if limit := tree.Number(strconv.Itoa(l.Max)); l.Name == strings.TrimSpace(name) && n.Cmp(limit) > 0 {
			b.Update(difficulty, tree.Num(limit), "clamp")
		}
	}
}

// Clock advances the date if the time of day ran back far enough for a new day and the model did
// not change the date.
//
// An unreadable date is noted: no time passes until there is a readable one.
//
// Small steps back are corrections by the model; six hours are a night. The weekday and the era are
// not changed: the model maintains them.
func (r *turnPasses) Clock() {
	prof := r.Profile
	path := r.status(prof.Date)
	text := r.Text(path)
	if _, ok := r.today(); !ok && strings.TrimSpace(text) != "" {
		r.Note("clock", path, "time stands still: the date "+strconv.Quote(text)+
			" is none of the form 3月15日, 2024-03-15, March 15 or Day 15")
	}
	if r.Options.Rollover == 0 || text != r.Base.Date {
		return
	}
	before, ok := ParseClock(r.Base.Time)
	now, okNow := ParseClock(r.Text(r.status(prof.Time)))
	if !ok || !okNow || before-now < r.Options.Rollover {
		return
	}
	if d, ok := r.Options.Calendar.Read(text, r.Text(r.status(prof.Era))); ok {
		r.Update(path, tree.Text(r.Options.Calendar.Next(d)), "time")
	}
}

// today returns the current date.
func (r *turnPasses) today() (Day, bool) {
	prof := r.Profile
	return r.Options.Calendar.Read(r.Text(r.status(prof.Date)), r.Text(r.status(prof.Era)))
}

// Timer counts the days that are left for the task.
//
// In this order:
//
//  1. If the limit changed to a different number during the turn, the count starts again. With a
//     positive limit, today becomes the start date and the days left equal the limit. Zero or less
//     means that there is no limit any more. Writing the same number again is not a change.
//  2. Otherwise, with a positive limit and a readable date, an empty start date becomes today. The
//     days left are the limit minus the days from start to today (at least 0 days). They do not fall
//     below zero, unless an option allows it.
//
// Only whole days count; the fraction of a limit stays. A start date without a year may be in the
// last year. A gap up to the limit, or up to the usual window if that is longer, means a change of
// year.
func (r *turnPasses) Timer() {
	prof := r.Profile
	limitAt, leftAt, startAt := r.status(prof.TimeLimit), r.status(prof.TimeLeft), r.status(prof.StartDate)
	limit, ok := r.Number(limitAt)
	if !ok {
		return
	}
	before, had := numeric(r.Base.TimeLimit)
	today, readable := r.today()
	positive := limit.Cmp("0") > 0
	if !had || before.Cmp(limit) != 0 {
		start := ""
		if positive && readable {
			start = r.Text(r.status(prof.Date))
		}
		r.writeStart(startAt, start, positive)
		r.Update(leftAt, tree.Num(limit), "time")
		return
	}
	if !positive || !readable {
		return
	}
	start := r.Text(startAt)
	if strings.TrimSpace(start) == "" {
		start = r.Text(r.status(prof.Date))
		r.writeStart(startAt, start, true)
	}
	from, ok := r.Options.Calendar.Read(start, r.Text(r.status(prof.Era)))
	if !ok || !from.Alike(today) {
		r.Note("timer", startAt, "the days since this date cannot be told")
		return
	}
	window := max(r.Options.WrapWindow, int(min(limit.Float64(), 1e9)))
	daysLeft := limit.Sub(tree.Number(strconv.Itoa(max(r.Options.Calendar.Between(from, today, window), 0))))
	if r.Options.TimeLeftFloor && daysLeft.Cmp("0") < 0 {
		daysLeft = "0"
	}
	r.Update(leftAt, tree.Num(daysLeft), "time")
}

// writeStart writes the date from which the task's days count. If create is true, a missing field is
// created as a leaf.
func (r *turnPasses) writeStart(path tree.Path, text string, create bool) {
	if _, err := r.Profile.Find(r.Root(), path); err == nil {
		r.Update(path, tree.Text(text), "time")
		return
	}
	if create {
		r.Store(path, tree.Array(tree.Text(text), tree.Text("")), "time")
	}
}

// greenWindow returns the number of replies that are searched for keywords.
func (r *turnPasses) greenWindow() int {
	if r.Options.GreenWindow != nil {
		return *r.Options.GreenWindow
	}
	assets := r.Root().Get(r.Profile.Assets)
	return configCount(r.Profile, assets, "hide_latest_count", defaultHideLatest)
}

// GreenLights shows the filtered nodes whose keyword occurs in the latest replies and hides the
// others.
//
// A keyword is the third segment below the assets, where characters and places have their names; on
// shorter paths it is the last segment. The replies are searched unchanged, commands included,
// ignoring letter case: the model needs to see what it just wrote about. A round that only some
// characters heard counts only for these, and a round without a reply does not count.
func (r *turnPasses) GreenLights() {
	window := r.greenWindow()
	assets := tree.Path{r.Profile.Assets}
	v := r.Edit.Lookup(assets)
	if window <= 0 || !v.Exists() {
		return
	}
	// Most documents have no filtered nodes, and then the replies are not searched.
	r.setLights(assets, v, sync.OnceValue(func() []string {
		var texts []string
		left := window
		for _, t := range slices.Backward(r.Window) {
			if len(t.Witnesses) > 0 && (r.Sees == nil || !r.Sees(t.Witnesses)) {
				continue
			}
			if t.Reply != "" {
				left--
			}
			if left < 0 {
				break
			}
			if r.Options.ScanUser {
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
			r.Put(at, show)
			r.Change(tree.Change{Path: at, Old: flag, New: show, By: "green"})
		}
	}
	for i := range v.Len() {
		child := v.At(i)
		if !child.IsObject() && !child.IsArray() {
			continue
		}
		key := v.KeyAt(i)
		if v.IsArray() {
			key = strconv.Itoa(i)
		}
		r.setLights(path.Child(key), child, recentTexts)
	}
}

// Thresholds of the summaries that config does not contain.
const (
	defaultSmallToBig = 50
	defaultCleanBig   = 20
	// defaultHideLatest is the number of newest entries of summary.big that prompts leave out.
	defaultHideLatest = 5
)

// configCount reads a threshold: a number or a text that reads as one, with or without a
// description. A fraction is rounded up.
func configCount(p *Profile, assets tree.Value, key string, def int) int {
	n, ok := numeric(assets.Lookup(p.Config).Get(key))
	if !ok {
		return def
	}
	return int(max(min(math.Ceil(n.Float64()), 1e9), -1e9))
}

// Summaries updates the flags of the summaries and clears entries that were summarised: settle
// small, settle big, raise small, raise big.
//
// It uses the flags from the beginning of the turn. So the turn that reaches a threshold never
// clears, and an entry of the long memory that was written before the flag was set clears nothing.
// In this order:
//
//  1. If the small flag was set and the long memory was updated, the short memory is cleared and the
//     flag is reset. Entries of this turn are cleared too (unless an option keeps them).
//  2. If the big flag was set and the long memory was updated, its newest entries stay, the others
//     are removed, and the flag is reset.
//  3. If the short memory has reached its threshold, the small flag is set.
//  4. If the long memory has reached its threshold, the big flag is set.
//
// Protected entries stay in both. Without a config or one of the memories nothing happens.
func (r *turnPasses) Summaries() {
	prof := r.Profile
	assets := r.Edit.Lookup(tree.Path{prof.Assets})
	small, big := assets.Lookup(prof.Small), assets.Lookup(prof.Big)
	if !assets.Lookup(prof.Config).IsObject() || !small.IsObject() || !big.IsObject() {
		return
	}
	config := withinModule(prof.Assets, prof.Config)
	flagSmall, flagBig := config.Child("flags").Child("clean_small_flag"),
		config.Child("flags").Child("clean_big_flag")
	countSmall, countBig := config.Child("counters").Child("big_length_on_flag"),
		config.Child("counters").Child("big_length_on_big_flag")

	if r.Base.CleanSmall && r.bigUpdated(big, countSmall) {
		r.clear(withinModule(prof.Assets, prof.Small), small, func(key string, _ int) bool {
			return r.Options.KeepUnsummarised && !r.Base.Small.Get(key).Exists()
		})
		r.Store(flagSmall, tree.Bool(false), "summary")
	}
	if r.Base.CleanBig && r.bigUpdated(big, countBig) {
		r.clear(withinModule(prof.Assets, prof.Big), big, func(_ string, i int) bool {
			return i >= big.Len()-r.Options.KeepBig
		})
		r.Store(flagBig, tree.Bool(false), "summary")
	}
	now := r.Edit.Lookup(tree.Path{prof.Assets})
	entries := now.Lookup(prof.Big).Len()
	r.raise(flagSmall, countSmall, entries, now.Lookup(prof.Small).Len(),
		configCount(r.Profile, now, "small_to_big_count", defaultSmallToBig))
	r.raise(flagBig, countBig, entries, entries,
		configCount(r.Profile, now, "clean_big_count", defaultCleanBig))
}

// bigUpdated reports whether summary.big was updated in this turn. An entry was added or changed.
// With an option, more entries than at the setting of the flag are enough.
func (r *turnPasses) bigUpdated(big tree.Value, counter tree.Path) bool {
	if r.Options.BigByCount {
		n, ok := r.Number(counter)
		return ok && tree.Number(strconv.Itoa(big.Len())).Cmp(n) > 0
	}
	if big.Same(r.Base.Big) {
		return false
	}
	for key, entry := range big.Members() {
		if old := r.Base.Big.Get(key); !old.Exists() || !old.Equal(entry) {
			return true
		}
	}
	return false
}

// clear removes the entries that are neither kept nor protected.
func (r *turnPasses) clear(path tree.Path, entries tree.Value, keep func(key string, i int) bool) {
	for i := range entries.Len() {
		key, entry := entries.KeyAt(i), entries.At(i)
		if !keep(key, i) && !r.Options.guards(entry) {
			r.Drop(path.Child(key), entry, "summary")
		}
	}
}

// raise sets a flag when count reaches the threshold.
func (r *turnPasses) raise(flag, counter tree.Path, entries, count, threshold int) {
	if threshold <= 0 || count < threshold || truthy(r.Edit.Peek(flag)) {
		return
	}
	r.Store(flag, tree.Bool(true), "summary")
	r.Store(counter, tree.Int(int64(entries)), "summary")
}
