package memvars

import "github.com/talewright/talewright/memvars/tree"

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
