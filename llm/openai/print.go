package openai

import (
	"encoding/json"
	"fmt"
	"log/slog"
)

// Format implements [fmt.Formatter]. With every verb, it prints the configuration without the key,
// the values of headers and of the body, and shows only scheme and host of the address. Package fmt
// does not call this method for a Config in an unexported field of a different struct: store a
// [Client] there.
func (c Config) Format(f fmt.State, _ rune) { fmt.Fprint(f, c.access().Describe("Config")) }

// LogValue implements [slog.LogValuer]; see Format.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.access().Describe("Config")) }

// Format implements [fmt.Formatter]; see [Config.Format].
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprint(f, c.describe()) }

// LogValue implements [slog.LogValuer]; see [Config.Format].
func (c Client) LogValue() slog.Value { return slog.StringValue(c.describe()) }

// MarshalJSON writes the description of the client as a JSON string.
func (c Client) MarshalJSON() ([]byte, error) { return json.Marshal(c.describe()) }

func (c Client) describe() string {
	if c.s == nil {
		return "openai.Client{}"
	}
	return c.s().config.access().Describe("Client")
}
