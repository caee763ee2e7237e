package campaign

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
)

// The authoritative values of characters are variables too, while rules run: a
// rule may watch "hp.<character>", or write it. The engine puts them in before
// and takes them out afterwards, so that there is one truth.
const (
	varHP    = "hp."
	varMaxHP = "max_hp."
	varArea  = "area."
	varAlive = "alive."
)

// reserved reports whether a variable's name is one that the engine puts in.
func reserved(name string) bool {
	for _, prefix := range []string{varHP, varMaxHP, varArea, varAlive} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// mirror returns the variables with the characters' values among them.
func (s State) mirror() memvars.Document {
	edit := s.Variables.Edit()
	for _, c := range s.Characters {
		for _, v := range c.variables() {
			// A member of the root can always be set.
			_ = edit.Set(memvars.Path{v.Key}, v.Value)
		}
	}
	return edit.Document()
}

func (c Character) variables() []memvars.Member {
	return []memvars.Member{
		{Key: varHP + c.ID, Value: memvars.Int(int64(c.HP.Current))},
		{Key: varMaxHP + c.ID, Value: memvars.Int(int64(c.HP.Max))},
		{Key: varArea + c.ID, Value: memvars.Text(c.AreaID)},
		{Key: varAlive + c.ID, Value: memvars.Text(string(c.Status.AliveState))},
	}
}

// unmirror takes the variables back: what rules wrote to a character's values is
// carried over within the bounds that hold for everybody, and the rest is the new
// document. before is what [State.mirror] gave.
func (p *progress) unmirror(life map[AliveState]LifeRule, before, after memvars.Document) {
	if after.Same(before) {
		return // nothing was written: the variables are as they were
	}
	s := &p.state
	edit := after.Edit()
	for i := range s.Characters {
		c := &s.Characters[i]
		written := func(prefix string) memvars.Value {
			v := after.Root().Get(prefix + c.ID)
			if v.Equal(before.Root().Get(prefix + c.ID)) {
				return memvars.Value{}
			}
			return v
		}
		maxHP, hp := written(varMaxHP), written(varHP)
		area, alive := written(varArea), written(varAlive)
		if n, ok := wholeNumber(maxHP); ok && n >= 0 {
			c.HP.Max = n
			c.settle(c.HP.Current)
		}
		if n, ok := wholeNumber(hp); ok {
			p.settleHP(c, n-c.HP.Current)
		}
		if id, ok := area.AsText(); ok {
			if _, known := s.Map.Area(id); known {
				p.evidence = append(p.evidence, conflict.Action{Moves: []conflict.Move{{
					CharacterID: c.ID, From: c.AreaID, To: id,
				}}})
				c.AreaID = id
			}
		}
		if state, ok := alive.AsText(); ok {
			if _, known := life[AliveState(state)]; known {
				p.evidence = append(p.evidence, conflict.Action{
					Lives: lifeChange(c.ID, c.Status.AliveState, AliveState(state))})
				c.Status.AliveState = AliveState(state)
			}
		}
		for _, v := range c.variables() {
			_ = edit.Delete(memvars.Path{v.Key}) // absent if a rule removed it
		}
	}
	s.Variables = edit.Document()
}

func wholeNumber(v memvars.Value) (int, bool) {
	n, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	i, ok := n.Int64()
	return int(min(max(i, math.MinInt32), math.MaxInt32)), ok
}

// ruleState is the state as rules see it.
func (s State) ruleState(turn int) rules.State {
	return rules.State{Variables: s.mirror(), Turn: turn, Ledger: s.Ledger}
}

// apply is the one interpreter of effects. Those on variables and switches go to
// package rules, those on characters, prompts and the book are carried out here,
// and what is left is the host's.
func (t *turn) apply(by string, effects rules.Effects) {
	if len(effects) == 0 {
		return
	}
	p := &t.staged
	effects, refused := readable(by, effects)
	p.trace.Refused = append(p.trace.Refused, refused...)
	before := p.state.ruleState(t.number())
	applied := t.game.rules.Apply(before, rules.By(by, effects...), rules.Options{Random: t.draw})
	p.unmirror(t.game.life, before.Variables, applied.State.Variables)
	p.state.Ledger = t.dated(applied.State.Ledger)
	p.changes = append(p.changes, applied.Changes...)
	p.events = append(p.events, applied.Events...)
	p.refuse(applied.Refused)
	t.absorb(applied.Host)
}

// dated makes directives that were injected before the prompt of this turn count it as
// their first: a directive is in the prompts of the turns after the one that it is
// dated with.
func (t *turn) dated(l rules.Ledger) rules.Ledger {
	n := t.number()
	if t.prompted || !slices.ContainsFunc(l.Directives, func(d rules.Directive) bool { return d.InjectedAtTurn >= n }) {
		return l
	}
	l.Directives = slices.Clone(l.Directives)
	for i := range l.Directives {
		l.Directives[i].InjectedAtTurn = min(l.Directives[i].InjectedAtTurn, n-1)
	}
	return l
}

// maxChains bounds how often the characters' values that rules changed are heard by
// rules in turn.
const maxChains = 5

// chain runs rules and reactions on events and takes over what follows. What they
// did to characters is heard by a further chain; the bound is reported.
func (t *turn) chain(events ...rules.Event) {
	p := &t.staged
	events = append(slices.Clip(events), p.events...)
	hops := 0
	for range maxChains {
		p.events = nil
		if len(events) == 0 {
			return
		}
		hops += t.runRules(events, hops)
		events = p.events
	}
	p.events = nil
	p.trace.Cut = append(p.trace.Cut, events...)
}

// runRules runs one chain, whose first hop has the given number, and returns how
// many hops it had.
func (t *turn) runRules(events []rules.Event, first int) int {
	p := &t.staged
	before := p.state.ruleState(t.number())
	out := t.game.rules.Run(before, events, rules.Options{Random: t.draw})
	p.unmirror(t.game.life, before.Variables, out.State.Variables)
	p.state.Ledger = t.dated(out.State.Ledger)
	p.changes = append(p.changes, out.Changes...)
	for hop, fired := range out.Hops {
		for _, f := range fired {
			effects, _ := readable(f.ID, f.Effects)
			p.trace.Fired = append(p.trace.Fired, FiredTrace{f.ID, f.Event, first + hop, effects})
		}
	}
	p.trace.Cut = append(p.trace.Cut, out.Cut...)
	p.refuse(out.Refused)
	t.absorb(out.Host)
	return len(out.Hops)
}

func (p *progress) refuse(list []rules.Refusal) {
	for _, r := range list {
		p.trace.Refused = append(p.trace.Refused,
			RefusedEffect{r.By, r.Path, string(r.Reason), r.Text})
	}
}

// absorb carries out the effects that concern the campaign and passes the others
// on to the host.
func (t *turn) absorb(effects []rules.Caused) {
	p := &t.staged
	for _, c := range effects {
		effect, err := readBack(c.Effect)
		if err != nil {
			_, refused := readable(c.By, rules.Effects{c.Effect})
			p.trace.Refused = append(p.trace.Refused, refused...)
			continue
		}
		c.Effect = effect
		switch e := effect.(type) {
		case rules.ChangeHP:
			p.changeHP(e, c.By)
		case rules.MoveCharacter:
			p.move(e, c.By)
		case rules.ChangeState:
			p.changeMood(e.CharacterID, e.Field, e.New, func(c *Character) *memvars.Value { return &c.Mood })
		case rules.ChangeRelationship:
			p.changeMood(e.CharacterID, e.Field, e.New,
				func(c *Character) *memvars.Value { return &c.Relationship })
		case rules.InjectPrompt:
			p.inject(e, c.By)
		case rules.AddMessage:
			p.messages = append(p.messages, e.Content)
		case rules.AddEntry:
			p.addEntry(e, c.By)
		case rules.BackupBranch:
			p.addEntry(backupEntry(e), c.By)
			p.host = append(p.host, c)
		case rules.EndCampaign:
			p.state.end(e.Reason, t.in.At)
		case rules.Notify:
			p.trace.Notices = append(p.trace.Notices, e)
			p.host = append(p.host, c)
		default:
			p.host = append(p.host, c)
		}
	}
}

// changed tells the rules of a character's value, in the next chain.
func (p *progress) changed(by, id string, before, after memvars.Value) {
	if !before.Equal(after) {
		p.events = append(p.events, rules.Changed(id, before, after))
		p.changes = append(p.changes, memvars.Change{
			Path: memvars.Path{id}, Old: before, New: after, By: by})
	}
}

func (p *progress) changeHP(e rules.ChangeHP, by string) {
	i := p.state.characterIndex(e.CharacterID)
	if i < 0 {
		return
	}
	c := &p.state.Characters[i]
	before := c.clone()
	p.settleHP(c, e.Delta)
	for j, v := range c.variables() {
		p.changed(by, v.Key, before.variables()[j].Value, v.Value)
	}
}

// settleHP changes hit points and keeps that as evidence for the detectors.
func (p *progress) settleHP(c *Character, delta int) {
	before, alive := c.HP.Current, c.Status.AliveState
	c.settle(saturatingAdd(before, delta))
	p.evidence = append(p.evidence, conflict.Action{HP: []conflict.HPChange{{
		CharacterID: c.ID, Requested: delta, Effective: c.HP.Current - before, After: c.HP.Current,
	}}, Lives: lifeChange(c.ID, alive, c.Status.AliveState)})
}

// lifeChange is the evidence of a change of a life state, none if there was none.
func lifeChange(id string, before, after AliveState) []conflict.LifeChange {
	if before == after {
		return nil
	}
	return []conflict.LifeChange{{CharacterID: id, Before: string(before), After: string(after)}}
}

func (p *progress) move(e rules.MoveCharacter, by string) {
	i := p.state.characterIndex(e.CharacterID)
	if _, known := p.state.Map.Area(e.ToAreaID); i < 0 || !known {
		return
	}
	c := &p.state.Characters[i]
	p.evidence = append(p.evidence, conflict.Action{Moves: []conflict.Move{{
		CharacterID: c.ID, From: c.AreaID, To: e.ToAreaID,
	}}})
	p.changed(by, varArea+c.ID, memvars.Text(c.AreaID), memvars.Text(e.ToAreaID))
	c.AreaID = e.ToAreaID
}

func (p *progress) changeMood(
	id, field string, v memvars.Value, part func(*Character) *memvars.Value,
) {
	i := p.state.characterIndex(id)
	if i < 0 {
		return
	}
	slot := part(&p.state.Characters[i])
	members := []memvars.Member{}
	for key, old := range slot.Members() {
		members = append(members, memvars.Member{Key: key, Value: old})
	}
	*slot = memvars.Object(append(members, memvars.Member{Key: field, Value: v})...)
}
