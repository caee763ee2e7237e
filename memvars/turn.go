package memvars

import (
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/calendar"
	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// turnRun is the work at the end of a turn.
type turnRun struct {
	*run
	base   Baseline
	window []Turn
}

// EndTurn does what is due once per round, after the model's message was applied: it compares the document with the one at the end of the last turn and
// runs the passes of the stage "turn" in the order of [Passes]: the clock, the
// task's days, the resources, the summaries, the green lights. With the zero
// State nothing counts as changed during the turn.
//
// The dates that can be read are [year]月日 in digits of any width or Chinese numerals,
// 初 廿 卅 and 正 冬 腊 among them; Y-M-D, Y/M/D and Y.M.D; English ones as March 15th,
// 1203 or 15 Mar; and mere numbers of days as Day 3 or 第三天. Times are hh:mm[:ss], 8点半,
// 晚上8时20分 and the like. With another date no time passes, and Result.Notes says so.
func (s *System) EndTurn(d tree.Document, st State, t Turn) (tree.Document, State, Result) {
	r := s.turnRun(d, st, t)
	for _, p := range passes() {
		if p.Stage == StageTurn {
			p.turn(r)
		}
	}
	out, result := r.finish(d)
	next := State{Turn: s.baseline(out), Window: r.kept(), Extra: st.Extra}
	return out, next, result
}

// turnRun starts the work at the end of a turn. It acts as the host: the fields
// that it keeps are locked for everybody else.
func (s *System) turnRun(d tree.Document, st State, t Turn) *turnRun {
	r := &turnRun{run: newRun(s, d, Host)}
	if st.Turn != nil {
		r.base = *st.Turn
	} else {
		r.base = *s.baseline(d)
	}
	r.window = append(slices.Clone(st.Window), Turn{t.Reply, slices.Clone(t.Player)})
	return r
}

// minWindow is how many replies are kept at least, so that a longer window can
// be asked for later.
const minWindow = 10

// kept is the window of replies that the next state holds.
func (r *turnRun) kept() []Turn {
	n := min(max(r.greenWindow(), minWindow), len(r.window))
	return slices.Clone(r.window[len(r.window)-n:])
}

// status returns the path of a place of the status module.
func (r *turnRun) status(p tree.Path) tree.Path { return profile.Within(r.sys.profile.Status, p) }

// text reads a text, "" where there is none.
func (r *run) text(path tree.Path) string {
	at, code := r.sys.find(r.root(), path)
	if code != "" {
		return ""
	}
	s, _ := at.Content().AsText()
	return s
}

// store writes a value of the engine's own, creating what is missing.
func (r *run) store(path tree.Path, v tree.Value, cause string) {
	if _, code := r.sys.find(r.root(), path); code == "" {
		r.update(path, v, cause)
		return
	}
	d := r.destination(path)
	if d.code != "" || d.exist {
		return
	}
	built := nest(d.rest, v)
	r.write(write{kind: put, path: d.at, value: built})
	r.change(tree.Change{Path: d.at, Old: d.old, New: built, By: cause})
}

// drop removes a node that a pass has done with.
func (r *run) drop(path tree.Path, old tree.Value, cause string) {
	r.edit.Freeze(old)
	r.change(tree.Change{Path: path, Old: old, By: cause})
	r.write(write{kind: remove, path: path})
}

// runClock moves the date on if the time of day ran back far enough for a new
// day and the model forgot the date.
//
// A date that cannot be read is noted: no time passes until there is one that can.
//
// Small steps back are corrections by the model; six hours are a night. The weekday
// and the era are never touched: they belong to the model.
func runClock(r *turnRun) {
	prof := &r.sys.profile
	path := r.status(prof.Date)
	text := r.text(path)
	if _, ok := r.today(); !ok && strings.TrimSpace(text) != "" {
		r.note("clock", path, said("time stands still: the date "+strconv.Quote(text)+
			" is none of the form 3月15日, 2024-03-15, March 15 or Day 15"))
	}
	if r.sys.rollover == 0 || text != r.base.Date {
		return
	}
	before, ok := calendar.ParseClock(r.base.Time)
	now, okNow := calendar.ParseClock(r.text(r.status(prof.Time)))
	if !ok || !okNow || before-now < r.sys.rollover {
		return
	}
	if d, ok := r.sys.calendar.Read(text, r.text(r.status(prof.Era))); ok {
		r.update(path, tree.Text(r.sys.calendar.Next(d)), "time")
	}
}

// today returns the present date.
func (r *turnRun) today() (calendar.Day, bool) {
	prof := &r.sys.profile
	return r.sys.calendar.Read(r.text(r.status(prof.Date)), r.text(r.status(prof.Era)))
}

// runTimer counts the days that are left for the task.
//
// In this order:
//
//  1. If the limit changed during the turn to another number, the count begins
//     anew: a positive limit makes today the start date and the days left equal to
//     the limit; zero or less means that there is no limit any more. Writing the
//     same number again is no change.
//  2. Otherwise, with a positive limit and a readable date, an empty start date
//     becomes today, and the days left are the limit minus the days from start to
//     today, at least none of them. They do not fall below zero, unless by option.
//
// Only whole days count; the fraction of a limit stays. A start date without a
// year may lie in the last year: a gap up to the limit, or the usual window if that
// is longer, is taken for a new year.
func runTimer(r *turnRun) {
	prof := &r.sys.profile
	limitAt, leftAt, startAt := r.status(prof.TimeLimit), r.status(prof.TimeLeft), r.status(prof.StartDate)
	limit, ok := r.number(limitAt)
	if !ok {
		return
	}
	before, had := numeric(r.base.TimeLimit)
	today, readable := r.today()
	positive := limit.Cmp("0") > 0
	if !had || before.Cmp(limit) != 0 {
		start := ""
		if positive && readable {
			start = r.text(r.status(prof.Date))
		}
		r.start(startAt, start, positive)
		r.update(leftAt, tree.Num(limit), "time")
		return
	}
	if !positive || !readable {
		return
	}
	start := r.text(startAt)
	if strings.TrimSpace(start) == "" {
		start = r.text(r.status(prof.Date))
		r.start(startAt, start, true)
	}
	from, ok := r.sys.calendar.Read(start, r.text(r.status(prof.Era)))
	if !ok || !from.Alike(today) {
		r.note("timer", startAt, "the days since this date cannot be told")
		return
	}
	window := max(r.sys.wrapWindow, int(min(limit.Float64(), 1e9)))
	left := limit.Sub(tree.Number(strconv.Itoa(max(r.sys.calendar.Between(from, today, window), 0))))
	if r.sys.timeLeftFloor && left.Cmp("0") < 0 {
		left = "0"
	}
	r.update(leftAt, tree.Num(left), "time")
}

// start writes the date at which the task's days begin to count; where the field
// is missing it is created as a leaf, if so asked.
func (r *turnRun) start(path tree.Path, text string, create bool) {
	if _, code := r.sys.find(r.root(), path); code == "" {
		r.update(path, tree.Text(text), "time")
		return
	}
	if create {
		r.store(path, tree.Array(tree.Text(text), tree.Text("")), "time")
	}
}

// runResources lets the stocks on the map grow and shrink with the days.
//
// The days are those from the date at the end of the last turn to the present one,
// a rollover included. If either cannot be read, or the date went back, nothing
// grows or shrinks.
func runResources(r *turnRun) {
	prof := &r.sys.profile
	if !r.base.World.Equal(r.sys.profile.Content(r.root(), r.status(prof.WorldName))) {
		return // a new world has a calendar of its own
	}
	from, ok := r.sys.calendar.Read(r.base.Date, r.base.Era)
	to, okTo := r.today()
	if !ok || !okTo || !from.Alike(to) {
		return
	}
	days := r.sys.calendar.Between(from, to, r.sys.wrapWindow)
	if days <= 0 {
		return
	}
	path := profile.Within(prof.Assets, prof.Map)
	r.grow(path, r.edit.Lookup(path), tree.Number(strconv.Itoa(days)))
}

// grow looks for stock tables below a node.
func (r *turnRun) grow(path tree.Path, v tree.Value, days tree.Number) {
	for i := range v.Len() {
		key, child := v.KeyAt(i), v.At(i)
		if v.IsArray() {
			key = strconv.Itoa(i)
		}
		at := path.Child(key)
		if key != r.sys.profile.Resources || !child.IsObject() {
			r.grow(at, child, days)
			continue
		}
		for name, entry := range child.Members() {
			r.stock(at.Child(name), entry, days)
		}
	}
}

// stock lets one entry of a stock table grow or shrink. Entries in another form,
// rates without a day and stocks that are no numbers (无限) are not ours to touch.
// Consumption stops at nothing left; a stock that is in debt already is not
// forgiven.
func (r *turnRun) stock(path tree.Path, entry tree.Value, days tree.Number) {
	text, ok := entry.At(0).AsText()
	if !entry.IsArray() || entry.Len() != 2 || !ok {
		return
	}
	rate, ok := parseRate(text)
	stock, okStock := numeric(entry.At(1))
	if !ok || !okStock {
		return
	}
	now := stock.Add(rate.Mul(days))
	if r.sys.resourceFloor && rate.Cmp("0") < 0 && now.Cmp("0") < 0 {
		if now = "0"; stock.Cmp("0") < 0 {
			return
		}
	}
	if now.Cmp(stock) != 0 {
		at := path.Child("1")
		r.write(write{kind: put, path: at, value: tree.Num(now)})
		r.change(tree.Change{Path: at, Old: entry.At(1), New: tree.Num(now), By: "resource"})
	}
}

// parseRate reads [+|-]number[unit]/(d|天|日|day).
//
// The unit may be anything without a slash, in brackets or not. Rates per week and
// the like are left alone rather than guessed at.
func parseRate(text string) (tree.Number, bool) {
	s := strings.TrimSpace(utf8text.Narrow(text))
	s = strings.ReplaceAll(s, "／", "/")
	slash := strings.LastIndexByte(s, '/')
	if slash < 0 {
		return "", false
	}
	amount, unit := s[:slash], s[slash+1:]
	switch strings.ToLower(strings.TrimSpace(unit)) {
	case "d", "day", "天", "日":
	default:
		return "", false
	}
	amount = strings.TrimPrefix(amount, "+")
	end := 0
	for end < len(amount) && (end == 0 && amount[end] == '-' || amount[end] == '.' ||
		amount[end] >= '0' && amount[end] <= '9') {
		end++
	}
	return tree.ParseNumber(amount[:end])
}
