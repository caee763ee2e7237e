package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
)

// Options set the allowed tools of a server and the limits on its answers. The zero value allows
// nothing.
type Options struct {
	// Allow names the tools of the server that may be called, by the server's names. Other tools
	// are ignored.
	Allow []string
	// Unattended names the tools of Allow that may be called without Approve.
	Unattended []string
	// Approve is called before every other call. An error refuses the call, and the model sees its
	// text. nil refuses all of these calls. It must be safe for concurrent use.
	Approve func(context.Context, Call) error
	// Describe maps the server's names of tools to the host's own descriptions. A server's
	// description is untrusted text in the prompt. For a tool in this map, the model sees no text
	// of the server except the names of arguments. These must consist of letters, digits, dots, _
	// and -. It sees no description, no text in enum or const, no pattern, and no error that quotes
	// them. Arguments are still checked against the whole schema, so the description should list
	// the values that an argument may have.
	Describe map[string]string
	// Prefix is put before the names of the tools, so that the tools of several servers have
	// different names: with "library_" the tool search is library_search.
	Prefix string
	// Timeout limits a call, without the time of Approve, and the whole of Connect. 0 means 10
	// seconds.
	Timeout time.Duration
	// MaxArguments limits the arguments of a call, and MaxResult the stored part of its result, in
	// bytes. 0 means 16 KiB and 64 KiB. A longer value is refused, not truncated.
	MaxArguments, MaxResult int
}

// The defaults for empty fields of [Options], and the fixed limits.
const (
	defaultTimeout      = 10 * time.Second
	defaultMaxArguments = 16 << 10
	defaultMaxResult    = 64 << 10

	closeTimeout   = 30 * time.Second // the transport kills a program that does not end before this time
	maxPages       = 64               // of a list of tools
	maxTools       = 1024             // of a server, allowed or not
	maxCursor      = 16 << 10         // bytes of the cursor of the next page
	maxSchema      = 64 << 10         // bytes of the schema of a tool
	maxDescription = 1 << 10          // bytes of a description; the rest is truncated
	maxName        = 64               // bytes of a name with the prefix, the limit of model providers
)

// Client calls the allowed tools of one server. [Connect] reads the tools once: if a server changes
// a description or a schema later, the client ignores it. A Client is safe for concurrent use.
type Client struct {
	session  *sdk.ClientSession
	options  Options
	tools    []*serverTool // in the order of Options.Allow
	byName   map[string]*serverTool
	problems talewright.Problems
}

// Connect connects to a server and reads its tools. The transport is a transport of the SDK, such
// as mcp.CommandTransport for a program or mcp.StreamableClientTransport for an address.
//
// The server gets no capabilities: it cannot ask for completions of a model, for input of a person,
// or for folders. The error is the SDK's error, wrapped. [Client.Problems] returns the problems of
// single tools. Close a client that is no longer needed.
func Connect(ctx context.Context, transport sdk.Transport, o Options) (*Client, error) {
	o.Timeout = cmp.Or(max(o.Timeout, 0), defaultTimeout)
	o.MaxArguments = cmp.Or(max(o.MaxArguments, 0), defaultMaxArguments)
	o.MaxResult = cmp.Or(max(o.MaxResult, 0), defaultMaxResult)
	o.Allow, o.Unattended, o.Describe = slices.Clone(o.Allow), slices.Clone(o.Unattended), maps.Clone(o.Describe)

	within, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	client := sdk.NewClient(&sdk.Implementation{Name: "talewright", Version: "0"}, &sdk.ClientOptions{
		Capabilities:   &sdk.ClientCapabilities{},
		MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
	})
	session, err := promptly(within, func() (*sdk.ClientSession, error) {
		return client.Connect(within, guard(transport, o.Timeout), nil)
	}, func(late *sdk.ClientSession) { late.Close() })
	if err != nil {
		return nil, unreached(ctx, within, "connect", err)
	}
	c := &Client{session: session, options: o, byName: map[string]*serverTool{}}
	if err := c.readTools(within); err != nil {
		return nil, errors.Join(unreached(ctx, within, "list of tools", err), c.Close())
	}
	return c, nil
}

// unreached returns the error for a server that does not answer: the error of the caller's context,
// a timeout, or the error of the SDK.
func unreached(ctx, within context.Context, what string, err error) error {
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case ended(within) != nil:
		err = ended(within)
	}
	return fmt.Errorf("mcp: %s: %w", what, err)
}

// offer is an allowed tool of the server, or the reason why it cannot be used.
type offer struct {
	tool *serverTool
	err  error
}

// offers collects the allowed tools of a list of tools.
type offers struct {
	options Options
	count   int // tools that were read, allowed or not
	all     map[string]offer
}

// take reads a page of the list, and reports whether it accepts more pages.
func (o *offers) take(page []*sdk.Tool) (more bool) {
	for _, t := range page {
		if o.count++; o.count > maxTools {
			return false
		}
		if t == nil || !slices.Contains(o.options.Allow, t.Name) {
			continue
		}
		if _, twice := o.all[t.Name]; !twice {
			read, err := readTool(t, o.options)
			o.all[strings.Clone(t.Name)] = offer{read, err}
		}
	}
	return true
}

// readTools requests the list of tools, page by page, and reads the allowed tools.
func (c *Client) readTools(ctx context.Context) error {
	offered := offers{options: c.options, all: map[string]offer{}}
	cursor := ""
	for range maxPages {
		page, err := promptly(ctx, func() (*sdk.ListToolsResult, error) {
			return c.session.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		}, func(*sdk.ListToolsResult) {})
		if err != nil {
			return err
		}
		cursor = page.NextCursor
		if !offered.take(page.Tools) || cursor == "" || len(cursor) > maxCursor {
			break
		}
	}
	for i, name := range c.options.Allow {
		path := fmt.Sprintf("allow[%d]", i)
		found, there := offered.all[name]
		if !there {
			c.problem(path, name, codeUnknownTool, "the server has no tool of this name: correct it or take it out")
			continue
		}
		t := found.tool
		if found.err != nil {
			c.problem(path, name, codeUnusableTool, "the tool is left out: "+found.err.Error())
			continue
		}
		if other := c.byName[t.spec.Name]; other != nil {
			c.problem(path, name, codeUnusableTool, fmt.Sprintf("the tool is left out: %q has the name %q already", other.name, t.spec.Name))
			continue
		}
		if err := c.forCampaigns(t); err != nil {
			c.problem(path, name, codeUnusableTool, "the tool is left out of campaigns: "+err.Error())
		}
		c.byName[t.spec.Name] = t
		c.tools = append(c.tools, t)
	}
	for i, name := range c.options.Unattended {
		if !slices.Contains(c.options.Allow, name) {
			c.problem(fmt.Sprintf("unattended[%d]", i), name, codeUnknownTool, "only what Allow names can be called: add it there or take it out here")
		}
	}
	return nil
}

// The codes of [Client.Problems].
const (
	// UnknownTool: the options name a tool that does not exist, or that is not allowed.
	codeUnknownTool talewright.Code = "unknown_tool"
	// UnusableTool: a tool has an unusable name or schema; it is omitted.
	codeUnusableTool talewright.Code = "unusable_tool"
)

func (c *Client) problem(path, name string, code talewright.Code, text string) {
	c.problems = append(c.problems, talewright.Problem{Path: path, ID: name, Code: code, Text: text})
}

// Problems returns the problems of the allowed tools that cannot be offered, at all or in a
// campaign, in the order of the options.
func (c *Client) Problems() talewright.Problems { return slices.Clone(c.problems) }

// Specs describes the tools to a model, in the order of [Options.Allow]. It is for programs that
// use a model without a campaign; see [Client.Tools].
func (c *Client) Specs() []llm.ToolSpec {
	out := make([]llm.ToolSpec, len(c.tools))
	for i, t := range c.tools {
		out[i] = t.spec
		out[i].Parameters = slices.Clone(t.spec.Parameters)
	}
	return out
}

// Close ends the connection. A program that was started for the connection is asked to end. If it
// does not end, it is killed after the time that is set in the SDK's transport.
func (c *Client) Close() error {
	within, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_, err := promptly(within, func() (struct{}, error) { return struct{}{}, c.session.Close() }, func(struct{}) {})
	if err != nil {
		return fmt.Errorf("mcp: close: %w", err)
	}
	return nil
}

// Call is a call that needs approval.
type Call struct {
	Tool      string          // the server's name for the tool
	Arguments json.RawMessage // a JSON object that fits the tool's schema; model output
}
