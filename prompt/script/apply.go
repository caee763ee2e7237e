package script

import (
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/prompt/macro"
)

// maxTotal limits the texts that the scripts of one call read and write, in bytes.
const maxTotal = 64 << 20

// Apply runs the matching scripts on a text, in order. Each script works on the result of the
// script before it. The macros of patterns, replacements and trim strings read and change the
// variables of run; nil means a run with an empty environment. A script that fails leaves its input
// unchanged.
//
// If no script matches, the text is returned unchanged and nothing is allocated.
func (s *Set) Apply(text string, w Where, run *macro.Run) (string, Report) {
	var report Report
	if s == nil {
		return text, report
	}
	total := 0
	for i := range s.scripts {
		c := &s.scripts[i]
		if text == "" || c.skip(w) != "" {
			continue
		}
		if run == nil {
			run = macro.NewRun(macro.Env{})
		}
		ran := Ran{Ref: c.ref(), Before: len(text), After: len(text)}
		if total += len(text); total > maxTotal {
			ran.Problem = codeLimit
		} else {
			text = s.runScript(c, text, w, run, &ran)
			total += len(text)
		}
		report.Ran = append(report.Ran, ran)
	}
	return text, report
}

// runScript runs a script and returns the text after it.
func (s *Set) runScript(c *compiledScript, text string, w Where, run *macro.Run, ran *Ran) string {
	f := s.finderOf(c, run, ran)
	if f == nil {
		return text
	}
	j := job{set: s, script: c, finder: f, where: w, run: run}
	if s.expandsReplacement(c) || len(c.Trim) > 0 { // macros may store variables
		run.Try(func() bool {
			j.replace(text)
			return j.problem == ""
		})
	} else {
		j.replace(text)
	}
	if ran.Problem = j.problem; j.problem != "" || j.count == 0 {
		return text
	}
	ran.Matches, ran.After, ran.Changed = j.count, len(j.result), j.result != text
	return j.result
}

// finderOf returns the finder of a script, or nil without one. It expands the macros of the pattern
// once, whether or not the pattern matches.
func (s *Set) finderOf(c *compiledScript, run *macro.Run, ran *Ran) *finder {
	f := cachedFinder{c.finder, c.patternError}
	if f == (cachedFinder{}) { // the pattern has macros
		text, ok := expandPattern(c, run)
		if !ok {
			ran.Problem = codeMacroFailed
			return nil
		}
		f = s.cache.get(text)
	}
	if f.finder == nil {
		ran.Problem, ran.Detail = codeBadPattern, f.broken
	}
	return f.finder
}

// expandPattern returns the pattern of a script with its macros expanded. ok is false if a macro
// panicked.
func expandPattern(c *compiledScript, run *macro.Run) (text string, ok bool) {
	locals := macro.Locals{}
	if c.Macros == EscapedMacros {
		locals.Result = escapePattern.Replace
	}
	ok = run.Try(func() bool {
		return runsWithoutPanic(func() { text = run.ExpandWith(c.Find, macro.Full, locals) })
	})
	return text, ok
}

// escapePattern escapes a text so that it matches itself.
var escapePattern = strings.NewReplacer(
	".", `\.`, "^", `\^`, "$", `\$`, "*", `\*`, "+", `\+`, "?", `\?`, "{", `\{`, "}", `\}`,
	"[", `\[`, "]", `\]`, `\`, `\\`, "/", `\/`, "|", `\|`, "(", `\(`, ")", `\)`,
	"\n", `\n`, "\r", `\r`, "\t", `\t`, "\v", `\v`, "\f", `\f`, "\x00", `\0`,
)

// job is one run of one script over a text.
type job struct {
	set    *Set
	script *compiledScript
	finder *finder
	where  Where
	run    *macro.Run

	text           string      // in the form that the finder reads
	processedBytes int         // bytes that were inserted or trimmed; limited by maxTotal
	count          int         // matches
	form           *macro.Form // the replacement with places for the groups, made once (see writeWithData)
	result         string
	problem        talewright.Code
}

// runsWithoutPanic calls f, which runs macros; a macro of a host may panic. It reports whether f did not
// panic.
func runsWithoutPanic(f func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	f()
	return true
}

// charge counts bytes that are inserted or trimmed. Too many of them are a problem of the job.
func (j *job) charge(n int) {
	if j.processedBytes += n; j.processedBytes > maxTotal {
		j.problem = codeTooLong
	}
}

// expandSafely returns the result of expand. It is empty after a panic or a different problem.
func (j *job) expandSafely(expand func() string) (text string) {
	if j.problem == "" && !runsWithoutPanic(func() { text = expand() }) {
		j.problem = codeMacroFailed
	}
	return text
}

// replace replaces the matches.
func (j *job) replace(text string) {
	j.text = j.finder.re.Text(text)
	var b strings.Builder
	at := 0
	for m, err := range j.finder.re.All(j.text) {
		if err != nil {
			j.problem = codeLimit
			return
		}
		j.count++
		b.WriteString(j.text[at:m[0].From])
		j.writeReplacement(&b, m)
		at = m[0].To
		if b.Len() > j.set.limit {
			j.problem = codeTooLong
		}
		if j.problem != "" {
			return
		}
		if !j.finder.all {
			break
		}
	}
	if j.count == 0 {
		return
	}
	b.WriteString(j.text[at:])
	result, valid := j.finder.fromFinderText(b.String())
	switch {
	case !valid:
		j.problem = codeSplitPair
	case len(result) > j.set.limit:
		j.problem = codeTooLong
	default:
		j.result = result
	}
}

// writeReplacement writes the replacement of one match. Halves of surrogate pairs stay in the form of
// the finder until the whole text is built: the second half may follow.
func (j *job) writeReplacement(b *strings.Builder, m jsregex.Found) {
	c := j.script
	switch {
	case !j.set.expandsReplacement(c):
		j.writeGroups(b, m)
	case c.inserts && !j.set.expand:
		j.writeWithData(b, m)
	default:
		var template strings.Builder
		j.writeGroups(&template, m)
		b.WriteString(j.expandSafely(func() string { return j.run.Expand(template.String(), macro.Full) }))
	}
}

// expandsReplacement reports whether the replacement of a script may have macros that run. The macros
// in the texts of groups run only with [Expand].
func (s *Set) expandsReplacement(c *compiledScript) bool {
	return c.macros || c.inserts && s.expand
}

// writeGroups writes the replacement with the texts of its groups. Macros are not expanded.
func (j *job) writeGroups(b *strings.Builder, m jsregex.Found) {
	for i := range j.script.pieces {
		p := &j.script.pieces[i]
		text := p.text
		if p.inserts() {
			text = j.groupText(p, m)
		}
		if j.charge(len(text)); j.problem != "" {
			return
		}
		b.WriteString(text)
	}
}

// writeWithData writes the replacement with its macros expanded. The texts of groups are data: macros
// in them do not run.
func (j *job) writeWithData(b *strings.Builder, m jsregex.Found) {
	c := j.script
	if j.form == nil {
		parts := make([]macro.Part, len(c.pieces))
		for i, p := range c.pieces {
			parts[i] = macro.Part{Text: p.text, Data: p.inserts()}
		}
		form := j.run.Form(parts...)
		j.form = &form
	}
	var data []string
	for i := range c.pieces {
		if p := &c.pieces[i]; p.inserts() {
			text := j.groupText(p, m)
			if j.charge(len(text)); j.problem != "" {
				return
			}
			data = append(data, text)
		}
	}
	b.WriteString(j.expandSafely(func() string { return j.run.Fill(*j.form, data...) }))
}

// groupText returns the text of a group without the trim strings of the script.
func (j *job) groupText(p *piece, m jsregex.Found) string {
	group, known := p.group, true
	if p.name != "" {
		group, known = j.finder.names[p.name]
	}
	if !known || group >= len(m) || m[group].From < 0 {
		return ""
	}
	text := j.text[m[group].From:m[group].To]
	if converted, ok := j.finder.fromFinderText(text); ok {
		text = converted
	}
	if text == "" {
		return ""
	}
	for _, cut := range j.script.Trim {
		j.charge(len(text))
		cut = j.expandSafely(func() string {
			return j.run.ExpandWith(cut, macro.Full, macro.Locals{Char: j.where.Name})
		})
		if cut != "" {
			text = strings.ReplaceAll(text, cut, "")
		}
	}
	return text
}
