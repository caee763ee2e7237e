package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
)

// This file has the decisions of people: about calls that wait for approval, and about a turn that
// the model could not make consistent with the state.

// secret prints who heard a private turn, and who did not.
func (s *session) secret(c state.Campaign, t *state.Turn) {
	if len(t.Audience) == 0 {
		return
	}
	var heard, not []string
	for _, ch := range c.State.Characters {
		if state.Knows(t.Audience, ch.ID) {
			heard = append(heard, ch.Name)
		} else {
			not = append(not, ch.Name)
		}
	}
	s.note(s.texts.secret, s.texts.keptFrom, strings.Join(heard, ", "), strings.Join(not, ", "))
}

// question prints the calls that wait for approval.
func (s *session) question(q *state.ApprovalQuestion) {
	s.noted = false
	for _, c := range q.Calls {
		s.note(s.texts.waits, "%s %s: %s", c.Tool, c.ID, brief(c.Args))
	}
	s.out.gap = false
	fmt.Fprintln(s.out)
}

// answer gives the same verdict for all waiting calls.
func (s *session) answer(ctx context.Context, verdict state.ApprovalVerdict, reason string) error {
	q, err := s.engine.Pending(ctx, s.id)
	if err != nil {
		return err
	}
	if q == nil {
		return &state.Refusal{Code: state.NoPendingApproval}
	}
	before, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	if verdict == state.Approve {
		s.out.head("%s", s.texts.approve)
	} else {
		s.out.head("%s", strings.TrimSuffix(s.texts.deny+": "+reason, ": "))
	}
	return s.ask(ctx, before, campaign.Approve{Question: q.ID, Decisions: q.All(verdict, reason), By: s.texts.player})
}

// decide ends a turn that needs a person's decision. text is used by an override.
func (s *session) decide(ctx context.Context, d state.Decision, text string) error {
	before, err := s.engine.Campaign(ctx, s.id)
	if err != nil {
		return err
	}
	s.out.head(s.texts.decide, d)
	return s.ask(ctx, before, campaign.ResolveConflict{Decision: d, Text: text})
}

func (s *session) change(ctx context.Context, patch campaign.Settings) error {
	var list []string
	for key, value := range patch {
		list = append(list, fmt.Sprintf("%s = %s", key, brief(value)))
	}
	slices.Sort(list)
	s.out.head("%s", strings.Join(list, ", "))
	fmt.Fprintln(s.out)
	_, err := s.engine.Do(ctx, s.id, campaign.PatchSettings{Patch: patch})
	return err
}
