package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// loreGate is the conditions of a world book entry in one of these forms:
//
//	[condition, …]                                      all are true
//	{"conditions": [condition, …], "conditionLogic": …} all are true, or with "any" one of them
//	condition                                           it is true
//	null                                                always active
//
// A condition has the form of a condition of rules. Anything else is closed: the entry is never
// active.
type loreGate struct {
	conditions []rules.Condition
	logic      rules.Logic
	closed     bool
}

func (g loreGate) holds(vars rules.Vars) bool {
	return !g.closed && rules.ConditionsHold(g.conditions, g.logic, vars)
}

// readLoreGate reads the conditions of an entry. For conditions that cannot be read it returns a closed
// gate and the text of the problem.
func readLoreGate(data json.RawMessage) (loreGate, string) {
	v, err := tree.ParseValue(data)
	if err != nil {
		return loreGate{closed: true}, "not JSON"
	}
	gate, list := loreGate{logic: rules.All}, v
	switch {
	case v.IsNull():
		return gate, ""
	case v.IsObject() && v.Get("variableId").Exists():
		list = tree.Array(v)
	case v.IsObject():
		list = v.Get("conditions")
		logic, isText := v.Get("conditionLogic").AsText()
		gate.logic = rules.Logic(logic)
		if l := v.Get("conditionLogic"); l.Exists() && !l.IsNull() &&
			(!isText || gate.logic != rules.All && gate.logic != rules.Any && logic != "") {
			return loreGate{closed: true}, "conditionLogic " + l.String() + ` is neither "all" nor "any"`
		}
	}
	if !list.IsArray() {
		return loreGate{closed: true}, `neither a list of conditions nor an object with the member "conditions"`
	}
	for i, e := range list.Elements() {
		var c rules.Condition
		if !e.IsObject() || c.UnmarshalJSON(e.AppendJSON(nil)) != nil {
			return loreGate{closed: true}, "condition " + strconv.Itoa(i) + " is not an object"
		}
		gate.conditions = append(gate.conditions, c)
	}
	return gate, ""
}

// compileGates reads the conditions of all entries once. It reports conditions that cannot be read
// and conditions that can never be true, as for the conditions of a rule.
func (g *compiler) compileGates() {
	g.lore.gates = map[string]loreGate{}
	vetted := rules.Content{Variables: g.content.Rules.Variables}
	var places []string
	for _, a := range g.content.Lore.Books {
		for i, e := range a.Book.Entries {
			if len(bytes.TrimSpace(e.Conditions)) == 0 {
				continue
			}
			place := fmt.Sprintf("%s.entries[%d].conditions", a.Book.Name, i)
			gate, problem := readLoreGate(e.Conditions)
			g.lore.gates[string(e.Conditions)] = gate
			if problem != "" {
				g.problems.add(talewright.Error, rules.BadConditions, "books."+place,
					"%s; the entry is never active; write conditions as rules have them", problem)
				continue
			}
			vetted.Rules = append(vetted.Rules, rules.Rule{ID: place,
				Conditions: gate.conditions, ConditionLogic: gate.logic})
			places = append(places, place)
		}
	}
	g.vetGates(vetted, places)
}

// vetGates lets package rules check the conditions as if they were conditions of rules.
func (g *compiler) vetGates(c rules.Content, places []string) {
	for _, p := range rules.Vet(c) {
		// The path of the problem is rules[i].conditions…, and places[i] is the entry with these conditions.
		rest, isRule := strings.CutPrefix(p.Path, "rules[")
		number, rest, _ := strings.Cut(rest, "].conditions")
		i, err := strconv.Atoi(number)
		if !isRule || err != nil || i >= len(places) || isAboutView(p.Text) {
			continue
		}
		g.problems.add(talewright.Warning, p.Code, "books."+places[i]+rest, "%s", p.Text)
	}
}

// LoreHolds returns a function that evaluates the conditions of entries with the given variables.
func (g *Game) LoreHolds(vars rules.Vars) func(conditions json.RawMessage) bool {
	return func(conditions json.RawMessage) bool {
		gate, known := g.lore.gates[string(conditions)]
		if !known { // the entry is not in a compiled book
			gate, _ = readLoreGate(conditions)
		}
		return gate.holds(vars)
	}
}

// codeVisibleTo is the code for a "visible_to" of an entry that cannot be read, which makes the entry
// visible only to a game master, and for one outside of the extensions, which has no effect.
const codeVisibleTo talewright.Code = "bad_visible_to"

// compileVisible reads which characters may see the entries of the books.
func (g *compiler) compileVisible() {
	for _, b := range g.lore.book.Books() {
		for i, e := range b.Book.Entries {
			if _, outside := e.Extra["visible_to"]; outside {
				g.problems.add(talewright.Error, codeVisibleTo, fmt.Sprintf("books.%s.entries[%d].visible_to", b.Book.Name, i),
					"does not act here, and everybody may know the text; move it into the member extensions")
			}
		}
	}
	for id, e := range g.lore.book.Entries() {
		witnesses, problem := state.AudienceOfExtensions(e.Extensions)
		if problem != "" {
			g.problems.add(talewright.Error, codeVisibleTo, "books."+id.String()+".extensions", "%s", problem)
		}
		if len(witnesses) == 0 {
			continue
		}
		if g.lore.visible == nil {
			g.lore.visible = map[string][]string{}
		}
		// Two entries may have the same ID. Then only characters who may see both of them see either.
		audience, exists := state.CommonAudience(g.lore.visible[id.String()], witnesses)
		if !exists {
			audience = []string{""} // no character has this ID; an empty list would mean everybody
		}
		g.lore.visible[id.String()] = audience
	}
}

// LoreVisibleTo returns the characters who may see an entry, by its ID as text. An empty list means
// everybody.
func (g *Game) LoreVisibleTo(id string) []string { return g.lore.visible[id] }

// PrivateLore yields the IDs of the entries that not everybody may see, sorted, and the characters
// who may.
func (g *Game) PrivateLore() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for _, id := range slices.Sorted(maps.Keys(g.lore.visible)) {
			if !yield(id, g.lore.visible[id]) {
				return
			}
		}
	}
}

// LoreIndex returns the index that finds entries of the books by the names in effects.
func (g *Game) LoreIndex() *state.LoreIndex { return g.lore.index() }
