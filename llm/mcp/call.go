package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Code says why a call has no result.
//
//   - not_allowed: Options.Allow does not name the tool, or the tool is unusable
//   - bad_arguments: not a JSON object, too long, nested too deep, or not valid for the schema
//   - not_approved: Options.Approve refused the call, or is nil
//   - timed_out: the server took longer than Options.Timeout
//   - unavailable: the connection failed, or the answer is not a result
//   - tool_failed: the tool ran and reports an error
//   - too_large: the result is larger than Options.MaxResult
//
// Only with unavailable and timed_out the server may have executed the call.
type Code string

const (
	codeNotAllowed   Code = "not_allowed"
	codeBadArguments Code = "bad_arguments"
	codeNotApproved  Code = "not_approved"
	codeTimedOut     Code = "timed_out"
	codeUnavailable  Code = "unavailable"
	codeToolFailed   Code = "tool_failed"
	codeTooLarge     Code = "too_large"
)

// Error is the error of a call without a result. Find it with errors.AsType[*Error].
type Error struct {
	Tool string // the name with the prefix
	Code Code
	// Text is the detail, which is also for the model: the text of the tool, of Options.Approve, or
	// of this package. At most MaxResult bytes.
	Text string
	// Err is the cause, or nil. Do not show it to the model.
	Err error
}

// Error returns the tool, the code and the text.
func (e *Error) Error() string {
	text := fmt.Sprintf("mcp: %s: %s", e.Tool, e.Code)
	if e.Text != "" {
		text += ": " + e.Text
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same call may succeed later.
func (e *Error) Retryable() bool { return e.Code == codeTimedOut || e.Code == codeUnavailable }

// Result is the answer of a tool. It is untrusted data.
type Result struct {
	// Text contains the tool's texts, separated by line feeds. Pictures, sounds and links are
	// replaced by a word in brackets.
	Text string
	// Data is the structured result, absent if there is none.
	Data tree.Value
}

// Value returns the structured result, or the text if there is no structured result.
func (r Result) Value() tree.Value {
	if r.Data.Exists() {
		return r.Data
	}
	return tree.Text(r.Text)
}

// Call calls a tool by its name with the prefix. The arguments are model output.
//
// Before it sends anything, Call checks in this order that the tool is allowed, that the arguments
// fit its schema, and that the call is approved. The error is an [*Error], except that the end of
// the context gives the context's error. A call is sent once.
func (c *Client) Call(ctx context.Context, name string, arguments json.RawMessage) (Result, error) {
	t := c.byName[name]
	if t == nil {
		return Result{}, &Error{Tool: utf8text.Cut(name, maxName), Code: codeNotAllowed}
	}
	fail := func(code Code, text string, err error) (Result, error) {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		return Result{}, &Error{Tool: name, Code: code, Text: utf8text.Cut(text, c.options.MaxResult), Err: err}
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage("{}")
	}
	if len(arguments) > c.options.MaxArguments {
		return fail(codeBadArguments, fmt.Sprintf("the arguments have %d bytes, allowed are %d", len(arguments), c.options.MaxArguments), nil)
	}
	if err := t.check(arguments); err != nil {
		return fail(codeBadArguments, err.Error(), err)
	}
	if err := c.approve(ctx, Call{Tool: t.name, Arguments: slices.Clone(arguments)}); err != nil {
		return fail(codeNotApproved, err.Error(), err)
	}
	within, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	answer, err := promptly(within, func() (*sdk.CallToolResult, error) {
		return c.session.CallTool(within, &sdk.CallToolParams{Name: t.name, Arguments: arguments})
	}, func(*sdk.CallToolResult) {})
	switch {
	case err != nil && ended(within) != nil:
		return fail(codeTimedOut, fmt.Sprintf("no answer within %v", c.options.Timeout), ended(within))
	case err != nil:
		return fail(codeUnavailable, "the server could not be asked", err)
	case answer.NeedsInput():
		return fail(codeUnavailable, "the tool wants to ask a person, which is not possible here", nil)
	}
	result, err := c.result(answer)
	switch {
	case err != nil:
		return fail(codeTooLarge, err.Error(), nil)
	case answer.IsError:
		return fail(codeToolFailed, result.Text, nil)
	}
	return result, nil
}

var errNobody = errors.New("no approver is set for the call")

func (c *Client) approve(ctx context.Context, call Call) error {
	switch {
	case slices.Contains(c.options.Unattended, call.Tool):
		return nil
	case c.options.Approve == nil:
		return errNobody
	}
	return c.options.Approve(ctx, call)
}

// result converts an answer to the parts that a campaign can use.
func (c *Client) result(answer *sdk.CallToolResult) (out Result, err error) {
	var b strings.Builder
	for _, part := range answer.Content {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(contentText(part))
		if b.Len() > c.options.MaxResult {
			return out, c.tooLarge()
		}
	}
	out.Text = strings.ToValidUTF8(b.String(), "\uFFFD")
	if answer.StructuredContent == nil {
		return out, nil
	}
	data, err := json.Marshal(answer.StructuredContent)
	if err != nil || len(data) > c.options.MaxResult {
		return out, c.tooLarge()
	}
	if out.Data, err = tree.ParseValue(data); err != nil {
		return Result{}, fmt.Errorf("the structured result: %w", err)
	}
	return out, nil
}

func (c *Client) tooLarge() error {
	return fmt.Errorf("the result has more than %d bytes: ask for less", c.options.MaxResult)
}

func contentText(part sdk.Content) string {
	switch p := part.(type) {
	case *sdk.TextContent:
		return p.Text
	case *sdk.ImageContent:
		return "[image]"
	case *sdk.AudioContent:
		return "[sound]"
	case *sdk.ResourceLink:
		return "[link " + p.URI + "]"
	case *sdk.EmbeddedResource:
		if p.Resource != nil && p.Resource.Text != "" {
			return p.Resource.Text
		}
		return "[file]"
	}
	return "[unknown]"
}
