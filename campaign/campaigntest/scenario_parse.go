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

// recordingMark is the line above the recorded text of a step.
const recordingMark = "----"

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
		p.parseFile()
	}
	return p.Scenario, p.problems
}

// parser reads the lines of a file.
type parser struct {
	Scenario
	lines    []string
	next     int // the next line, from 0
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

// atBlank reports whether the next line is blank, or the file has ended.
func (p *parser) atBlank() bool {
	return p.next >= len(p.lines) || strings.TrimSpace(p.lines[p.next]) == ""
}

// readLine reads a logical line.
func (p *parser) readLine() line {
	l := line{n: p.next + 1}
	l.word, l.rest = cutWord(strings.TrimSpace(p.lines[p.next]))
	var rest strings.Builder
	rest.WriteString(strings.TrimSpace(l.rest))
	for p.next++; p.next < len(p.lines); p.next++ {
		more, is := strings.CutPrefix(strings.TrimSpace(p.lines[p.next]), "|")
		if !is {
			break
		}
		rest.WriteString("\n" + strings.TrimSpace(more))
	}
	l.rest = rest.String()
	return l
}

// parseFile reads the whole file.
func (p *parser) parseFile() {
	var comment []string
	for p.next < len(p.lines) {
		switch said, is := strings.CutPrefix(strings.TrimSpace(p.lines[p.next]), "#"); {
		case is:
			comment = append(comment, strings.TrimSpace(said))
			p.next++
		case p.atBlank():
			p.next++
		default:
			p.parseStep(strings.Join(comment, "\n"))
			comment = nil
		}
	}
}

// parseStep reads one step, up to the empty line after it.
func (p *parser) parseStep(comment string) {
	first := p.readLine()
	switch first.word {
	case "setup":
		p.parseSetup(first)
		return
	case "goal":
		p.parseGoals(first)
		return
	}
	s := ScenarioStep{Line: first.n, Comment: comment, Do: first.word}
	if how, is := stepKinds[first.word]; !is {
		p.reportUnknown(first, "a step begins with", slices.Concat(sorted(stepKinds), []string{"goal", "setup"}))
	} else if args, err := how.read(first.rest); err != nil {
		p.problem(first.n, codeBadArguments, "%v: write %s", err, usage(first.word, how.usage))
	} else {
		s.Args = args
	}
	for !p.atBlank() {
		if strings.TrimSpace(p.lines[p.next]) == recordingMark {
			p.parseRecording(&s)
			break
		}
		p.parseStepLine(&s, p.readLine())
	}
	p.Steps = append(p.Steps, s)
}

// parseRecording reads the recorded text.
func (p *parser) parseRecording(s *ScenarioStep) {
	s.Recorded = true
	p.next++
	from := p.next
	for !p.atBlank() {
		p.next++
	}
	if p.next > from {
		s.Happened = strings.Join(p.lines[from:p.next], "\n") + "\n"
	}
}

// parseStepLine reads a line of a step after the first one.
func (p *parser) parseStepLine(s *ScenarioStep, l line) {
	if l.word == "want" {
		s.Wants = append(s.Wants, p.parseCheck(l)...)
		return
	}
	d, is := stepLines[l.word]
	if !is {
		if strings.HasPrefix(l.word, "#") {
			p.problem(l.n, codeMisplaced, "a comment must come before a step: move it there, or write an empty line before it")
			return
		}
		if _, first := stepKinds[l.word]; first || l.word == "setup" || l.word == "goal" {
			p.problem(l.n, codeMisplaced, "%s begins a step of its own: write an empty line before it", l.word)
			return
		}
		p.reportUnknown(l, "a line of a step begins with", slices.Concat(sorted(stepLines), []string{"want"}))
		return
	}
	if err := d.read(s, l.rest); err != nil {
		p.problem(l.n, codeBadArguments, "%v: write %s", err, usage(l.word, d.usage))
	}
}

// parseCheck reads the text after want or goal. It returns a list with the check, or an empty list if
// the text is wrong.
func (p *parser) parseCheck(l line) []ScenarioCheck {
	c := ScenarioCheck{Line: l.n}
	name, rest := cutWord(l.rest)
	if name == "no" {
		c.Not = true
		name, rest = cutWord(strings.TrimSpace(rest))
	}
	how, is := checkKinds[name]
	if !is {
		p.reportUnknown(line{l.n, name, rest}, "what is wanted is one of", append(sorted(checkKinds), "no"))
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

// parseSetup reads the members of the setup.
func (p *parser) parseSetup(l line) {
	if p.Setup != nil || len(p.Steps) > 0 {
		p.problem(l.n, codeMisplaced, "setup is the first step, and there is one: move its members there")
	}
	args, err := shape{params: []param{object}}.read(l.rest)
	if err != nil {
		p.problem(l.n, codeBadArguments, `%v: write setup {"variables": {"lantern": 1}}`, err)
	} else if p.Setup == nil {
		p.Setup = json.RawMessage(args[0])
	}
	for !p.atBlank() {
		p.problem(p.readLine().n, codeMisplaced, "setup has no further lines: begin those that go on with a bar, as in | {")
	}
}

// parseGoals reads the goals.
func (p *parser) parseGoals(l line) {
	for {
		if l.word != "goal" {
			p.problem(l.n, codeMisplaced, "goals are a separate block: write an empty line before %q", clip(l.word))
		} else {
			for _, c := range p.parseCheck(l) {
				if !checkKinds[c.Name].isGoal {
					p.problem(l.n, codeBadArguments, "a goal is about the state: write one of hp, in, alive, var, between, state, ended, and other checks as want")
				}
				p.Goals = append(p.Goals, c)
			}
		}
		if p.atBlank() {
			return
		}
		l = p.readLine()
	}
}

// reportUnknown reports an unknown word.
func (p *parser) reportUnknown(l line, what string, known []string) {
	slices.Sort(known)
	if near, ok := utf8text.Suggest(l.word, known); ok {
		p.problem(l.n, codeUnknownWord, "unknown word %q: did you mean %s?", clip(l.word), near)
		return
	}
	p.problem(l.n, codeUnknownWord, "unknown word %q: %s %s", clip(l.word), what, strings.Join(known, ", "))
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// usage returns how a line with a word is written; how is the form of its arguments.
func usage(word, how string) string { return strings.TrimSpace(word + " " + how) }
