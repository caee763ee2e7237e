package template

import (
	"context"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// Variables are the stores that templates read and write. Each is an object; absent is empty.
type Variables struct {
	// Message is the document of the turn. Chat has the variables of the chat. Global has the
	// variables of all chats.
	Message, Chat, Global tree.Value
	// Initial has the initial values of the books. It is never stored.
	Initial tree.Value
}

// Env is the data that the texts of a build read. The zero value is valid. It is only read.
type Env struct {
	// User and Char are the names of the player and of the character.
	User, Char string
	// Chat is the conversation, oldest first; nil is an empty one. ChatID identifies it.
	Chat   macro.Chat
	ChatID string
	// Cards are the characters for getchar; the first is the character of the chat.
	Cards []card.Card
	// Prompt returns a prompt of the preset by its name, for getpreset; nil means that there is none.
	Prompt func(name string) (text string, ok bool)
	// Books are the books for getwi. The first is the book of the character.
	Books     []worldbook.Book
	Variables Variables
	// Random returns numbers in [0,1) for Math.random and the like; nil returns 0.
	Random func() float64
	// Expand expands the macros of a text. In the text of a card, char is the name of its owner;
	// else it is empty. The result is data: tags in it do not run. The macros may read v. Expand
	// returns v with the values that they have stored in Chat and Global. If the text fails, that
	// is undone. Nil expands nothing.
	Expand func(text, char string, v Variables) (string, Variables)
	// Regex, if not nil, is applied to the content of an entry that getwi returns, before its macros
	// are expanded.
	Regex func(text string) string
	// DryRun discards what texts write, unless they ask for it with the option dryRun.
	DryRun bool
	// EarlyActivation runs the constant entries that call activewi in [Build.Lore] too, before the
	// scan. Their output and what they write are dropped. Otherwise activewi has no effect there.
	EarlyActivation bool
	// GenerateType is the kind of generation, "normal" if empty.
	GenerateType string
	// Raw keeps the code of texts that fail, as the extension of SillyTavern does. Without it the
	// text of an entry is left out, and the tags of other texts are removed.
	Raw bool
	// Engine runs the texts that need more than the supported part of JavaScript; nil refuses them.
	Engine Engine
	// MaxSteps limits the steps of the build; 0 means 1,000,000.
	MaxSteps int
	// Cache compiles each text once; nil compiles each time.
	Cache *Cache
}

// Write is one change of a variable.
type Write struct {
	// Scope is message, chat, global or cache.
	Scope string
	// Path leads to the changed part. Its parents existed before. It is empty for the whole store.
	Path tree.Path
	// Old and New are the values; absent means that there is none.
	Old, New tree.Value
	// Entry is the title of the entry whose text wrote, empty for other texts.
	Entry string
}

// An Engine runs the JavaScript of texts that need more than the supported part of it, such as
// classes and generators. Package prompt/tavern/js is one. It must limit time, memory and depth, and it
// reaches the world only by the host. It is called from one goroutine at a time for each build.
type Engine interface {
	// Run runs a program and returns its output. An error that is an [*Error] keeps its code and
	// its name; any other error has the code "thrown".
	Run(ctx context.Context, p Program, host Host) (string, error)
}

// Program is a whole text for an [Engine].
type Program struct {
	// Name is the title of the entry of the text, if it has one.
	Name string
	// Source is the body of a function: the code of all tags. It calls __print(a, b, …) to print all
	// arguments and __first(a, …) to print the first one. Undefined and null print nothing. It may
	// use await.
	Source string
	// Needs lists the constructs that the supported part does not have.
	Needs []string
	// Functions and Values are the names that the host answers. A name with a dot is a member of an
	// object.
	Functions, Values []string
	// MaxOutput limits the bytes that the program prints.
	MaxOutput int
}

// Host answers the calls of a [Program]: it is the only way out.
type Host interface {
	// Call calls a function of the program's list, or returns one of its values. Arguments and the
	// result are of type tree.Value; an absent value is undefined.
	Call(name string, args []any) (any, error)
}
