package authoring

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// maxPause is the greatest number of messages after which something of a game still happens.
const maxPause = 100_000

// maxSearched limits the bytes that a search for unused variables reads. The others are not reported.
const maxSearched = 256 << 20

// Vet finds what compiles and is a mistake, in addition to [Game.Compile]: a setup from which no
// campaign can begin, lore that can never be active, variables that nobody reads or writes, tools that
// do not exist, texts and effects for unknown characters and areas, paths that cannot be taken, and
// constants that are too long for the budget. compiled is the result of Compile; it
// may be nil. The problems are warnings and errors with the places of the files.
func (g *Game) Vet(compiled *game.Game) talewright.Problems {
	if compiled == nil {
		return nil
	}
	var out talewright.Problems
	if book := compiled.Book(); book != nil {
		context := cmp.Or(g.Content.Prompt.Budget.Context, math.MaxInt) // without a limit the budget has none
		found := book.Vet(context, nil)
		out = append(out, g.placed(found.In("books"))...)
	}
	out = append(out, g.vetTimes()...)
	out = append(out, g.vetVariables()...)
	out = append(out, g.vetTools(compiled)...)
	out = append(out, g.vetWitnesses()...)
	out = append(out, g.vetActors()...)
	out = append(out, g.vetEffects()...)
	out = append(out, g.vetPaths()...)
	return append(out, g.vetSetup(compiled, out)...)
}

// vetSetup reports why no campaign can begin, except for what found has already.
func (g *Game) vetSetup(compiled *game.Game, found talewright.Problems) talewright.Problems {
	_, err := turn.Begin(compiled, g.Setup)
	if err == nil {
		return nil
	}
	reasons := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		reasons = joined.Unwrap()
	}
	var list talewright.Problems
	for _, reason := range reasons {
		path, text, ok := strings.Cut(strings.TrimPrefix(reason.Error(), "campaign: "), ": ")
		if !ok {
			path, text = "", path
		}
		if key, more, ok := strings.Cut(text, ": "); ok && slices.Contains([]string{"settings", "global_settings", "variables"}, path) {
			path, text = path+"."+key, more
		}
		if f, _ := g.origin("campaign"); f != nil && f.root.get("party") != nil {
			path = strings.Replace(path, "selected.party_character_ids", "party", 1)
		}
		list = append(list, talewright.Problem{Path: strings.TrimSuffix("campaign."+path, "."), Severity: talewright.Error, Code: codeBadSetup, Text: text})
	}
	return slices.DeleteFunc(g.placed(list), func(p talewright.Problem) bool {
		return slices.ContainsFunc(found, func(f talewright.Problem) bool { return f.Path == p.Path })
	})
}

// vetTimes reports entries that pause longer than any game.
func (g *Game) vetTimes() talewright.Problems {
	var out talewright.Problems
	for _, b := range g.Content.Lore.Books {
		for i, e := range b.Book.Entries {
			for _, part := range []struct {
				name string
				n    int
			}{{"cooldown", e.Cooldown}, {"delay", e.Delay}} {
				if part.n > maxPause {
					out = append(out, talewright.Problem{Path: "books." + b.Book.Name + ".entries[" + strconv.Itoa(i) + "]." + part.name, ID: e.Comment, Severity: talewright.Warning,
						Code: codeOutOfRange, Text: strconv.Itoa(part.n) + " messages is longer than any game; write a smaller number"})
				}
			}
		}
	}
	return g.placed(out)
}

// vetVariables reports variables that are hidden from the model and that no other text mentions.
func (g *Game) vetVariables() talewright.Problems {
	var out talewright.Problems
	size := 1
	for _, f := range g.files {
		size += len(f.data)
	}
	checks := maxSearched / size
	for i, v := range g.Content.Rules.Variables {
		hidden := v.Internal || v.AIAccess == rules.AINone
		if v.ID == "" || !hidden && (v.AIAccess != rules.AIRead || v.Formula != "") {
			continue
		}
		if checks--; checks < 0 || g.mentions(v) {
			continue
		}
		text := "nobody reads or writes this variable; use it in a rule or a text, or remove it"
		if !hidden {
			text = "nothing can change this variable: the model may only read it, and no rule writes it; write it in a rule, or let the model write it"
		}
		out = append(out, talewright.Problem{Path: "variables[" + strconv.Itoa(i) + "].id", ID: v.ID, Severity: talewright.Warning, Code: codeUnread, Text: text})
	}
	return g.placed(out)
}

// mentions reports whether a file has the name of a variable somewhere else than in its declaration.
func (g *Game) mentions(v rules.Variable) bool {
	n := -1
	if strings.Contains(v.Name, v.ID) {
		n--
	}
	for _, f := range g.files {
		if f.kind != "tests" {
			n += bytes.Count(f.data, []byte(v.ID))
		}
	}
	return n > 0
}

// vetTools reports tools that do not exist.
func (g *Game) vetTools(compiled *game.Game) talewright.Problems {
	var out talewright.Problems
	known := compiled.Tools().Names()
	check := func(path, name string) {
		if _, ok := compiled.Tool(name); ok {
			return
		}
		text := "there is no tool " + strconv.Quote(name)
		text += correction(name, known, "; there are "+strings.Join(known[:min(len(known), 12)], ", "))
		out = append(out, talewright.Problem{Path: "campaign." + path, ID: name, Severity: talewright.Error, Code: codeUnknownValue, Text: text})
	}
	for i, name := range g.Setup.Allowlist {
		check("allowlist["+strconv.Itoa(i)+"]", name)
	}
	for _, name := range slices.Sorted(maps.Keys(g.Setup.DisabledTools)) {
		check("disabled_tools."+name, name)
	}
	return g.placed(out)
}

// vetWitnesses reports texts that are private to a character who is not in the game at its beginning.
// A misspelled ID hides a text from everybody.
func (g *Game) vetWitnesses() talewright.Problems {
	var known []string
	for _, c := range g.Setup.Characters {
		known = append(known, c.ID)
	}
	for _, m := range g.Content.People.Cast {
		known = append(known, m.CharacterID)
	}
	var out talewright.Problems
	check := func(path string, witnesses []string) {
		out = append(out, vetNames(path, "there is no character %q", witnesses, known, "only a character who joins with this id can know the text")...)
	}
	for i, r := range g.Setup.World.Rules {
		check("campaign.world.rules["+strconv.Itoa(i)+"].visible_to", r.VisibleTo)
	}
	for _, b := range g.Content.Lore.Books {
		for i, e := range b.Book.Entries {
			witnesses, _ := state.AudienceOfExtensions(e.Extensions) // Compile reports what cannot be read
			check("books."+b.Book.Name+".entries["+strconv.Itoa(i)+"].extensions.visible_to", witnesses)
		}
	}
	return g.placed(out)
}

// vetNames reports the names of a list that are not known, with a sentence about each. Without a
// similar name the consequence follows.
func vetNames(path, unknown string, names, known []string, consequence string) (out talewright.Problems) {
	for _, id := range names {
		if !slices.Contains(known, id) {
			out = append(out, talewright.Problem{Path: path, ID: id, Severity: talewright.Warning, Code: codeUnknownValue,
				Text: fmt.Sprintf(unknown, id) + correction(id, known, "; "+consequence)})
		}
	}
	return out
}

// correction returns the end of a sentence about an unknown name. It suggests a known name that is
// similar. Without such a name it is the text otherwise.
func correction(unknown string, known []string, otherwise string) string {
	if near, ok := utf8text.Suggest(unknown, known); ok {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return otherwise
}

// vetActors reports entries that wait for an unknown character to act, or search only the lines of
// one.
func (g *Game) vetActors() talewright.Problems {
	people := g.Content.People
	known := []string{people.UserName}
	for _, c := range g.Setup.Characters {
		known = append(known, c.ID, c.Name)
	}
	for _, m := range append([]game.CastMember{{Card: people.Card}}, people.Cast...) {
		if known = append(known, m.CharacterID); m.Card != nil {
			known = append(known, m.Card.Name, m.Card.CharName())
		}
	}
	for i := range known { // in any letter case
		known[i] = strings.ToLower(known[i])
	}
	var out talewright.Problems
	for _, b := range g.Content.Lore.Books {
		for i, e := range b.Book.Entries {
			if e.Options == nil {
				continue
			}
			at := "books." + b.Book.Name + ".entries[" + strconv.Itoa(i) + "].extensions.talewright."
			for _, name := range e.Options.Actors {
				out = append(out, vetNames(at+"actors", "there is no character %q", []string{strings.ToLower(name)}, known, "the entry waits until one with this name acts")...)
			}
			sources := append([]string{"player", "model", "lore", "note", "gm"}, known...)
			for _, name := range e.Options.From {
				out = append(out, vetNames(at+"from", "there is no speaker %q", []string{strings.ToLower(name)}, sources, "nobody says what the entry searches")...)
			}
		}
	}
	return g.placed(out)
}

// vetEffects reports effects on characters and areas that are not in the game at its beginning, and
// that no effect adds.
func (g *Game) vetEffects() talewright.Problems {
	var characters, areas []string
	for _, c := range g.Setup.Characters {
		characters = append(characters, c.ID)
	}
	for _, a := range g.Setup.Map.Areas {
		areas = append(areas, a.ID)
	}
	g.eachEffect(func(_ string, e effect.Effect) {
		switch e := e.(type) {
		case effect.AddCharacter:
			characters = append(characters, e.CharacterID)
		case effect.AddArea:
			areas = append(areas, e.ID)
		}
	})
	var out talewright.Problems
	character := func(path, id string) {
		out = append(out, vetNames(path+".characterId", "there is no character %q", []string{id}, characters, "nothing is done until one joins with this id")...)
	}
	area := func(path, id string) {
		out = append(out, vetNames(path, "there is no area %q", []string{id}, areas, "nothing is done until one is added with this id")...)
	}
	g.eachEffect(func(path string, e effect.Effect) {
		if effect.HasTokens(e) {
			return
		}
		switch e := e.(type) {
		case effect.ChangeHP:
			character(path, e.CharacterID)
		case effect.MoveCharacter:
			character(path, e.CharacterID)
			area(path+".toAreaId", e.ToAreaID)
		case effect.AddPath:
			area(path+".from", e.From)
			area(path+".to", e.To)
		case effect.Custom:
			if id, ok := e.Data.Get("areaId").AsText(); ok && (e.Type == "lock-area" || e.Type == "unlock-area") {
				area(path+".areaId", id)
			}
		}
	})
	return g.placed(append(out, g.vetHookCharacters(characters)...))
}

// eachEffect calls visit with the effects of rules and reactions and their paths.
func (g *Game) eachEffect(visit func(path string, e effect.Effect)) {
	for i, r := range g.Content.Rules.Rules {
		for k, e := range r.Actions {
			visit("rules["+strconv.Itoa(i)+"].actions["+strconv.Itoa(k)+"]", e)
		}
	}
	for i, r := range g.Content.Rules.Reactions {
		for k, e := range r.Then {
			visit("reactions["+strconv.Itoa(i)+"].then["+strconv.Itoa(k)+"]", e)
		}
	}
}

// vetHookCharacters reports actions of hooks on unknown characters. ids are the IDs of the known ones.
func (g *Game) vetHookCharacters(ids []string) (out talewright.Problems) {
	named := slices.Clone(ids)
	for _, c := range g.Setup.Characters {
		named = append(named, c.Name)
	}
	for i, h := range g.Content.Rules.Hooks {
		for k, a := range h.Actions {
			who, _ := a.Get("character").AsText()
			if typ := a.Type(); who != "" && (typ == act.StateDelta || typ == act.RelationshipDelta) {
				path := "hooks[" + strconv.Itoa(i) + "].actions[" + strconv.Itoa(k) + "].character"
				out = append(out, vetNames(path, "there is no character %q", []string{who}, named, "nothing is done until one joins with this id")...)
			}
		}
	}
	return out
}

// vetPaths reports paths of the map that no move can take: a path to the area where it begins, and a
// path with the ID of an earlier one.
func (g *Game) vetPaths() talewright.Problems {
	var out talewright.Problems
	seen := map[string]bool{}
	for i, p := range g.Setup.Map.Paths {
		at := "campaign.map.paths[" + strconv.Itoa(i) + "]"
		if p.From == p.To && p.From != "" {
			out = append(out, talewright.Problem{Path: at + ".to", ID: p.ID, Severity: talewright.Warning, Code: codeBadSetup,
				Text: "the path ends where it begins; name the other area"})
		}
		if p.ID != "" && seen[p.ID] {
			out = append(out, talewright.Problem{Path: at + ".id", ID: p.ID, Severity: talewright.Warning, Code: codeDuplicate,
				Text: "an earlier path has this id, and calls that name it take that one; give each path its own"})
		}
		seen[p.ID] = true
	}
	return g.placed(out)
}
