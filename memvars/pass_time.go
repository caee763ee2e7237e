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
func (r *run) limitDifficulty() {
	if r.sys.options.Difficulty == "off" {
		return
	}
	prof := &r.sys.profile
	name, ok := prof.Content(r.root(), withinModule(prof.Status, prof.WorldLevel)).AsText()
	if !ok {
		return
	}
	difficulty := withinModule(prof.Status, prof.Difficulty)
	n, ok := r.number(difficulty)
	if !ok {
		return
	}
	for _, l := range prof.Levels {
		if limit := tree.Number(strconv.Itoa(l.Max)); l.Name == strings.TrimSpace(name) && n.Cmp(limit) > 0 {
			r.update(difficulty, tree.Num(limit), "clamp")
		}
	}
}

// clock advances the date if the time of day ran back far enough for a new day and the model did
// not change the date.
//
// A small step back is a correction by the model. A step back of six hours or more is a night. The
// weekday and the era are not changed: the model maintains them. For a date that cannot be read there
// is a note, and no time passes.
func (r *turnPasses) clock() {
	prof := &r.sys.profile
	path := r.status(prof.Date)
	text := r.text(path)
	if _, ok := r.today(); !ok && strings.TrimSpace(text) != "" {
		r.note("clock", path, "no time passes: the date "+strconv.Quote(text)+
			" cannot be read; write it as 3月15日, 2024-03-15, March 15 or Day 15")
	}
	if *r.sys.options.RolloverMinMinutes == 0 || text != r.base.Date {
		return
	}
	before, ok := ParseClock(r.base.Time)
	now, okNow := ParseClock(r.text(r.status(prof.Time)))
	if !ok || !okNow || before-now < *r.sys.options.RolloverMinMinutes {
		return
	}
	if d, ok := r.sys.options.Calendar.Read(text, r.text(r.status(prof.Era))); ok {
		r.update(path, tree.Text(r.sys.options.Calendar.Next(d)), "time")
	}
}

// today returns the current date.
func (r *turnPasses) today() (Day, bool) {
	prof := &r.sys.profile
	return r.sys.options.Calendar.Read(r.text(r.status(prof.Date)), r.text(r.status(prof.Era)))
}

// timer counts the days that are left for the task.
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
func (r *turnPasses) timer() {
	prof := &r.sys.profile
	limitAt, leftAt, startAt := r.status(prof.TimeLimit), r.status(prof.TimeLeft), r.status(prof.StartDate)
	limit, ok := r.number(limitAt)
	if !ok {
		return
	}
	before, hadLimit := numeric(r.base.TimeLimit)
	today, isReadable := r.today()
	hasLimit := limit.Cmp("0") > 0
	if !hadLimit || before.Cmp(limit) != 0 {
		start := ""
		if hasLimit && isReadable {
			start = r.text(r.status(prof.Date))
		}
		r.writeStart(startAt, start, hasLimit)
		r.update(leftAt, tree.Num(limit), "time")
		return
	}
	if !hasLimit || !isReadable {
		return
	}
	start := r.text(startAt)
	if strings.TrimSpace(start) == "" {
		start = r.text(r.status(prof.Date))
		r.writeStart(startAt, start, true)
	}
	from, ok := r.sys.options.Calendar.Read(start, r.text(r.status(prof.Era)))
	if !ok || !from.alike(today) {
		r.note("timer", startAt, "the days since this date cannot be counted; write it in the form of the present date")
		return
	}
	window := max(*r.sys.options.WrapWindowDays, int(min(limit.Float64(), 1e9)))
	daysLeft := limit.Sub(tree.Number(strconv.Itoa(max(r.sys.options.Calendar.Between(from, today, window), 0))))
	if *r.sys.options.TimeLeftFloor && daysLeft.Cmp("0") < 0 {
		daysLeft = "0"
	}
	r.update(leftAt, tree.Num(daysLeft), "time")
}

// writeStart writes the date from which the task's days count. If create is true, a missing field is
// created as a leaf.
func (r *turnPasses) writeStart(path tree.Path, text string, create bool) {
	if _, err := r.sys.profile.Find(r.root(), path); err == nil {
		r.update(path, tree.Text(text), "time")
		return
	}
	if create {
		r.store(path, tree.Array(tree.Text(text), tree.Text("")), "time")
	}
}
