package worldbook_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/tokens"
	wb "github.com/talewright/talewright/worldbook"
)

// oracle is the slow, simple scan of the exact profile. It builds the whole window for every entry
// and searches it key by key. It supports plain keys and regexes with the same meaning in Go. It
// supports every rule about entries with well-typed fields, one book and no macros.
type oracle struct {
	set      wb.ProfileSettings
	in       wb.Input
	state    wb.State
	entries  []*wb.Entry // in list order
	length   int
	loop     wb.LoopKind
	skew     int
	level    int
	levels   []int
	texts    []string // recursion
	charged  string
	active   []*wb.Entry
	failed   map[*wb.Entry]bool
	overflow bool
	rolls    int
	sticky   map[*wb.Entry]bool
	cooldown map[*wb.Entry]bool
}

// oracleScan returns the uids in activation order and the next state.
func oracleScan(entries []wb.Entry, set wb.ProfileSettings, in wb.Input, st wb.State) ([]string, int, bool, wb.State) {
	o := &oracle{
		set: set, in: in, length: len(in.Messages), loop: wb.LoopInitial,
		failed: map[*wb.Entry]bool{}, sticky: map[*wb.Entry]bool{}, cooldown: map[*wb.Entry]bool{},
	}
	o.state = wb.State{Sticky: map[string]wb.Record{}, Cooldown: map[string]wb.Record{}}
	maps.Copy(o.state.Sticky, st.Sticky)
	maps.Copy(o.state.Cooldown, st.Cooldown)
	for i := range entries {
		o.entries = append(o.entries, &entries[i])
		if l := entries[i].DelayUntilRecursion; l > 0 && !slices.Contains(o.levels, l) {
			o.levels = append(o.levels, l)
		}
	}
	slices.SortStableFunc(o.entries, func(a, b *wb.Entry) int { return int(b.Order - a.Order) })
	slices.Sort(o.levels)
	if len(o.levels) > 0 {
		o.level, o.levels = o.levels[0], o.levels[1:]
	}
	o.before()
	for steps := 0; o.loop != wb.LoopStop && (set.MaxRecursionSteps == 0 || steps < set.MaxRecursionSteps); steps++ {
		o.step()
	}
	o.after()
	var uids []string
	for _, e := range o.active {
		uids = append(uids, e.UID)
	}
	return uids, o.rolls, o.overflow, o.state
}

// key is the name of an entry's records.
func (o *oracle) key(e *wb.Entry) string { return "b." + e.UID }

// before applies the stored effects, sticky ones first.
func (o *oracle) before() {
	for _, e := range o.entries {
		k := o.key(e)
		r, ok := o.state.Sticky[k]
		switch {
		case !ok || o.in.DryRun:
		case o.length <= r.Start && !r.Protected:
			delete(o.state.Sticky, k)
		case o.length >= r.End:
			delete(o.state.Sticky, k)
			if e.Cooldown > 0 {
				o.state.Cooldown[k] = wb.Record{Start: o.length, End: o.length + e.Cooldown, Protected: true}
			}
		default:
			o.sticky[e] = true
		}
	}
	for _, e := range o.entries {
		k := o.key(e)
		r, ok := o.state.Cooldown[k]
		switch {
		case !ok || o.in.DryRun:
		case o.length <= r.Start && !r.Protected, o.length >= r.End:
			delete(o.state.Cooldown, k)
		default:
			o.cooldown[e] = true
		}
	}
}

// after stores the effects of the active entries.
func (o *oracle) after() {
	for _, e := range o.active {
		k := o.key(e)
		if _, ok := o.state.Sticky[k]; !ok && e.Sticky > 0 && !o.in.DryRun {
			o.state.Sticky[k] = wb.Record{Start: o.length, End: o.length + e.Sticky}
		}
		if _, ok := o.state.Cooldown[k]; !ok && e.Cooldown > 0 && !o.in.DryRun {
			o.state.Cooldown[k] = wb.Record{Start: o.length, End: o.length + e.Cooldown}
		}
	}
}

// window builds the whole text that an entry is searched in.
func (o *oracle) window(e *wb.Entry) string {
	d := o.set.Depth + o.skew
	if e.ScanDepth != nil {
		d = *e.ScanDepth
	}
	if d <= 0 {
		return ""
	}
	var parts []string
	for i := 0; i < d && i < o.length; i++ {
		m := o.in.Messages[o.length-1-i]
		parts = append(parts, strings.TrimSpace(m.Name+": "+m.Text))
	}
	if len(parts) == 0 {
		parts = []string{""}
	}
	data := o.in.Data
	for _, x := range []struct {
		on   bool
		text string
	}{
		{e.MatchPersonaDescription, data.PersonaDescription}, {e.MatchScenario, data.Scenario},
	} {
		if x.on && x.text != "" {
			parts = append(parts, x.text)
		}
	}
	parts = append(parts, o.in.Injections...)
	if o.loop != wb.LoopMinActivations {
		parts = append(parts, o.texts...)
	}
	return "\x01" + strings.Join(parts, "\n\x01")
}

// finds searches one key: a regex unchanged, plain text after folding, whole words as an
// expression.
func (o *oracle) finds(e *wb.Entry, key, window string) bool {
	if strings.HasPrefix(key, "/") && !e.Literal {
		end := strings.LastIndex(key, "/")
		pattern := key[1:end]
		if f := key[end+1:]; f != "" {
			pattern = "(?" + f + ")" + pattern
		}
		return regexp.MustCompile(pattern).MatchString(window)
	}
	if e.CaseSensitive == nil && !o.set.CaseSensitive || e.CaseSensitive != nil && !*e.CaseSensitive {
		key, window = strings.ToLower(key), strings.ToLower(window)
	}
	whole := o.set.MatchWholeWords
	if e.MatchWholeWords != nil {
		whole = *e.MatchWholeWords
	}
	if !whole || strings.Contains(key, " ") {
		return strings.Contains(window, key)
	}
	return regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(key) + `(?:$|\W)`).MatchString(window)
}

// count returns how many keys are in the window.
func (o *oracle) count(e *wb.Entry, keys []string, window string) (n int) {
	for _, k := range keys {
		if o.finds(e, k, window) {
			n++
		}
	}
	return n
}

// candidate applies the rules in their order.
func (o *oracle) candidate(e *wb.Entry) bool {
	sticky := o.sticky[e]
	recursing := o.loop == wb.LoopRecursion
	switch {
	case o.failed[e], slices.Contains(o.active, e), e.Disable, o.length < e.Delay:
		return false
	case o.cooldown[e] && !sticky,
		e.DelayUntilRecursion > 0 && !sticky && (!recursing || e.DelayUntilRecursion > o.level),
		e.ExcludeRecursion && recursing && o.set.Recursive && !sticky:
		return false
	case e.Constant, sticky:
		return true
	}
	w := o.window(e)
	if o.count(e, e.Keys, w) == 0 {
		return false
	}
	if !e.Selective || len(e.SecondaryKeys) == 0 {
		return true
	}
	m, n := o.count(e, e.SecondaryKeys, w), len(e.SecondaryKeys)
	return [...]bool{m > 0, m < n, m == 0, m == n}[e.Logic]
}

func (o *oracle) roll() float64 { o.rolls++; return o.in.Random() }

// groups removes the losers of groups; each entry has at most one group.
func (o *oracle) groups(cands []*wb.Entry) []*wb.Entry {
	var names []string
	members := map[string][]*wb.Entry{}
	for _, e := range cands {
		if e.Group != "" {
			if members[e.Group] == nil {
				names = append(names, e.Group)
			}
			members[e.Group] = append(members[e.Group], e)
		}
	}
	remove := func(e *wb.Entry) {
		i := slices.Index(cands, e)
		if i < 0 {
			i = len(cands) - 1
		}
		if i >= 0 {
			cands = slices.Delete(cands, i, i+1)
		}
	}
	held := map[string]bool{}
	for _, g := range names {
		for _, e := range members[g] {
			held[g] = held[g] || o.sticky[e]
		}
		for _, e := range members[g] {
			if held[g] && !o.sticky[e] {
				remove(e)
			}
		}
		for _, e := range members[g] {
			if o.cooldown[e] {
				remove(e)
			}
		}
	}
	for _, g := range names {
		o.scoreGroup(g, members, held[g], remove)
	}
	for _, g := range names {
		o.chooseFrom(g, members[g], held[g], remove)
	}
	return cands
}

// scoreGroup removes members with fewer keys found than the best one.
func (o *oracle) scoreGroup(g string, members map[string][]*wb.Entry, held bool, remove func(*wb.Entry)) {
	uses := func(e *wb.Entry) bool {
		return e.UseGroupScoring != nil && *e.UseGroupScoring || e.UseGroupScoring == nil && o.set.UseGroupScoring
	}
	asked := o.set.UseGroupScoring
	top := 0
	score := func(e *wb.Entry) int {
		if len(e.Keys) == 0 {
			return 0
		}
		w := o.window(e)
		p, q, n := o.count(e, e.Keys, w), o.count(e, e.SecondaryKeys, w), len(e.SecondaryKeys)
		if n > 0 && (e.Logic == wb.AndAny || e.Logic == wb.AndAll && q == n) {
			return p + q
		}
		return p
	}
	for _, e := range members[g] {
		asked = asked || e.UseGroupScoring != nil && *e.UseGroupScoring
		top = max(top, score(e))
	}
	if held || !asked {
		return
	}
	var left []*wb.Entry
	for _, e := range members[g] {
		if score(e) < top && uses(e) {
			remove(e)
		} else {
			left = append(left, e)
		}
	}
	members[g] = left
}

// chooseFrom chooses one member: by override, or by a draw.
func (o *oracle) chooseFrom(g string, members []*wb.Entry, held bool, remove func(*wb.Entry)) {
	if held {
		return
	}
	if slices.ContainsFunc(o.active, func(e *wb.Entry) bool { return e.Group == g }) {
		for _, e := range members {
			remove(e)
		}
		return
	}
	if len(members) < 2 {
		return
	}
	var winner *wb.Entry
	sum := 0.0
	for _, e := range members {
		sum += e.GroupWeight
		if e.GroupOverride && (winner == nil || e.Order > winner.Order) {
			winner = e
		}
	}
	if winner == nil {
		target := o.roll() * sum
		at := 0.0
		for _, e := range members {
			if at += e.GroupWeight; winner == nil && at >= target {
				winner = e
			}
		}
	}
	for _, e := range members {
		if e != winner {
			remove(e)
		}
	}
}

// quarter is the counter of the recorded cases.
func quarter(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// step runs one loop and decides about the next.
func (o *oracle) step() {
	var cands []*wb.Entry
	for _, e := range o.entries {
		if o.candidate(e) {
			cands = append(cands, e)
		}
	}
	slices.SortStableFunc(cands, func(a, b *wb.Entry) int {
		return strings.Compare(fmt.Sprint(!o.sticky[a]), fmt.Sprint(!o.sticky[b]))
	})
	cands = o.groups(cands)
	o.payAll(cands)
	var feeders []*wb.Entry
	for _, e := range cands {
		if !o.failed[e] && !e.PreventRecursion {
			feeders = append(feeders, e)
		}
	}
	next := wb.LoopStop
	recursive := o.set.Recursive && !o.overflow
	if recursive && (len(feeders) > 0 || o.loop == wb.LoopMinActivations && len(o.texts) > 0) {
		next = wb.LoopRecursion
	}
	if depth := o.set.Depth + o.skew; next == wb.LoopStop && !o.overflow && len(o.active) < o.set.MinActivations &&
		(o.set.MinActivationsDepthMax == 0 || depth <= o.set.MinActivationsDepthMax) && depth <= o.length {
		next = wb.LoopMinActivations
		o.skew++
	}
	if next == wb.LoopStop && len(o.levels) > 0 {
		next = wb.LoopRecursion
		o.level, o.levels = o.levels[0], o.levels[1:]
	}
	o.loop = next
	var parts []string
	for _, e := range feeders {
		parts = append(parts, e.Content)
	}
	if t := strings.Join(parts, "\n"); next != wb.LoopStop && t != "" {
		o.texts = append(o.texts, t)
		o.charged = t + "\n" + o.charged
	}
}

// payAll rolls and pays. At every overflow it searches the rest of the list for entries that ignore
// the budget.
func (o *oracle) payAll(cands []*wb.Entry) {
	budget := int(o.set.Budget*float64(o.in.ContextSize)/100 + 0.5)
	if budget == 0 {
		budget = 1
	}
	text := ""
	for i, e := range cands {
		if o.overflow && !e.IgnoreBudget {
			if !slices.ContainsFunc(cands[i:], func(e *wb.Entry) bool { return e.IgnoreBudget }) {
				return
			}
			continue
		}
		if e.UseProbability && e.Probability != 100 && !o.sticky[e] && o.roll()*100 > e.Probability {
			o.failed[e] = true
			continue
		}
		text += e.Content + "\n"
		if !e.IgnoreBudget && tokens.Estimate(o.charged)+tokens.Estimate(text) >= budget {
			o.overflow = true
			continue
		}
		o.active = append(o.active, e)
	}
}
