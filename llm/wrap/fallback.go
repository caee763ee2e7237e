package wrap

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/talewright/talewright/llm"
)

// Candidate is one of the models of [Fallback].
type Candidate struct {
	Name  string // for the warning that names the candidate
	Model llm.Model
	// ModelName, if not empty, replaces Request.Model for this candidate.
	ModelName string
}

// fallbackUsed is the code of the [llm.Warning] that [Fallback] puts before a reply that does not
// come from its first candidate. Its detail is the candidate's name.
const fallbackUsed = "fallback_used"

// Fallback returns a model that calls the next candidate when one fails.
//
//  1. Only an [*llm.Error] with one of the codes leads to the next candidate. By default these are
//     the codes after which a different provider may succeed: rate_limit, overloaded, server,
//     network, timeout, incomplete, malformed, auth and not_found.
//  2. Chunks that were passed on cannot be taken back: after the first text or reasoning, errors
//     pass through, as in [Retry].
//  3. When ctx has ended, the error passes through.
//  4. The error of the last candidate passes through.
//
// It yields an [*llm.Error] with llm.CodeInvalidRequest if there are no candidates. Wrap single
// candidates in Retry, and wrap the results in Fallback.
func Fallback(candidates []Candidate, codes ...llm.ErrorCode) llm.Model {
	candidates = slices.Clone(candidates)
	if len(codes) == 0 {
		codes = []llm.ErrorCode{
			llm.CodeRateLimit, llm.CodeOverloaded, llm.CodeServer, llm.CodeNetwork, llm.CodeTimeout,
			llm.CodeIncomplete, llm.CodeMalformed, llm.CodeAuth, llm.CodeNotFound,
		}
	}
	codes = slices.Clone(codes)
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			if len(candidates) == 0 {
				yield(nil, &llm.Error{Code: llm.CodeInvalidRequest, Message: "there is no model to ask"})
				return
			}
			for i, c := range candidates {
				next := i+1 < len(candidates)
				if !c.answer(ctx, req, i > 0, yield, func(err error) bool {
					failure, ok := errors.AsType[*llm.Error](err)
					return next && ok && ctx.Err() == nil && slices.Contains(codes, failure.Code)
				}) {
					return
				}
			}
		})
	})
}

// answer calls one candidate and reports whether the next one must be called. leads reports whether
// an error leads to the next candidate.
func (c Candidate) answer(
	ctx context.Context, req llm.Request, second bool, yield func(llm.Chunk, error) bool, leads func(error) bool,
) bool {
	if c.ModelName != "" {
		req.Model = c.ModelName
	}
	d := newDelivery(yield)
	if second {
		d.held = []llm.Chunk{llm.Warning{Code: fallbackUsed, Detail: c.Name}}
	}
	err := d.pass(c.Model.Generate(ctx, req))
	switch {
	case err == nil:
	case !d.begun && leads(err):
		return true
	case d.flush():
		yield(nil, err)
	}
	return false
}
