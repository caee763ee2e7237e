package turn

import (
	"errors"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/ledger"
	"github.com/talewright/talewright/rules/spatial"
	"github.com/talewright/talewright/rules/timer"
)

// apply is the one interpreter of effects. Those on variables and switches go to
// package rules, those on characters, prompts and the book are carried out here,
// and what is left is the host's.
func (t *run) apply(by string, effects effect.List) {
	if len(effects) == 0 {
		return
	}
	p := &t.staged
	effects, refused := readable(by, effects)
	p.trace.Refused = append(p.trace.Refused, refused...)
	before := t.game.RuleState(&p.state, t.number())
	applied := t.game.Rules().Apply(before, effect.By(by, effects...), rules.Options{Random: t.draw})
	t.tookRules(applied.State)
	p.changes = append(p.changes, applied.Changes...)
	p.events = append(p.events, applied.Events...)
	p.refuse(applied.Refused)
	t.absorb(applied.Host)
}

// dated makes directives that were injected before the prompt of this turn count it as
// their first: a directive is in the prompts of the turns after the one that it is
// dated with.
func (t *run) dated(l ledger.Ledger) ledger.Ledger {
	n := t.number()
	if t.prompted || !slices.ContainsFunc(l.Directives, func(d ledger.Directive) bool { return d.InjectedAtTurn >= n }) {
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
func (t *run) chain(events ...rules.Event) {
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
func (t *run) runRules(events []rules.Event, first int) int {
	p := &t.staged
	before := t.game.RuleState(&p.state, t.number())
	out := t.game.Rules().Run(before, events, rules.Options{Random: t.draw, Explain: t.explained != nil})
	if t.explained != nil {
		t.explained.Rules = append(t.explained.Rules, out.Trace...)
	}
	t.tookRules(out.State)
	p.changes = append(p.changes, out.Changes...)
	for hop, fired := range out.Hops {
		p.trace.Fired = slices.Grow(p.trace.Fired, len(fired))
		for _, f := range fired {
			effects := t.past.readFired(f.ID, f.Effects)
			p.trace.Fired = append(p.trace.Fired, turntrace.Fired{ID: f.ID, Event: f.Event, Hop: first + hop, Effects: effects})
		}
	}
	p.trace.Cut = append(p.trace.Cut, out.Cut...)
	p.refuse(out.Refused)
	t.absorb(out.Host)
	return len(out.Hops)
}

func (p *progress) refuse(list []effect.Refusal) {
	for _, r := range list {
		p.trace.Refused = append(p.trace.Refused,
			turntrace.RefusedEffect{By: r.By, Path: r.Path, Reason: string(r.Reason), Text: r.Text})
	}
}

// absorb carries out the effects that concern the campaign and passes the others
// on to the host.
func (t *run) absorb(effects []effect.Caused) {
	p := &t.staged
	for _, c := range effects {
		asked, err := effect.ReadBack(c.Effect)
		if err != nil {
			_, refused := readable(c.By, effect.List{c.Effect})
			p.trace.Refused = append(p.trace.Refused, refused...)
			continue
		}
		c.Effect = asked
		switch e := asked.(type) {
		case effect.ChangeHP:
			p.changeHP(e, c.By, t.game.Life())
		case effect.MoveCharacter:
			p.move(e, c.By)
		case effect.ChangeState:
			p.changeMood(e.CharacterID, e.Field, e.New, func(c *state.Character) *tree.Value { return &c.Mood })
		case effect.ChangeRelationship:
			p.changeMood(e.CharacterID, e.Field, e.New,
				func(c *state.Character) *tree.Value { return &c.Relationship })
		case effect.InjectPrompt:
			p.inject(e, c.By)
		case effect.AddMessage:
			p.messages = append(p.messages, e.Content)
		case effect.AddEntry:
			t.addEntry(e, c.By)
		case effect.UpdateEntry:
			t.updateEntry(e, c.By)
		case effect.RemoveEntry:
			t.removeEntry(e, c.By)
		case effect.ForceEntry:
			t.forceEntry(e, c.By)
		case effect.AddArea:
			p.addArea(e, c.By)
		case effect.AddPath:
			p.addPath(e, c.By)
		case effect.AddCharacter:
			t.addCharacter(e, c.By)
		case effect.BackupBranch:
			t.addEntry(backupEntry(e), c.By)
			p.host = append(p.host, c)
		case effect.Rewrite:
			t.rewrite(e, c.By)
		case effect.Veto:
			t.forbid(e, c.By)
		case effect.EndCampaign:
			p.state.End(state.EndReason(e.Reason), t.in.At)
		case effect.Notify:
			p.trace.Notices = append(p.trace.Notices, e)
			p.host = append(p.host, c)
		case effect.Custom:
			if !t.direct(e, c.By) {
				p.host = append(p.host, c)
			}
		default:
			p.host = append(p.host, c)
		}
	}
}

// changed tells the rules of a character's value, in the next chain.
func (p *progress) changed(by, id string, before, after tree.Value) {
	if !before.Equal(after) {
		p.events = append(p.events, event.Changed(id, before, after))
		p.changes = append(p.changes, tree.Change{
			Path: tree.Path{id}, Old: before, New: after, By: by})
	}
}

func (p *progress) changeHP(e effect.ChangeHP, by string, life map[state.AliveState]state.LifeRule) {
	i := p.state.CharacterIndex(e.CharacterID)
	if i < 0 {
		p.refused(added{by: by, what: "hp", id: e.CharacterID}, reasonUnknownCharacter, "")
		return
	}
	c := &p.state.Characters[i]
	before := c.Views()
	p.evidence = append(p.evidence, c.ChangeHP(e.Delta, life))
	p.changedViews(by, before, c.Views())
}

// changedViews tells the rules of what is another now of a character.
func (p *progress) changedViews(by string, before, after []tree.Member) {
	for i, v := range after {
		p.changed(by, v.Key, before[i].Value, v.Value)
	}
}

func (p *progress) move(e effect.MoveCharacter, by string) {
	i := p.state.CharacterIndex(e.CharacterID)
	if i < 0 {
		p.refused(added{by: by, what: "area", id: e.CharacterID}, reasonUnknownCharacter, "")
		return
	}
	if _, known := p.state.Map.Area(e.ToAreaID); !known {
		p.refused(added{by: by, what: "area", id: e.CharacterID}, reasonUnknownArea, e.ToAreaID)
		return
	}
	c := &p.state.Characters[i]
	p.evidence = append(p.evidence, conflict.Action{Moves: []conflict.Move{{
		CharacterID: c.ID, From: c.AreaID, To: e.ToAreaID,
	}}})
	before := c.Views()
	c.AreaID = e.ToAreaID
	p.changedViews(by, before, c.Views())
}

func (p *progress) changeMood(
	id, field string, v tree.Value, part func(*state.Character) *tree.Value,
) {
	i := p.state.CharacterIndex(id)
	if i < 0 {
		return
	}
	slot := part(&p.state.Characters[i])
	members := []tree.Member{}
	for key, old := range slot.Members() {
		members = append(members, tree.Member{Key: key, Value: old})
	}
	*slot = tree.Object(append(members, tree.Member{Key: field, Value: v})...)
}

// direct carries out the actions of rules that are no effects of package rules: those of
// timers and of the spatial world. It reports whether the action is one of them.
func (t *run) direct(e effect.Custom, by string) bool {
	p := &t.staged
	get := e.Data.Get
	var err error
	switch e.Type {
	case "start-timer", "pause-timer", "resume-timer", "cancel-timer":
		err = setTimer(&p.state, timerAction(e))
	case "enter-scene":
		scene, _ := get("sceneId").AsText()
		x, _ := get("x").AsFloat()
		y, _ := get("y").AsFloat()
		var events []rules.Event
		events, err = travel(&p.state, t.game.World(), Travel{Do: spatial.Enter, SceneID: scene, X: x, Y: y})
		p.events = append(p.events, events...)
	default:
		return false
	}
	if r, ok := errors.AsType[*state.Refusal](err); ok {
		p.trace.Refused = append(p.trace.Refused,
			turntrace.RefusedEffect{By: by, Path: e.Type, Reason: string(r.Code), Text: r.Detail})
	}
	return true
}

// timerAction reads the action of a rule.
func timerAction(e effect.Custom) SetTimer {
	text := func(key string) string { s, _ := e.Data.Get(key).AsText(); return s }
	in := SetTimer{TimerID: text("timerId"), Name: text("name")}
	in.Duration, _ = e.Data.Get("duration").AsFloat()
	in.Repeat, _ = e.Data.Get("repeat").AsBool()
	switch e.Type {
	case "start-timer":
		in.Do = timer.Start
	case "pause-timer":
		in.Do = timer.Pause
	case "resume-timer":
		in.Do = timer.Resume
	case "cancel-timer":
		in.Do = timer.Cancel
	}
	return in
}
