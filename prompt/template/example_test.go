package template_test

import (
	"fmt"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

func Example() {
	// The text of an entry: it depends on a variable, counts a visit and pulls a different entry
	// in.
	entry, problems := template.Compile(`<%_ const trust = getvar('stat_data.Orin.trust'); _%>
<%_ if (trust >= 30) { _%>
Orin greets {{user}} as a friend.
<%- await getwi(null, 'The forge') %>
<%_ } else { _%>
Orin keeps his distance.
<%_ } _%>
<%_ incvar('visits') _%>`)
	if entry == nil {
		fmt.Println(problems)
		return
	}
	variables, _ := tree.ParseValue([]byte(`{"stat_data": {"Orin": {"trust": 35}}}`))
	build := template.NewBuild(template.Env{
		User:      "Mara",
		Variables: template.Variables{Message: variables},
		Books: []worldbook.Book{{Name: "town", Entries: []worldbook.Entry{
			{UID: "1", Comment: "The forge", Content: "The forge has been cold for <%= 2 + 1 %> days."},
		}}},
		Expand: func(text, _ string, v template.Variables) (string, template.Variables) { // a host expands its macros here
			return strings.ReplaceAll(text, "{{user}}", "Mara"), v
		},
	})
	text, err := entry.Run(build)
	fmt.Print(text, err, "\n")
	for _, w := range build.Writes() {
		fmt.Println(w.Scope, w.Path, "=", w.New)
	}
	// Output:
	// Orin greets Mara as a friend.
	// The forge has been cold for 3 days.
	// <nil>
	// message visits = 1
}

func ExampleCompile() {
	_, problems := template.Compile("The weather:\n<%= fetch('https://example.com') %>")
	fmt.Println(problems[0].Code, problems[0].ID)
	fmt.Println(problems[0].Text)
	// Output:
	// refused fetch
	// template 2:5: fetch is refused, because it reaches outside the template: write the text without it
}

func ExampleBuild_Unit() {
	build := template.NewBuild(template.Env{})
	fmt.Printf("%q\n", build.Unit(
		template.Piece{Text: "<% const weather = 'rain' %>"},
		template.Piece{Text: "It is <%= weather %>ing."},
	))
	fmt.Println(build.Unit(
		template.Piece{Text: "<%= nothing %>Nobody sees this.", Lore: true, Path: "books.town.entries[2].content"},
		template.Piece{Text: "The market is closed."},
	)[1])
	fmt.Println(build.Problems()[0])
	// Output:
	// ["" "It is raining."]
	// The market is closed.
	// books.town.entries[2].content: template 1:5: there is no name "nothing": declare it, or correct it
}

func ExampleVet() {
	book := worldbook.Book{Name: "town", Entries: []worldbook.Entry{
		{UID: "1", Comment: "Old forge", Order: 1, Content: "Ruins."},
		{UID: "2", Comment: "forge", Order: 2, Content: "<% activewi('Inn') %>"},
		{UID: "3", Comment: "Inn", Content: "<%= getwi('forge') %><%= getwi('market') %>"},
	}}
	for _, p := range template.Vet(template.Env{Books: []worldbook.Book{book}}) {
		fmt.Println(p.Code, p.Path)
	}
	// Output:
	// late_activation books.town.entries[1].content
	// ambiguous_title books.town.entries[2].content
	// unknown_entry books.town.entries[2].content
}

// A template with a class needs a JavaScript engine.
func ExampleNeedsEngine() {
	_, problems := template.Compile("<% class Guest {} %><%= new Guest() %>")
	fmt.Println(template.NeedsEngine(problems[0]))
	// Output: true
}
