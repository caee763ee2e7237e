package rules

import (
	"slices"
	"strings"
)

// Rule A causes rule B if it writes what B watches, emits what B hears, or switches or
// triggers B. Circles are found by walking that graph depth first. A chain cuts every
// circle by itself, since each id fires once; the author should know where it does.

// causes lists, for each rule or reaction, those that it can make fire or switch.
func causes(relations []Relation, ids []string) [][]int {
	// Of rules that share an id the first stands for all: a circle through one of them is
	// shown once, and that they share it is a problem of its own.
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		if _, twice := place[id]; !twice {
			place[id] = i
		}
	}
	watchers := make(map[string][]int) // by root of the variable; "" watches any
	hearers := make(map[string][]int)  // by event type as written
	for _, r := range relations {
		switch i := place[r.From]; r.Verb {
		case Watches:
			// A write to one node may concern those who watch another of the variable: by
			// roots the circles are those that can be, not those that will.
			root := ""
			if r.Object != "" {
				root = rootOf(r.Object)
			}
			watchers[root] = append(watchers[root], i)
		case Hears:
			hearers[r.Object] = append(hearers[r.Object], i)
		}
	}
	out := make([][]int, len(ids))
	for _, r := range relations {
		from := place[r.From]
		switch r.Verb {
		case Writes:
			out[from] = append(out[from], watchers[rootOf(r.Object)]...)
			out[from] = append(out[from], watchers[""]...)
		case Emits:
			for typ, list := range hearers { // sorted below
				if matchesType(typ, r.Object) {
					out[from] = append(out[from], list...)
				}
			}
		case Toggles, Triggers:
			// Switching on lets something fire later, which is a cause as well, if a slow one.
			if to, ok := place[r.Object]; ok {
				out[from] = append(out[from], to)
			}
		}
	}
	for i := range out {
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// Cycles returns the circles in which rules and reactions cause each other: by writing
// what another watches, emitting what it hears, or switching or triggering it. Each is a
// list of ids in order, of which the last causes the first. Of circles that share
// members only one is returned. Conditions are not weighed, so that a circle may never close
// in play; none that can close is missed but for those that share members.
func Cycles(c Content) [][]string {
	list, _ := c.handlers()
	ids := make([]string, len(list))
	for i, h := range list {
		ids[i] = h.ID
	}
	var out [][]string
	for _, circle := range circles(causes(Relations(c), ids)) {
		var names []string
		for _, i := range circle {
			names = append(names, ids[i])
		}
		out = append(out, names)
	}
	return out
}

// circles walks a graph depth first and returns the way back where one closes. It keeps its
// own stack: content of a stranger may be a chain of a hundred thousand rules. A circle that
// shares a member with one that was told already is left out, since breaking the one often
// breaks the other.
func circles(edges [][]int) [][]int {
	const (
		unseen = iota
		open
		done
	)
	type frame struct{ node, next int }
	state := make([]int, len(edges))
	told := make([]bool, len(edges))
	var out [][]int
	for start := range edges {
		if state[start] != unseen {
			continue
		}
		state[start] = open
		stack := []frame{{start, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(edges[top.node]) {
				state[top.node] = done
				stack = stack[:len(stack)-1]
				continue
			}
			to := edges[top.node][top.next]
			top.next++
			switch state[to] {
			case unseen:
				state[to] = open
				stack = append(stack, frame{to, 0})
			case open: // it is still on the stack, so the way back to it is a circle
				var circle []int
				known := false
				from := slices.IndexFunc(stack, func(f frame) bool { return f.node == to })
				for _, f := range stack[from:] {
					circle = append(circle, f.node)
					known = known || told[f.node]
					told[f.node] = true
				}
				if !known {
					out = append(out, circle)
				}
			}
		}
	}
	return out
}

// cycles reports each circle at its first member.
func (v *vetting) cycles() {
	place := make(map[string]string)
	for i, h := range v.list {
		if place[h.ID] == "" {
			place[h.ID] = v.paths[i]
		}
	}
	for _, circle := range Cycles(v.content) {
		way := strings.Join(append(slices.Clone(circle), circle[0]), " → ")
		v.add(place[circle[0]], circle[0], Cycle,
			"causes itself: "+way+"; each fires once per chain; "+
				"break the circle if that is not meant")
	}
}

// conflicts finds pairs that set one variable to different values for the same trigger,
// without conditions that could tell them apart.
func (v *vetting) conflicts() {
	type claim struct{ id, path, value string }
	// Triggers are compared by their JSON, whole: two that differ in anything may fire at
	// different times.
	claims := make(map[string]claim)
	for i, h := range v.list {
		// Conditions may tell the two apart, and patterns match in too many ways to compare.
		if len(h.Conditions) > 0 || h.Trigger == nil || h.Trigger.Type == Manual {
			continue
		}
		trigger, err := h.Trigger.MarshalJSON()
		if err != nil {
			continue
		}
		for _, e := range h.Then {
			set, ok := e.(SetVariable)
			constant := ok && set.ValueRef == "" && set.Random == nil &&
				(set.Operation == Set || set.Operation == "")
			if !constant {
				continue
			}
			// Different priorities are an author's way of saying who wins.
			key := string(trigger) + "\x00" + set.Path + "\x00" + number(h.Priority)
			was, claimed := claims[key]
			if claimed && was.id != h.ID && was.value != set.Value.String() {
				v.add(v.paths[i], h.ID, Conflict, "sets "+set.Path+" to "+set.Value.String()+
					" where "+was.id+" sets it to "+was.value+
					", for the same trigger; the later one wins; give them priorities or conditions")
			}
			claims[key] = claim{h.ID, v.paths[i], set.Value.String()}
		}
	}
}
