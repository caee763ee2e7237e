package template

import "github.com/talewright/talewright/memvars/tree"

// toTree returns a value as a value of a document; undefined is absent.
func (f *frame) toTree(v value) tree.Value { return f.treeOf(v, 0) }

// treeOf is toTree for a part of a value at a level.
func (f *frame) treeOf(v value, level int) tree.Value {
	f.step()
	if level > maxLevels {
		f.fail(codeWrongType, "", "the value is nested too deeply or contains itself: store a part of it")
	}
	switch v.kind {
	case wrappedKind:
		return f.treeOf(v.ref.(*wrapped).v, level+1)
	case dateKind:
		return tree.Text(f.toText(v))
	case nullKind:
		return tree.Null
	case boolKind:
		return tree.Bool(v.num != 0)
	case numberKind:
		if v.text != "" {
			return tree.Num(tree.Number(v.text))
		}
		return tree.Float(v.num)
	case textKind:
		return tree.Text(v.text)
	case listKind:
		l := v.ref.(*list)
		if l.src.Exists() {
			return l.src
		}
		out := make([]tree.Value, len(l.items))
		for i, e := range l.items {
			out[i] = f.treeOf(e, level+1)
		}
		return tree.Array(out...)
	case objectKind:
		o := v.ref.(*object)
		if o.src.Exists() {
			return o.src
		}
		members := make([]tree.Member, 0, len(o.keys))
		for _, i := range o.order(f) {
			members = append(members, tree.Member{Key: o.keys[i], Value: f.treeOf(o.vals[i], level+1)})
		}
		return tree.Object(members...)
	}
	return tree.Value{}
}
