package rules

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/rules/effect"
)

// Strict parsing is for models that can be asked again. There, half of a batch is worse than none:
// if an item is paid for but not received, the game stays wrong. A refused batch is returned with
// its reasons. The receipt reveals mistakes that otherwise look like prose, such as a directive
// with a misspelt id.

// StrictDirectives is the result of [ParseStrictDirectives].
type StrictDirectives struct {
	// DirectiveResult has all effects or, if it has errors, none. In both cases Text is for the
	// player, without directives and receipt.
	DirectiveResult
	// Updates is the number of writes that were read, applied or not.
	Updates int
	// Repaired says that one bracket was missing and was inserted at its place.
	Repaired bool
}

// ParseStrictDirectives reads the directives of a reply as one batch, all or nothing:
//
//  1. One separate line must be the receipt: [updates: 3] says that the reply writes variables
//     three times. A reply without updates says [updates: 0]. Sounds do not count.
//  2. The forms are the forms of [ParseDirectives], and each of its errors refuses the batch. There
//     is one exception. If the only error is a missing bracket at the end of one directive or of
//     its JSON value, the bracket is inserted.
//  3. The writes are tried in order, as [Program.Apply] does on the state. Each sees the results of
//     earlier ones. They are checked for type, operation, path and bounds of each variable,
//     write-once flags, lists and objects. One refusal refuses the batch. So does a write that the
//     model may not make: see [Program.FilterWrites].
//
// All errors are listed at once, in the order of the text. Their texts say how to correct the
// directive. The state is not changed; apply the effects to make the changes. With a Known option a
// misspelt id is prose, so the count is wrong. Without Known it is refused, and so is prose that
// looks like a directive.
//
// ParseStrictDirectives is pure and safe for concurrent use.
func ParseStrictDirectives(text string, program *Program, st State, opts DirectiveOptions) StrictDirectives {
	body, counts := cutReceipts(text)
	r, p := directiveParse(body, opts)
	out := StrictDirectives{DirectiveResult: r}
	counts = slices.DeleteFunc(counts, func(c receiptCount) bool { // a receipt in the model's thoughts does not count
		i := sort.Search(len(p.cuts), func(i int) bool { return p.cuts[i].end > c.at })
		return i < len(p.cuts) && p.cuts[i].start < c.at
	})
	if mended, at := mend(body, r.Errors, opts); at > 0 {
		out.DirectiveResult, p = directiveParse(mended, opts)
		out.Repaired = true
		out.restorePlaces(at)
	}
	out.cutLines(text, counts)
	out.Text = tidy(out.Text, true)
	out.Updates = len(out.Writes(""))
	out.Errors = append(out.Errors, out.receipt(text, counts, opts.words())...)
	out.Errors = append(out.Errors, out.refusedWrites(body, p.places, program, st)...)
	slices.SortStableFunc(out.Errors, func(a, b DirectiveError) int { return a.Offset - b.Offset })
	if len(out.Errors) > 0 {
		out.Effects = nil
		for i := range out.Passages {
			out.Passages[i].Effects = nil
		}
	}
	return out
}

// restorePlaces converts the places of passages from the mended text to the original text, which
// does not have the bracket at the given offset.
func (s *StrictDirectives) restorePlaces(at int) {
	for i := range s.Passages {
		p := &s.Passages[i]
		if p.From > at {
			p.From--
		}
		if p.To > at {
			p.To--
		}
	}
}

// cutLines adds the receipts to the passages.
func (s *StrictDirectives) cutLines(text string, counts []receiptCount) {
	for _, c := range counts {
		n := strings.IndexByte(text[c.at:], ']') + 1
		s.Passages = append(s.Passages, DirectivePassage{From: c.at, To: c.at + n})
	}
	slices.SortStableFunc(s.Passages, func(a, b DirectivePassage) int { return a.From - b.From })
}

// receiptWord begins the line of a receipt.
const receiptWord = "[updates:"

// receiptCount is the content of one receipt.
type receiptCount struct {
	at int
	n  int // -1: not a number
}

// cutReceipts reads the receipts and replaces them by blanks, so that all offsets stay valid.
func cutReceipts(text string) (string, []receiptCount) {
	var found []receiptCount
	var out strings.Builder
	at := 0
	for line := range strings.Lines(text) {
		inner, ok := strings.CutPrefix(strings.TrimSpace(line), receiptWord)
		inner, closed := strings.CutSuffix(inner, "]")
		if !ok || !closed {
			out.WriteString(line)
		} else {
			n, err := strconv.Atoi(strings.TrimSpace(inner))
			if err != nil || n < 0 {
				n = -1
			}
			found = append(found, receiptCount{at + strings.IndexByte(line, '['), n})
			content := strings.TrimRight(line, "\r\n")
			out.WriteString(strings.Repeat(" ", len(content)) + line[len(content):])
		}
		at += len(line)
	}
	return out.String(), found
}

// receipt compares the receipt with the number of writes that were read.
func (s *StrictDirectives) receipt(text string, counts []receiptCount, words wording.Table) []DirectiveError {
	want := fmt.Sprintf("%s %d]", receiptWord, s.Updates)
	if len(counts) != 1 {
		return []DirectiveError{newDirectiveError(text, len(text), directiveNoReceipt,
			words.Say("there are %d receipts; end the reply with one line %s", len(counts), want))}
	}
	if c := counts[0]; c.n != s.Updates {
		return []DirectiveError{newDirectiveError(text, c.at, directiveWrongCount,
			words.Say("%d updates were understood; repair the others, or write %s", s.Updates, want))}
	}
	return nil
}

// refusedWrites returns the errors of the writes that the program would refuse.
func (s *StrictDirectives) refusedWrites(text string, places []int, program *Program, st State) []DirectiveError {
	var errors []DirectiveError
	for i, e := range s.Effects {
		write, ok := e.(effect.SetVariable)
		if !ok {
			continue
		}
		allowed, denied := program.FilterWrites(st, effect.By("model", write))
		applied := program.Apply(st, allowed, Options{})
		for _, r := range append(denied, applied.Refused...) {
			errors = append(errors, newDirectiveError(text, min(places[i], len(text)), directiveRefused, r.Path+": "+r.Text))
		}
		st = applied.State
	}
	return errors[:min(len(errors), maxErrors)]
}

// mend inserts one missing bracket into the text, if that is the only mistake. It returns the offset
// of the bracket, or 0.
func mend(text string, errors []DirectiveError, opts DirectiveOptions) (mended string, at int) {
	if len(errors) != 1 || errors[0].Code != directiveUnclosed && errors[0].Code != directiveBadValue {
		return "", 0
	}
	start := errors[0].Offset
	if text[start] != '[' {
		return "", 0
	}
	end := len(text)
	if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
		end = start + n
	}
	line := strings.TrimRight(text[start:end], " \t\r")
	if len(line) > maxDirective { // too long for one directive, closed or not
		return "", 0
	}
	type candidate struct {
		at      int
		bracket string
	}
	var candidates []candidate
	if next := strings.IndexByte(line[1:], '['); next >= 0 { // the next directive begins
		candidates = append(candidates, candidate{len(strings.TrimRight(line[:next+1], " \t")), "]"})
	}
	candidates = append(candidates, candidate{len(line), "]"})
	if last := strings.LastIndexByte(line, ']'); last > 0 { // the end of the value is missing
		candidates = append(candidates, candidate{last, "}"}, candidate{last, "]"})
	}
	for _, c := range candidates {
		at := start + c.at
		mended := text[:at] + c.bracket + text[at:]
		if r, _ := directiveParse(mended, opts); len(r.Errors) == 0 && len(r.Effects) > 0 {
			return mended, at
		}
	}
	return "", 0
}
