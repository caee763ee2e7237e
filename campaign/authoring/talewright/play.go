package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
	"github.com/talewright/talewright/llm/wrap"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
)

// playGame plays a game in the terminal.
type playGame struct {
	Dir   string   `arg:"" help:"A folder, a card (PNG, JSON, CHARX) or a world book."`
	Books []string `arg:"" optional:"" help:"More world books."`
	Model string   `help:"Address of a server, such as http://localhost:11434/v1. Without it, the replies in tests/ answer, or a simple storyteller."`
	serverFlags
	Seed  *uint64 `help:"Seed of the dice. Without it, that of the game."`
	Store string  `help:"Keep the campaign in this SQLite file, and continue it next time."`
	ID    string  `name:"id" help:"The ID of the campaign; without it that of the game."`
	Watch bool    `help:"Use changed files from the next turn on."`
	Plain bool    `help:"Read and print lines, without a screen."`
}

// Run is the command.
func (c *playGame) Run(t *terminal) error {
	model, shape, err := c.open(c.Model)
	if err != nil {
		return err
	}
	l, err := t.loadInto(&loaded{books: c.Books, shape: shape}, c.Dir)
	if err != nil {
		return err
	}
	if err := t.refuse(l, talewright.Fatal); err != nil {
		return err
	}
	t.notPlayed(l)
	if l.single && c.Model != "" { // a talk has nothing to contradict, so the text may be shown at once
		l.Setup.Settings = maps.Clone(l.Setup.Settings)
		if l.Setup.Settings == nil {
			l.Setup.Settings = setting.Snapshot{}
		}
		l.Setup.Settings[settingkey.InterceptOutput] = tree.Bool(false)
	}
	if c.Seed != nil {
		l.Setup.Seed = *c.Seed
	}
	p := &player{session: session{loaded: l, terminal: t, id: c.ID}, lines: bufio.NewScanner(t.in)}
	p.lines.Buffer(nil, 1<<20)
	p.answers = l.script()
	if model == nil {
		model = p.answers
	}
	if c.Store != "" {
		store, err := sqlite.Open(t.ctx, c.Store, sqlite.Options{})
		if err != nil {
			return err
		}
		defer store.Close() // everything is committed
		p.store = store
	}
	p.engine, err = campaign.New(campaign.Config{Game: l.compiled, Store: p.store, Model: model})
	if err != nil {
		return err
	}
	watch := func() {}
	if c.Watch && !l.single {
		watch = func() { p.watch(c.Dir) }
	}
	if !c.Plain && t.onScreen() {
		return p.playOnScreen(watch)
	}
	if err := p.begin(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(t.ctx)
	var done sync.WaitGroup
	defer done.Wait()
	defer stop()
	p.ctx, p.out = ctx, &lockedWriter{out: t.out}
	done.Go(watch)
	return p.play()
}

// notPlayed says in at most five lines what of the content does not play.
func (t *terminal) notPlayed(l *loaded) {
	list := l.problems.Summary(l.texts.Language)
	if len(list) == 0 {
		return
	}
	t.printf("%s\n", t.paint(yellow, l.texts.NotPlayed))
	for _, line := range list {
		if runes := []rune(printable(line)); len(runes) > 160 {
			line = string(runes[:159]) + "…"
		}
		t.printf("  %s\n", printable(strings.ReplaceAll(line, "\n", " ")))
	}
	t.printf("\n")
}

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

// script is a model that gives the replies of the scenarios. If a scenario has the player's line, it
// gives the replies to that line. In a game with one scenario it gives the next replies to other
// lines. Otherwise it is a simple storyteller, who goes where the player names a place.
type script struct {
	mu      sync.Mutex
	replies []campaigntest.ScenarioReply
	lines   map[string][]campaigntest.ScenarioReply
	queue   []campaigntest.ScenarioReply
	none    string // what the storyteller says otherwise
	stop    string // after a sentence
	areas   []state.MapArea
	actor   string // who goes
}

func (l *loaded) script() *script {
	s := &script{lines: map[string][]campaigntest.ScenarioReply{}, none: l.texts.NoModel, stop: l.texts.AfterSentence,
		areas: l.Setup.Map.Areas, actor: l.Setup.Selected.ActorID}
	if characters := l.Setup.Characters; s.actor == "" && len(characters) > 0 {
		s.actor = characters[0].ID
	}
	for _, name := range sortedKeys(l.Tests) {
		scenario, problems := campaigntest.ParseScenario(name, l.Tests[name])
		if problems.Err() != nil {
			continue
		}
		for _, step := range scenario.Steps {
			if step.Do == "say" && len(step.Args) > 0 && s.lines[step.Args[0]] == nil {
				s.lines[step.Args[0]] = step.Replies
			}
			if len(l.Tests) == 1 {
				s.replies = append(s.replies, step.Replies...)
			}
		}
	}
	return s
}

// hear chooses the replies for a line.
func (s *script) hear(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = slices.Clone(s.lines[line])
}

// Generate implements [llm.Model].
func (s *script) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	s.mu.Lock()
	reply := s.tell(req)
	switch {
	case len(s.queue) > 0:
		reply, s.queue = s.queue[0], s.queue[1:]
	case len(s.replies) > 0:
		reply, s.replies = s.replies[0], s.replies[1:]
	}
	s.mu.Unlock()
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.TextDelta{Text: asAnswer(reply)}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
	})
}

// tell moves the player to a place that the last line names.
func (s *script) tell(req llm.Request) campaigntest.ScenarioReply {
	none, line := campaigntest.ScenarioReply{Text: s.none}, ""
	for _, m := range req.Messages {
		if m.Role == llm.User {
			line = strings.ToLower(m.Text)
		}
		if strings.Contains(m.Text, "retries_left") { // the engine refused to go there
			return none
		}
	}
	for _, a := range s.areas {
		if !slices.ContainsFunc(append([]string{a.Name}, a.Aliases...), func(name string) bool {
			return name != "" && strings.Contains(line, strings.ToLower(name))
		}) {
			continue
		}
		args, err := json.Marshal(map[string]string{"actor_id": s.actor, "to_area_id": a.ID})
		if err != nil {
			return none
		}
		return campaigntest.ScenarioReply{Text: a.Name + s.stop + a.Description,
			Calls: []campaigntest.ScenarioCall{{Tool: "move", Args: string(args)}}}
	}
	return none
}

// asAnswer writes a reply in the form in which models call tools as text.
func asAnswer(r campaigntest.ScenarioReply) string {
	if len(r.Calls) == 0 {
		return r.Text
	}
	type call struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	answer := struct {
		Text  string `json:"text"`
		Calls []call `json:"tool_calls"`
	}{Text: r.Text}
	for _, c := range r.Calls {
		args := json.RawMessage(c.Args)
		if !json.Valid(args) {
			args = json.RawMessage("{}")
		}
		answer.Calls = append(answer.Calls, call{c.Tool, args})
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return r.Text
	}
	return string(data)
}

// player is a person at the terminal.
type player struct {
	session
	lines   *bufio.Scanner
	answers *script
	send    func(tea.Msg) // to the screen; nil without one
	actor   string        // the ID of the character who acts and looks; empty: all is shown
	found   search
	left    bool // the player wants to end
}

// search is what /find looks for in the past.
type search struct{ text, at string }

// begin creates the campaign, or continues it.
func (p *player) begin() error {
	setup := p.Setup
	if p.id != "" {
		setup.ID = p.id
	}
	p.id = setup.ID
	now, err := p.engine.Create(p.ctx, setup)
	if errors.Is(err, campaign.ErrExists) {
		now, err = p.engine.Campaign(p.ctx, p.id)
	}
	if err != nil {
		return err
	}
	if title := p.title(); title != "" && p.send == nil {
		p.printf("%s\n\n", p.paint(bold, title))
	}
	turns := now.BranchTurns()
	if len(turns) == 0 && now.State.Greeting != "" {
		p.printf("%s\n\n", printable(now.State.Greeting))
	}
	if len(turns) > 0 {
		p.printf("%s\n\n", printable(turns[len(turns)-1].Text))
	}
	return nil
}

// title returns the name of the game, or of the character.
func (p *player) title() string {
	title := p.Setup.Title
	if c := p.Content.People.Card; title == "" && c != nil {
		title = c.Name
	}
	if p.actor != "" {
		title = strings.TrimPrefix(title+" · "+p.nameOf(p.actor), " · ")
	}
	return printable(title)
}

// sentence returns the words for players about an error.
func (p *player) sentence(err error) string {
	if refusal, ok := errors.AsType[*campaign.Refusal](err); ok {
		return p.engine.Texts().Refusal(string(refusal.Code))
	}
	return err.Error()
}

// nameOf returns the name of a character, or the ID.
func (p *player) nameOf(id string) string {
	for _, c := range p.Setup.Characters {
		if c.ID == id {
			return cmp.Or(c.Name, id)
		}
	}
	return id
}

// play reads lines until the end of the input or of the game.
func (p *player) play() error {
	for err := p.resume(); ; {
		if err != nil && p.ctx.Err() != nil {
			return err
		}
		if err != nil {
			p.printf("  ! %s\n", printable(p.sentence(err)))
		}
		if p.send == nil && !p.left {
			p.printf("%s", p.paint(bold, printable(p.nameOf(p.actor))+p.texts.Prompt))
		}
		if p.left || !p.read() {
			p.printf("\n%s\n", p.texts.Bye)
			return p.lines.Err()
		}
		err = p.obey(strings.TrimSpace(p.lines.Text()))
	}
}

// read waits for a line of the player. A screen learns that everything before it is shown.
func (p *player) read() bool {
	if p.send != nil {
		p.send(asked{p.title(), p.panel()})
	}
	return p.lines.Scan()
}

// obey carries out one line.
func (p *player) obey(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return nil
	case "/quit":
		p.left = true
	case "/help":
		p.printf("%s\n", p.texts.Help)
	case "/why":
		return p.why()
	case "/state":
		return p.state(p.out)
	case "/lore":
		return p.lore(p.out)
	case "/swipe":
		return p.do(turn.Regenerate{Swipe: true})
	case "/undo", "/rollback":
		return p.rollback(rest)
	case "/redo":
		return p.do(turn.Redo{})
	case "/branch":
		return p.branch(rest)
	case "/accept":
		return p.do(turn.ResolveConflict{Decision: state.DecideAccept})
	case "/retry":
		return p.do(turn.ResolveConflict{Decision: state.DecideRetry})
	case "/discard":
		return p.do(turn.ResolveConflict{Decision: state.DecideDiscard})
	case "/as":
		return p.actAs(rest)
	case "/to":
		return p.whisper(rest)
	case "/find":
		return p.find(rest)
	case "/save":
		return p.save(rest)
	default:
		if strings.HasPrefix(word, "/") {
			p.printf("  ! "+p.texts.UnknownCommand+"\n", printable(word))
			return nil
		}
		p.answers.hear(line)
		return p.do(turn.Submit{ActorID: p.actor, Text: line})
	}
	return nil
}

// actAs chooses the character who acts from now on, and shows what this character has heard. Without
// a name everything is shown.
func (p *player) actAs(name string) error {
	id := ""
	if name != "" {
		ids, err := p.characters(name, nil)
		if err != nil {
			return err
		}
		id = ids[0]
	}
	p.actor, p.found = id, search{}
	return p.find("")
}

// whisper submits a line that only some characters hear: NAMES: text.
func (p *player) whisper(line string) error {
	at := strings.IndexAny(line, ":：")
	if at < 0 {
		return errors.New(p.texts.UsageTo)
	}
	ids, err := p.characters(line[:at], p.compiled.Cast())
	if err != nil {
		return err
	}
	_, size := utf8.DecodeRuneInString(line[at:])
	text := strings.TrimSpace(line[at+size:])
	p.answers.hear(text)
	return p.do(turn.Submit{ActorID: p.actor, Text: text, Audience: ids})
}

// characters returns the IDs of the characters with these names, which commas separate. Names of
// members of a cast count too.
func (p *player) characters(list string, members []cast.Member) (ids []string, err error) {
	now, err := p.engine.Campaign(p.ctx, p.id)
	if err != nil {
		return nil, err
	}
	known, names := map[string]string{}, []string(nil)
	add := func(id, name string) {
		known[strings.ToLower(id)], known[strings.ToLower(name)] = id, id
		names = append(names, cmp.Or(name, id))
	}
	for _, c := range now.State.Characters {
		add(c.ID, c.Name)
	}
	for _, m := range members {
		add(m.ID, m.Name)
	}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",，、", r) }) {
		id := known[strings.ToLower(strings.TrimSpace(name))]
		if id == "" {
			return nil, fmt.Errorf(p.texts.UnknownName, strings.TrimSpace(name), strings.Join(names, p.texts.BetweenItems))
		}
		ids = append(ids, id)
	}
	if ids == nil {
		err = errors.New(p.texts.UsageTo)
	}
	return ids, err
}

// knows reports whether a text is shown to the one who looks.
func (p *player) knows(audience []string) bool {
	return p.actor == "" || state.Knows(audience, p.actor)
}

// around is the number of turns that are shown before the newest turn, or before a turn that was found.
const around = 20

// find goes to the newest turn with a text, and without a text to the one before the last result. If
// there was no search, it goes to the newest turn.
func (p *player) find(text string) error {
	if text != "" {
		p.found = search{text: strings.ToLower(text)}
	}
	now, err := p.engine.Campaign(p.ctx, p.id)
	if err != nil {
		return err
	}
	var past []string // newest first
	here := -1
	if p.found.text == "" {
		here = 0
	}
	older := p.found.at == ""
	for t, err := range p.engine.History(p.ctx, p.id, state.HistoryPage{Viewer: p.actor}) {
		if err != nil {
			return err
		}
		mark := " "
		if one := t.UserInput + "\n" + t.Text; here < 0 && older && strings.Contains(strings.ToLower(one), p.found.text) {
			here, mark, p.found.at = len(past), "*", t.ID
		}
		older = older || t.ID == p.found.at
		past = append(past, printable(fmt.Sprintf("%s %s %s> %s\n\n%s\n\n", mark, t.ID, p.nameOf(t.ActorID), t.UserInput, t.Text)))
		if here >= 0 && len(past) > here+around {
			break
		}
	}
	if len(past) <= here+around { // this is the beginning
		past = append(past, printable(now.State.Greeting)+"\n\n")
	}
	switch {
	case here < 0:
		p.found.at = ""
		p.printf("  ! "+p.texts.NotInPast+"\n", printable(p.found.text))
	case p.send != nil:
		slices.Reverse(past)
		n := len(past) - 1 - here
		p.send(retold{strings.Join(past[:n], ""), strings.Join(past[n:], "")})
	default:
		p.printf("%s", past[here])
	}
	return nil
}

// do carries out an instruction and shows what happens.
func (p *player) do(in turn.Input) error {
	var end campaign.Finished
	var early, whole strings.Builder // what was shown before the commit, and the text of the turn
	for progress, err := range p.engine.Stream(p.ctx, p.id, in) {
		if err != nil {
			return err
		}
		switch event := progress.(type) {
		case campaign.Provisional:
			if !p.knows(event.Audience) {
				continue
			}
			if early.Len() == 0 {
				p.printf("\n")
			}
			early.WriteString(event.Text)
			p.printf("%s", printable(event.Text))
		case campaign.Retracted:
			if early.Len() > 0 {
				p.printf("\n  ! %s\n", p.texts.RetractedReply)
			}
			early.Reset()
		case campaign.Narration:
			if p.knows(event.Audience) {
				whole.WriteString(event.Text)
			}
		case campaign.Finished:
			if whole.Len() > 0 && whole.String() != early.String() {
				p.printf("\n%s", printable(whole.String()))
			}
			if whole.Len()+early.Len() > 0 {
				p.printf("\n\n")
			}
			end = event
		}
	}
	return p.finished(end)
}

// finished shows the result of an instruction.
func (p *player) finished(f campaign.Finished) error {
	o := f.Outcome
	if !p.knows(o.Audience) {
		return o.Err()
	}
	for _, m := range f.Messages {
		p.printf("  %s\n", p.paint(yellow, printable("["+m+"]")))
	}
	if o.Turn != nil {
		for _, n := range o.Turn.Trace.Notices {
			p.printf("  %s\n", p.paint(yellow, printable("["+n.Message+"]")))
		}
		for _, a := range o.Turn.Applied {
			p.printf("  %s\n", p.paint(faint, printable(fmt.Sprintf("%s %s => %s", a.Tool, a.Args, a.Result))))
		}
		for _, c := range o.Turn.Changes {
			p.printf("  %s\n", p.paint(faint, printable(fmt.Sprintf("%s: %s -> %s", strings.Join(c.Path, "."), c.Old, c.New))))
		}
	}
	switch {
	case o.Approval != nil:
		return p.resume()
	case o.Report != nil:
		var kinds []string
		for _, c := range o.Report.Conflicts {
			kinds = append(kinds, fmt.Sprintf("%s %q", c.Kind, c.Quote))
		}
		p.printf("  ! "+p.texts.Conflict+"\n    %s\n", printable(strings.Join(kinds, ", ")), p.texts.Decisions)
		return nil
	case o.Failure != nil:
		p.printf("  ! %s (%s)\n", printable(p.engine.Texts().Refusal(string(o.Failure.Kind))), printable(o.Err().Error()))
		return nil
	}
	return o.Err()
}

// resume asks the player the question with which a turn waits, if there is one. The turn also waits
// while the program does not run.
func (p *player) resume() error {
	q, err := p.engine.Pending(p.ctx, p.id)
	if q == nil || err != nil {
		return err
	}
	if q.Narration != "" {
		p.printf("\n%s\n", printable(q.Narration))
	}
	in := turn.Approve{Question: q.ID, By: p.decider()}
	for _, c := range q.Calls {
		p.printf(p.texts.CallRequest+"\n", printable(c.Tool), printable(c.Args.String()))
		var fields []string
		for _, f := range c.Affects {
			fields = append(fields, cmp.Or(p.texts.Fields[f], f))
		}
		p.printf("  "+p.texts.CallEffect+"\n  => %s\n", printable(strings.Join(fields, p.texts.BetweenItems)), printable(c.Result.String()))
		verdict := state.ApprovalVerdict("")
		for verdict == "" {
			p.printf("%s", p.texts.AllowCall)
			answer := "/quit"
			if p.read() {
				answer = strings.ToLower(strings.TrimSpace(p.lines.Text()))
			}
			switch {
			case answer == "/quit":
				p.left = true
				p.printf("\n%s\n", p.texts.TurnWaits)
				return nil
			case answer == "/discard":
				return p.do(turn.Discard{By: p.decider()})
			case slices.Contains(yes, answer):
				verdict = state.Approve
			case slices.Contains(no, answer):
				verdict = state.Deny
			}
		}
		in.Decisions = append(in.Decisions, state.ApprovalDecision{CallID: c.ID, Verdict: verdict})
	}
	return p.do(in)
}

// decider returns the name of the acting character. The log has it as the name of the person who
// decides about calls.
func (p *player) decider() string { return cmp.Or(p.nameOf(p.actor), "player") }

func (p *player) why() error {
	heard, err := p.heard()
	if heard == nil || err != nil {
		return cmp.Or(err, errors.New(p.texts.NoTurn))
	}
	report, err := p.engine.Report(p.ctx, p.id, heard.ID)
	if err != nil {
		return err
	}
	return p.report(report.For(p.compiled, state.Campaign{}, p.lang))
}

// heard returns the newest turn that the one who looks has heard, nil without one.
func (p *player) heard() (*state.Turn, error) {
	now, err := p.engine.Campaign(p.ctx, p.id)
	for t := range now.Back(now.State.HeadTurnID) {
		if p.knows(t.Audience) {
			return t, err
		}
	}
	return nil, err
}

// state writes the characters and the variables, as far as the one who looks may know them.
func (p *player) state(w io.Writer) error {
	now, err := p.engine.Campaign(p.ctx, p.id)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, a := range now.State.Map.Areas {
		names[a.ID] = a.Name
	}
	for _, v := range p.Content.Rules.Variables {
		names["variable "+v.ID] = v.Name
	}
	texts := p.compiled.Texts()
	for _, c := range now.State.Characters {
		life := cmp.Or(texts.Life[c.Status.AliveState], string(c.Status.AliveState))
		fmt.Fprintf(w, "  %s: %s %d/%d, %s", printable(c.Name), texts.HP, c.HP.Current, c.HP.Max, printable(life))
		if c.AreaID != "" && p.knows(now.State.Secrets.Witnesses(tree.Path{"area", c.AreaID})) {
			fmt.Fprintf(w, ", %s", printable(cmp.Or(names[c.AreaID], c.AreaID)))
		}
		fmt.Fprintf(w, "\n")
	}
	fmt.Fprintf(w, "  %s\n", p.texts.Variables)
	variables := now.State.Variables.Root()
	if p.actor != "" {
		variables = state.VisibleFacts(now.State.Secrets.Variables(now.State.Variables, p.knows).Root(), state.Viewer{Character: p.actor})
	}
	for key, v := range variables.Members() {
		fmt.Fprintf(w, "    %s: %s\n", printable(cmp.Or(names["variable "+key], key)), printable(v.String()))
	}
	return nil
}

// lore writes the lore of the last turn.
func (p *player) lore(w io.Writer) error {
	heard, err := p.heard()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "  %s\n", p.texts.Lore)
	if heard != nil {
		report := observe.Of(*heard, turn.Explanation{}).For(p.compiled, state.Campaign{}, p.lang)
		for i, item := range report.Section("lore").Items[:len(heard.Trace.Lore)] { // these come first
			l := heard.Trace.Lore[i]
			fmt.Fprintf(w, "    %s (%s): %s\n", printable(l.Comment), printable(l.ID), printable(item.Text))
		}
	}
	return nil
}

func (p *player) rollback(to string) error {
	if to == "" {
		now, err := p.engine.Campaign(p.ctx, p.id)
		if err != nil {
			return err
		}
		turns := now.BranchTurns()
		if len(turns) == 0 {
			p.printf("  ! %s\n", p.texts.NothingToUndo)
			return nil
		}
		to = turns[len(turns)-1].ParentID
	}
	err := p.do(turn.RollBack{To: to})
	if err == nil {
		p.printf("  "+p.texts.MovedTo+"\n", to)
	}
	return err
}

func (p *player) branch(id string) error {
	if id != "" {
		return p.do(turn.SwitchBranch{BranchID: id})
	}
	p.printf("  %s\n", p.texts.Branches)
	for b, err := range p.engine.Branches(p.ctx, p.id, state.HistoryBranches{}) {
		if err != nil {
			return err
		}
		mark := " "
		if b.Present {
			mark = "*"
		}
		p.printf("  %s %s %s\n", mark, printable(b.ID), b.HeadTurnID)
	}
	return nil
}

func (p *player) save(file string) error {
	if file == "" {
		file = p.id + ".talewright"
	}
	var out bytes.Buffer
	if err := p.engine.Export(p.ctx, p.id, &out); err != nil {
		return err
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		return err
	}
	p.printf("  "+p.texts.Saved+"\n", file)
	return nil
}
