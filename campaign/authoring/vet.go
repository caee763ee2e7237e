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
	"github.com/talewright/talewright/worldbook"
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
	v := vetting{Game: g}
	if book := compiled.Book(); book != nil {
		context := cmp.Or(g.Content.Prompt.Budget.Context, math.MaxInt) // without a limit the budget has none
		v.found = book.Vet(context, nil).In("books")
	}
	v.vetTimes()
	v.vetVariables()
	v.vetTools(compiled)
	v.vetWitnesses()
	v.vetActors()
	v.vetEffects()
	v.vetPaths()
	out := g.placed(v.found)
	return append(out, g.vetSetup(compiled, out)...)
}

// vetting collects mistakes of a game, with their paths in the content.
type vetting struct {
	*Game
	found talewright.Problems
}

// warn adds a warning about a part of the content, which may have an ID.
func (v *vetting) warn(path, id string, code talewright.Code, text string) {
	v.found = append(v.found, talewright.Problem{Path: path, ID: id, Severity: talewright.Warning, Code: code, Text: text})
}

// warnNames warns about the names of a list that are not known, with a sentence about each. Without a
// similar name the consequence follows.
func (v *vetting) warnNames(path, unknown string, names, known []string, consequence string) {
	for _, id := range names {
		if !slices.Contains(known, id) {
			v.warn(path, id, codeUnknownValue, fmt.Sprintf(unknown, id)+correction(id, known, "; "+consequence))
		}
	}
}

// correction returns the end of a sentence about an unknown name. It suggests a known name that is
// similar. Without such a name it is the text otherwise.
func correction(unknown string, known []string, otherwise string) string {
	if near, ok := utf8text.Suggest(unknown, known); ok {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return otherwise
}

// eachEntry calls visit with the entries of the world books and their paths.
func (g *Game) eachEntry(visit func(path string, e *worldbook.Entry)) {
	for _, b := range g.Content.Lore.Books {
		for i := range b.Book.Entries {
			visit(fmt.Sprintf("books.%s.entries[%d]", b.Book.Name, i), &b.Book.Entries[i])
		}
	}
}

// characterIDs returns the IDs of the characters who are in the game at its beginning.
func (g *Game) characterIDs() (ids []string) {
	for _, c := range g.Setup.Characters {
		ids = append(ids, c.ID)
	}
	return ids
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
func (v *vetting) vetTimes() {
	v.eachEntry(func(path string, e *worldbook.Entry) {
		for _, pause := range []struct {
			name     string
			messages int
		}{{"cooldown", e.Cooldown}, {"delay", e.Delay}} {
			if pause.messages > maxPause {
				v.warn(path+"."+pause.name, e.Comment, codeOutOfRange,
					fmt.Sprintf("%d messages is longer than any game; write a smaller number", pause.messages))
			}
		}
	})
}

// vetVariables reports variables that are hidden from the model and that no other text mentions.
func (v *vetting) vetVariables() {
	size := 1
	for _, f := range v.files {
		size += len(f.data)
	}
	checks := maxSearched / size
	for i, variable := range v.Content.Rules.Variables {
		hidden := variable.Internal || variable.AIAccess == rules.AINone
		if variable.ID == "" || !hidden && (variable.AIAccess != rules.AIRead || variable.Formula != "") {
			continue
		}
		if checks--; checks < 0 || v.mentions(variable) {
			continue
		}
		text := "nobody reads or writes this variable; use it in a rule or a text, or remove it"
		if !hidden {
			text = "nothing can change this variable: the model may only read it, and no rule writes it; write it in a rule, or let the model write it"
		}
		v.warn(fmt.Sprintf("variables[%d].id", i), variable.ID, codeUnread, text)
	}
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
func (v *vetting) vetTools(compiled *game.Game) {
	known := compiled.Tools().Names()
	check := func(path, name string) {
		if _, ok := compiled.Tool(name); ok {
			return
		}
		text := "there is no tool " + strconv.Quote(name)
		text += correction(name, known, "; there are "+strings.Join(known[:min(len(known), 12)], ", "))
		v.found = append(v.found, talewright.Problem{Path: "campaign." + path, ID: name, Severity: talewright.Error, Code: codeUnknownValue, Text: text})
	}
	for i, name := range v.Setup.Allowlist {
		check(fmt.Sprintf("allowlist[%d]", i), name)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Setup.DisabledTools)) {
		check("disabled_tools."+name, name)
	}
}

// vetWitnesses reports texts that are private to a character who is not in the game at its beginning.
// A misspelled ID hides a text from everybody.
func (v *vetting) vetWitnesses() {
	known := v.characterIDs()
	for _, m := range v.Content.People.Cast {
		known = append(known, m.CharacterID)
	}
	check := func(path string, witnesses []string) {
		v.warnNames(path, "there is no character %q", witnesses, known, "only a character who joins with this id can know the text")
	}
	for i, r := range v.Setup.World.Rules {
		check(fmt.Sprintf("campaign.world.rules[%d].visible_to", i), r.VisibleTo)
	}
	v.eachEntry(func(path string, e *worldbook.Entry) {
		witnesses, _ := state.AudienceOfExtensions(e.Extensions) // Compile reports what cannot be read
		check(path+".extensions.visible_to", witnesses)
	})
}

// vetActors reports entries that wait for an unknown character to act, or search only the lines of
// one.
func (v *vetting) vetActors() {
	people := v.Content.People
	known := append(v.characterIDs(), people.UserName)
	for _, c := range v.Setup.Characters {
		known = append(known, c.Name)
	}
	for _, m := range append([]game.CastMember{{Card: people.Card}}, people.Cast...) {
		if known = append(known, m.CharacterID); m.Card != nil {
			known = append(known, m.Card.Name, m.Card.CharName())
		}
	}
	inLowerCase(known)
	sources := append([]string{"player", "model", "lore", "note", "gm"}, known...)
	v.eachEntry(func(path string, e *worldbook.Entry) {
		if e.Options == nil {
			return
		}
		path += ".extensions.talewright."
		v.warnNames(path+"actors", "there is no character %q", inLowerCase(slices.Clone(e.Options.Actors)), known, "the entry waits until one with this name acts")
		v.warnNames(path+"from", "there is no speaker %q", inLowerCase(slices.Clone(e.Options.From)), sources, "nobody says what the entry searches")
	})
}

// inLowerCase writes the names of a list in lower case, and returns the list.
func inLowerCase(names []string) []string {
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	return names
}

// vetEffects reports effects on characters and areas that are not in the game at its beginning, and
// that no effect adds.
func (v *vetting) vetEffects() {
	characters := v.characterIDs()
	var areas []string
	for _, a := range v.Setup.Map.Areas {
		areas = append(areas, a.ID)
	}
	v.eachEffect(func(_ string, e effect.Effect) {
		switch e := e.(type) {
		case effect.AddCharacter:
			characters = append(characters, e.CharacterID)
		case effect.AddArea:
			areas = append(areas, e.ID)
		}
	})
	character := func(path, id string, known []string) {
		v.warnNames(path, "there is no character %q", []string{id}, known, "nothing is done until one joins with this id")
	}
	area := func(path, id string) {
		v.warnNames(path, "there is no area %q", []string{id}, areas, "nothing is done until one is added with this id")
	}
	v.eachEffect(func(path string, e effect.Effect) {
		if effect.HasTokens(e) {
			return
		}
		switch e := e.(type) {
		case effect.ChangeHP:
			character(path+".characterId", e.CharacterID, characters)
		case effect.MoveCharacter:
			character(path+".characterId", e.CharacterID, characters)
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
	for _, c := range v.Setup.Characters { // hooks also find characters by their names
		characters = append(characters, c.Name)
	}
	for i, h := range v.Content.Rules.Hooks {
		for k, a := range h.Actions {
			who, _ := a.Get("character").AsText()
			if typ := a.Type(); who != "" && (typ == act.StateDelta || typ == act.RelationshipDelta) {
				character(fmt.Sprintf("hooks[%d].actions[%d].character", i, k), who, characters)
			}
		}
	}
}

// eachEffect calls visit with the effects of rules and reactions and their paths.
func (g *Game) eachEffect(visit func(path string, e effect.Effect)) {
	for i, r := range g.Content.Rules.Rules {
		for k, e := range r.Actions {
			visit(fmt.Sprintf("rules[%d].actions[%d]", i, k), e)
		}
	}
	for i, r := range g.Content.Rules.Reactions {
		for k, e := range r.Then {
			visit(fmt.Sprintf("reactions[%d].then[%d]", i, k), e)
		}
	}
}

// vetPaths reports paths of the map that no move can take: a path to the area where it begins, and a
// path with the ID of an earlier one.
func (v *vetting) vetPaths() {
	seen := map[string]bool{}
	for i, p := range v.Setup.Map.Paths {
		at := fmt.Sprintf("campaign.map.paths[%d]", i)
		if p.From == p.To && p.From != "" {
			v.warn(at+".to", p.ID, codeBadSetup, "the path ends where it begins; name the other area")
		}
		if p.ID != "" && seen[p.ID] {
			v.warn(at+".id", p.ID, codeDuplicate, "an earlier path has this id, and calls that name it take that one; give each path its own")
		}
		seen[p.ID] = true
	}
}
