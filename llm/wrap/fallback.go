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
	Name  string // for the warning that tells who answered
	Model llm.Model
	// ModelName, if not empty, replaces Request.Model for this candidate.
	ModelName string
}

// FallbackUsed is the code of the [llm.Warning] that [Fallback] puts in front of a reply
// that did not come from its first candidate. Its detail is the candidate's name.
const FallbackUsed = "fallback_used"

// Fallback returns a model that asks the next candidate when one fails.
//
//  1. Only an [*llm.Error] with one of the codes leads on; no codes means those after
//     which another provider may do better: rate_limit, overloaded, server, network,
//     timeout, incomplete, malformed, auth and not_found.
//  2. What was handed out cannot be taken back: from the first text or reasoning on,
//     errors pass through, as in [Retry].
//  3. When ctx has ended, the error passes through.
//  4. The error of the last candidate passes through.
//
// It yields an [*llm.Error] with llm.CodeInvalidRequest if there are no candidates. Put Retry
// around single candidates, Fallback around those.
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

// answer asks one candidate and reports whether the next one has to be asked: leads
// says of which errors that is true.
func (c Candidate) answer(
	ctx context.Context, req llm.Request, second bool, yield func(llm.Chunk, error) bool, leads func(error) bool,
) bool {
	if c.ModelName != "" {
		req.Model = c.ModelName
	}
	d := newDelivery(yield)
	if second {
		d.held = []llm.Chunk{llm.Warning{Code: FallbackUsed, Detail: c.Name}}
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
