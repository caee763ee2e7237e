package tool

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// The generate files have two tools for a model that adds to a campaign during play: map_generate
// adds places and paths, character_generate adds people. A host registers them, and a campaign
// allows them:
//
//	content := game.Content{Extensions: game.Extensions{
//		Tools: []tool.Tool{tool.GenerateMap(tool.GenerateLimits{}), tool.GenerateCharacter(tool.GenerateLimits{})},
//	}}
//	setup := state.Setup{Allowlist: []string{"move", "hp_delta", "map_generate", "character_generate"}}
//
// The additions are permanent unless a rollback removes them: the next turns can go there and meet
// these people. The tools add and never replace. They refuse IDs and names that are in use. They
// refuse names that look like one in use or that read as ordinary words ([conflict.ReadsAsWords]).
// They refuse texts that are not plain data, and more than [GenerateLimits] allows. One mistake
// refuses the whole call.
//
// Set Approval of the tools, for example to Always, to check additions before they take effect.

// GenerateLimits limits the size of a campaign; 0 means the default.
type GenerateLimits struct {
	Areas      int // areas of the map, including the areas of the setup; default 200
	Paths      int // default 600
	Characters int // people, including the party; default 100
	MaxHP      int // hit points of a new character; default 100
}

func (l GenerateLimits) orDefault() GenerateLimits {
	return GenerateLimits{
		Areas: cmp.Or(l.Areas, 200), Paths: cmp.Or(l.Paths, 600),
		Characters: cmp.Or(l.Characters, 100), MaxHP: cmp.Or(l.MaxHP, 100),
	}
}

// reasons are the texts of the refusals.
var reasons = map[state.CallCode]string{
	"nothing_to_add":      "give at least one area or path",
	"invalid_id":          "an id has letters, digits, _ and - only",
	"id_taken":            "this id is taken: choose another one",
	"name_taken":          "this name, or one that looks like it, is taken: choose another one",
	"name_is_words":       "this name reads as ordinary words, such as a verb, a number or a pronoun: choose a proper name",
	"invalid_text":        "a name is not blank and has visible characters only, and no text holds line ends, control characters or {{",
	"unknown_area":        "no such area",
	"path_loops":          "a path joins two different areas",
	"map_full":            "the map has no room for more",
	"too_many_characters": "the campaign has no room for more people",
	"too_strong":          "more hit points than a new character may have",
}

// reasonsOf returns the texts of some codes.
func reasonsOf(codes ...state.CallCode) map[state.CallCode]string {
	out := map[state.CallCode]string{}
	for _, c := range codes {
		out[c] = reasons[c]
	}
	return out
}

// refuse refuses a call with a hint about the place of the mistake.
func refuse(code state.CallCode, at string) Judgement {
	return Judgement{Reason: code, Hint: object("at", tree.Text(at))}
}

// isValidID reports whether an ID has only letters, digits, _ and -.
func isValidID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
}

// isPlainData reports whether texts of a model are plain data, each a single line.
func isPlainData(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, "{{") || !utf8text.IsLine(t) })
}

// names are the names of the people and places of a campaign.
type names struct {
	list []string
	keys map[string]bool // normal forms of the names; names that look alike share one
}

// namesOf returns the names of a campaign's people and places. Both are needed, because a sentence
// could mean either one if a person had the name of a place.
func namesOf(s state.State) *names {
	out := &names{keys: map[string]bool{}}
	for _, c := range s.Characters {
		out.add(append([]string{c.Name}, c.Aliases...)...)
	}
	for _, a := range s.Map.Areas {
		out.add(append([]string{a.Name}, a.Aliases...)...)
	}
	return out
}

func (n *names) add(list ...string) {
	for _, name := range list {
		if strings.TrimSpace(name) == "" {
			continue
		}
		n.list = append(n.list, name)
		for _, key := range utf8text.Likenesses(name) {
			n.keys[key] = true
		}
	}
}

// problem returns why the names of one new person or place are refused. If they are accepted, it
// returns "" and adds them.
func (n *names) problem(list []string) state.CallCode {
	for _, name := range list {
		if strings.TrimSpace(name) == "" || len(name) > maxName || !isPlainData(name) || !utf8text.IsName(name) {
			return "invalid_text"
		}
	}
	known := slices.Concat(n.list, list) // so that "Tom dies", as an alias of Tom, reads as a sentence
	for _, name := range list {
		for _, key := range utf8text.Likenesses(name) {
			if n.keys[key] {
				return "name_taken"
			}
		}
		if conflict.ReadsAsWords(name, known...) {
			return "name_is_words"
		}
	}
	n.add(list...)
	return ""
}

// maxName limits the length of a name, in bytes.
const maxName = 200
