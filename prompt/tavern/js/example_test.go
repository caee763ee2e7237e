package js_test

import (
	"fmt"

	"github.com/talewright/talewright/prompt/tavern/js"
	"github.com/talewright/talewright/prompt/template"
)

// A template with a class needs the engine.
func ExampleNew() {
	build := template.NewBuild(template.Env{Engine: js.New(js.Options{})})
	fmt.Println(build.Unit(template.Piece{Text: "<% class Guest { constructor(name) { this.name = name } greet() { return `Hello, ${this.name}` } } %><%= new Guest('Ann').greet() %>."})[0])
	// Output: Hello, Ann.
}
