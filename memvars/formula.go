package memvars

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// compiledFormula is a compiled [Formula].
type compiledFormula struct {
	targets []tree.Path // from the root; the first that exists is written
	expr    expr
	round   string
}

// presetFormulas returns a named set of formulas. The original text has initiative as 敏捷 + 沉着 / 2,
// which by the usual precedence halves only 沉着. The original program halves the sum and rounds
// down.
func presetFormulas(p *Profile, preset string) []Formula {
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

// compileFormula compiles a formula of the author. A target may be relative to the root or to the
// character.
func compileFormula(f Formula, p *Profile) (compiledFormula, error) {
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
