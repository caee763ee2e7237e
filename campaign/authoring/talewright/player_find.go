package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
)

// search is a search of the past.
type search struct {
	text string // in lower case
	at   string // the ID of the turn that was found last
}

// around is the number of turns that are shown before the newest turn, or before a turn that was found.
const around = 20

// find shows the newest turn with a text. Without a text it repeats the last search in the turns before
// its result. If there was no search, it shows the newest turn.
func (p *player) find(text string) error {
	if text != "" {
		p.found = search{text: strings.ToLower(text)}
	}
	now, err := p.engine.Campaign(p.ctx, p.id)
	if err != nil {
		return err
	}
	past, here, err := p.searchPast()
	if err != nil {
		return err
	}
	if len(past) <= here+around { // these are all turns
		past = append(past, printable(now.State.Greeting)+"\n\n")
	}
	switch {
	case here < 0:
		p.found.at = ""
		p.printf("  ! "+p.texts.NotInPast+"\n", printable(p.found.text))
	case p.send != nil:
		slices.Reverse(past)
		n := len(past) - 1 - here
		p.send(retold{before: strings.Join(past[:n], ""), from: strings.Join(past[n:], "")})
	default:
		p.printf("%s", past[here])
	}
	return nil
}

// searchPast searches the past for p.found. It returns the turns from the newest one to some before the
// result, newest first. here is the index of the result, or -1 without a result. If nothing is searched,
// the result is the newest turn.
func (p *player) searchPast() (past []string, here int, err error) {
	here = -1
	if p.found.text == "" {
		here = 0
	}
	isOlder := p.found.at == "" // the turns from here on are older than the last result
	for t, err := range p.engine.History(p.ctx, p.id, state.HistoryPage{Viewer: p.actor}) {
		if err != nil {
			return nil, -1, err
		}
		mark := " "
		fits := isOlder && strings.Contains(strings.ToLower(t.UserInput+"\n"+t.Text), p.found.text)
		if fits && here < 0 {
			here, mark, p.found.at = len(past), "*", t.ID
		}
		isOlder = isOlder || t.ID == p.found.at
		past = append(past, printable(fmt.Sprintf("%s %s %s> %s\n\n%s\n\n", mark, t.ID, p.nameOf(t.ActorID), t.UserInput, t.Text)))
		if here >= 0 && len(past) > here+around {
			break
		}
	}
	return past, here, nil
}
