package memvars

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// Profile names the places of a document with a special meaning: the modules, attributes and skills,
// the clock, the task, the inventory, the memories. A card with different names brings its own
// profile. Everything that is not named here is plain data. Paths are relative to the module of
// their group.
//
// A profile also says where leaves are, pairs of a value and its description. It is safe for
// concurrent use while it is not modified.
type Profile struct {
	// The three modules at the root of a document.
	Character string `json:"character"`
	Status    string `json:"status"`
	Assets    string `json:"assets"`

	// Within Character. An attribute is a member of a group of Attributes and has Base and Legend.
	// A skill is a member of a group of Skills.
	Attributes tree.Path `json:"attributes"`
	Base       string    `json:"base"`
	Legend     string    `json:"legend"` // the part of Base above 8
	Skills     tree.Path `json:"skills"`
	Derived    tree.Path `json:"derived"` // values that formulas compute

	// Within Status.
	Era        tree.Path `json:"era"`
	Date       tree.Path `json:"date"`
	Time       tree.Path `json:"time"`
	WorldName  tree.Path `json:"world_name"`
	WorldLevel tree.Path `json:"world_level"` // the name of a Level
	TimeLimit  tree.Path `json:"time_limit"`  // days for the task
	TimeLeft   tree.Path `json:"time_left"`   // days that are left
	StartDate  tree.Path `json:"start_date"`  // the date from which the days count
	Check      tree.Path `json:"check"`       // terms of the proposed check
	Difficulty tree.Path `json:"difficulty"`  // of the proposed check
	EnemyPool  tree.Path `json:"enemy_pool"`  // terms of the enemy's attack

	// Within Assets.
	Inventory tree.Path `json:"inventory"`
	Map       tree.Path `json:"map"`
	Resources string    `json:"resources"` // key of the stock tables anywhere below Map
	Small     tree.Path `json:"small"`     // the short memory
	Big       tree.Path `json:"big"`       // the long memory
	Config    tree.Path `json:"config"`    // flags and thresholds of the memories
	// Exits are the branches of a world: emptying one means that the world was left.
	Exits []tree.Path `json:"exits"`
	// Structural lists the branches that a model may neither delete nor move, in addition to the
	// first level.
	Structural []tree.Path `json:"structural"`

	// Levels gives the highest difficulty of each world level.
	Levels []Level `json:"levels"`

	// LeafRules decides cases in which the form does not distinguish a leaf from a list of two
	// texts. The first rule for a path is used.
	LeafRules []LeafRule `json:"leaf_paths,omitempty"`
}

// Level is one row of the scale of worlds.
type Level struct {
	Name string `json:"name"`
	Max  int    `json:"max"` // highest difficulty of a check
}

// LeafRule says whether the node at Path, from the root of the document, is a leaf: a pair of a
// value and its description. A node is never a leaf unless it is a pair whose second element is a
// text.
type LeafRule struct {
	Path tree.Path `json:"path"`
	Leaf bool      `json:"leaf"`
	// List says that the value of the leaf is a list: a pair of two texts is then the list itself.
	List bool `json:"list,omitempty"`
}

// DefaultProfile returns the names of the original system.
func DefaultProfile() Profile {
	task := func(key string) tree.Path { return tree.Path{"world_shard", "task", key} }
	return Profile{
		Character:  "play_character_data",
		Status:     "stat_data",
		Assets:     "assa_data",
		Attributes: tree.Path{"属性段"},
		Base:       "基础",
		Legend:     "传奇",
		Skills:     tree.Path{"技能段"},
		Derived:    tree.Path{"衍生属性段"},
		Era:        tree.Path{"纪年"},
		Date:       tree.Path{"日期"},
		Time:       tree.Path{"时间"},
		WorldName:  tree.Path{"world_shard", "name"},
		WorldLevel: tree.Path{"world_shard", "level"},
		TimeLimit:  task("time_limit"),
		TimeLeft:   task("time_left"),
		StartDate:  task("start_date"),
		Check:      tree.Path{"检定属性"},
		Difficulty: tree.Path{"检定难度"},
		EnemyPool:  tree.Path{"敌方攻击骰池"},
		Inventory:  tree.Path{"global_set", "背包"},
		Map:        tree.Path{"map"},
		Resources:  "resources",
		Small:      tree.Path{"summary", "small"},
		Big:        tree.Path{"summary", "big"},
		Config:     tree.Path{"config"},
		Exits:      []tree.Path{{"world_set", "npc"}, {"world_set", "settings"}},
		Structural: []tree.Path{
			{"global_set", "npc"}, {"global_set", "settings"}, {"global_set", "背包"},
			{"world_set", "npc"}, {"world_set", "settings"},
			{"summary", "small"}, {"summary", "big"},
			{"map", "全局地点表"}, {"map", "主要地点表"},
		},
		Levels: []Level{{"无", 3}, {"低", 5}, {"中", 7}, {"高", 12}, {"神话", 16}},
	}
}

// withinModule returns the path of a place in a module, from the root.
func withinModule(module string, p tree.Path) tree.Path {
	return append(append(make(tree.Path, 0, len(p)+2), module), p...)
}

// Sorted returns a copy of the profile with its leaf rules in the order that [Profile.IsLeaf]
// needs.
func (p Profile) Sorted() Profile {
	p.LeafRules = slices.Clone(p.LeafRules)
	slices.SortStableFunc(p.LeafRules, func(a, b LeafRule) int { return a.compare(b.Path) })
	return p
}

func (r LeafRule) compare(path tree.Path) int { return slices.Compare(r.Path, path) }

// IsLeaf reports whether the value stored at a path is a leaf. The profile must be
// [Profile.Sorted].
func (p *Profile) IsLeaf(path tree.Path, v tree.Value) bool {
	if !v.IsPair() {
		return false
	}
	i, ok := slices.BinarySearchFunc(p.LeafRules, path, LeafRule.compare)
	if ok { // the first of several rules for one path
		rule := p.LeafRules[i]
		return rule.Leaf && (!rule.List || v.At(0).IsArray())
	}
	return path[0] == p.Character || path[0] == p.Status
}

// Find follows a path from the root and sees through the leaves of the profile. The error comes
// from [tree.Value.Find].
func (p *Profile) Find(root tree.Value, path tree.Path) (tree.Place, error) {
	return root.Find(path, p.IsLeaf)
}

// Content returns the content of a node and sees through leaves. It is absent if the path leads
// nowhere.
func (p *Profile) Content(root tree.Value, path tree.Path) tree.Value {
	at, err := p.Find(root, path)
	if err != nil {
		return tree.Value{}
	}
	return at.Content()
}

// Description reports whether a place is the description of a leaf.
func (p *Profile) Description(root tree.Value, at tree.Place) bool {
	n := len(at.Path) - 1
	if n < 1 || at.Path[n] != "1" {
		return false
	}
	pair := at.Path[:n]
	return p.IsLeaf(pair, root.Lookup(pair))
}

// Part returns the node at rest within v, which is stored at path. It sees through leaves as
// [Profile.Find] does.
func (p *Profile) Part(path tree.Path, v tree.Value, rest tree.Path) tree.Value {
	at := slices.Clip(path)
	for _, seg := range rest {
		if len(at) > 0 && p.IsLeaf(at, v) {
			content := v.At(0)
			switch {
			case seg == "0":
				at, v = append(at, seg), content
				continue
			case seg != "1" && content.IsObject():
				at, v = append(at, "0"), content
			}
		}
		v = v.Lookup(tree.Path{seg})
		at = append(at, seg)
	}
	return v
}

// Match compares a place with the path of a node. Both start at the root. The result ok is true if
// one of the two is the other or is within it. If the place is within the node, rest is the path from
// the node to the place.
//
// Both may leave out the index 0 of the value of a leaf. If stat_data.npc is a leaf, the places
// stat_data.npc.name and stat_data.npc.0.name both match the path stat_data.npc with the rest name.
func (p *Profile) Match(root tree.Value, place, path tree.Path) (rest tree.Path, ok bool) {
	at, stored := root, tree.Path(nil) // the node that path has reached, and where it is stored
	isValue := false                   // at is the value of a leaf, and path named its index
	for i, seg := range path {
		if len(place) == 0 {
			return nil, true
		}
		isLeaf := !isValue && len(stored) > 0 && p.IsLeaf(stored, at)
		isValue = isLeaf && seg == "0"
		switch {
		case isValue: // path names the index of the value; place may leave it out
			place = withoutValueIndex(place)
			at, stored = at.At(0), extended(stored, path, i)
			continue
		case isLeaf && seg != "1" && at.At(0).IsObject(): // path leaves out the index; place may name it
			at, stored = at.At(0), append(stored, "0")
			if place = withoutValueIndex(place); len(place) == 0 {
				return nil, true
			}
		}
		if _, isIndex := tree.Index(place[0]); at.IsArray() && seg == "0" && !isIndex {
			// The list is no leaf now, but it was one when the rule with the place was written.
			at, stored = at.At(0), extended(stored, path, i)
			continue
		}
		if place[0] != seg {
			return nil, false
		}
		place = place[1:]
		at = at.Lookup(path[i : i+1])
		stored = extended(stored, path, i)
	}
	return place, true
}

// withoutValueIndex returns a place without the index of the value of a leaf, if it begins with it.
func withoutValueIndex(place tree.Path) tree.Path {
	if place[0] == "0" {
		return place[1:]
	}
	return place
}

// extended adds the segment i of path to the path of the stored node. The two paths share memory
// until the stored one has the index of a leaf that path leaves out.
func extended(stored, path tree.Path, i int) tree.Path {
	if len(stored) == i {
		return path[: i+1 : i+1]
	}
	return append(stored, path[i])
}
