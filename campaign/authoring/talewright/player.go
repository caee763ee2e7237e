package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// player is a person at the terminal.
type player struct {
	session
	lines       *bufio.Scanner
	storyteller *storyteller
	send        func(tea.Msg) // to the screen; nil without one
	actor       string        // the ID of the character who acts and looks; empty: all is shown
	found       search
	isLeaving   bool // the player wants to end
}

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
		if p.send == nil && !p.isLeaving {
			p.printf("%s", p.paint(bold, printable(p.nameOf(p.actor))+p.texts.Prompt))
		}
		if p.isLeaving || !p.read() {
			p.printf("\n%s\n", p.texts.Bye)
			return p.lines.Err()
		}
		err = p.execute(strings.TrimSpace(p.lines.Text()))
	}
}

// read waits for a line of the player. A screen learns that everything before it is shown.
func (p *player) read() bool {
	if p.send != nil {
		p.send(asked{p.title(), p.panel()})
	}
	return p.lines.Scan()
}

// execute executes one line: a command, or what the player does or says.
func (p *player) execute(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "":
		return nil
	case "/quit":
		p.isLeaving = true
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
		return p.move(turn.Redo{})
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
		p.storyteller.chooseReplies(line)
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
	p.storyteller.chooseReplies(text)
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

// do executes an instruction and shows what happens.
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
		p.printf("  ! %s (%s)\n", printable(p.engine.Texts().Refusal(o.Reason)), printable(o.Err().Error()))
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
				p.isLeaving = true
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
