package imports

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// playMVU prepares a story that was written for the MVU framework. The opening and the marked
// entries of its books give the variables of the setup, and the model changes them in the language
// of MVU. Existing variables of the setup win. After a book was added, playMVU is called again and
// begins with the variables from before the first call.
func (s *Start) playMVU() error {
	authored, opening := s.opening()
	s.readSchema()
	if !strings.Contains(strings.ToLower(opening), "<initvar>") && !slices.ContainsFunc(s.Content.Lore.Books, hasInitVar) &&
		s.mvu.Schema == nil {
		return nil
	}
	if s.Setup.Variables.Same(s.after) { // not changed since the last time
		s.Setup.Variables = s.before
	}
	s.before = s.Setup.Variables
	began, found, err := s.initialVariables(authored, opening)
	if err != nil {
		return err
	}
	if err := s.greetingVariables(); err != nil {
		return err
	}
	s.addProblems("", slices.DeleteFunc(found, func(p talewright.Problem) bool { return slices.Contains(s.problems, p) }))
	s.Setup.Variables = began
	s.after = s.Setup.Variables
	s.limitShownVariables()
	ours := s.authored != "" && s.Setup.Greeting == s.greeted
	if c := s.Content.People.Card; c != nil && ours && s.greeted != "" {
		s.Setup.Greeting = s.expand(authored, c.CharName()) // it may show the variables
	}
	s.hideCommands()
	if ours {
		s.greeted = s.Setup.Greeting
	}
	s.chooseDialects()
	return nil
}

// chooseDialects lets the model change the variables in the language of MVU, unless the caller has chosen
// dialects. Most cards explain to the model how to write changes, and show it the variables. Then the
// engine does neither: a second explanation names a different form, and a second copy needs tokens.
func (s *Start) chooseDialects() {
	r := &s.Content.Rules
	ours := len(r.Dialects) > 0 && len(s.dialects) > 0 && &r.Dialects[0] == &s.dialects[0]
	if r.Dialects != nil && !ours {
		return
	}
	language := game.CommandLanguage(mvu.Dialect(s.mvu))
	shows, explains := s.describedVariables()
	if explains {
		language.Describe = nil
	}
	if r.Commands.BlockTags == nil {
		r.Commands.BlockTags = updateTags
	}
	r.ShowsVariables = r.ShowsVariables || shows && explains
	r.Dialects = []game.Dialect{language}
	if len(r.ReplyRules) > 0 {
		r.Dialects = append(r.Dialects, game.ReplyRules())
	}
	if len(r.Variables) > 0 {
		r.Dialects = append(r.Dialects, game.Directives(game.DirectiveOptions{}))
	}
	s.dialects = r.Dialects
}

var (
	// variableOutput are texts that print variables of MVU: macros and the output of templates.
	variableOutput = regexp.MustCompile(`(?i)\{\{\s*(?:get|format)_message_variable\s*::\s*stat_data|<%[-=][^%]*\bstat_data\b`)
	// commandForm are texts that show the form of a change.
	commandForm = regexp.MustCompile(`(?i)<\s*(?:UpdateVariable|json_?patch)\b|\b_\.(?:set|add|assign|insert)\(`)
)

// templateTag is a tag of a template with its code.
var templateTag = regexp.MustCompile(`(?s)<%.*?%>`)

// describedVariables reports whether the texts of the card, or constant entries of the books, show
// the variables and explain how to change them.
func (s *Start) describedVariables() (shows, explains bool) {
	read := func(text string) {
		shows = shows || variableOutput.MatchString(text)
		explains = explains || commandForm.MatchString(templateTag.ReplaceAllString(text, "")) // templates call _.set too
	}
	if c := s.Content.People.Card; c != nil {
		at, _ := c.DepthPrompt()
		for _, text := range []string{c.Description, c.Personality, c.Scenario, c.SystemPrompt, c.PostHistoryInstructions, at.Prompt} {
			read(text)
		}
	}
	for _, a := range s.Content.Lore.Books {
		for _, e := range a.Book.Entries {
			if e.Constant && !e.Disable {
				read(e.Content)
			}
		}
	}
	return shows, explains
}

// initialVariables returns the variables with which the story begins for an opening, given as authored and with
// its names expanded.
func (s *Start) initialVariables(authored, opening string) (tree.Document, talewright.Problems, error) {
	var v mvu.Variables
	if err := v.UnmarshalJSON(s.before.Root().AppendJSON(nil)); err != nil {
		return s.before, nil, err
	}
	options, run := s.mvu, s.macros()
	if options.Expand == nil {
		options.Expand = func(text string) string { return run.Expand(text, macro.Full) }
	}
	v, found := mvu.Init(v, mvuBooks(s.Content.Lore.Books), authored, options)
	if err := found.Err(); err != nil {
		return s.before, nil, err
	}
	found = found.In("")
	for _, p := range run.Trace().Problems.Of("refused") {
		found = append(found, talewright.Problem{Path: "variables", ID: p.ID, Code: p.Code, Severity: talewright.Warning,
			Text: "the macro of the initial values stays as written: " + p.Text})
	}
	v, result := mvu.Update(v, opening, s.mvu)
	for _, f := range result.Failures {
		found = append(found, talewright.Problem{Path: "opening", Code: talewright.Code(f.Code),
			Text: fmt.Sprintf("command %d (%s) changes nothing: %s", f.Command+1, result.Commands[f.Command].Type, f.Message)})
	}
	began, err := documentOf(v)
	if err == nil && s.mvu.Schema != nil { // it takes the place of MVU's own
		began, err = tree.NewDocument(began.Root().Without("schema"))
	}
	return began, found, err
}

// greetingVariables sets the variables of the greetings that the campaign may change to. Mistakes in
// them are not reported: the story does not begin with them.
func (s *Start) greetingVariables() error {
	c := s.Content.People.Card
	if c == nil {
		return nil
	}
	if s.greetings == nil {
		s.greetings = c.Greetings() // with the blocks that are cut afterwards
	}
	s.Content.People.GreetingVariables = nil
	for _, text := range s.greetings {
		began, _, err := s.initialVariables(text, s.expand(text, c.CharName()))
		if err != nil {
			return err
		}
		s.Content.People.GreetingVariables = append(s.Content.People.GreetingVariables, began)
	}
	return nil
}

// limitShownVariables limits the variables in prompts to the data of MVU, if there are no other variables. A
// model does not need the schema and the names of books.
func (s *Start) limitShownVariables() {
	r := &s.Content.Rules
	if !reflect.ValueOf(r.Render).IsZero() || len(r.Variables) > 0 {
		return
	}
	for key := range s.Setup.Variables.Root().Members() {
		if key != "stat_data" && key != "schema" && key != "initialized_lorebooks" {
			return
		}
	}
	r.Render.Part = tree.Path{"stat_data"}
}

// opening returns the opening of the story as authored, and with the names expanded. A greeting
// from a setup file is returned unchanged.
func (s *Start) opening() (authored, expanded string) {
	if s.authored != "" && s.Setup.Greeting == s.greeted {
		return s.authored, s.expanded
	}
	if s.Setup.Greeting != "" || s.Content.People.Card == nil {
		return s.Setup.Greeting, s.Setup.Greeting
	}
	greetings := s.Content.People.Card.Greetings()
	n, err := strconv.Atoi(s.Setup.GreetingID)
	if err != nil || n < 0 || n >= len(greetings) {
		return "", ""
	}
	s.authored, s.expanded, s.greeted = greetings[n], s.expand(greetings[n], s.Content.People.Card.CharName()), ""
	return s.authored, s.expanded
}

// macros returns a run for the macros of initial data. Random numbers come from the seed of the
// setup, from a range far from the numbers of the campaign.
func (s *Start) macros() *macro.Run {
	n := uint64(1) << 63
	env := macro.Env{User: s.user(), Persona: s.Content.People.Persona, Clock: s.clock, Random: func() float64 {
		n++
		return game.Random(s.Setup.Seed, n)
	}}
	if c := s.Content.People.Card; c != nil {
		env.Char = c.CharName()
	}
	if s.Content.Extensions.Macros != nil {
		env.Compile = s.Content.Extensions.Macros.Compile
	}
	return macro.NewRun(env)
}

// hasInitVar reports whether a book has initial values of variables.
func hasInitVar(a worldbook.Attachment) bool {
	return slices.ContainsFunc(a.Book.Entries, func(e worldbook.Entry) bool {
		return strings.Contains(strings.ToLower(e.Comment), "[initvar]")
	})
}

// mvuBooks converts the books for package mvu. That package reads each name once, so every book
// gets a different name. The first book has precedence, and the book of the character comes last.
func mvuBooks(attached []worldbook.Attachment) []mvu.Book {
	var books []mvu.Book
	named := map[string]int{}
	own := func(a worldbook.Attachment) bool { return slices.Contains(a.Sources, worldbook.SourceCharacter) }
	other := func(a worldbook.Attachment) bool { return !own(a) }
	attached = slices.Concat(slices.DeleteFunc(slices.Clone(attached), own), slices.DeleteFunc(slices.Clone(attached), other))
	if n := len(attached); n > 0 && !own(attached[n-1]) { // a greeting replaces no attached book
		books = append(books, mvu.Book{Own: true})
	}
	for _, a := range attached {
		book := mvu.Book{Name: a.Book.Name, Own: own(a)}
		if named[book.Name]++; named[a.Book.Name] > 1 {
			book.Name = fmt.Sprintf("%s (%d)", a.Book.Name, named[a.Book.Name])
		}
		for _, e := range a.Book.Entries {
			book.Entries = append(book.Entries, mvu.Entry{Comment: e.Comment, Content: e.Content})
		}
		books = append(books, book)
	}
	return books
}

// documentOf returns a document with the variables. It removes the texts of the changes by the
// opening, because they belong to one message.
func documentOf(v mvu.Variables) (tree.Document, error) {
	root, err := tree.Of(v)
	d, invalid := tree.NewDocument(root.Without("display_data").Without("delta_data"))
	return d, cmp.Or(err, invalid)
}

// updateTags are the tags of blocks with commands. MVU reads commands everywhere, and models shorten
// the tag.
var updateTags = []string{"updatememory", "updatevariable", "variableupdate", "update"}

// placeholder is the place of a status page, which the script of MVU adds to messages. A newline
// before it goes with it.
var placeholder = regexp.MustCompile(`\n?<StatusPlaceHolderImpl/>`)

// withoutBlocks returns a text without its blocks for variables and the places of status pages.
func (s *Start) withoutBlocks(text string) string {
	tags := append([]string{"initvar"}, updateTags...)
	reader, _ := memvars.Compile(memvars.Options{BlockTags: tags, Dialects: []memvars.Dialect{mvu.Dialect(s.mvu)}})
	return reader.Shown(placeholder.ReplaceAllString(text, ""))
}

// hideCommands removes the blocks for variables from the opening and the greetings of the card.
func (s *Start) hideCommands() {
	s.Setup.Greeting = s.withoutBlocks(s.Setup.Greeting)
	if s.Content.People.Card == nil {
		return
	}
	c := *s.Content.People.Card
	c.FirstMes = s.withoutBlocks(c.FirstMes)
	c.AlternateGreetings = slices.Clone(c.AlternateGreetings)
	for i, text := range c.AlternateGreetings {
		c.AlternateGreetings[i] = s.withoutBlocks(text)
	}
	s.Content.People.Card = &c
}
