package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/prompt"
)

//go:embed campaigns
var campaigns embed.FS

// loaded is a campaign that is ready to be played.
type loaded struct {
	game   *campaign.Game
	setup  campaign.Setup
	script []step
	texts  words
}

// load reads everything before the game begins. It reports every mistake with its file and place.
func load(lang string) (loaded, error) {
	files, err := fs.Sub(campaigns, "campaigns/"+lang)
	if err != nil {
		return loaded{}, err
	}
	start, problems := imports.ParseFolder(files, imports.Options{})
	script, err := fs.ReadFile(files, "script.json")
	out := loaded{setup: start.Setup, texts: wordsFor(lang)}
	if err == nil {
		err = json.Unmarshal(script, &out.script)
	}
	if err = errors.Join(problems.Err(), err); err != nil {
		return out, fmt.Errorf("campaigns/%s: %w", lang, err)
	}
	start.Content.Prompt.Budget = prompt.Budget{Context: 8192, Response: 1024, TurnReserve: 1536}
	game, mistakes := campaign.Compile(start.Content)
	out.game = game
	return out, append(problems, mistakes...).AtLeast(talewright.Error).Err()
}
