package openjson

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// Member is one member of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members returns the members of a JSON object in JavaScript property order: canonical array
// indexes ascending, then the others in the order of their first occurrence. The last value of a
// repeated name counts. A value that is not an object has no members.
func Members(data json.RawMessage) (list []Member) {
	places := map[string]int{}
	for c := Scan(data); c.Next() && c.end == '}'; {
		name := c.Key()
		if i, ok := places[name]; ok {
			list[i].Value = c.Value
			continue
		}
		places[name] = len(list)
		list = append(list, Member{name, c.Value})
	}
	slices.SortStableFunc(list, func(a, b Member) int { return Compare(a.Name, b.Name) })
	return list
}

// Compare orders index-like names before all other names. The other names are equal.
func Compare(a, b string) int {
	x, xok := arrayIndex(a)
	y, yok := arrayIndex(b)
	switch {
	case xok && yok:
		return cmp.Compare(x, y)
	case xok:
		return -1
	case yok:
		return 1
	}
	return 0
}

// arrayIndex reads a canonical array index: no sign, no leading zero, below
// 2^32-1.
func arrayIndex(s string) (uint64, bool) {
	if s == "" || len(s) > 10 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil && s[0] != '+' && n < math.MaxUint32
}
