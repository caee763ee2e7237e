package mcp

import (
	"cmp"
	"context"
	"errors"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
)

// Tools returns the tools for Content.Extensions.Tools of a campaign, in the order of
// [Options.Allow]. The campaign's own allow list also applies: a tool that it does not name is not
// called. The answer of a server is recorded with the turn and shown to the model as data. A replay
// calls no server, but needs the same registered tools.
//
// A call without a result is refused with the [Code] of its [Error] as the reason. Tools with
// arguments that a campaign cannot express are omitted; [Client.Problems] names them.
func (c *Client) Tools() []tool.Tool {
	var out []tool.Tool
	for _, t := range c.tools {
		if t.params != nil {
			out = append(out, c.campaignTool(t))
		}
	}
	return out
}

func (c *Client) campaignTool(t *serverTool) tool.Tool {
	name := t.spec.Name
	return tool.Tool{
		Name: name, Description: cmp.Or(t.spec.Description, "A tool of a server."),
		Manual: "The tool " + t.name + " of a server that speaks the Model Context Protocol.",
		Params: t.params, Reasons: reasons(), Affects: []string{tool.AffectsNothing},
		Outside: func(ctx context.Context, call tool.Call) tool.Answer { return c.answer(ctx, name, call) },
		Judge:   func(_ tool.Call, view tool.View) tool.Judgement { return tool.Judgement{Result: view.Answer} },
	}
}

// forCampaigns converts the tool to a tool of a campaign. The error says why this is not possible.
func (c *Client) forCampaigns(t *serverTool) (err error) {
	if t.params, err = readParams(t.plain); err == nil {
		_, err = tool.Set{}.With(c.campaignTool(t))
	}
	if err != nil {
		t.params = nil
	}
	return err
}

// reasons returns the codes of [Error] with the texts that a campaign shows to a model.
func reasons() map[state.CallCode]string {
	return map[state.CallCode]string{
		state.CallCode(codeNotAllowed):   "this tool is not allowed here",
		state.CallCode(codeBadArguments): "the arguments do not fit the tool",
		state.CallCode(codeNotApproved):  "the call was not approved",
		state.CallCode(codeTimedOut):     "the tool took too long: go on without it, or try later",
		state.CallCode(codeUnavailable):  "the tool cannot be reached: go on without it",
		state.CallCode(codeToolFailed):   "the tool reports an error",
		state.CallCode(codeTooLarge):     "the result is too large: ask for less",
	}
}

// answer calls a tool for a campaign.
func (c *Client) answer(ctx context.Context, name string, call tool.Call) tool.Answer {
	result, err := c.Call(ctx, name, call.Args.AppendJSON(nil))
	if err == nil {
		return tool.Answer{Value: result.Value()}
	}
	e, ok := errors.AsType[*Error](err)
	if !ok { // the turn has ended
		return tool.Answer{Reason: state.CallCode(codeUnavailable)}
	}
	out := tool.Answer{Reason: state.CallCode(e.Code)}
	if e.Text != "" {
		out.Hint = tree.Text(e.Text)
	}
	return out
}
