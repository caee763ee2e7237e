package memvars

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// target is the destination of a value.
type target struct {
	At    tree.Path  // the place to write: the topmost that does not exist yet
	Rest  tree.Path  // the objects to create below it
	Old   tree.Value // the replaced value, absent if At does not exist
	Exist bool       // the whole path exists
	Code  Code       // why nothing can be written there
}

// Destination follows path from the root. Missing objects will be created, and a null becomes an
// object. A list takes an index; its length or a dash appends.
func (b *batch) Destination(path tree.Path) target {
	at := b.Root()
	for i, seg := range path {
		here := path[:i:i]
		switch at.Kind() {
		case tree.KindObject:
			child := at.Get(seg)
			if !child.Exists() {
				return target{At: path[: i+1 : i+1], Rest: path[i+1:]}
			}
			at = child
		case tree.KindArray:
			n, isIndex := tree.Index(seg)
			switch {
			case seg == "-" || isIndex && n == at.Len():
				end := append(here, strconv.Itoa(at.Len()))
				return target{At: end, Rest: path[i+1:]}
			case !isIndex:
				return target{Code: NotAContainer}
			case n > at.Len():
				return target{Code: IndexOutOfRange}
			}
			at = at.At(n)
		case tree.KindNull:
			return target{At: here, Rest: path[i:], Old: at}
		default:
			return target{Code: NotAContainer, At: here, Rest: path[i:], Old: at}
		}
	}
	return target{At: path, Old: at, Exist: true}
}

// nest wraps a value in the objects that rest names.
func nest(rest tree.Path, v tree.Value) tree.Value {
	for _, key := range slices.Backward(rest) {
		v = tree.Object(tree.Member{Key: key, Value: v})
	}
	return v
}
