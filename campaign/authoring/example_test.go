package authoring_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/memvars/tree"
)

// harbour is a small game as a folder.
func harbour() fstest.MapFS {
	return fstest.MapFS{
		"game.yaml":      {Data: []byte("title: The Lamp\ngoal: Light the lamp again.\n")},
		"variables.yaml": {Data: []byte("- {id: oil, type: number, max: 3} # cans\n")},
		"rules/lamp.yaml": {Data: []byte("- id: light\n  trigger: {type: keywrd, keywords: [light]}\n" +
			"  actions: [{type: modify-variable, variableId: oil, operation: subtract, value: 1}]\n")},
	}
}

func ExampleLoad() {
	game, problems := authoring.Load(harbour())
	fmt.Println(game.Setup.Title, len(game.Content.Rules.Rules))
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// The Lamp 1
	// rules/lamp.yaml:2:19: [0].trigger.type: unknown value "keywrd"; did you mean "keyword"?
}

func ExamplePosition() {
	_, problems := authoring.Load(harbour())
	at, path := authoring.Position(problems[0])
	fmt.Println(at.Filename, at.Line, at.Column, path)
	// Output: rules/lamp.yaml 2 19 [0].trigger.type
}

// A game with a tool in Go is checked as a whole, such as in a test of its program.
func ExampleGame_Vet() {
	ring := tool.New(tool.Tool{
		Name: "ring", Description: "Rings the bell.", Manual: "Rings the bell.",
		Reasons: map[campaign.CallCode]string{}, Affects: []string{tool.AffectsNothing},
	}, func(struct{}, tool.Call, tool.View) tool.Judgement { return tool.Judgement{Result: tree.Text("dong")} })

	game, problems := authoring.Load(fstest.MapFS{"game.yaml": {Data: []byte(
		"title: The Bell\nallowlist: [ring, rign]\ncharacters: [{character_id: ann, name: Ann, hp: {current: 1, max: 1}}]\n")}})
	game.Content.Extensions.Tools = append(game.Content.Extensions.Tools, ring)
	compiled, more := game.Compile()
	problems = append(append(problems, more...), game.Vet(compiled)...)
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// game.yaml:2:19: allowlist[1] (rign): there is no tool "rign"; did you mean "ring"?
}

// An edit keeps the comments of the file.
func ExampleSave() {
	game, _ := authoring.Load(harbour())
	game, problems := game.Edit("variables.yaml", "[0].max", tree.Int(5))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
	}
	dir, err := os.MkdirTemp("", "harbour")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer root.Close()
	if err := authoring.Save(root, game); err != nil {
		fmt.Println(err)
	}
	text, _ := root.ReadFile("variables.yaml")
	fmt.Print(string(text))
	// Output: - {id: oil, type: number, max: 5} # cans
}

// A program follows the folder while an author writes.
func ExampleWatch() {
	dir, err := os.MkdirTemp("", "harbour")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "game.yaml")
	_ = os.WriteFile(file, []byte("title: The Lamp\n"), 0o600)
	for game := range authoring.Watch(context.Background(), dir) {
		fmt.Println(game.Setup.Title)
		if game.Setup.Title == "The Bell" {
			break
		}
		_ = os.WriteFile(file, []byte("title: The Bell\n"), 0o600)
	}
	// Output:
	// The Lamp
	// The Bell
}

// The schema of game.yaml, which begins with
//
//	# yaml-language-server: $schema=schema/game.json
func ExampleSchemas() {
	files, _ := fs.Glob(authoring.Schemas(), "*.json")
	fmt.Println(files)
	// Output: [books.json cards.json game.json hooks.json modules.json presets.json reactions.json rules.json variables.json]
}
