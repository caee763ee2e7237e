package campaigntest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
)

// maxScenarioFile is the maximum size of a file in bytes.
const maxScenarioFile = 1 << 20

// The codes of mistakes in a file.
const (
	codeUnknownWord  talewright.Code = "unknown_word"  // not a word of a step, or not a check
	codeBadArguments talewright.Code = "bad_arguments" // the arguments of a word are wrong
	codeMisplaced    talewright.Code = "misplaced"     // a line in the wrong place
	codeBadFile      talewright.Code = "bad_file"      // too long, or not UTF-8
)

// bar is the line above the recorded text.
const bar = "----"

// ParseScenario reads a scenario. The problems list everything that is wrong, each with file and
// line ("bell.txt:12") and a correction. All are fatal, because a scenario with missing parts
// proves nothing. The returned scenario then has the parts that could be read.
func ParseScenario(file, text string) (Scenario, talewright.Problems) {
	p := parser{Scenario: Scenario{File: file}}
	text = strings.TrimPrefix(text, "\ufeff")
	switch {
	case len(text) > maxScenarioFile:
		p.problem(1, codeBadFile, "the file is longer than %d bytes: divide it", maxScenarioFile)
	case !utf8.ValidString(text):
		p.problem(1, codeBadFile, "the file is not UTF-8: save it as UTF-8")
	default:
		p.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		p.file()
	}
	return p.Scenario, p.problems
}

// parser reads the lines of a file.
type parser struct {
	Scenario
	lines    []string
	at       int // the next line, from 0
	problems talewright.Problems
}

// problem adds a problem.
func (p *parser) problem(line int, code talewright.Code, format string, args ...any) {
	p.problems = append(p.problems, talewright.Problem{
		Path: p.File + ":" + strconv.Itoa(line), Code: code, Severity: talewright.Fatal, Text: fmt.Sprintf(format, args...),
	})
}

// line is a logical line: a line and its continuation lines, which begin with "|".
type line struct {
	n          int // from 1
	word, rest string
}

// blank reports whether the next line is empty or does not exist.
func (p *parser) blank() bool { return p.at >= len(p.lines) || strings.TrimSpace(p.lines[p.at]) == "" }

// next reads a logical line.
func (p *parser) next() line {
	l := line{n: p.at + 1}
	l.word, l.rest = cutWord(strings.TrimSpace(p.lines[p.at]))
	var rest strings.Builder
	rest.WriteString(strings.TrimSpace(l.rest))
	for p.at++; p.at < len(p.lines); p.at++ {
		more, is := strings.CutPrefix(strings.TrimSpace(p.lines[p.at]), "|")
		if !is {
			break
		}
		rest.WriteString("\n" + strings.TrimSpace(more))
	}
	l.rest = rest.String()
	return l
}

// file reads the whole file.
func (p *parser) file() {
	var comment []string
	for p.at < len(p.lines) {
		switch said, is := strings.CutPrefix(strings.TrimSpace(p.lines[p.at]), "#"); {
		case is:
			comment = append(comment, strings.TrimSpace(said))
			p.at++
		case p.blank():
			p.at++
		default:
			p.step(strings.Join(comment, "\n"))
			comment = nil
		}
	}
}

// step reads one step, up to the empty line after it.
func (p *parser) step(comment string) {
	first := p.next()
	switch first.word {
	case "setup":
		p.setup(first)
		return
	case "goal":
		p.goals(first)
		return
	}
	s := ScenarioStep{Line: first.n, Comment: comment, Do: first.word}
	if how, is := deeds[first.word]; !is {
		p.unknown(first, "a step begins with", slices.Concat(sorted(deeds), []string{"goal", "setup"}))
	} else if args, err := how.read(first.rest); err != nil {
		p.problem(first.n, codeBadArguments, "%v: write %s", err, usage(first.word, how.usage))
	} else {
		s.Args = args
	}
	for !p.blank() {
		if strings.TrimSpace(p.lines[p.at]) == bar {
			p.happened(&s)
			break
		}
		p.detail(&s, p.next())
	}
	p.Steps = append(p.Steps, s)
}

// happened reads the recorded text.
func (p *parser) happened(s *ScenarioStep) {
	s.Recorded = true
	p.at++
	from := p.at
	for !p.blank() {
		p.at++
	}
	if p.at > from {
		s.Happened = strings.Join(p.lines[from:p.at], "\n") + "\n"
	}
}

// detail reads a line of a step after the first one.
func (p *parser) detail(s *ScenarioStep, l line) {
	if l.word == "want" {
		s.Wants = append(s.Wants, p.check(l)...)
		return
	}
	d, is := details[l.word]
	if !is {
		if strings.HasPrefix(l.word, "#") {
			p.problem(l.n, codeMisplaced, "a comment must come before a step: move it there, or write an empty line before it")
			return
		}
		if _, first := deeds[l.word]; first || l.word == "setup" || l.word == "goal" {
			p.problem(l.n, codeMisplaced, "%s begins a step of its own: write an empty line before it", l.word)
			return
		}
		p.unknown(l, "a line of a step begins with", slices.Concat(sorted(details), []string{"want"}))
		return
	}
	if err := d.take(s, l.rest); err != nil {
		p.problem(l.n, codeBadArguments, "%v: write %s", err, usage(l.word, d.usage))
	}
}

// check reads the text after want or goal. It returns nothing if the text is wrong.
func (p *parser) check(l line) []ScenarioCheck {
	c := ScenarioCheck{Line: l.n}
	name, rest := cutWord(l.rest)
	if name == "no" {
		c.Not = true
		name, rest = cutWord(strings.TrimSpace(rest))
	}
	how, is := checks[name]
	if !is {
		p.unknown(line{l.n, name, rest}, "what is wanted is one of", append(sorted(checks), "no"))
		return nil
	}
	var err error
	if c.Args, err = how.read(rest); err != nil {
		p.problem(l.n, codeBadArguments, "%v: write %s", err, usage(l.word+" "+name, how.usage))
		return nil
	}
	c.Name = name
	return []ScenarioCheck{c}
}

// setup reads the members of the setup.
func (p *parser) setup(l line) {
	if p.Setup != nil || len(p.Steps) > 0 {
		p.problem(l.n, codeMisplaced, "setup is the first step, and there is one: move its members there")
	}
	args, err := shape{params: []param{object}}.read(l.rest)
	if err != nil {
		p.problem(l.n, codeBadArguments, `%v: write setup {"variables": {"lantern": 1}}`, err)
	} else if p.Setup == nil {
		p.Setup = json.RawMessage(args[0])
	}
	for !p.blank() {
		p.problem(p.next().n, codeMisplaced, "setup has no further lines: begin those that go on with a bar, as in | {")
	}
}

// goals reads the goals.
func (p *parser) goals(l line) {
	for {
		if l.word != "goal" {
			p.problem(l.n, codeMisplaced, "goals are a separate block: write an empty line before %q", clip(l.word))
		} else {
			for _, c := range p.check(l) {
				if !c.OfState() {
					p.problem(l.n, codeBadArguments, "a goal is about the state: write one of %s, and other checks as want", strings.Join(ofState, ", "))
				}
				p.Goals = append(p.Goals, c)
			}
		}
		if p.blank() {
			return
		}
		l = p.next()
	}
}

// unknown reports an unknown word.
func (p *parser) unknown(l line, what string, known []string) {
	slices.Sort(known)
	if near, ok := utf8text.Suggest(l.word, known); ok {
		p.problem(l.n, codeUnknownWord, "unknown word %q: did you mean %s?", clip(l.word), near)
		return
	}
	p.problem(l.n, codeUnknownWord, "unknown word %q: %s %s", clip(l.word), what, strings.Join(known, ", "))
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// usage returns how a word is written.
func usage(word, how string) string { return strings.TrimSpace(word + " " + how) }
