package memvars

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/profile"
	"github.com/talewright/talewright/memvars/tree"
)

// formula is a compiled [Formula].
type formula struct {
	targets []tree.Path // from the root; the first that exists is written
	expr    expr
	round   string
	source  string
}

// presetFormulas returns a named set. The original text prints initiative as
// 敏捷 + 沉着 / 2, which by the usual precedence halves 沉着 alone; the program
// behind it halves the sum and rounds down.
func presetFormulas(p *profile.Profile, preset string) []Formula {
	if preset == "off" {
		return nil
	}
	at := func(segs ...string) string {
		return append(slices.Clone(p.Derived), segs...).String()
	}
	speed := Formula{Target: at("速度", "基础速度"), Expr: "(力量 + 敏捷 + 体积) / 3"}
	initiative := Formula{Target: at("先攻"), Expr: "敏捷 + 沉着 / 2"}
	if preset == "origin" {
		speed.Round = "floor"
		initiative = Formula{Target: at("先攻"), Expr: "(敏捷 + 沉着) / 2", Round: "floor"}
	}
	return []Formula{
		speed,
		initiative,
		{Target: at("防御", "基础防御"), Else: []string{at("防御")}, Expr: "min(敏捷, 感知)"},
		{Target: at("生命值", "上限"), Expr: "体积 * 10 + 耐力 * 20"},
		{Target: at("意志力", "上限"), Expr: "决心 + 沉着"},
		{Target: at("感知范围", "敏感范围"), Expr: "感知 * 10"},
		{Target: at("豁免检定基础", "强韧"), Expr: "floor((耐力 + 求生) / 2)"},
		{Target: at("豁免检定基础", "反射"), Expr: "floor((敏捷 + 运动) / 2)"},
		{Target: at("豁免检定基础", "意志"), Expr: "决心 + 沉着"},
	}
}

// compileFormula reads a formula of the author. A target may be written from the
// root or relative to the character.
func compileFormula(f Formula, p *profile.Profile) (formula, error) {
	out := formula{round: f.Round, source: f.Expr}
	for _, text := range append([]string{f.Target}, f.Else...) {
		path, err := tree.ParsePath(text)
		if err != nil {
			return formula{}, fmt.Errorf("target: %w", err)
		}
		if path[0] != p.Character {
			path = profile.Within(p.Character, path)
		}
		out.targets = append(out.targets, path)
	}
	switch f.Round {
	case "", "none", "floor", "ceil", "round":
	default:
		return formula{}, fmt.Errorf("round %q is none of none, floor, ceil, round", f.Round)
	}
	e, err := parseFormula(f.Expr)
	out.expr = e
	return out, err
}

// runDerived recomputes the derived fields: first the part of each attribute
// above eight, then the formulas in their order.
//
// It runs after every message, whether or not an input changed: a document that was
// edited by hand, or loaded with stale values, is put right by the next message.
// Only values that differ are written. Targets are never created: a character
// without the field is of a kind that does not have it.
func runDerived(r *run) {
	if !r.sys.derive {
		return
	}
	p := &r.sys.profile
	sheet := r.root().Get(p.Character)
	if !sheet.IsObject() {
		return
	}
	r.legends(sheet.Lookup(p.Attributes))
	for i := range r.sys.formulas {
		r.formula(&r.sys.formulas[i])
	}
}

// legendFrom is the base value above which an attribute is legendary.
const legendFrom = tree.Number("8")

// legends computes the legendary part of every attribute that has such a field.
// It runs before the formulas, which may refer to it by path.
func (r *run) legends(attributes tree.Value) {
	p := &r.sys.profile
	for group, members := range attributes.Members() {
		for name, attr := range members.Members() {
			if !attr.Get(p.Legend).Exists() {
				continue
			}
			path := append(profile.Within(p.Character, p.Attributes), group, name, p.Base)
			base, ok := r.number(path)
			if !ok {
				continue
			}
			path[len(path)-1] = p.Legend
			above := base.Sub(legendFrom)
			if above.Cmp("0") < 0 {
				above = "0"
			}
			r.update(path, tree.Num(above), "derived")
		}
	}
}

// formula computes one derived field. A missing input or target is no error:
// characters of other systems lack some of them.
func (r *run) formula(f *formula) {
	target := r.target(f)
	if target == nil {
		// A sheet without the section is of another kind, of which there is nothing
		// to say.
		if r.edit.Kind(profile.Within(r.sys.profile.Character, r.sys.profile.Derived)) != tree.Absent {
			r.note("derived", f.targets[0], "no such field")
		}
		return
	}
	n, err := f.expr.eval(r.input)
	if err != nil {
		r.note("derived", target, err.Error())
		return
	}
	r.update(target, tree.Num(rounded(n, f.round)), "derived")
}

// target returns the first target of a formula that exists.
func (r *run) target(f *formula) tree.Path {
	for _, path := range f.targets {
		if at, code := r.sys.find(r.root(), path); code == "" && !at.Value.IsObject() {
			return at.Path
		}
	}
	return nil
}

// input answers for the names and paths of formulas: attributes by their base,
// skills, members of the derived section, and anything by a path relative to the
// character.
//
// Groups are searched in the order of the document. The derived section comes last,
// for what has no formula there (the size, 体积) and is therefore an input.
func (r *run) input(e *expr) (tree.Number, bool) {
	p := &r.sys.profile
	if e.op == "path" {
		if e.path[0] == p.Character || e.path[0] == p.Status || e.path[0] == p.Assets {
			return r.number(e.path)
		}
		return r.number(profile.Within(p.Character, e.path))
	}
	return r.score(e.name)
}

// score is the value of an attribute, of a skill, or of a member of the derived section.
func (r *run) score(name string) (tree.Number, bool) {
	p := &r.sys.profile
	sheet := r.root().Get(p.Character)
	for group, members := range sheet.Lookup(p.Attributes).Members() {
		if members.Get(name).Exists() {
			return r.number(append(profile.Within(p.Character, p.Attributes), group, name, p.Base))
		}
	}
	for group, members := range sheet.Lookup(p.Skills).Members() {
		if members.Get(name).Exists() {
			return r.number(append(profile.Within(p.Character, p.Skills), group, name))
		}
	}
	if sheet.Lookup(p.Derived).Get(name).Exists() {
		return r.number(append(profile.Within(p.Character, p.Derived), name))
	}
	return "", false
}

// number reads a number, or a text that is one.
func (r *run) number(path tree.Path) (tree.Number, bool) {
	at, code := r.sys.find(r.root(), path)
	if code != "" {
		return "", false
	}
	return numeric(at.Content())
}

// numeric reads a number, or a text that is one: models write both.
func numeric(v tree.Value) (tree.Number, bool) {
	if n, ok := v.AsNumber(); ok {
		return n, true
	}
	s, _ := v.AsText()
	s = strings.TrimSpace(s)
	return tree.Number(s), tree.Number(s).Valid()
}

// locked reports whether models and players may not write the field.
//
// With the default lock exactly the targets of formulas are locked. Current hit
// points and the like stand in the same section and must change during play; the
// lock "segment" closes the section for cards that compute everything.
func (r *run) locked(path tree.Path) bool {
	s := r.sys
	p := &s.profile
	switch {
	case s.lock == "off" || path[0] != p.Character:
		return false
	case s.lock == "segment" && path[1:].HasPrefix(p.Derived):
		return true
	case !s.derive:
		return false
	}
	if n := len(p.Attributes); len(path) == n+4 && path[n+3] == p.Legend &&
		path[1:].HasPrefix(p.Attributes) {
		return true
	}
	for _, i := range s.byTarget[unpaired(path)] {
		if target := r.target(&s.formulas[i]); target != nil && slices.Equal(target, path) {
			return true
		}
	}
	return false
}

// unpaired is a key for all writings of a path: with and without the index at which a
// leaf has its value.
func unpaired(path tree.Path) string {
	var b strings.Builder
	for _, seg := range path {
		if seg != "0" {
			b.WriteString(seg)
			b.WriteByte(0)
		}
	}
	return b.String()
}
