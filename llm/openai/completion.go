package openai

import (
	"cmp"
	"context"
	"iter"

	"github.com/talewright/talewright/llm"
)

// Completion returns a model that uses the text completions of the server, for models that need a
// prompt in their own template. The function render converts a request to one text. If it returns
// an error, the error becomes an [*llm.Error] with CodeInvalidRequest and nothing is sent. render
// is called once for each request, possibly concurrently.
//
// The options of the request are used. Tools are written into the text before render is called,
// unless Config.Tools is ToolsNative: then a request with tools is an error with CodeNoTools.
// Images are refused, because a text cannot contain them.
func (c *Client) Completion(render func(llm.Request) (string, error)) llm.Model {
	s := c.s()
	return s.wrap(llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return s.completion(ctx, req, render)
	}))
}

func (s *settings) completion(
	ctx context.Context, req llm.Request, render func(llm.Request) (string, error),
) iter.Seq2[llm.Chunk, error] {
	if len(req.Tools) > 0 {
		return func(yield func(llm.Chunk, error) bool) {
			err := ctx.Err()
			if err == nil {
				err = &llm.Error{Code: llm.CodeNoTools, Message: "text completions know no tools"}
			}
			yield(nil, err)
		}
	}
	req.Model = cmp.Or(req.Model, s.config.Model)
	return s.stream(ctx, req, s.sibling("completions"), func() ([]byte, error) {
		for _, m := range req.Messages {
			if len(m.Images) > 0 {
				return nil, errImages
			}
		}
		prompt, err := render(req)
		if err != nil {
			return nil, err
		}
		return encodeCompletion(req, prompt, s.config)
	})
}
