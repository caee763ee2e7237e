// Lorecheck prints which lore a chat activates and why, and why other lore stays inactive. It also
// reports probable mistakes of the book's author.
//
//	go run ./examples/lorecheck
//	go run ./examples/lorecheck -book my.json "Is that a dragon?" "It sleeps in the mill."
//	go run ./examples/lorecheck -lang zh
//
// The arguments are the messages of the chat, oldest first. The book may be a file from
// SillyTavern, NovelAI, RisuAI, Agnai, KoboldAI or AI Dungeon, or a RoleplayConfig.
package main

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

//go:embed books
var books embed.FS

// chats has the messages for a run without messages as arguments.
var chats = map[string][]string{
	"en": {"We reach the mill at dusk.", "Is that a dragon on the roof?"},
	"zh": {"黄昏时我们到了磨坊。", "屋顶上那是龙吗？"},
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "lorecheck:", err)
		os.Exit(1)
	}
}

// run is the program without the process around it.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("lorecheck", flag.ContinueOnError)
	lang := flags.String("lang", "en", "language of the built-in book: en or zh")
	file := flags.String("book", "", "a lorebook file")
	tokens := flags.Int("context", 8192, "context of the model, in tokens")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if chats[*lang] == nil {
		return fmt.Errorf("-lang %s: choose en or zh", *lang)
	}
	data, err := books.ReadFile("books/" + *lang + ".json")
	if *file != "" {
		data, err = os.ReadFile(*file)
	}
	if err != nil {
		return err
	}
	said := flags.Args()
	if len(said) == 0 {
		said = chats[*lang]
	}
	return check(out, data, said, *tokens)
}

// check reads a book. It prints the doubtful parts of the book and the entries that a chat
// activates.
func check(out io.Writer, data []byte, said []string, tokens int) error {
	name, _ := format.Detect(data) // an unknown format is a problem below
	book, problems := format.Parse(data)
	if err := problems.Err(); err != nil {
		return err // not a book; all other problems concern single entries
	}
	compiled, more := worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
	fmt.Fprintf(out, "%s: %d entries (%s)\n", book.Name, compiled.Len(), name)
	problems = append(problems, more...)
	for _, p := range append(problems, compiled.Vet(tokens, nil)...).Grouped() {
		fmt.Fprintf(out, "  %s: %s\n", p.Severity, p)
	}

	// The chat grows message by message. The state of the book is passed along: it has the entries
	// that stay active for some messages, and the entries that pause.
	var chat []worldbook.Message
	var state worldbook.State
	for _, text := range said {
		chat = append(chat, worldbook.Message{Name: "Ann", Text: text})
		var result worldbook.Result
		result, state = compiled.Scan(worldbook.Input{
			Messages: chat, ContextSize: tokens, Explain: true,
		}, state)
		fmt.Fprintf(out, "\n> %s\n%s", text, result.Trace)
		fmt.Fprintf(out, "%d of %d tokens\n", result.Used, result.Budget)
		for _, active := range result.Activated {
			fmt.Fprintf(out, "  | %s\n", active.Text)
		}
	}
	return nil
}
