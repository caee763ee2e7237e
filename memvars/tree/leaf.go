package tree

// A leaf is a pair of a value and its description, ["cloudy", "what the sky does"], which readers
// treat as the value. The form alone does not define a leaf, because a list of two names looks the
// same: the document defines where leaves are.

// IsPair reports whether v has the form of a leaf: a list of two elements, and the second is a
// text.
func (v Value) IsPair() bool {
	a, ok := v.v.(*array)
	if !ok || len(a.vals) != 2 {
		return false
	}
	_, ok = a.vals[1].v.(string)
	return ok
}

// IsLeaf reports whether the value stored at a path of a document is a leaf. By the common rule a
// leaf is a pair in one of the modules play_character_data and stat_data.
func IsLeaf(path Path, v Value) bool {
	return len(path) > 0 && (path[0] == "play_character_data" || path[0] == "stat_data") && v.IsPair()
}

// Place is the end of a path that sees through leaves.
type Place struct {
	Path  Path  // from the root; for a leaf the path of the pair
	Value Value // as stored; for a leaf the pair
	Leaf  bool
}

// Content returns the value for a reader: for a leaf its first element.
func (p Place) Content() Value {
	if p.Leaf {
		return p.Value.At(0)
	}
	return p.Value
}

// Slot returns the path at which the content is stored.
func (p Place) Slot() Path {
	if p.Leaf {
		return p.Path.Child("0")
	}
	return p.Path
}

// insideLeaf returns the place of the value of a leaf. That value is not a leaf itself.
func (p Place) insideLeaf() Place { return Place{Path: p.Slot(), Value: p.Content()} }

// Find follows a path from the root v through leaves. leaf decides which pairs are leaves, for
// example [IsLeaf]. If the path leads nowhere, the error is [ErrNotFound], or [ErrIndex] in a list,
// not wrapped.
//
//   - At a leaf the segment 0 is its value and 1 its description.
//   - Any other segment continues in the value if that is an object.
//   - A value that was addressed by 0 is never a leaf.
//
// Everywhere else a segment is a key of an object or an index of a list.
func (v Value) Find(path Path, leaf func(Path, Value) bool) (Place, error) {
	at := Place{Path: make(Path, 0, len(path)+1), Value: v}
	for i, seg := range path {
		if at.Leaf {
			switch {
			case seg == "0" && i == len(path)-1:
				return at, nil
			case seg == "1":
				return Place{Path: at.Path.Child("1"), Value: at.Value.At(1)}, nil
			case seg == "0":
				at = at.insideLeaf()
				continue
			case at.Content().IsObject():
				at = at.insideLeaf()
			}
		}
		next, err := at.Value.step(seg)
		if err != nil {
			return Place{}, err
		}
		at.Path, at.Value = append(at.Path, seg), next
		at.Leaf = leaf(at.Path, next)
	}
	return at, nil
}

// step goes one level down without special treatment of leaves.
func (v Value) step(seg string) (Value, error) {
	switch c := v.v.(type) {
	case *object:
		if i := c.find(seg); i >= 0 {
			return c.vals[i], nil
		}
	case *array:
		if i, ok := Index(seg); ok {
			if i < len(c.vals) {
				return c.vals[i], nil
			}
			return Value{}, ErrIndex
		}
	}
	return Value{}, ErrNotFound
}
