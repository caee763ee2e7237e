package worldbook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
)

// This file reads the lines @@name at the top of a content, as Card V3 and RisuAI define them.

// Codes of problems with the decorators of Card V3.
const (
	codeUnknown       talewright.Code = "unknown_decorator"
	codeBadValue      talewright.Code = "bad_value"
	codeStrayFallback talewright.Code = "stray_fallback" // @@@ after no decorator
	codeDuplicate     talewright.Code = "duplicate"      // a decorator that occurs twice
)

// decoratorLine is one decorator line: @@name values.
type decoratorLine struct {
	name     string
	values   []string
	fallback bool // @@@name
}

// cutCard removes the decorators of Card V3 and RisuAI, and the empty lines around them, from the
// top of a content. A content without decorators stays unchanged and has no rules. Mistakes in
// decorators are reported.
//
// A fallback replaces the decorator before it, if that is unknown or has an invalid value. The
// first valid decorator of a chain counts. Of several decorators with one name the first counts,
// except additional_keys.
func cutCard(content string, report func(talewright.Code, string)) (rules *decoratorRules, rest string) {
	lines, rest := cutDecorators(content)
	if lines == nil {
		return nil, content
	}
	r := decoratorReader{decoratorRules: &decoratorRules{Inject: decoratorAppend}, report: report}
	for i := 0; i < len(lines); {
		if lines[i].fallback {
			report(codeStrayFallback, fmt.Sprintf("@@@%s is a fallback without a decorator before it: ignored", lines[i].name))
			i++
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end].fallback {
			end++
		}
		r.chain(lines[i:end])
		i = end
	}
	r.resolvePlacement()
	if r.Inject != decoratorAppend && r.InjectLore == "" && r.InjectAt == "" {
		report(codeBadValue, fmt.Sprintf("@@inject_%s needs @@inject_lore or @@inject_at in the same entry: ignored", r.Inject))
	}
	return r.decoratorRules, rest
}

// cutDecorators removes the decorator lines from the top of a content.
func cutDecorators(content string) (list []decoratorLine, rest string) {
	remaining := content
	for remaining != "" {
		first, after, _ := strings.Cut(remaining, "\n")
		if text := keyindex.TrimSpace(first); text != "" {
			d, ok := parseDecorator(text)
			if !ok {
				break
			}
			list = append(list, d)
		}
		remaining = after
	}
	return list, remaining
}

// takesWholeText lists the decorators with one value that may contain commas.
var takesWholeText = [...]string{"inject_lore", "inject_at", "inject_replace", "is_user_icon"}

// parseDecorator reads a line @@name value, value. Blanks around values are removed, and blank values are
// dropped.
func parseDecorator(text string) (d decoratorLine, ok bool) {
	name, values, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(name, "@@@"):
		d.name, d.fallback = name[3:], true
	case strings.HasPrefix(name, "@@"):
		d.name = name[2:]
	default:
		return d, false
	}
	list := []string{values}
	if !slices.Contains(takesWholeText[:], d.name) {
		list = strings.Split(values, ",")
	}
	for _, v := range list {
		if v = keyindex.TrimSpace(v); v != "" {
			d.values = append(d.values, v)
		}
	}
	return d, d.name != "" && strings.Trim(d.name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// decoratorReader applies decorators in order.
type decoratorReader struct {
	*decoratorRules
	report func(talewright.Code, string)
	seen   []string
}

// chain applies the first valid decorator of a chain.
func (r *decoratorReader) chain(chain []decoratorLine) {
	var unknown, bad []string
	for _, d := range chain {
		apply, ok := decorators[d.name]
		switch {
		case !ok:
			unknown = append(unknown, d.name)
			continue
		case slices.Contains(r.seen, d.name) && d.name != "additional_keys":
			r.report(codeDuplicate, fmt.Sprintf("@@%s is given twice: the first one is used", d.name))
			return
		case !apply(r.decoratorRules, d.values):
			bad = append(bad, d.name)
			continue
		}
		r.seen = append(r.seen, d.name)
		return
	}
	if len(unknown) > 0 {
		r.report(codeUnknown, fmt.Sprintf("@@%s is unknown and is ignored: correct the name, or remove it", strings.Join(unknown, ", @@@")))
	}
	if len(bad) > 0 {
		r.report(codeBadValue, fmt.Sprintf("@@%s has no valid value and is ignored: correct it", strings.Join(bad, ", @@@")))
	}
}

// resolvePlacement decides the placement: a position takes precedence over a depth, and a depth over a
// reverse depth.
func (r *decoratorRules) resolvePlacement() {
	switch {
	case r.Place != unsetPlace:
		r.ReverseDepth = nil
	case r.depth != nil:
		r.Place, r.Depth, r.ReverseDepth = atDepth, max(0, *r.depth), nil
	case r.ReverseDepth != nil:
		r.Place = atDepth
	}
}
