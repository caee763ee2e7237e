package generate

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
)

// Limits bounds what a campaign may become; 0 is the default.
type Limits struct {
	Areas      int // areas of the map, those of the setup among them; default 200
	Paths      int // default 600
	Characters int // people, the party among them; default 100
	MaxHP      int // hit points of a new character; default 100
}

func (l Limits) orDefault() Limits {
	return Limits{
		Areas: cmp.Or(l.Areas, 200), Paths: cmp.Or(l.Paths, 600),
		Characters: cmp.Or(l.Characters, 100), MaxHP: cmp.Or(l.MaxHP, 100),
	}
}

// The codes with which the tools refuse.
const (
	Nothing     state.CallCode = "nothing_to_add"
	InvalidID   state.CallCode = "invalid_id"
	IDTaken     state.CallCode = "id_taken"
	NameTaken   state.CallCode = "name_taken"
	InvalidText state.CallCode = "invalid_text"
	UnknownArea state.CallCode = "unknown_area"
	PathLoops   state.CallCode = "path_loops"
	MapFull     state.CallCode = "map_full"
	TooMany     state.CallCode = "too_many_characters"
	TooStrong   state.CallCode = "too_strong"
)

var reasons = map[state.CallCode]string{
	Nothing:     "give at least one area or path",
	InvalidID:   "an id has letters, digits, _ and - only",
	IDTaken:     "this id is taken: choose another one",
	NameTaken:   "this name is taken: choose another one",
	InvalidText: "a name is not blank, and no text holds control characters or {{",
	UnknownArea: "no such area",
	PathLoops:   "a path joins two different areas",
	MapFull:     "the map has no room for more",
	TooMany:     "the campaign has no room for more people",
	TooStrong:   "more hit points than a new character may have",
}

var chinese = map[state.CallCode]string{
	Nothing:     "至少要给出一个区域或一条路径",
	InvalidID:   "id 只能由字母、数字、_ 和 - 组成",
	IDTaken:     "这个 id 已被占用，请换一个",
	NameTaken:   "这个名字已被占用，请换一个",
	InvalidText: "名字不能为空，任何文本都不能含有控制字符或 {{",
	UnknownArea: "没有这个区域",
	PathLoops:   "一条路径连接两个不同的区域",
	MapFull:     "地图上没有更多位置了",
	TooMany:     "这次战役容不下更多角色了",
	TooStrong:   "生命值超过了新角色的上限",
}

// reasonsOf picks the texts of some codes, in English and in Chinese.
func reasonsOf(codes ...state.CallCode) (english, zh map[state.CallCode]string) {
	english, zh = map[state.CallCode]string{}, map[state.CallCode]string{}
	for _, c := range codes {
		english[c], zh[c] = reasons[c], chinese[c]
	}
	return english, zh
}

// refuse refuses a call and names the place.
func refuse(code state.CallCode, at string) tool.Judgement {
	return tool.Judgement{Reason: code, Hint: tree.Object(tree.Member{Key: "at", Value: tree.Text(at)})}
}

func properID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	})
}

// plain reports whether texts of a model are nothing but data, in one line each.
func plain(texts ...string) bool {
	for _, t := range texts {
		if strings.Contains(t, "{{") || strings.ContainsFunc(t, unicode.IsControl) {
			return false
		}
	}
	return true
}

// names are those that are taken, without regard to case.
type names map[string]bool

func (n names) add(list ...string) {
	for _, name := range list {
		n[folded(name)] = true
	}
}

// free reports whether none of the names is taken, and takes them.
func (n names) free(list ...string) bool {
	for _, name := range list {
		if n[folded(name)] {
			return false
		}
		n[folded(name)] = true
	}
	return true
}

func folded(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func blank(list ...string) bool {
	for _, t := range list {
		if strings.TrimSpace(t) == "" || len(t) > maxName {
			return true
		}
	}
	return false
}

// maxName bounds a name, in bytes.
const maxName = 200
