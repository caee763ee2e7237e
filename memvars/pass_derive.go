package memvars

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// formula is a formula of an author; see [Formula].
type formula struct {
	Target string
	Else   []string
	Expr   string
	Round  string
}

// compiledFormula is a compiled [formula].
type compiledFormula struct {
	targets []tree.Path // from the root; the first that exists is written
	expr    expr
	round   string
}

// presetFormulas returns a named set of formulas. The original text has initiative as 敏捷 + 沉着 / 2,
// which by the usual precedence halves only 沉着. The original program halves the sum and rounds
// down.
func presetFormulas(p *Profile, preset string) []formula {
	if preset == "off" {
		return nil
	}
	at := func(segs ...string) string {
		return append(slices.Clone(p.Derived), segs...).String()
	}
	speed := formula{Target: at("速度", "基础速度"), Expr: "(力量 + 敏捷 + 体积) / 3"}
	initiative := formula{Target: at("先攻"), Expr: "敏捷 + 沉着 / 2"}
	if preset == "origin" {
		speed.Round = "floor"
		initiative = formula{Target: at("先攻"), Expr: "(敏捷 + 沉着) / 2", Round: "floor"}
	}
	return []formula{
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

// compileFormula compiles a formula of the author. A target may be relative to the root or to the
// character.
func compileFormula(f formula, p *Profile) (compiledFormula, error) {
	out := compiledFormula{round: f.Round}
	for _, text := range append([]string{f.Target}, f.Else...) {
		path, err := tree.ParsePath(text)
		if err != nil {
			return compiledFormula{}, fmt.Errorf("target: %w", err)
		}
		if path[0] != p.Character {
			path = withinModule(p.Character, path)
		}
		out.targets = append(out.targets, path)
	}
	switch f.Round {
	case "", "none", "floor", "ceil", "round":
	default:
		return compiledFormula{}, fmt.Errorf("round %q must be none, floor, ceil or round", f.Round)
	}
	e, err := parseFormula(f.Expr)
	out.expr = e
	return out, err
}

// derivation has the compiled formulas of the derived fields. The zero value computes nothing.
type derivation struct {
	on       bool   // fields are computed
	lock     string // the option derived_lock: formulas, segment or off
	formulas []compiledFormula
	byTarget map[string][]int // indexes of formulas by the places that they may write; see unpaired
}

// newDerivation compiles formulas. It calls bad for each invalid one. lock is formulas, segment or
// off: the fields that models and players may not write.
func newDerivation(list []formula, lock string, p *Profile, bad func(i int, err error)) derivation {
	d := derivation{on: true, lock: lock, byTarget: map[string][]int{}}
	for i, f := range list {
		compiled, err := compileFormula(f, p)
		if err != nil {
			bad(i, err)
			continue
		}
		for _, target := range compiled.targets {
			key := unpaired(target)
			d.byTarget[key] = append(d.byTarget[key], len(d.formulas))
		}
		d.formulas = append(d.formulas, compiled)
	}
	return d
}

// lockOnly returns a derivation that computes nothing and only locks fields.
func lockOnly(lock string) derivation { return derivation{lock: lock} }

// Run recomputes the derived fields: first the part of each attribute above eight, then the
// formulas in their order.
//
// It runs after every message, also if no input changed. So the next message corrects a document
// that was edited by hand or loaded with stale values. Only different values are written. Targets
// are never created: a character without the field is of a kind that does not have it.
func (d *derivation) Run(b *batch) {
	if !d.on {
		return
	}
	sheet := b.Root().Get(b.Profile.Character)
	if !sheet.IsObject() {
		return
	}
	legends(b, sheet.Lookup(b.Profile.Attributes))
	for i := range d.formulas {
		d.formula(b, &d.formulas[i])
	}
}

// legendFrom is the base value above which an attribute is legendary.
const legendFrom = tree.Number("8")

// legends computes the legendary part of every attribute that has such a field. It runs before the
// formulas, because they may refer to it by path.
func legends(b *batch, attributes tree.Value) {
	p := b.Profile
	for group, members := range attributes.Members() {
		for name, attr := range members.Members() {
			if !attr.Get(p.Legend).Exists() {
				continue
			}
			path := append(withinModule(p.Character, p.Attributes), group, name, p.Base)
			base, ok := b.Number(path)
			if !ok {
				continue
			}
			path[len(path)-1] = p.Legend
			above := base.Sub(legendFrom)
			if above.Cmp("0") < 0 {
				above = "0"
			}
			b.Update(path, tree.Num(above), "derived")
		}
	}
}

// formula computes one derived field. A missing input or target is not an error: characters of
// other systems do not have all of them.
func (d *derivation) formula(b *batch, f *compiledFormula) {
	target := f.target(b)
	if target == nil {
		// A character without the section is of a different kind, so no note is written.
		if b.Edit.Kind(withinModule(b.Profile.Character, b.Profile.Derived)) != tree.Absent {
			b.Note("derived", f.targets[0], "no such field")
		}
		return
	}
	n, err := f.expr.Eval(d.inputs(b))
	if err != nil {
		b.Note("derived", target, err.Error())
		return
	}
	b.Update(target, tree.Num(rounded(n, f.round)), "derived")
}

// target returns the first target of a formula that exists.
func (f *compiledFormula) target(b *batch) tree.Path {
	for _, path := range f.targets {
		if at, err := b.Profile.Find(b.Root(), path); err == nil && !at.Value.IsObject() {
			return at.Path
		}
	}
	return nil
}

// inputs returns the values of names and paths in formulas: attributes by their base, skills,
// members of the derived section, and every path relative to the character.
//
// Groups are searched in the order of the document. The derived section comes last; it has fields
// without a formula (the size, 体积), which are inputs.
func (d *derivation) inputs(b *batch) inputFunc {
	return func(name string, path tree.Path) (tree.Number, bool) {
		p := b.Profile
		switch {
		case path == nil:
			return score(b, name)
		case path[0] == p.Character || path[0] == p.Status || path[0] == p.Assets:
			return b.Number(path)
		}
		return b.Number(withinModule(p.Character, path))
	}
}

// score returns the value of an attribute, of a skill, or of a member of the derived section.
func score(b *batch, name string) (tree.Number, bool) {
	p := b.Profile
	sheet := b.Root().Get(p.Character)
	for group, members := range sheet.Lookup(p.Attributes).Members() {
		if members.Get(name).Exists() {
			return b.Number(append(withinModule(p.Character, p.Attributes), group, name, p.Base))
		}
	}
	for group, members := range sheet.Lookup(p.Skills).Members() {
		if members.Get(name).Exists() {
			return b.Number(append(withinModule(p.Character, p.Skills), group, name))
		}
	}
	if sheet.Lookup(p.Derived).Get(name).Exists() {
		return b.Number(append(withinModule(p.Character, p.Derived), name))
	}
	return "", false
}

// Locked reports whether models and players may not write the field.
//
// With the default lock, exactly the targets of formulas are locked. Current hit points and similar
// fields are in the same section and must change during play. The lock "segment" locks the whole
// section, for cards that compute everything.
func (d *derivation) Locked(b *batch, path tree.Path) bool {
	p := b.Profile
	switch {
	case d.lock == "off" || path[0] != p.Character:
		return false
	case d.lock == "segment" && path[1:].HasPrefix(p.Derived):
		return true
	case !d.on:
		return false
	}
	if n := len(p.Attributes); len(path) == n+4 && path[n+3] == p.Legend &&
		path[1:].HasPrefix(p.Attributes) {
		return true
	}
	for _, i := range d.byTarget[unpaired(path)] {
		if target := d.formulas[i].target(b); target != nil && slices.Equal(target, path) {
			return true
		}
	}
	return false
}

// unpaired returns a key that is the same for all forms of a path: with and without the index of a
// leaf's value.
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
