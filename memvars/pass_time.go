package memvars

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// limitDifficulty limits the difficulty of a check by the level of the world.
//
// It runs once per message, so that level and difficulty may be set in either order. A lower level
// also lowers a difficulty that was set earlier. An unknown level has no limit; there is no lower
// limit.
func limitDifficulty(b *batch) {
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
// A small step back is a correction by the model. A step back of six hours or more is a night. The
// weekday and the era are not changed: the model maintains them. For a date that cannot be read there
// is a note, and no time passes.
func (r *turnPasses) Clock() {
	prof := r.Profile
	path := r.status(prof.Date)
	text := r.Text(path)
	if _, ok := r.today(); !ok && strings.TrimSpace(text) != "" {
		r.Note("clock", path, "no time passes: the date "+strconv.Quote(text)+
			" cannot be read; write it as 3月15日, 2024-03-15, March 15 or Day 15")
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
	before, hadLimit := numeric(r.Base.TimeLimit)
	today, isReadable := r.today()
	hasLimit := limit.Cmp("0") > 0
	if !hadLimit || before.Cmp(limit) != 0 {
		start := ""
		if hasLimit && isReadable {
			start = r.Text(r.status(prof.Date))
		}
		r.writeStart(startAt, start, hasLimit)
		r.Update(leftAt, tree.Num(limit), "time")
		return
	}
	if !hasLimit || !isReadable {
		return
	}
	start := r.Text(startAt)
	if strings.TrimSpace(start) == "" {
		start = r.Text(r.status(prof.Date))
		r.writeStart(startAt, start, true)
	}
	from, ok := r.Options.Calendar.Read(start, r.Text(r.status(prof.Era)))
	if !ok || !from.alike(today) {
		r.Note("timer", startAt, "the days since this date cannot be counted; write it in the form of the present date")
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
