package declared

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// maxClaims is the maximum number of claims in a list. A longer list cannot be read.
const maxClaims = 64

// maxTextBytes limits the texts of a claim, in bytes. Longer texts are truncated. A truncated text
// never matches an ID.
const maxTextBytes = 256

// A Claim is one statement that the model says its text makes. Members with a wrong type and
// unknown members are left out.
type Claim struct {
	Kind string `json:"kind"`           // see the package comment
	Who  string `json:"who,omitempty"`  // ID, name or alias of a character; empty: the acting one
	Call string `json:"call,omitempty"` // ID of the call that settles it; empty: none does
	// Amount is a change of hit points. Value is a number of hit points or the result of a roll.
	Amount *int   `json:"amount,omitempty"`
	Value  *int   `json:"value,omitempty"`
	State  string `json:"state,omitempty"` // of a life
	Place  string `json:"place,omitempty"` // ID, name or alias of an area
	Quote  string `json:"quote,omitempty"` // words of the text
}

// The kinds of the built-in detectors.
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

// Read reads the list of a model: a list of objects, or a single object. problem says why the list
// as a whole cannot be read, "" if it can. claims are the claims that can be read.
func Read(list tree.Value) (claims []Claim, problem string) {
	claims, wrong := read(list)
	return claims, wrong.in(false)
}

// problem is the reason why a list cannot be read. The zero value means that there is none.
type problem struct {
	what string // a key of problems
	at   int    // number of the claim, 0: the list
}

// problems are the texts of problems of a list or a claim, in Chinese (true) and English.
var problems = map[bool]map[string]string{
	true: {
		"list": "claims 不是列表", "many": "声明有%d条，最多%d条", "at": "第%d条声明：%s",
		"object": "不是对象", "kind": "没有 kind", kindHP: "hp 要写 amount 或 value 之一，须为整数",
		kindLife: "life 要写 state", kindPlace: "place 要写 place", kindRoll: "roll 要写 value，须为整数",
	},
	false: {
		"list": "claims is no list", "many": "%d claims are more than %d", "at": "claim %d: %s",
		"object": "it is not an object", "kind": "it has no kind", kindHP: "hp has either an amount or a value, a whole number",
		kindLife: "life has a state", kindPlace: "place has a place", kindRoll: "roll has a value, a whole number",
	},
}

// in returns the text of the problem, "" if there is none.
func (p problem) in(chinese bool) string {
	words := problems[chinese]
	switch {
	case p.what == "many":
		return fmt.Sprintf(words["many"], p.at, maxClaims)
	case p.at > 0:
		return fmt.Sprintf(words["at"], p.at, words[p.what])
	}
	return words[p.what]
}

func read(list tree.Value) (claims []Claim, first problem) {
	switch {
	case list.IsObject():
		list = tree.Array(list)
	case list.Exists() && !list.IsNull() && !list.IsArray():
		return nil, problem{what: "list"}
	}
	if list.Len() > maxClaims {
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

// readClaim reads one claim. wrong is a key of problems, "" if the claim can be read.
func readClaim(v tree.Value) (c Claim, wrong string) {
	if !v.IsObject() {
		return c, "object"
	}
	text := func(name string) string {
		s, _ := v.Get(name).AsText()
		return strings.ToValidUTF8(utf8text.Cut(strings.TrimSpace(s), maxTextBytes), "")
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

// maxNumber limits the numbers of claims, so their sums do not overflow.
const maxNumber = 1 << 40

// whole reads an integer, also one written as a text. It returns nil for anything else.
func whole(v tree.Value) *int {
	n, ok := int64(0), false
	if num, is := v.AsNumber(); is {
		n, ok = num.Int64()
	} else if text, is := v.AsText(); is {
		var err error
		n, err = strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		ok = err == nil
	}
	if !ok || n < -maxNumber || n > maxNumber {
		return nil
	}
	out := int(n)
	return &out
}
