package tool

import (
	"fmt"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

type mapArgs struct {
	Areas []areaArgs `json:"areas,omitempty" about:"new areas" max:"8"`
	Paths []pathArgs `json:"paths,omitempty" about:"new paths, between known and new areas" max:"16"`
}

type areaArgs struct {
	ID          string   `json:"id" about:"a new id" max:"64"`
	Name        string   `json:"name" max:"80"`
	Aliases     []string `json:"aliases,omitempty" max:"8"`
	Description string   `json:"description,omitempty" max:"1000"`
	Parent      string   `json:"parent,omitempty" about:"the id of the area that it lies in" max:"64"`
}

type pathArgs struct {
	ID     string `json:"id,omitempty" about:"a new id; may be left out" max:"140"`
	From   string `json:"from" about:"the id of an area" max:"64"`
	To     string `json:"to" about:"the id of an area" max:"64"`
	OneWay bool   `json:"one_way,omitempty"`
}

// GenerateMap returns the tool map_generate. It adds new areas, and paths between new and known
// areas.
func GenerateMap(l GenerateLimits) Tool {
	l = l.orDefault()
	return New(Tool{
		Name:        "map_generate",
		Description: "Add new areas and paths to the map. What is there already stays as it is.",
		Manual: "Adds areas and paths during play. Ids and names have to be new, names are proper names, paths join known or new areas, " +
			"and there is a limit for the whole map. The next turns can go there.",
		Reasons:      reasonsOf("nothing_to_add", "invalid_id", "id_taken", "name_taken", "name_is_words", "invalid_text", "unknown_area", "path_loops", "map_full"),
		Translations: inChinese("map_generate"),
		Affects:      []string{conflict.FieldMap},
	}, func(args mapArgs, _ Call, view View) Judgement {
		return judgeMap(args, view.State, l)
	})
}

func judgeMap(args mapArgs, s state.State, l GenerateLimits) Judgement {
	m := s.Map
	if len(args.Areas)+len(args.Paths) == 0 {
		return Judgement{Reason: "nothing_to_add"}
	}
	if len(m.Areas)+len(args.Areas) > l.Areas || len(m.Paths)+len(args.Paths) > l.Paths {
		return Judgement{Reason: "map_full"}
	}
	areaIDs, taken := map[string]bool{}, namesOf(s)
	for _, a := range m.Areas {
		areaIDs[a.ID] = true
	}
	var effects effect.List
	var areas, paths []tree.Value
	for i, a := range args.Areas {
		if code := a.problem(areaIDs, taken); code != "" {
			return refuse(code, fmt.Sprintf("areas[%d]", i))
		}
		areaIDs[a.ID] = true
		effects = append(effects, effect.AddArea{ID: a.ID, Name: a.Name, Aliases: a.Aliases,
			Description: a.Description, Parent: a.Parent})
		areas = append(areas, tree.Text(a.ID))
	}
	pathIDs := map[string]bool{}
	for _, p := range m.Paths {
		pathIDs[p.ID] = true
	}
	for i, p := range args.Paths {
		if p.ID == "" {
			p.ID = newID("path_"+p.From+"_"+p.To, pathIDs)
		}
		if code := p.problem(areaIDs, pathIDs); code != "" {
			return refuse(code, fmt.Sprintf("paths[%d]", i))
		}
		pathIDs[p.ID] = true
		effects = append(effects, effect.AddPath{ID: p.ID, From: p.From, To: p.To, OneWay: p.OneWay})
		paths = append(paths, tree.Text(p.ID))
	}
	return Judgement{Effects: effects, Result: tree.Object(
		tree.Member{Key: "area_ids", Value: tree.Array(areas...)},
		tree.Member{Key: "path_ids", Value: tree.Array(paths...)})}
}

// problem returns why an area is refused, or "". taken are the names in use. If the area is accepted, its
// names are added to them.
func (a areaArgs) problem(areaIDs map[string]bool, taken *names) state.CallCode {
	switch {
	case !isValidID(a.ID):
		return "invalid_id"
	case areaIDs[a.ID]:
		return "id_taken"
	case !isPlainData(a.Description):
		return "invalid_text"
	case a.Parent != "" && !areaIDs[a.Parent]:
		return "unknown_area"
	}
	return taken.problem(append([]string{a.Name}, a.Aliases...))
}

// problem returns why a path is refused, or "".
func (p pathArgs) problem(areaIDs, pathIDs map[string]bool) state.CallCode {
	switch {
	case !areaIDs[p.From] || !areaIDs[p.To]:
		return "unknown_area"
	case p.From == p.To:
		return "path_loops"
	case !isValidID(p.ID):
		return "invalid_id"
	case pathIDs[p.ID]:
		return "id_taken"
	}
	return ""
}

// newID returns name, or name with a number from 2 to 99 if it is in use. If all of these are in use, it
// returns name, which is then refused.
func newID(name string, taken map[string]bool) string {
	for n := 2; taken[name] && n < 100; n++ {
		if next := fmt.Sprintf("%s_%d", name, n); !taken[next] {
			return next
		}
	}
	return name
}
