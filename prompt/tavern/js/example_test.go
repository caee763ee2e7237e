package js_test

import (
	"fmt"

	"github.com/talewright/talewright/prompt/tavern/js"
	"github.com/talewright/talewright/prompt/template"
)

// A template with a function needs the engine.
func ExampleNew() {
	build := template.NewBuild(template.Env{Engine: js.New(js.Options{})})
	fmt.Println(build.Unit(template.Piece{Text: "<% function greet(name) { return `Hello, ${name}` } %><%= greet('Ann') %>."})[0])
	// Output: Hello, Ann.
}
