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
	switch {
	case !list.Exists() || list.IsNull():
		return nil, ""
	case list.IsObject():
		list = tree.Array(list)
	case !list.IsArray():
		return nil, "claims is no list"
	}
	if list.Len() > MostClaims {
		return nil, fmt.Sprintf("%d claims are more than %d", list.Len(), MostClaims)
	}
	for i, v := range list.Elements() {
		c, wrong := readClaim(v)
		if wrong != "" {
			if problem == "" {
				problem = fmt.Sprintf("claim %d: %s", i+1, wrong)
			}
			continue
		}
		claims = append(claims, c)
	}
	return claims, problem
}

func readClaim(v tree.Value) (c Claim, problem string) {
	if !v.IsObject() {
		return c, "it is no object"
	}
	text := func(name string) string {
		s, _ := v.Get(name).AsText()
		return strings.ToValidUTF8(utf8text.Cut(strings.TrimSpace(s), mostText), "")
	}
	c = Claim{Kind: strings.ToLower(text("kind")), Who: text("who"), Call: text("call"), Amount: whole(v.Get("amount")),
		Value: whole(v.Get("value")), State: strings.ToLower(text("state")), Place: text("place"), Quote: text("quote")}
	switch {
	case c.Kind == "":
		return c, "it has no kind"
	case c.Kind == kindHP && (c.Amount == nil) == (c.Value == nil):
		return c, "hp has either an amount or a value, a whole number"
	case c.Kind == kindLife && c.State == "":
		return c, "life has a state"
	case c.Kind == kindPlace && c.Place == "":
		return c, "place has a place"
	case c.Kind == kindRoll && c.Value == nil:
		return c, "roll has a value, a whole number"
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
