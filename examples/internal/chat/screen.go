package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules/effect"
)

// screen shows one instruction: the text while it is written, and the outcome. A viewer is a character
// that a user plays, or "" for everybody in the room.
type screen struct {
	bot      *Bot
	update   Update
	campaign state.Campaign // before the instruction
	text     string
	effects  []campaign.HostEffect // only notices are shown
	views    map[string]*view      // by viewer
}

// show shows the provisional text to those who may see it. An error is no reason to stop a turn.
func (s *screen) show(ctx context.Context, audience []string) {
	for _, viewer := range everybodyIf(audience) {
		_ = s.view(viewer).show(ctx, Message{Text: s.text}, false)
	}
}

func everybodyIf(audience []string) []string {
	if len(audience) == 0 {
		return []string{""}
	}
	return audience
}

// view returns the message for a viewer. It is nil if nobody plays the viewer.
func (s *screen) view(viewer string) *view {
	user := userOf(s.campaign, viewer)
	if s.views[viewer] == nil && (user != "" || viewer == "") {
		s.views[viewer] = &view{bot: s.bot, place: Place{Room: s.update.Room, User: user}}
	}
	return s.views[viewer]
}

// finish shows an outcome to each viewer, as far as the viewer may see it. A repeated update shows
// its answer again only if this process has not shown it.
func (s *screen) finish(ctx context.Context, o campaign.Outcome) error {
	shown := s.bot.known.player(s.update)
	if o.Replayed && shown.has(s.update.ID) {
		return nil
	}
	viewers := slices.Collect(maps.Keys(s.views)) // who has seen text that may not stay
	switch {
	case o.Turn != nil:
		viewers = append(viewers, everybodyIf(o.Turn.Audience)...)
	case s.update.Private:
		viewers = append(viewers, characterOf(s.campaign, s.update.User))
	default:
		viewers = append(viewers, everybodyIf(o.Audience)...)
	}
	if o.Approval != nil {
		viewers = append(viewers, o.Approval.ActorID)
	}
	if o.Report != nil {
		viewers = append(viewers, o.Report.ActorID)
	}
	slices.Sort(viewers)
	var errs []error
	for _, viewer := range slices.Compact(viewers) {
		if m, ok := s.message(o, viewer); ok {
			err := s.view(viewer).show(ctx, m, true)
			if errors.Is(err, ErrUnreachable) {
				err = s.note(ctx, viewer)
			}
			errs = append(errs, err)
		}
	}
	err := errors.Join(errs...)
	if err == nil {
		shown.add(s.update.ID)
	}
	return err
}

// note says that a player does not get a private message: to the player who has caused it, or in
// the room if that is the same one.
func (s *screen) note(ctx context.Context, viewer string) error {
	p := s.update.place()
	if p.User == userOf(s.campaign, viewer) {
		p.User = ""
	}
	return s.bot.say(ctx, p, fmt.Sprintf(s.bot.in("(%s has to write to me privately first, and misses what is secret until then)"), nameOf(s.campaign, viewer)))
}

// message returns what a viewer reads of an outcome. It reports false if that is nothing.
func (s *screen) message(all campaign.Outcome, viewer string) (m Message, ok bool) {
	o, ok := all.ForPlayers(viewer)
	button := func(label, verb, about string) Button {
		return Button{Label: s.bot.in(label), Press: strings.Join([]string{verb, about, strconv.FormatInt(all.Version, 10), s.update.Room}, " ")}
	}
	switch {
	case !ok:
	case o.Turn != nil:
		id := o.Turn.ID
		m = Message{Turn: id, By: nameOf(s.campaign, o.Turn.ActorID), Line: o.Turn.UserInput, Text: strings.Join(append([]string{o.Turn.Text}, o.Messages...), "\n")}
		for _, e := range s.effects {
			if notice, ok := e.Effect.(effect.Notify); ok && state.Knows(e.Audience, viewer) {
				m.Text += "\n[" + notice.Message + "]"
			}
		}
		if s.bot.Quote && m.Line != "" && viewer != "" && viewer != o.Turn.ActorID {
			m.Text = m.By + ": " + m.Line + "\n\n" + m.Text
		}
		m.Buttons = []Button{button("Other answer", "swipe", id), button("◀", "back", id), button("▶", "next", id),
			button("Undo", "undo", id), button("Branches", "branches", id)}
	case o.Approval != nil:
		m.Text = s.bot.in("This will happen if you agree:")
		for _, call := range o.Approval.Calls {
			m.Text += "\n" + call.Tool + " " + call.Args.String()
		}
		m.Buttons = []Button{button("Agree", "agree", o.Approval.ID), button("Refuse", "deny", o.Approval.ID)}
	case len(o.Decisions) > 0:
		m.Text = s.bot.in("The story contradicts the game. What now?")
		for _, d := range o.Decisions {
			if d != state.DecideOverride {
				m.Buttons = append(m.Buttons, button(strings.ReplaceAll(string(d), "_", " "), "decide", string(d)))
			}
		}
	case all.Approval != nil || all.Report != nil:
		m.Text = s.bot.in("(waiting for the decision of the player)")
	case o.Retry:
		m.Text = s.bot.in("(the storyteller is busy, please try again)")
	default:
		m.Text = strings.Join(append([]string{"(" + s.bot.Engine.Texts().Refusal(o.Reason) + ")"}, o.Messages...), "\n")
	}
	return m, ok
}

// view is a message in a place. Text that is too long continues in more messages.
type view struct {
	bot   *Bot
	place Place
	ids   []string
	sent  []Message
	next  time.Time // the earliest time of the next change
}

// errLater says that a change is too early, and that a later change will include it.
var errLater = errors.New("too early")

// show shows a message. If it is not the last one, and it is too early for a change, nothing
// happens. It does nothing if v is nil.
func (v *view) show(ctx context.Context, m Message, last bool) error {
	if v == nil {
		return nil
	}
	parts := split(m.Text, v.bot.Limit)
	for i := range max(len(parts), len(v.ids)) {
		part := Message{By: m.By, Text: "…"} // the text became shorter
		if i < len(parts) {
			part.Text = parts[i]
		}
		if i == 0 {
			part.Line = m.Line
		}
		if i == len(parts)-1 {
			part.Buttons, part.Turn = m.Buttons, m.Turn
		}
		if i < len(v.sent) && reflect.DeepEqual(v.sent[i], part) {
			continue
		}
		if err := v.put(ctx, i, part, last); err == errLater {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// put sends or edits the message with an index. It waits as long as the service wants.
func (v *view) put(ctx context.Context, i int, m Message, last bool) error {
	for {
		if wait := v.next.Sub(v.bot.now()); wait > 0 {
			if !last {
				return errLater
			}
			if err := v.bot.sleep(ctx, wait); err != nil {
				return err
			}
		}
		var err error
		if i < len(v.ids) {
			err = v.bot.Service.Edit(ctx, v.place, v.ids[i], m)
		} else {
			var id string
			if id, err = v.bot.Service.Send(ctx, v.place, m); err == nil {
				v.ids = append(v.ids, id)
			}
		}
		v.next = v.bot.now().Add(v.bot.Every)
		if refused, ok := errors.AsType[*Wait](err); ok {
			v.next = v.bot.now().Add(refused.For)
			continue
		}
		if err == nil {
			v.sent = slices.Replace(v.sent, i, min(i+1, len(v.sent)), m)
		}
		return err
	}
}

func (b *Bot) now() time.Time {
	if b.Now == nil {
		return time.Now()
	}
	return b.Now()
}

func (b *Bot) sleep(ctx context.Context, d time.Duration) error {
	if b.Sleep != nil {
		return b.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// split cuts a text into parts of at most limit UTF-16 units, at a line end or a space if there is
// one in the second half of a part. An empty text is one part, because services refuse empty
// messages.
func split(text string, limit int) (parts []string) {
	text = cmp.Or(strings.TrimSpace(text), "…")
	for limit > 1 && len(text) > limit { // bytes are never fewer than units
		units, end := 0, len(text)
		for i, r := range text {
			if units += utf16.RuneLen(r); units > limit {
				end = i
				break
			}
		}
		if end == len(text) {
			break
		}
		if at := max(strings.LastIndex(text[:end], "\n"), strings.LastIndex(text[:end], " ")); at > end/2 {
			end = at
		}
		parts, text = append(parts, text[:end]), strings.TrimSpace(text[end:])
	}
	if text != "" {
		parts = append(parts, text)
	}
	return parts
}
