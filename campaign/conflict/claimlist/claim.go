package claimlist

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// MostClaims is how many claims a list has at most. A longer one cannot be read.
const MostClaims = 64

// mostText bounds the texts of a claim, in bytes. Of a longer one the beginning is kept, which is
// no id.
const mostText = 256

// A Claim is one thing that a model says it tells. Members of another type than theirs, and those
// that are not known, are left out.
type Claim struct {
	Kind string `json:"kind"`           // see the package comment
	Who  string `json:"who,omitempty"`  // id, name or alias of a character; empty: the acting one
	Call string `json:"call,omitempty"` // id of the call that settles it; empty: none does
	// Amount is a change of hit points, Value a number of them or of a roll.
	Amount *int   `json:"amount,omitempty"`
	Value  *int   `json:"value,omitempty"`
	State  string `json:"state,omitempty"` // of a life
	Place  string `json:"place,omitempty"` // id, name or alias of an area
	Quote  string `json:"quote,omitempty"` // words of the text
}

// The kinds that the built-in detectors know.
const (
	kindHP    = "hp"
	kindLife  = "life"
	kindPlace = "place"
	kindWound = "wound"
	kindRoll  = "roll"
	kindCard  = "card"
	kindMap   = "map"
	kindRules = "rules"
	kindGoal  = "goal"
)

// Read reads the list of a model: a list of objects, or one of them. problem says why it cannot be
// read as a whole, "" if nothing is wrong; the claims are then those that can.
func Read(list tree.Value) (claims []Claim, problem string) {
	claims, wrong := read(list)
	return claims, wrong.in(false)
}

// problem is why a list cannot be read; the zero value is none.
type problem struct {
	what string // a key of problems
	at   int    // number of the claim, 0: the list
}

// problems say what is wrong with a list or a claim of it, in Chinese (true) and English.
var problems = map[bool]map[string]string{
	true: {
		"list": "claims 不是列表", "many": "声明有%d条，最多%d条", "at": "第%d条声明：%s",
		"object": "不是对象", "kind": "没有 kind", kindHP: "hp 要写 amount 或 value 之一，须为整数",
		kindLife: "life 要写 state", kindPlace: "place 要写 place", kindRoll: "roll 要写 value，须为整数",
	},
	false: {
		"list": "claims is no list", "many": "%d claims are more than %d", "at": "claim %d: %s",
		"object": "it is no object", "kind": "it has no kind", kindHP: "hp has either an amount or a value, a whole number",
		kindLife: "life has a state", kindPlace: "place has a place", kindRoll: "roll has a value, a whole number",
	},
}

// in is the text of the problem, "" for none.
func (p problem) in(chinese bool) string {
	words := problems[chinese]
	switch {
	case p.what == "many":
		return fmt.Sprintf(words["many"], p.at, MostClaims)
	case p.at > 0:
		return fmt.Sprintf(words["at"], p.at, words[p.what])
	}
	return words[p.what]
}

func read(list tree.Value) (claims []Claim, first problem) {
	switch {
	case !list.Exists() || list.IsNull():
		return nil, problem{}
	case list.IsObject():
		list = tree.Array(list)
	case !list.IsArray():
		return nil, problem{what: "list"}
	}
	if list.Len() > MostClaims {
		return nil, problem{"many", list.Len()}
	}
	for i, v := range list.Elements() {
		c, wrong := readClaim(v)
		if wrong == "" {
			claims = append(claims, c)
		} else if first.what == "" {
			first = problem{wrong, i + 1}
		}
	}
	return claims, first
}

// readClaim reads one claim; wrong is a key of problems, "" for a claim that can be read.
func readClaim(v tree.Value) (c Claim, wrong string) {
	if !v.IsObject() {
		return c, "object"
	}
	text := func(name string) string {
		s, _ := v.Get(name).AsText()
		return strings.ToValidUTF8(utf8text.Cut(strings.TrimSpace(s), mostText), "")
	}
	c = Claim{Kind: strings.ToLower(text("kind")), Who: text("who"), Call: text("call"), Amount: whole(v.Get("amount")),
		Value: whole(v.Get("value")), State: strings.ToLower(text("state")), Place: text("place"), Quote: text("quote")}
	switch {
	case c.Kind == "":
		return c, "kind"
	case c.Kind == kindHP && (c.Amount == nil) == (c.Value == nil), c.Kind == kindLife && c.State == "",
		c.Kind == kindPlace && c.Place == "", c.Kind == kindRoll && c.Value == nil:
		return c, c.Kind
	}
	return c, ""
}

// mostNumber bounds the numbers of claims, so that sums of them are numbers too.
const mostNumber = 1 << 40

// whole reads a whole number, also one that was written as a text; nil for anything else.
func whole(v tree.Value) *int {
	n, ok := int64(0), false
	if num, is := v.AsNumber(); is {
		n, ok = num.Int64()
	} else if text, is := v.AsText(); is {
		var err error
		n, err = strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		ok = err == nil
	}
	if !ok || n < -mostNumber || n > mostNumber {
		return nil
	}
	out := int(n)
	return &out
}
