package memvars

// Profile names the places of a document that have a meaning of their own. A
// card that calls them otherwise brings its own profile; everything that is not
// named here is plain data. Paths are relative to the module of their group.
type Profile struct {
	// The three modules at the root of a document.
	Character string `json:"character"`
	Status    string `json:"status"`
	Assets    string `json:"assets"`

	// Within Character. An attribute is a member of a group of Attributes and
	// holds Base and Legend; a skill is a member of a group of Skills.
	Attributes Path   `json:"attributes"`
	Base       string `json:"base"`
	Legend     string `json:"legend"`
	Skills     Path   `json:"skills"`
	Derived    Path   `json:"derived"`

	// Within Status.
	Era        Path `json:"era"`
	Date       Path `json:"date"`
	Time       Path `json:"time"`
	WorldName  Path `json:"world_name"`
	WorldLevel Path `json:"world_level"`
	TimeLimit  Path `json:"time_limit"`
	TimeLeft   Path `json:"time_left"`
	StartDate  Path `json:"start_date"`
	Check      Path `json:"check"`
	Difficulty Path `json:"difficulty"`
	EnemyPool  Path `json:"enemy_pool"`

	// Within Assets.
	Inventory Path   `json:"inventory"`
	Map       Path   `json:"map"`
	Resources string `json:"resources"` // key of the stock tables anywhere below Map
	Small     Path   `json:"small"`
	Big       Path   `json:"big"`
	Config    Path   `json:"config"`
	// Exits are the branches whose emptying means that a world was left.
	Exits []Path `json:"exits"`
	// Structural lists the branches that a model may neither delete nor move,
	// besides the first level.
	Structural []Path `json:"structural"`

	// Levels gives the highest difficulty of each world level.
	Levels []Level `json:"levels"`

	// LeafRules settles single cases in which the form alone does not tell a
	// leaf from a list of two texts. The first rule for a path counts.
	LeafRules []LeafRule `json:"leaf_paths,omitempty"`
}

// Level is one row of the scale of worlds.
type Level struct {
	Name string `json:"name"`
	Max  int    `json:"max"` // highest difficulty of a check
}

// LeafRule says whether the node at Path, from the root of the document, is a
// leaf: a pair of a value and its description. A node that is not a pair of
// anything and a text is never one.
type LeafRule struct {
	Path Path `json:"path"`
	Leaf bool `json:"leaf"`
}

// DefaultProfile returns the names of the original system.
func DefaultProfile() Profile {
	task := func(key string) Path { return Path{"world_shard", "task", key} }
	return Profile{
		Character:  "play_character_data",
		Status:     "stat_data",
		Assets:     "assa_data",
		Attributes: Path{"属性段"},
		Base:       "基础",
		Legend:     "传奇",
		Skills:     Path{"技能段"},
		Derived:    Path{"衍生属性段"},
		Era:        Path{"纪年"},
		Date:       Path{"日期"},
		Time:       Path{"时间"},
		WorldName:  Path{"world_shard", "name"},
		WorldLevel: Path{"world_shard", "level"},
		TimeLimit:  task("time_limit"),
		TimeLeft:   task("time_left"),
		StartDate:  task("start_date"),
		Check:      Path{"检定属性"},
		Difficulty: Path{"检定难度"},
		EnemyPool:  Path{"敌方攻击骰池"},
		Inventory:  Path{"global_set", "背包"},
		Map:        Path{"map"},
		Resources:  "resources",
		Small:      Path{"summary", "small"},
		Big:        Path{"summary", "big"},
		Config:     Path{"config"},
		Exits:      []Path{{"world_set", "npc"}, {"world_set", "settings"}},
		Structural: []Path{
			{"global_set", "npc"}, {"global_set", "settings"}, {"global_set", "背包"},
			{"world_set", "npc"}, {"world_set", "settings"},
			{"summary", "small"}, {"summary", "big"},
			{"map", "全局地点表"}, {"map", "主要地点表"},
		},
		Levels: []Level{{"无", 3}, {"低", 5}, {"中", 7}, {"高", 12}, {"神话", 16}},
	}
}

// within returns the path of a place in a module, from the root.
func within(module string, p Path) Path {
	return append(append(make(Path, 0, len(p)+2), module), p...)
}
