package observe

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// CampaignReport explains a whole campaign to its author or game master: a time line of the turns of
// a branch with their cost, the branches as a graph, the variables over the turns, and the lore that
// was never active:
//
//	r := observe.CampaignReport{Game: game, Campaign: now,
//		Turns:    engine.History(ctx, id, state.HistoryPage{}),
//		Branches: engine.Branches(ctx, id, state.HistoryBranches{})}
//	err := r.WriteHTML(file)
//
// It also shows what players may not see.
type CampaignReport struct {
	Game     *game.Game
	Campaign state.Campaign
	// Turns are the turns of the branch, newest first. Branches are the branches of the campaign.
	Turns    iter.Seq2[state.HistoryTurn, error]
	Branches iter.Seq2[state.HistoryBranch, error]
	// Language is "en" or "zh". If it is empty, the language of the game is used.
	Language string
}

// Limits of a page about a campaign. The page says what it leaves out.
const (
	maxRows       = 2000 // turns in the time line
	maxColumns    = 320  // of its picture
	maxBranches   = 200
	maxPlots      = 60
	maxPoints     = 600 // of a plot
	maxUnusedLore = 500 // entries that were never active
	lineLimit     = 160 // characters of a line in the time line
	textLimit     = 280
)

// WriteHTML writes the report as one page that loads nothing. It reads each turn once. The error is
// an error of w, or the first error of the sequences.
func (r CampaignReport) WriteHTML(w io.Writer) error {
	p := &campaignPage{words: wordsIn(r.Game.Texts(), r.Language), names: namesOf(r.Game, r.Campaign), curves: map[string]*curve{}}
	use, err := CountLore(r.Game.Book(), func(yield func(state.HistoryTurn, error) bool) {
		for t, err := range r.Turns {
			p.add(t)
			if !yield(t, err) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	for b, err := range r.Branches {
		if err != nil {
			return err
		}
		if len(p.Branches) < maxBranches {
			p.Branches = append(p.Branches, b)
		}
	}
	p.Title, p.Sub = cmp.Or(r.Campaign.Title, r.Campaign.ID), p.say("campaign.sub", r.Campaign.ID, len(p.turns))
	p.drawTime()
	p.drawBranches()
	p.drawCurves()
	p.addLore(use)
	p.Facts = append(p.Facts, pageFact{p.Of("fact.turns"), fmt.Sprint(len(p.turns))}, pageFact{p.Of("branches"), fmt.Sprint(len(p.Branches))},
		pageFact{p.Of("fact.retries"), fmt.Sprint(p.retries)}, pageFact{p.Of("fact.never"), fmt.Sprint(len(p.Never) + p.more)})
	if p.sent > 0 {
		p.Facts = append(p.Facts, pageFact{p.Of("fact.sent"), fmt.Sprint(p.sent)}, pageFact{p.Of("fact.cached"), percent(p.cached, p.sent)})
	}
	return render(w, "campaign", p)
}

// campaignPage is the data of the page of a campaign.
type campaignPage struct {
	words
	Title, Sub    string
	Facts         []pageFact
	Columns       []column
	ChartLabel    string
	Left          string // what the time line leaves out
	Rows          []*timeRow
	Branches      []state.HistoryBranch
	Lines         []branchLine
	BranchHeight  int
	Plots         []plot
	Used          []loreUseRow
	Never         []pageFact
	NeverMore     string
	names         names
	turns         []*timeRow // newest first
	curves        map[string]*curve
	sent, cached  int
	retries, more int
}

type (
	timeRow struct {
		ID, Line, Text, Share string
		Index, Sent           int
		Tags                  []pageFact
		branch                string
		cached, retries       int
	}
	column struct {
		X, Y, Middle, Fresh, Cached, Width, Dot float64
		Retries                                 int
		Title                                   string
	}
	point struct {
		turn  int
		value float64
	}
	curve struct {
		path   tree.Path
		points []point // newest first
		first  float64 // before all points
	}
	plot       struct{ Name, From, To, Range, Label, Path string }
	branchDot  struct{ X, Y, R float64 }
	branchLine struct {
		Title, Label, Stroke, Fill, Path string
		Dots                             []branchDot
		TextY                            float64
		Present                          bool
	}
	loreUseRow struct {
		ID, Name, Span, Why string
		Turns, Of           int
	}
)

// add adds a turn to the time line, the sums and the curves.
func (p *campaignPage) add(t state.HistoryTurn) {
	row := &timeRow{ID: t.ID, branch: t.BranchID, Index: t.Index, Line: utf8text.Clip(t.UserInput, lineLimit), Text: utf8text.Clip(t.Text, textLimit), retries: t.RetriesUsed}
	refused := 0
	for _, a := range t.Attempts {
		refused += len(a.FailedCalls)
		if a.Usage != nil {
			row.Sent, row.cached = row.Sent+a.Usage.PromptTokens, row.cached+a.Usage.CachedTokens
		}
	}
	row.Share = percent(row.cached, row.Sent)
	tag := func(class, key string, n int) {
		if n > 0 {
			row.Tags = append(row.Tags, pageFact{class, p.say(key, n)})
		}
	}
	if len(t.Audience) > 0 {
		row.Tags = append(row.Tags, pageFact{"near", p.say("tag.heard", p.names.list(t.Audience))})
	}
	tag("done", "tag.lore", len(t.Trace.Lore))
	tag("done", "tag.calls", len(t.Applied))
	tag("", "tag.rules", len(t.Trace.Fired))
	tag("near", "tag.retries", t.RetriesUsed)
	tag("refused", "tag.refused", refused)
	tag("", "tag.others", len(t.Others))
	p.sent, p.cached, p.retries = p.sent+row.Sent, p.cached+row.cached, p.retries+t.RetriesUsed
	p.turns = append(p.turns, row)
	for _, c := range slices.Backward(t.Changes) {
		was, before := numberOf(c.Old)
		is, after := numberOf(c.New)
		if !after || c.Old.Exists() && !before {
			continue
		}
		key := c.Path.String()
		if p.curves[key] == nil {
			p.curves[key] = &curve{path: c.Path}
		}
		curve := p.curves[key]
		if n := len(curve.points); n == 0 || curve.points[n-1].turn != t.Index { // the last change of a turn comes first
			curve.points = append(curve.points, point{t.Index, is})
		}
		curve.first = was
	}
}

// numberOf returns a number, or 0 or 1 for a boolean.
func numberOf(v tree.Value) (float64, bool) {
	if b, ok := v.AsBool(); ok {
		return map[bool]float64{true: 1}[b], true
	}
	return v.AsFloat()
}

// drawTime fills the table of the turns, and draws their cost.
func (p *campaignPage) drawTime() {
	all := slices.Clone(p.turns)
	slices.Reverse(all)
	p.Rows = all[max(0, len(all)-maxRows):]
	if n := len(all) - len(p.Rows); n > 0 {
		p.Left = p.say("time.left", n)
	}
	each := max(1, (len(all)+maxColumns-1)/maxColumns) // turns in a column
	most := 0                                          // tokens of the largest turn
	for _, r := range all {
		most = max(most, r.Sent)
	}
	if most == 0 {
		return
	}
	p.ChartLabel = p.say("chart", len(all), most, percent(p.cached, p.sent))
	step := min(48, 960/float64((len(all)+each-1)/each))
	for i := 0; i < len(all); i += each {
		group := all[i:min(i+each, len(all))]
		top := slices.MaxFunc(group, func(a, b *timeRow) int { return cmp.Compare(a.Sent, b.Sent) })
		c := column{X: float64(i/each) * step, Width: max(1, min(step-1, 40)), Cached: 120 * float64(top.cached) / float64(most),
			Fresh: 120 * float64(max(top.Sent-top.cached, 0)) / float64(most), Title: p.say("column", top.Index, top.Sent, top.Share)}
		c.Dot, c.Middle = c.X+c.Width/2, 130-c.Cached
		c.Y = c.Middle - c.Fresh
		for _, r := range group {
			c.Retries += r.retries
		}
		p.Columns = append(p.Columns, c)
	}
}

// drawBranches draws each branch as a line over the turns in the order in which they were played.
func (p *campaignPage) drawBranches() {
	number := func(id string) float64 { n, _ := state.TurnNumber(id); return float64(n) }
	slices.SortStableFunc(p.Branches, func(a, b state.HistoryBranch) int { return cmp.Compare(number(a.ForkTurnID), number(b.ForkTurnID)) })
	last, row := 1.0, map[string]int{}
	for i, b := range p.Branches {
		last, row[b.ID] = max(last, number(b.HeadTurnID)), i
	}
	const pitch, left, wide = 34, 170, 770
	x := func(n float64) float64 { return left + wide*n/last }
	y := func(i int) float64 { return float64(i)*pitch + 20 }
	for i, b := range p.Branches {
		from, to := x(number(b.ForkTurnID)), x(number(b.HeadTurnID))
		l := branchLine{Title: b.ID + " · " + b.HeadTurnID, Label: utf8text.Clip(b.ID, 20), Present: b.Present, TextY: y(i) + 4,
			Stroke: fmt.Sprintf("s%d", i%8), Fill: fmt.Sprintf("f%d", i%8), Path: fmt.Sprintf("M%.1f %.1fH%.1f", from, y(i), to)}
		if parent, known := row[b.Parent]; known && parent != i {
			l.Path = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1fH%.1f", from, y(parent), from+8, y(parent), from, y(i), from+12, y(i), max(to, from+12))
		}
		for _, t := range p.turns[:min(len(p.turns), maxColumns)] {
			if t.branch == b.ID {
				l.Dots = append(l.Dots, branchDot{x(number(t.ID)), y(i), 4})
			}
		}
		l.Dots = append(l.Dots, branchDot{to, y(i), 6})
		p.Lines = append(p.Lines, l)
	}
	p.BranchHeight = len(p.Branches)*pitch + 8
}

// drawCurves draws the numbers that changed most often.
func (p *campaignPage) drawCurves() {
	list := slices.SortedFunc(maps.Values(p.curves), func(a, b *curve) int {
		return cmp.Or(cmp.Compare(len(b.points), len(a.points)), cmp.Compare(a.path.String(), b.path.String()))
	})
	end := 1
	if len(p.turns) > 0 {
		end = max(end, p.turns[0].Index)
	}
	for _, c := range list[:min(len(list), maxPlots)] {
		slices.Reverse(c.points)
		low, high := c.first, c.first
		for _, at := range c.points {
			low, high = min(low, at.value), max(high, at.value)
		}
		y := func(v float64) float64 {
			if high == low {
				return 37
			}
			return 68 - 62*(v-low)/(high-low)
		}
		var path strings.Builder
		fmt.Fprintf(&path, "M0 %.1f", y(c.first))
		each := max(1, len(c.points)/maxPoints)
		for i, at := range c.points {
			if i%each == 0 || i == len(c.points)-1 {
				fmt.Fprintf(&path, "H%.1fV%.1f", 240*float64(at.turn)/float64(end), y(at.value))
			}
		}
		path.WriteString("H240")
		drawing := plot{Name: p.names.path(p.words, c.path), From: fmt.Sprintf("%g", c.first), To: fmt.Sprintf("%g", c.points[len(c.points)-1].value),
			Range: p.say("range", low, high, len(c.points)), Path: path.String()}
		drawing.Label = drawing.Name + ": " + drawing.From + " → " + drawing.To + ", " + drawing.Range
		p.Plots = append(p.Plots, drawing)
	}
}

// addLore lists the entries that were active, and the entries that never were.
func (p *campaignPage) addLore(use LoreUse) {
	for _, e := range use.Entries {
		name := cmp.Or(e.Comment, e.ID)
		if e.Turns > 0 {
			p.Used = append(p.Used, loreUseRow{ID: e.ID, Name: name, Turns: e.Turns, Of: use.Turns, Span: e.First + " – " + e.Last, Why: e.reasons(p.words)})
			continue
		}
		if len(p.Never) == maxUnusedLore {
			p.more++
			continue
		}
		p.Never = append(p.Never, pageFact{name, e.ID})
	}
	if p.more > 0 {
		p.NeverMore = p.say("never.more", p.more)
	}
	slices.SortStableFunc(p.Used, func(a, b loreUseRow) int { return cmp.Compare(b.Turns, a.Turns) })
}
