package turn

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
)

// The String methods of this file return texts for people: logs, bug reports, transcripts. Equal
// values give equal texts. A text has only information from the value, and its size is limited.
const (
	maxPrinted      = 64 << 10 // bytes; the line that passes the limit is still complete
	maxPrintedText  = 4000     // characters of a text
	maxPrintedLine  = 4200     // characters of a line
	maxPrintedValue = 90       // characters of a value in a list of changes
)

// String returns the stop of the machine, its inputs, and its todo.
func (m *Machine) String() string {
	var p printed
	p.line(0, "campaign %s version %d: %s", m.base.ID, m.base.Version, m.where())
	if len(m.journal) > 0 {
		p.line(1, "told %s", strings.Join(typeNames(m.journal), " "))
	}
	p.indent = 1
	p.todo(m.todo)
	return p.String()
}

// where returns the phase and the stop.
func (m *Machine) where() string {
	if m.phase == Idle {
		return string(Idle)
	}
	return fmt.Sprintf("%s at %s", m.phase, m.Stop())
}

// String lists what to do, "" if there is nothing.
func (t Todo) String() string {
	var p printed
	p.todo(t)
	return p.String()
}

// String says what the record changes, and why.
func (r Record) String() string {
	var p printed
	p.record(r)
	return p.String()
}

// String says how the instruction ended.
func (o Outcome) String() string {
	var p printed
	p.outcome(o)
	return p.String()
}

// printed is a text of indented lines with a size limit.
type printed struct {
	text    strings.Builder
	indent  int // of all lines
	omitted int // lines
}

// line adds a line, unless the text has reached its limit.
func (p *printed) line(depth int, format string, args ...any) {
	if p.full() {
		p.omitted++
		return
	}
	p.text.WriteString(strings.Repeat("  ", p.indent+depth))
	p.text.WriteString(utf8text.Clip(fmt.Sprintf(format, args...), maxPrintedLine))
	p.text.WriteByte('\n')
}

func (p *printed) full() bool { return p.text.Len() >= maxPrinted }

// block adds the lines of a text, each after a bar.
func (p *printed) block(depth int, text string) {
	for line := range strings.Lines(utf8text.Clip(text, maxPrintedText)) {
		p.line(depth, "| %s", strings.TrimSuffix(line, "\n"))
	}
}

// String returns the lines.
func (p *printed) String() string {
	if p.omitted > 0 {
		return p.text.String() + fmt.Sprintf("… and %d lines more\n", p.omitted)
	}
	return p.text.String()
}

// quoted returns a text in quotes, for use within a line.
func quoted(text string) string { return fmt.Sprintf("%q", utf8text.Clip(text, maxPrintedText)) }

// words joins texts of any type by blanks.
func words[S ~string](list []S) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return strings.Join(out, " ")
}

func typeNames(list Inputs) []string {
	names := make([]string, len(list))
	for i, in := range list {
		names[i] = strings.TrimPrefix(fmt.Sprintf("%T", in), "turn.")
	}
	return names
}

func (p *printed) todo(t Todo) {
	switch {
	case t.Route != nil:
		p.line(0, "route %s manual %s known %s", quoted(t.Route.Input), t.Route.Manual,
			strings.Join(t.Route.Known, " "))
	case t.Hooks != nil:
		p.line(0, "hooks %s %s", t.Hooks.Event.Type, t.Hooks.Event.Payload)
	case t.Past != nil:
		p.line(0, "read in the log %s", strings.Join(t.Past.Words(), " "))
	case t.Recall != nil:
		p.line(0, "recall %d tokens at most, for %d texts", t.Recall.Limit, len(t.Recall.Texts))
	case t.Retrieve != nil:
		p.line(0, "retrieve %d entries at most, for %d messages", t.Retrieve.Limit, len(t.Retrieve.Messages))
	case t.Generate != nil:
		p.generation(*t.Generate)
	case t.Outside != nil:
		p.line(0, "outside %s %s %s", t.Outside.Call.ID, t.Outside.Call.Tool, t.Outside.Call.Args)
	case t.Judge != nil:
		p.line(0, "judge %s", quoted(t.Judge.Narration))
		p.conflicts("finding", t.Judge.Findings)
		for _, q := range t.Judge.Questions {
			p.line(1, "question %d %s %s", q.N, q.Kind, quoted(q.Quote))
		}
	case t.Approve != nil:
		p.question(0, *t.Approve)
	case t.Commit != nil:
		p.record(*t.Commit)
	default:
		p.ending(t)
	}
}

// question lists the calls that wait for people.
func (p *printed) question(depth int, q state.ApprovalQuestion) {
	p.line(depth, "approve %s %s", q.ID, quoted(q.Narration))
	for _, c := range q.Settled {
		p.line(depth+1, "settled %s %s %s", c.ID, c.Tool, c.Args)
	}
	for _, c := range q.Calls {
		p.line(depth+1, "call %s %s %s affects %s", c.ID, c.Tool, c.Args, words(c.Affects))
	}
	for _, r := range q.Refused {
		p.line(depth+1, "refused %s %s %s", r.ID, r.Tool, r.Reason)
	}
}

// generation lists the messages of a first request, or the messages of a later request that the
// model has not received yet.
func (p *printed) generation(g question.Generate) {
	head := fmt.Sprintf("generate attempt %d", g.Attempt)
	if g.Retry != "" {
		head += " because of " + g.Retry
	}
	if g.Updates {
		head += " of variables"
	}
	if !g.Intercept {
		head += " shown at once"
	}
	p.line(0, "%s", head)
	if g.Seen == 0 {
		var names []string
		for _, m := range g.Request.Messages {
			names = append(names, blockName(m))
		}
		p.line(1, "%s", strings.Join(names, " "))
		return
	}
	for _, m := range g.Request.Messages[min(g.Seen, len(g.Request.Messages)):] {
		p.line(1, "+ %s", m.Kind)
		p.block(2, m.Message.Text)
	}
}

// blockName returns the block of a system message, else the kind of the message.
func blockName(m question.Message) string {
	if m.Kind == question.KindSystemBlock {
		return m.Block
	}
	return string(m.Kind)
}

func (p *printed) record(r Record) {
	p.line(0, "commit version %d: %s", r.Version, r.Kind)
	p.line(1, "inputs %s", strings.Join(typeNames(r.Inputs), " "))
	for i, c := range r.Delta {
		if p.full() { // the values are not printed
			p.omitted += len(r.Delta) - i
			break
		}
		text := "(removed)"
		if c.Value.Exists() {
			text = utf8text.Clip(c.Value.String(), maxPrintedValue)
		}
		p.line(1, "%s = %s", c.Path, text)
	}
}

// ending lists the remaining work when an instruction is over.
func (p *printed) ending(t Todo) {
	if t.Show != nil {
		p.line(0, "show %s", quoted(t.Show.Text))
		for _, m := range t.Show.Messages {
			p.line(0, "message %s", quoted(m))
		}
	}
	for _, c := range t.Host {
		data, err := effect.Marshal(c.Effect)
		if err != nil {
			data = []byte(err.Error())
		}
		p.line(0, "host %s: %s", c.Source, data)
	}
	for _, a := range t.Announce {
		p.line(0, "announce %s %s", a.Event, a.Payload)
	}
	if t.Outcome != nil {
		p.outcome(*t.Outcome)
	}
	if t.Summarize != nil {
		p.line(0, "summarize %d turns", len(t.Summarize.Turns))
	}
}

func (p *printed) outcome(o Outcome) {
	p.line(0, "outcome %s", o.headline())
	if o.Detail != "" {
		p.line(1, "detail %s", quoted(o.Detail))
	}
	if o.Failure != nil && o.Failure.Err != nil {
		p.line(1, "cause %s", quoted(o.Failure.Err.Error()))
	}
	if o.Turn != nil {
		for _, a := range o.Turn.Applied {
			p.line(1, "applied %s %s %s", a.ID, a.Tool, a.Result)
		}
		for _, r := range o.Turn.Trace.Rewrites {
			p.line(1, "rewritten %s by %s in %d places: %s", r.Target, r.By, r.Times, quoted(r.Text))
		}
		for _, a := range o.Turn.Approvals {
			p.line(1, "%s %s %s by %s", a.Verdict, a.CallID, a.Tool, a.By)
		}
		if len(o.Turn.Unresolved) > 0 {
			p.line(1, "unresolved %s", words(o.Turn.Unresolved))
		}
		p.conflicts("overridden", o.Turn.Overridden)
	}
	if o.Approval != nil {
		p.question(1, *o.Approval)
	}
	if o.Report != nil {
		p.report(*o.Report)
	}
}

// headline returns an outcome in one line.
func (o Outcome) headline() string {
	words := []string{string(o.Status)}
	if o.Reason != "" {
		words = append(words, o.Reason)
	}
	if o.Replayed {
		words = append(words, "replayed")
	}
	if o.Turn != nil {
		words = append(words, o.Turn.ID)
	}
	if o.DialogType != "" && (o.DialogTypeSource != state.DialogByHand || o.DialogType != "scene") {
		words = append(words, "in", o.DialogType, "by", string(o.DialogTypeSource))
	}
	switch n := o.RetriesUsed; {
	case n == 1:
		words = append(words, "after 1 retry")
	case n > 1:
		words = append(words, fmt.Sprintf("after %d retries", n))
	}
	return strings.Join(words, " ")
}

func (p *printed) report(r state.ConflictReport) {
	p.line(1, "report: %d attempts of at most %d; options %s", r.Attempts, r.MaxRetries+1,
		words(r.Options))
	p.conflicts("conflict", r.Conflicts)
	for _, f := range r.FailedCalls {
		p.line(1, "failed %s %s %s %s", f.ID, f.Tool, f.Status, f.Reason)
	}
	for i, a := range r.History {
		p.line(1, "attempt %d: %s", i+1, strings.Join(faultsOf(a), " "))
	}
}

// faultsOf names the faults of an attempt.
func faultsOf(a state.Attempt) (words []string) {
	for _, c := range a.Conflicts {
		words = append(words, c.Kind)
	}
	for _, f := range a.FailedCalls {
		words = append(words, string(f.Reason))
	}
	if a.NoProgress {
		words = append(words, "(no progress)")
	}
	return words
}

func (p *printed) conflicts(label string, list []conflict.Conflict) {
	for _, c := range list {
		p.line(1, "%s %s %s %s %s", label, c.Kind, c.Severity, c.EntityID, quoted(c.Quote))
	}
}
