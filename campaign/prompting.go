package campaign

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// typeAccepted is the event that rules hear when a turn begins, before the model
// speaks. Its fields are actorId and content.
const typeAccepted = "turn:accepted"

// prompting works out what happens before the model speaks: route, hooks, the
// player's own variable commands, rules, the world book; then the request.
func (m *Machine) prompting() error {
	m.phase = Prompting
	t := m.turn
	manual := t.values.Text(setting.ManualType)
	t.source = sourceManual
	t.kind, _ = m.game.dialog(manual)
	t.next.Dialog.TypeSelected = manual
	if !t.values.Bool(setting.AutoRouteEnabled) {
		return m.beforeModel()
	}
	var known []string
	for _, d := range m.game.dialogs {
		known = append(known, d.ID)
	}
	question := &RouteQuestion{
		Input: t.in.Text, Manual: manual, Known: known, Campaign: t.next.ID,
	}
	return m.ask(Todo{Route: question}, func(in Input) error {
		routed, ok := in.(Routed)
		if !ok {
			return unexpected(in, "a route")
		}
		m.route(routed)
		return m.beforeModel()
	})
}

// route follows the router's decision where it can.
func (m *Machine) route(r Routed) {
	t := m.turn
	t.source = sourceFallback
	if r.Error != "" || r.Decision == nil {
		t.warn("router: %s", r.Error)
		return
	}
	decision := *r.Decision
	t.next.Dialog.RouteDecision = &decision
	if kind, known := m.game.dialog(decision.DialogType); known {
		t.kind, t.source = kind, sourceRouter
	}
	if len(decision.Guards) > 0 {
		t.warn("router: guards are not known: %s", strings.Join(decision.Guards, ", "))
	}
	if decision.ContextProfile != "" {
		t.warn("router: context profile is not known: %s", decision.ContextProfile)
	}
}

func (m *Machine) beforeModel() error {
	t := m.turn
	t.court.dialogOK = t.offersTools()
	content := memvars.Member{Key: "content", Value: memvars.Text(t.in.Text)}
	return m.raise(hooks.EventBeforeReceive, []memvars.Member{
		{Key: "channel", Value: memvars.Text(t.in.Channel)},
		{Key: "content_preview", Value: memvars.Text(preview(t.in.Text))},
	}, func() error {
		return m.raise(EventTurnAccepted, []memvars.Member{content}, func() error {
			return m.raise(hooks.EventBeforeTurnStarted, nil, m.loadProfile)
		})
	})
}

// loadProfile is the place where a character card enters the turn.
func (m *Machine) loadProfile() error {
	if m.game.content.Card == nil {
		return m.hearHost(0)
	}
	return m.raise(hooks.EventAfterProfileLoad, nil, func() error { return m.hearHost(0) })
}

// hearHost lets hooks hear of what the host did for the turn, from the i-th event
// on.
func (m *Machine) hearHost(i int) error {
	if i == len(m.turn.in.Events) {
		return m.lightUp()
	}
	e := m.turn.in.Events[i]
	return m.raise(e.Event, members(e.Payload), func() error { return m.hearHost(i + 1) })
}

// members lists the members of a payload.
func members(payload memvars.Value) (list []memvars.Member) {
	for key, v := range payload.Members() {
		list = append(list, memvars.Member{Key: key, Value: v})
	}
	return list
}

// lightUp carries out the player's own commands, lets the rules hear of the turn,
// and scans the world book.
func (m *Machine) lightUp() error {
	t := m.turn
	t.hearPlayer()
	return m.retrieve(func() error {
		t.scanBook()
		return m.afterScan()
	})
}

// hearPlayer lets rules and reactions hear of the line that begins a turn, and of the
// countdowns that ended since the last one.
func (t *turn) hearPlayer() {
	t.playerCommands()
	t.openModules()
	t.chain(append(t.staged.state.passTime(t.in.Elapsed), rules.NewEvent(typeAccepted,
		memvars.Member{Key: "actorId", Value: memvars.Text(t.in.ActorID)},
		memvars.Member{Key: "content", Value: memvars.Text(t.in.Text)}))...)
}

func (m *Machine) afterScan() error {
	t := m.turn
	count := memvars.Int(int64(len(t.scan.Activated)))
	return m.raise(hooks.EventAfterWorldBookMatch,
		[]memvars.Member{{Key: "entry_count", Value: count}}, func() error {
			return m.raise(hooks.EventBeforeTurnFinished, t.moodPayload(), func() error {
				return m.raise(hooks.EventBeforePromptRender, nil, func() error {
					return m.firstRequest()
				})
			})
		})
}

// reasonTooLong fails a turn whose prompt does not fit into the model's window.
const reasonTooLong = "prompt_too_long"

func (m *Machine) firstRequest() error {
	t := m.turn
	t.settle()
	if err := t.buildRequest(); err != nil {
		return m.fail(Failed, Failure{Kind: FailurePrompt, Code: reasonTooLong, Err: err})
	}
	return m.raise(hooks.EventAfterPromptRender, nil, m.generate)
}

// raise runs the hooks for an event of the engine, and then goes on. The event
// carries the ids of the campaign, of the companion and of the player.
func (m *Machine) raise(event string, payload []memvars.Member, then func() error) error {
	t := m.turn
	if !m.game.hooks.Wants(event) {
		return m.goOn(then)
	}
	companion := t.companion()
	if t.in.Channel != "" && !slices.ContainsFunc(payload, func(p memvars.Member) bool { return p.Key == "channel" }) {
		payload = append(payload, memvars.Member{Key: "channel", Value: memvars.Text(t.in.Channel)})
	}
	run := &HookRun{
		Event: hooks.Event{
			ID: t.nextEventID(), Type: event, Source: "campaign", ConversationID: t.next.ID,
			CharacterID: companion.ID, UserID: t.userID(), Payload: memvars.Object(payload...),
		},
		State: t.staged.state.Hooks,
		Env: hooks.Env{
			Now: t.in.At, Character: companion.Mood, Relationship: companion.Relationship,
			Vars: t.readable(), Limits: m.game.content.HookLimits,
		},
		set: m.game.hooks,
	}
	return m.ask(Todo{Hooks: run}, func(in Input) error {
		ran, ok := in.(HooksRan)
		if !ok {
			return unexpected(in, "the result of hooks")
		}
		t.tookHooks(ran)
		return then()
	})
}

// tookHooks takes over what hooks did.
func (t *turn) tookHooks(ran HooksRan) {
	r := ran.Result
	t.staged.state.Hooks = r.State
	t.staged.trace.Hooks = append(t.staged.trace.Hooks, r.Logs...)
	t.staged.trace.Hooks = append(t.staged.trace.Hooks, r.Skipped...)
	t.staged.trace.Refused = append(t.staged.trace.Refused, ran.Refused...)
	t.apply("hooks", r.Effects)
}

// companion is the character whose mood and relationship hooks speak of: the
// first one that has any, else the acting character.
func (t *turn) companion() Character {
	for _, c := range t.staged.state.Characters {
		if c.Mood.Exists() || c.Relationship.Exists() {
			return c
		}
	}
	c, _ := t.staged.state.Character(t.in.ActorID)
	return c
}

func (t *turn) userID() string {
	if t.in.UserID != "" {
		return t.in.UserID
	}
	return t.in.ActorID
}

// moodPayload is what events about the companion carry.
func (t *turn) moodPayload() []memvars.Member {
	c := t.companion()
	var out []memvars.Member
	for _, key := range []string{"mood", "mood_intensity", "energy"} {
		if v := c.Mood.Get(key); v.Exists() {
			out = append(out, memvars.Member{Key: key, Value: v})
		}
	}
	for _, key := range []string{"affection", "trust"} {
		if v := c.Relationship.Get(key); v.Exists() {
			out = append(out, memvars.Member{Key: key, Value: v})
		}
	}
	return out
}

// offersTools reports whether calls are possible in the turn's dialog type.
func (t *turn) offersTools() bool {
	for _, v := range t.values.Get(setting.ToolTypes).Elements() {
		if id, _ := v.AsText(); id == t.kind.ID {
			return true
		}
	}
	return false
}

// scanBook lights up the lore for the prompt.
func (t *turn) scanBook() {
	p := &t.staged
	if t.game.book == nil && len(p.state.Entries) == 0 {
		return
	}
	in := worldbook.Input{
		Messages: t.chat(), User: t.userName(), Char: t.charName(),
		ContextSize: t.contextSize(), Random: t.draw, Speaker: t.speaker(),
		Overlay: worldbook.Overlay{Switch: p.state.Ledger.Entries,
			Add: addedBooks(p.state.Entries), Closed: t.closedBooks()},
		Condition: t.loreCondition(), Replies: t.next.State.TurnCount,
		Data: t.scanData(), Greeting: t.greetingNumber(),
		Type: t.in.Generation, Icon: t.in.Icon, Forced: t.forced, Explain: t.explained != nil,
		Injections: t.noteTexts(),
	}
	if t.game.counts() { // else both estimate alike
		in.CountTokens, in.CountEach = t.game.counter().Count, true
	}
	t.scan, p.state.Lore = t.game.book.Scan(in, p.state.Lore)
	for _, a := range t.scan.Activated {
		p.trace.Lore = append(p.trace.Lore,
			LoreTrace{ID: a.ID.String(), Comment: a.Comment, Why: a.Reason.String(), AutomationID: a.AutomationID})
		p.automate(a)
	}
	if t.explained != nil {
		t.explained.Lore = t.scan.Trace
	}
	p.trace.Fuses = append(p.trace.Fuses, t.scan.Fuses...)
}

func (t *turn) nameOf(id string) string {
	if t.game.content.UserName != "" {
		return t.game.content.UserName
	}
	if c, ok := t.staged.state.Character(id); ok {
		return c.Name
	}
	return id
}

func (t *turn) userName() string { return t.nameOf(t.in.ActorID) }

func (t *turn) charName() string {
	if c := t.game.content.Card; c != nil {
		return c.CharName()
	}
	if c := t.companion(); c.ID != t.in.ActorID {
		return c.Name
	}
	return "GM"
}

func preview(text string) string {
	const limit = 100
	runes := []rune(text)
	return string(runes[:min(len(runes), limit)])
}
