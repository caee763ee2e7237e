package campaign

import (
	"errors"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// run waits until the campaign is free and runs an instruction on it. An instruction that need not
// wait, or may not wait, ends at once.
func (r *runner) run(in turn.Input) error {
	s := r.engine.sessions.pin(r.id)
	defer r.engine.sessions.unpin(s)
	return r.guard(nil, func() error {
		normal, err := turn.Normalize(in)
		if refusal, ok := errors.AsType[*state.Refusal](err); ok {
			refused := turn.Outcome{Status: turn.Refused, Reason: string(refusal.Code), Detail: refusal.Detail}
			return r.endWithoutRun(in, &refused, nil)
		}
		if err != nil {
			return err
		}
		in = r.engine.withMemory(s.times.Stamp(normal, r.engine.cfg.Now().UTC()))
		if outcome, err := r.lockCampaign(s, in); err != nil || outcome != nil {
			return r.endWithoutRun(in, outcome, err)
		}
		defer s.queue.Leave(&s.mu)
		return r.guard(s, func() error { return r.runLocked(s, in) })
	})
}

// runIfFree locks the campaign and runs do, which may acquire the lease. If an instruction is running
// in this process, the error is the refusal [state.CampaignBusy].
func (r *runner) runIfFree(do func(s *session) error) error {
	s := r.engine.sessions.pin(r.id)
	defer r.engine.sessions.unpin(s)
	if !s.mu.TryLock() {
		return &state.Refusal{Code: state.CampaignBusy}
	}
	defer s.queue.Leave(&s.mu)
	return r.guard(s, func() error {
		defer r.releaseLease()
		return do(s)
	})
}

// withMemory records in an instruction that asks the model whether the host has a [Memory].
func (e *Engine) withMemory(in turn.Input) turn.Input {
	if asking, ok := turn.NeedsModel(in); ok {
		return asking.Remembering(e.cfg.Services.Memory != nil)
	}
	return in
}

// runLocked runs an instruction on a campaign that this instruction has locked.
func (r *runner) runLocked(s *session, in turn.Input) error {
	defer r.releaseLease()
	if outcome, err := r.awaitLease(in); err != nil || outcome != nil {
		return r.endWithoutRun(in, outcome, err)
	}
	r.watch.Admitted(r.fence())
	if err := r.load(s); err != nil {
		return err
	}
	return r.runLeased(s, in)
}

// endWithoutRun ends an instruction that does not begin. Exactly one of outcome and err is not nil.
func (r *runner) endWithoutRun(in turn.Input, outcome *turn.Outcome, err error) error {
	if err != nil {
		return err
	}
	if err := refusalError(in, *outcome); err != nil {
		return err
	}
	r.emit(Finished{Outcome: *outcome})
	return nil
}

// ticketOf returns the ticket of an instruction. It is empty for instructions that neither ask the
// model nor have an ID.
func ticketOf(in turn.Input) turn.Ticket {
	if named, ok := in.(interface{ Ticket() turn.Ticket }); ok {
		return named.Ticket()
	}
	return turn.Ticket{}
}

// lockCampaign locks the campaign for an instruction, at once or after waiting in the queue. It
// returns the outcome, or an error, of an instruction that does not get the lock.
func (r *runner) lockCampaign(s *session, in turn.Input) (*turn.Outcome, error) {
	ticket := ticketOf(in)
	if s.queue.TryEnter(ticket, &s.mu) {
		return nil, nil
	}
	party, outcome, err := r.outcomeWhileBusy(in, s.queue.Clash)
	busy := outcome != nil && outcome.Reason == string(state.CampaignBusy)
	if busy && s.queue.TryEnter(ticket, &s.mu) { // the other instruction has just ended
		return nil, nil
	}
	if outcome != nil || err != nil {
		return outcome, err
	}
	if code := s.queue.Wait(r.ctx, ticket, party, &s.mu); code != "" {
		return refusedOutcome(code), r.ctx.Err()
	}
	return nil, nil
}

// clashFunc finds the same instruction in this process, see [queue.Clash].
type clashFunc func(in turn.Ticket, active string) state.RefusalCode

// outcomeWhileBusy returns the outcome of an instruction that need not wait, or may not wait, for the
// campaign. If the outcome and the error are nil, the instruction may wait. party is then the
// players among whom it waits. It is the zero value for an instruction of the host. clash may be
// nil.
func (r *runner) outcomeWhileBusy(in turn.Input, clash clashFunc) (party state.Selected, _ *turn.Outcome, _ error) {
	c, err := r.engine.Campaign(r.ctx, r.id)
	if err != nil {
		return party, nil, err
	}
	if o, err := r.knownOrRefused(in, c, clash); o != nil || err != nil {
		return party, o, err
	}
	if _, asks := turn.NeedsModel(in); asks {
		party = c.State.Selected
	}
	values := r.engine.game().Settings().Freeze(c.GlobalSettings, c.Settings)
	if values.Text(settingkey.TurnConcurrency) != "queue" {
		return party, refusedOutcome(state.CampaignBusy), nil
	}
	return party, nil, nil
}

// knownOrRefused returns the outcome of an instruction that was already run, or that would be refused
// in the present state c. It returns nil for any other instruction.
func (r *runner) knownOrRefused(in turn.Input, c state.Campaign, clash clashFunc) (*turn.Outcome, error) {
	probe := turn.NewMachine(r.engine.game(), c)
	if o, known, err := r.earlierOutcome(probe, in); known || err != nil {
		return &o, err
	}
	if o, known := probe.Known(in); known {
		return &o, nil
	}
	if clash != nil {
		if code := clash(ticketOf(in), c.State.Selected.ActorID); code != "" {
			return refusedOutcome(code), nil
		}
	}
	if asking, ok := turn.NeedsModel(in); ok {
		if code := probe.Refuses(asking); code != "" {
			return refusedOutcome(code), nil
		}
	}
	return nil, nil
}
