package worldbook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// Vet finds entries that compile but cannot do what their author wants. All findings are warnings.
// contextSize, in tokens, and count (nil: the built-in estimate) are used to compare the constants
// with the budget. Disabled entries are skipped.
//
// Findings of entries come first, in list order: duplicate uids, empty contents, missing places,
// dead, ignored or slow keys, options at a wrong place, entries that nothing can activate. Then
// come groups of one, recursion cycles and the budget.
func (c *Compiled) Vet(contextSize int, count func(string) int) talewright.Problems {
	v := vetter{c: c, fuses: match.NewFuses(), unmet: c.links.unmet()}
	for i, e := range c.entries {
		if e.disabled {
			continue
		}
		v.entry(i, e)
	}
	v.groups()
	v.cycles()
	v.budget(contextSize, count)
	return v.problems
}

// vetter collects the findings of one call of Vet.
type vetter struct {
	c        *Compiled
	fuses    *match.Fuses // for all searched texts
	problems talewright.Problems
	unmet    map[int32]int // the requirements of an entry that can never be active, see [links.unmet]
}

// add records a finding.
func (v *vetter) add(e *entry, code talewright.Code, path, format string, args ...any) {
	p := talewright.Problem{Path: path, Code: code, Severity: talewright.Warning, Text: fmt.Sprintf(format, args...)}
	if e != nil {
		p.ID, p.Path = e.name(), e.path()+path
	}
	v.problems = append(v.problems, p)
}

// entry checks one entry alone.
func (v *vetter) entry(i int, e *entry) {
	if v.c.homeAt(i) != i {
		v.add(e, codeDuplicateUID, ".uid",
			"%s is the id of an earlier entry too: they share switches and effects, keep each other "+
				"out of later loops, and if one loop activates several of them, only the last text is used", e.id)
	}
	if strings.TrimSpace(e.content) == "" {
		v.add(e, codeEmptyContent, ".content", "the entry activates but adds nothing")
	}
	v.placement(e)
	for k, ref := range e.keys.List {
		v.key(e, fmt.Sprintf(".key[%d]", k), e.src.Keys[k], ref)
	}
	if e.selective {
		for k, ref := range e.secondary {
			v.key(e, fmt.Sprintf(".keysecondary[%d]", k), e.src.SecondaryKeys[k], ref)
		}
	} else if len(e.src.SecondaryKeys) > 0 && e.v3 == nil {
		v.add(e, codeDeadKey, ".keysecondary", "the secondary keys are ignored, because selective is off: switch it on, or remove them")
	}
	for _, f := range new(Options).fields() {
		if _, given := e.src.Extra[f.name]; given {
			v.add(e, codeBadOption, "."+f.name, "is ignored here: an option is a member of extensions.talewright; move it there")
		}
	}
	if e.hasExpression {
		for k, ref := range e.own.when.refs {
			v.key(e, optionsPath+".when", e.own.when.keys[k].text, ref)
		}
	}
	if why := v.unreachable(e); why != "" {
		v.add(e, codeUnreachable, "", "nothing activates the entry: %s", why)
	}
}

// placement reports an active text that no part of the prompt shows.
func (v *vetter) placement(e *entry) {
	switch {
	case Position(e.position) == PositionNone:
		v.add(e, codeUnplaced, ".position", "no such position: the text is not placed")
	case Position(e.position) == PositionInOutlet && e.src.OutletName == "":
		v.add(e, codeUnplaced, ".outletName", "an outlet needs a name: the text is not placed")
	}
}

// key checks one key.
func (v *vetter) key(e *entry, path, text string, ref match.Ref) {
	switch {
	case ref == match.Never:
		v.add(e, codeDeadKey, path, "%q can never be found: remove or correct it", text)
	case strings.ContainsAny(text, "，、") && e.v3 == nil && !strings.HasPrefix(text, "/"):
		v.add(e, codeJoinedKeys, path, "%q is one key and is found only word for word: write its parts as several keys", text)
	case v.c.match.RunAway(ref):
		v.add(e, codeSlowRegex, path, "%s takes very many steps on some long texts, and is then stopped: avoid back references, long counted repeats and loops inside loops", text)
	}
}

// unreachable returns the reason why no scan can activate an entry, or "" if a scan can. Forcing an
// entry is not considered, except for entries that are marked for a retriever.
func (v *vetter) unreachable(e *entry) string {
	set := &v.c.settings
	switch {
	case e.useProbability && !(e.probability > 0):
		return "its probability is 0"
	case e.dontActivate && !e.activate:
		return "its decorator is @@dont_activate"
	case v.unmet[v.c.home(e)] > 0:
		return "an entry that it requires does not exist or requires it"
	case e.waitsForRecursion && e.excludeRecursion && set.Recursive:
		return "it waits for recursion and is excluded from it"
	case e.waitsForRecursion && !set.Recursive && e.level.number == v.c.loops.levels[0]:
		return "it waits for recursion, which is switched off"
	case e.waitsForRecursion && set.MaxRecursionSteps == 1:
		return "it waits for recursion, and only one loop is allowed"
	case len(e.src.Triggers) > 0 && !slices.ContainsFunc(e.src.Triggers, func(t string) bool { return GenerationType(t).IsKnown() }):
		return "all of its triggers are unknown types of generation"
	case e.constant, e.activate, e.src.Vectorized, e.v3 != nil:
		return ""
	case e.hasExpression && (e.own.when.err != nil || !e.own.when.satisfiable()):
		return "its expression is never true"
	case e.hasExpression && !e.hasKeys:
		return ""
	case len(e.keys.List) == 0:
		return "it has no keys and is not constant"
	case !slices.ContainsFunc(e.keys.List, func(r match.Ref) bool { return r != match.Never }):
		return "no key of it can be found"
	case e.scanDepth >= 0 && reachOf(set, int(e.scanDepth)) <= 0 && !slices.Contains(e.keys.List, match.Always):
		return "its scan depth is 0"
	case e.selective && e.logic < 0:
		return "its selective logic is not one of the four"
	case e.selective && !satisfiable(Logic(e.logic), e.secondary):
		return "its secondary keys rule it out"
	}
	return ""
}

// satisfiable reports whether secondary keys can satisfy the rule, given the keys that are never
// found or found everywhere.
func satisfiable(rule Logic, keys []match.Ref) bool {
	dead, fixed := 0, 0
	for _, k := range keys {
		switch k {
		case match.Never:
			dead++
		case match.Always:
			fixed++
		}
	}
	switch rule {
	case AndAny:
		return dead < len(keys)
	case NotAll:
		return fixed < len(keys)
	case NotAny:
		return fixed == 0
	}
	return dead == 0 // AndAll
}

// groups reports inclusion groups with one member.
func (v *vetter) groups() {
	var names []string
	members := map[string][]*entry{}
	for _, e := range v.c.entries {
		if e.group == nil || e.disabled {
			continue
		}
		for _, g := range e.group.names {
			if members[g] == nil {
				names = append(names, g)
			}
			members[g] = append(members[g], e)
		}
	}
	for _, g := range names {
		if len(members[g]) == 1 {
			v.add(members[g][0], codeGroupOfOne, ".group", "group %q has no other member", g)
		}
	}
}

// cycles reports entries whose texts activate each other. All entries that are connected in this
// way are one finding: in a good book most entries name each other, along thousands of paths. A
// scan always ends, because no entry is activated twice. But if one of the entries is found, it
// activates all the others. An entry that names itself is not a cycle.
//
// The search is Tarjan's algorithm: low is the oldest entry on the stack that an entry leads back
// to. An entry that leads back only to itself completes a cycle.
func (v *vetter) cycles() {
	if !v.c.settings.Recursive {
		return
	}
	var (
		number = make([]int, len(v.c.entries)) // in visiting order; 0 means not visited
		low    = make([]int, len(v.c.entries))
		stack  []int
		walk   func(at int)
		seen   int
	)
	walk = func(at int) {
		seen++
		number[at], low[at] = seen, seen
		from := len(stack)
		stack = append(stack, at)
		for _, next := range v.activatedBy(at) {
			to := int(next)
			if number[to] == 0 {
				walk(to)
			}
			low[at] = min(low[at], low[to])
		}
		if low[at] != number[at] {
			return
		}
		v.reportCycle(stack[from:])
		for _, done := range stack[from:] {
			low[done] = len(v.c.entries) + 1 // nothing leads back through a completed cycle
		}
		stack = stack[:from]
	}
	for start := range v.c.entries {
		if number[start] == 0 {
			walk(start)
		}
	}
}

// reportCycle reports a cycle of entries, at its first entry.
func (v *vetter) reportCycle(members []int) {
	if len(members) < 2 {
		return
	}
	const shown = 8
	slices.Sort(members)
	var names []string
	for _, at := range members[:min(len(members), shown)] {
		names = append(names, v.c.entries[at].name())
	}
	more := ""
	if n := len(members) - shown; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	v.add(v.c.entries[members[0]], codeRecursionCycle, "",
		"%d entries activate each other, so that one of them brings the others along: %s%s",
		len(members), strings.Join(names, ", "), more)
}

// activatedBy returns the entries with a primary key in an entry's text, in list order. Macros are not
// expanded, because their values are known only in a scan.
func (v *vetter) activatedBy(i int) []int32 {
	e := v.c.entries[i]
	if e.disabled || e.preventRecursion {
		return nil
	}
	set := match.New(len(v.c.entries))
	for _, atom := range v.c.match.ScanText(e.content, v.fuses) {
		v.c.users.Each(atom, func(to int) {
			if x := v.c.entries[to]; !x.disabled && !x.excludeRecursion {
				set.Put(to)
			}
		})
	}
	var list []int32
	for to := set.Next(0); to >= 0; to = set.Next(to + 1) {
		list = append(list, int32(to))
	}
	return list
}

// budget compares the constants with the budget. They are charged in every scan. If they reach the
// budget, every scan refuses something.
func (v *vetter) budget(contextSize int, count func(string) int) {
	t := newTally(&budgetCounter{Count: count})
	for _, e := range v.c.entries {
		if e.constant && !e.disabled && !e.ignoreBudget && !e.waitsForRecursion {
			t.Add(e.content, weightOf(e, e.content))
		}
	}
	if need, limit := t.Tokens(), v.c.budgetFor(contextSize); need > 0 && need >= limit {
		v.add(nil, codeTightBudget, "settings.world_info_budget",
			"the constant entries need %d tokens, the budget is %d: raise it or shorten them", need, limit)
	}
}
