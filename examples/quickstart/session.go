package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// session is a running campaign.
type session struct {
	loaded
	engine *campaign.Engine
	id     string
	out    *screen
	noted  bool // the current group of notes has a line
}

// start creates the campaign.
func start(ctx context.Context, lang string, out io.Writer) (*session, error) {
	l, err := load(lang)
	if err != nil {
		return nil, err
	}
	s := &session{loaded: l, id: l.setup.ID, out: newScreen(out)}
	// The clock makes two runs print and store the same bytes.
	s.engine, err = campaign.New(campaign.Config{Game: l.game, Model: s.model(), Now: s.clock()})
	if err != nil {
		return nil, err
	}
	c, err := s.engine.Create(ctx, s.setup)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(s.out, "%s\n\n%s\n\n", s.out.paint(bold, "=== "+c.Title+" ==="), s.texts.noModel)
	s.legend()
	if c.State.Greeting != "" {
		fmt.Fprintf(s.out, "%s\n\n", c.State.Greeting)
	}
	return s, nil
}

// clock returns a clock that advances one minute at each call.
func (s *session) clock() func() time.Time {
	at := s.setup.CreatedAt
	if at.IsZero() {
		at = time.Date(2026, 3, 1, 18, 0, 0, 0, time.UTC)
	}
	return func() time.Time {
		at = at.Add(time.Minute)
		return at
	}
}

// model returns a model that answers with the outputs of the script.
func (s *session) model() llm.Model {
	var replies []llmtest.Reply
	for _, st := range s.script {
		for _, output := range st.Outputs {
			replies = append(replies, llmtest.Text(outputText(output)))
		}
	}
	return llmtest.NewScripted(replies...)
}

// outputText returns the output of the scripted model: a text, or an object as JSON.
func outputText(output json.RawMessage) string {
	var text string
	if json.Unmarshal(output, &text) == nil {
		return text
	}
	return string(output)
}

// scripted plays the script, and replays the log at the end.
func (s *session) scripted(ctx context.Context) error {
	for _, st := range s.script {
		if err := s.step(ctx, st); err != nil {
			return err
		}
	}
	return s.rebuild(ctx)
}

// step plays one step of the script.
func (s *session) step(ctx context.Context, st step) error {
	switch st.Do {
	case "":
		return s.turn(ctx, st.Say, st.Audience...)
	case "rollback":
		return s.rollback(ctx, st.To)
	case "undo":
		return s.undo(ctx)
	case "event":
		return s.event(ctx, st.Event)
	case "swipe":
		return s.swipe(ctx)
	case "choose":
		return s.choose(ctx, st.To)
	case "settings":
		return s.change(ctx, st.Settings)
	case "approve":
		return s.answer(ctx, state.Approve, "")
	case "deny":
		return s.answer(ctx, state.Deny, st.Text)
	case "decide":
		return s.decide(ctx, state.Decision(st.To), st.Text)
	}
	return fmt.Errorf("script: unknown step %q; use rollback, undo, event, swipe, choose, settings, approve, deny or decide", st.Do)
}

func (s *session) rebuild(ctx context.Context) error {
	c, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	s.summary(c)
	if _, err := s.engine.Rebuild(ctx, s.id); err != nil {
		fmt.Fprintln(s.out, "rebuild: different")
		return err
	}
	fmt.Fprintln(s.out, "rebuild: identical")
	return nil
}

// turn plays one turn and prints it. If there is an audience, only its members hear the turn.
func (s *session) turn(ctx context.Context, line string, audience ...string) error {
	before, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	s.out.head(s.texts.turn, before.State.TurnCount+1)
	fmt.Fprintf(s.out, "> %s\n", line)
	return s.ask(ctx, before, turn.Submit{Text: line, Audience: audience})
}

// swipe requests a different answer to the same line.
func (s *session) swipe(ctx context.Context) error {
	before, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	s.out.head("%s", s.texts.swipe)
	return s.ask(ctx, before, turn.Regenerate{Swipe: true})
}

// choose selects one of the existing answers.
func (s *session) choose(ctx context.Context, to string) error {
	s.out.head(s.texts.choose, to)
	return s.move(ctx, turn.Choose{TurnID: to})
}

// ask runs an instruction that asks the model.
func (s *session) ask(ctx context.Context, before state.Campaign, in turn.Input) error {
	var host []effect.Effect
	var done campaign.Finished
	for p, err := range s.engine.Stream(ctx, s.id, in) {
		if err != nil {
			return err
		}
		switch p := p.(type) {
		case campaign.HostEffect:
			host = append(host, p.Effect)
		case campaign.Finished:
			done = p
		}
	}
	return s.report(before, done, host)
}

// report prints how a turn ended.
func (s *session) report(before state.Campaign, done campaign.Finished, host []effect.Effect) error {
	o := done.Outcome
	switch o.Status {
	case turn.Completed:
		s.completed(before, o, host, done.Messages)
		return nil
	case turn.Conflict:
		s.attempts(o.Attempts)
		fmt.Fprintf(s.out, "  %s: %d/%d, %s\n\n", s.texts.conflict, o.RetriesUsed, o.Report.MaxRetries, s.texts.decides)
		return nil
	case turn.Waiting:
		s.question(o.Approval)
		return nil
	case turn.Discarded:
		fmt.Fprintln(s.out)
		return nil
	case turn.Cancelled:
		return context.Canceled
	}
	return o.Err()
}

func (s *session) rollback(ctx context.Context, to string) error {
	s.out.head(s.texts.rollback, to)
	return s.move(ctx, turn.RollBack{To: to})
}

func (s *session) undo(ctx context.Context) error {
	s.out.head("%s", s.texts.undo)
	return s.move(ctx, turn.Redo{})
}

// move runs an instruction that makes a different turn the head, and prints the result.
func (s *session) move(ctx context.Context, in turn.Input) error {
	before, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	if _, err := s.engine.Do(ctx, s.id, in); err != nil {
		return err
	}
	after, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "  %s -> %s\n", before.State.HeadTurnID, after.State.HeadTurnID)
	s.status(after)
	fmt.Fprintln(s.out)
	return nil
}

// event raises an event of the host, like a button would.
func (s *session) event(ctx context.Context, data json.RawMessage) error {
	var e rules.Event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("script: event: %w", err)
	}
	s.out.head(s.texts.event, e)
	before, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	var host []effect.Effect
	for p, err := range s.engine.Stream(ctx, s.id, turn.RaiseEvents{Events: []rules.Event{e}}) {
		if err != nil {
			return err
		}
		if h, ok := p.(campaign.HostEffect); ok {
			host = append(host, h.Effect)
		}
	}
	after, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	s.hostEffects(host)
	s.variableDiff(before, after)
	fmt.Fprintln(s.out)
	return nil
}
