package draft

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// Apply is the one interpreter of effects. Package rules applies effects on variables and switches.
// This package applies effects on characters, prompts and the book. All other effects are left for
// the host.
func (s *Stage) Apply(by string, effects effect.List) {
	if len(effects) == 0 {
		return
	}
	p := &s.Pending
	effects, refused := Readable(by, effects)
	p.Trace.Refused = append(p.Trace.Refused, refused...)
	before := s.rules()
	applied := s.Game.Rules().Apply(before, effect.By(by, effects...), rules.Options{Random: s.Draw})
	s.mergeRuleState(applied.State)
	p.Changes = append(p.Changes, applied.Changes...)
	p.events = append(p.events, applied.Events...)
	p.refuse(applied.Refused)
	s.applyEffects(applied.Host)
}

// MergeHookResult applies the results of hooks.
func (s *Stage) MergeHookResult(r hooks.Result, refused []state.TraceRefusedEffect) {
	p := &s.Pending
	p.State.Hooks = r.State
	p.Trace.Hooks = append(p.Trace.Hooks, r.Logs...)
	p.Trace.Hooks = append(p.Trace.Hooks, r.Skipped...)
	p.Trace.Refused = append(p.Trace.Refused, refused...)
	s.Apply("hooks", r.Effects)
}

// nextPrompt returns the number of the turn that the next prompt belongs to.
func (s *Stage) nextPrompt() int {
	if s.Rewrites.PromptBuilt {
		return s.Number + 1
	}
	return s.Number
}

// datedForPrompt changes the date of new directives so that the prompt of this turn has them. A
// directive is in the prompts of the turns after its date. So a directive that was injected before
// this prompt was written gets the number of the turn before.
func (s *Stage) datedForPrompt(l rules.Memory) rules.Memory {
	if s.Rewrites.PromptBuilt {
		return l
	}
	l.Directives = slices.Clone(l.Directives)
	for i := range l.Directives {
		l.Directives[i].InjectedAtTurn = min(l.Directives[i].InjectedAtTurn, s.Number-1)
	}
	return l
}

// maxChains limits how often rules run again for values of characters that rules changed.
const maxChains = 5

// Chain runs rules and reactions for events and applies the results. Changes of characters start a
// further chain. If the limit cuts events, this is reported in the trace.
func (s *Stage) Chain(events ...rules.Event) {
	p := &s.Pending
	events = append(slices.Clip(events), p.events...)
	hops := 0
	for range maxChains {
		p.events = nil
		if len(events) == 0 {
			return
		}
		hops += s.runRules(events, hops)
		events = p.events
	}
	p.events = nil
	p.Trace.Cut = append(p.Trace.Cut, events...)
}

// runRules runs one chain, whose first hop has the given number, and returns its number of hops.
func (s *Stage) runRules(events []rules.Event, first int) int {
	p := &s.Pending
	before := s.rules()
	out := s.Game.Rules().Run(before, events, rules.Options{Random: s.Draw, Explain: s.Explained != nil})
	if s.Explained != nil {
		*s.Explained = append(*s.Explained, out.Trace...)
	}
	s.mergeRuleState(out.State)
	p.Changes = append(p.Changes, out.Changes...)
	for hop, fired := range out.Hops {
		p.Trace.Fired = slices.Grow(p.Trace.Fired, len(fired))
		for _, f := range fired {
			effects, _ := Readable(f.ID, f.Effects)
			p.Trace.Fired = append(p.Trace.Fired, state.TraceFired{ID: f.ID, Event: f.Event, Hop: first + hop, Effects: effects})
		}
	}
	p.Trace.Cut = append(p.Trace.Cut, out.Cut...)
	p.refuse(out.Refused)
	s.applyEffects(out.Host)
	return len(out.Hops)
}

func (p *Progress) refuse(list []effect.Refusal) {
	for _, r := range list {
		traceRefusal(&p.Trace, r.Path, r.By, string(r.Reason), r.Text)
	}
}

// applyEffects applies the effects that concern the campaign and passes the other effects to the host.
func (s *Stage) applyEffects(effects []effect.Attributed) {
	p := &s.Pending
	for _, c := range effects {
		stored, err := effect.ReadBack(c.Effect)
		if err != nil {
			_, refused := Readable(c.Source, effect.List{c.Effect})
			p.Trace.Refused = append(p.Trace.Refused, refused...)
			continue
		}
		c.Effect = stored
		switch e := stored.(type) {
		case effect.ChangeHP:
			p.changeHP(e, c.Source, s.Game.Life())
		case effect.MoveCharacter:
			p.move(e, c.Source)
		case effect.ChangeState:
			p.changeMood(moodChange{c.Source, "mood", e.CharacterID, e.Field, e.New},
				func(c *state.Character) *tree.Value { return &c.Mood })
		case effect.ChangeRelationship:
			p.changeMood(moodChange{c.Source, "relationship", e.CharacterID, e.Field, e.New},
				func(c *state.Character) *tree.Value { return &c.Relationship })
		case effect.InjectPrompt:
			p.inject(e, c.Source)
		case effect.AddMessage:
			p.Messages = append(p.Messages, e.Content)
		case effect.AddEntry:
			s.book(c.Source).add(e)
		case effect.UpdateEntry:
			s.book(c.Source).update(e)
		case effect.RemoveEntry:
			s.book(c.Source).remove(e)
		case effect.ForceEntry:
			s.book(c.Source).force(e, s.nextPrompt())
		case effect.AddArea:
			p.addArea(e, c.Source)
		case effect.AddPath:
			p.addPath(e, c.Source)
		case effect.AddCharacter:
			p.addCharacter(e, c.Source, s.Game.Life())
		case effect.BackupBranch:
			s.book(c.Source).add(backupEntry(e))
			p.Host = append(p.Host, c)
		case effect.Rewrite:
			s.Rewrites.rewrite(&p.Trace, e, c.Source)
		case effect.Veto:
			s.Rewrites.veto(&p.Trace, e, c.Source)
		case effect.EndCampaign:
			p.State.Lifecycle.End(state.EndReason(e.Reason), s.At)
		case effect.Notify:
			p.Trace.Notices = append(p.Trace.Notices, e)
			p.Host = append(p.Host, c)
		case effect.Custom:
			if !p.runAction(e, c.Source, s.Game.World()) {
				p.Host = append(p.Host, c)
			}
		default:
			p.Host = append(p.Host, c)
		}
	}
}

// queueChange queues the change of a character's value, such as hp.mara, for the rules of the next
// chain.
func (p *Progress) queueChange(by, id string, before, after tree.Value) {
	if !before.Equal(after) {
		p.events = append(p.events, event.Changed(id, before, after))
		p.Changes = append(p.Changes, tree.Change{
			Path: tree.Path{id}, Old: before, New: after, By: by})
	}
}

func (p *Progress) changeHP(e effect.ChangeHP, by string, life map[state.AliveState]state.LifeRule) {
	i := p.State.CharacterIndex(e.CharacterID)
	if i < 0 {
		p.refuseChange(added{by: by, what: "hp", id: e.CharacterID}, reasonUnknownCharacter, "")
		return
	}
	c := &p.State.Characters[i]
	before := c.Views()
	p.Evidence = append(p.Evidence, c.ChangeHP(e.Delta, life))
	p.queueViewChanges(by, before, c.Views())
}

// queueViewChanges queues all changed values of a character.
func (p *Progress) queueViewChanges(by string, before, after []tree.Member) {
	for i, v := range after {
		p.queueChange(by, v.Key, before[i].Value, v.Value)
	}
}

func (p *Progress) move(e effect.MoveCharacter, by string) {
	i := p.State.CharacterIndex(e.CharacterID)
	if i < 0 {
		p.refuseChange(added{by: by, what: "area", id: e.CharacterID}, reasonUnknownCharacter, "")
		return
	}
	if _, known := p.State.Map.Area(e.ToAreaID); !known {
		p.refuseChange(added{by: by, what: "area", id: e.CharacterID}, reasonUnknownArea, e.ToAreaID)
		return
	}
	c := &p.State.Characters[i]
	p.Evidence = append(p.Evidence, conflict.Action{Moves: []conflict.Move{{
		CharacterID: c.ID, From: c.AreaID, To: e.ToAreaID,
	}}})
	before := c.Views()
	c.AreaID = e.ToAreaID
	p.queueViewChanges(by, before, c.Views())
}

// moodChange is a change of one field of a character's mood, or of its relationship to the player.
type moodChange struct {
	by, what, id, field string // the cause, "mood" or "relationship", the character, the field
	value               tree.Value
}

func (p *Progress) changeMood(m moodChange, part func(*state.Character) *tree.Value) {
	i := p.State.CharacterIndex(m.id)
	if i < 0 {
		p.refuseChange(added{by: m.by, what: m.what, id: m.id}, reasonUnknownCharacter, "")
		return
	}
	slot := part(&p.State.Characters[i])
	members := []tree.Member{}
	for key, old := range slot.Members() {
		members = append(members, tree.Member{Key: key, Value: old})
	}
	*slot = tree.Object(append(members, tree.Member{Key: m.field, Value: m.value})...)
}

// mergeRuleState stores the variables, characters and ledger that rules returned.
func (s *Stage) mergeRuleState(after rules.State) {
	p := &s.Pending
	p.State.Variables = after.Variables
	books := p.State.Ledger.Books
	p.State.Ledger = s.datedForPrompt(after.Ledger)
	p.State.Ledger.Books = books
	secret.TakeModules(&p.State, s.Viewer, after.Ledger.Books)
	if views, _ := after.Views.(state.Views); views.Written != nil {
		p.State.Characters = views.Written
		p.Evidence = append(p.Evidence, views.Evidence...)
	}
}

// OpenModules opens and closes modules of mode keywords by the player's line, for the characters
// who heard it. It runs before anything else in the turn is decided, so a module takes part in the
// same turn.
func (s *Stage) OpenModules(line string) {
	p := &s.Pending
	first := true // the first call is for the characters who heard the line
	secret.OpenModules(&p.State, s.Heard, func(books map[string]bool) map[string]bool {
		said, opened, closed := s.Game.Rules().ActivateModules(rules.State{Ledger: rules.Memory{Books: books}}, line)
		if first {
			p.Trace.Opened = append(p.Trace.Opened, opened...)
			p.Trace.Closed = append(p.Trace.Closed, closed...)
		}
		first = false
		return said.Ledger.Books
	})
}

// Automate asks the host to run the automation that an entry names.
func (p *Progress) Automate(a worldbook.Activation) {
	if a.AutomationID == "" {
		return
	}
	p.Host = append(p.Host, effect.Attributed{Source: a.ID.String(), Effect: effect.Custom{
		Type: game.EffectAutomation, Data: tree.Object(
			tree.Member{Key: "automationId", Value: tree.Text(a.AutomationID)},
			tree.Member{Key: "entry", Value: tree.Text(a.ID.String())}),
	}})
}
