package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/llm/wrap"
	"github.com/talewright/talewright/prompt"
)

// serverFlags are the arguments of a command about the server of its model.
type serverFlags struct {
	ModelName string `help:"Name of the model there."`
	KeyEnv    string `help:"Environment variable that holds the server's key." default:"OPENAI_API_KEY"`
	Shape     string `help:"Shape of the messages that the model accepts, such as strict or openai. Without it, the address selects that of a known server."`
}

// open returns the model at an address, and the shape of its messages. Without an address there is no
// model, and the shape is empty.
func (f serverFlags) open(address string) (model llm.Model, shape string, err error) {
	switch {
	case address == "" && f.Shape != "":
		return nil, "", fmt.Errorf("%w: -shape needs -model: without a server no messages are sent", errWrongUse)
	case address == "":
		return nil, "", nil
	case f.ModelName == "":
		return nil, "", fmt.Errorf("%w: -model needs -model-name, the name of the model on that server", errWrongUse)
	}
	profile, _ := openai.FindProfile(address)
	config := profile.Config()
	config.BaseURL, config.Model, config.Key = address, f.ModelName, os.Getenv(f.KeyEnv)
	client, err := openai.New(config)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", errWrongUse, err)
	}
	shape = cmp.Or(f.Shape, profile.Shape)
	if err := (prompt.ShapeRules{Profile: prompt.ShapeProfile(shape)}).Check().Err(); err != nil {
		return nil, "", fmt.Errorf("%w: -shape: %w", errWrongUse, err)
	}
	return wrap.Retry(wrap.SplitThinking(client, wrap.ThinkSplitter{}), wrap.RetryPolicy{Random: rand.Float64}), shape, nil
}
