package mcp

import (
	"encoding/json"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/talewright/talewright/campaign/tool"
)

// FuzzTool: no schema of a server and no arguments of a model cause a panic, and the description of
// a tool for a campaign can be registered.
func FuzzTool(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":["string","null"],"minLength":1}}}`, `{"a":"x"}`)
	f.Add(`{"type":"object","properties":{"a":{"type":"array","items":{"enum":["x"]},"maxItems":2}},"required":["a"],"additionalProperties":false}`, `{"a":["x"]}`)
	f.Add(`{"type":"object","patternProperties":{"^a":{"minimum":1}},"if":{"required":["a"]},"then":{"maxProperties":1}}`, `{"ab":0}`)
	f.Add(bomb(20, "anyOf"), `{}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		read, err := readTool(&sdk.Tool{Name: "a", Description: schema, InputSchema: json.RawMessage(schema)}, Options{})
		if err != nil {
			return
		}
		_ = read.check(json.RawMessage(arguments))
		c := &Client{}
		if err := c.forCampaigns(read); err != nil {
			return
		}
		if _, err = tool.Builtin().With(c.campaignTool(read)); err != nil {
			t.Error(err)
		}
	})
}
