package turn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/failure"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/on"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/worldbook"
)

// typeAccepted is the event that rules hear when a turn begins, before the model
// speaks. Its fields are actorId and content.
const typeAccepted = "turn:accepted"

// whichDialog takes the dialog type that the player chose, and asks the router for
// another one if that is wanted.
func (m *Machine) whichDialog() (Todo, bool) {
	t := m.turn
	manual := t.values.Text(setting.ManualType)
	t.source = state.DialogByHand
	t.kind, _ = m.game.Dialog(manual)
	t.next.Dialog.TypeSelected = manual
	if !t.values.Bool(setting.AutoRouteEnabled) || !t.line {
		return Todo{}, false
	}
	return Todo{Route: &question.Route{
		Input: t.in.Text, Manual: manual, Known: m.game.DialogIDs(), Campaign: t.next.ID,
	}}, true
}

// routed follows the router's decision where it can.
func (m *Machine) routed(r Routed) Stop {
	t := m.turn
	t.source = state.DialogByFallback
	if r.Error != "" || r.Decision == nil {
		t.stage.Staged.Warn("router: %s", r.Error)
		return onward
	}
	decision := *r.Decision
	t.next.Dialog.RouteDecision = &decision
	if kind, known := m.game.Dialog(decision.DialogType); known {
		t.kind, t.source = kind, state.DialogByRouter
	}
	if len(decision.Guards) > 0 {
		t.stage.Staged.Warn("router: guards are not known: %s", strings.Join(decision.Guards, ", "))
	}
	if decision.ContextProfile != "" {
		t.stage.Staged.Warn("router: context profile is not known: %s", decision.ContextProfile)
	}
	return onward
}

// openDialog makes ready what depends on the dialog type.
func (t *run) openDialog() { t.court.dialogOK = t.scenery().offersTools() }

// arrivalPayload is what is known of a line before it is looked at.
func (t *run) arrivalPayload() []tree.Member {
	return []tree.Member{
		{Key: "channel", Value: tree.Text(t.in.Channel)},
		{Key: "content_preview", Value: tree.Text(stage.Preview(t.in.Text))},
	}
}

func (t *run) linePayload() []tree.Member {
	return []tree.Member{{Key: "content", Value: tree.Text(t.in.Text)}}
}

// hasProfile reports whether a character card enters the turn.
func (t *run) hasProfile() bool { return t.game.Content().Card != nil }

// nextHostEvent returns what the host did for the turn, one event after the other.
func (t *run) nextHostEvent() (state.HostEvent, bool) {
	if t.hostEvents == len(t.in.Events) {
		return state.HostEvent{}, false
	}
	t.hostEvents++
	return t.in.Events[t.hostEvents-1], true
}

// members lists the members of a payload.
func members(payload tree.Value) (list []tree.Member) {
	for key, v := range payload.Members() {
		list = append(list, tree.Member{Key: key, Value: v})
	}
	return list
}

// hearPlayer carries out the player's own commands and lets rules and reactions hear of
// the line that begins a turn, and of the countdowns that ended since the last one.
func (t *run) hearPlayer() {
	t.stage.PlayerCommands(t.in.Text)
	t.stage.OpenModules(t.in.Text)
	t.stage.Chain(append(stage.PassTime(&t.stage.Staged.State, t.in.Elapsed), event.New(typeAccepted,
		tree.Member{Key: "actorId", Value: tree.Text(t.in.ActorID)},
		tree.Member{Key: "content", Value: tree.Text(t.in.Text)}))...)
}

// planPayload is what the engine is about to answer with: the kind of dialog, and the mood of the
// companion.
func (t *run) planPayload() []tree.Member {
	plan := []tree.Member{{Key: "intent", Value: tree.Text(t.kind.ID)}}
	if mood := t.scenery().companion().Mood.Get("mood"); mood.Exists() {
		plan = append(plan, tree.Member{Key: "tone", Value: mood})
	}
	return plan
}

// knowledgePayload counts the entries of lore that were found by meaning.
func (t *run) knowledgePayload() []tree.Member {
	return []tree.Member{{Key: "entry_count", Value: tree.Int(int64(len(t.forced)))}}
}

func (t *run) lorePayload() []tree.Member {
	count := tree.Int(int64(len(t.scan.Activated)))
	return []tree.Member{{Key: "entry_count", Value: count}}
}

// firstRequest builds the prompt.
func (m *Machine) firstRequest() Stop {
	m.turn.stage.Settle()
	if err := m.turn.buildRequest(); err != nil {
		return m.tooLong(err)
	}
	return onward
}

func (m *Machine) tooLong(err error) Stop {
	return m.fail(Failed, failure.Failure{Kind: failure.Prompt, Code: failure.PromptTooLong, Err: err})
}

// hookRun is a question to the hooks. The event carries the ids of the campaign, of the
// companion and of the player.
func (t *run) hookRun(event string, payload []tree.Member) *question.Hooks {
	companion := t.scenery().companion()
	if t.in.Channel != "" && !slices.ContainsFunc(payload, func(p tree.Member) bool { return p.Key == "channel" }) {
		payload = append(payload, tree.Member{Key: "channel", Value: tree.Text(t.in.Channel)})
	}
	if kind := t.scenery().generationKind(); kind != worldbook.Normal {
		payload = append(payload, tree.Member{Key: "generation", Value: tree.Text(string(kind))})
	}
	id := cmp.Or(t.casting.speaking(), companion.ID)
	return &question.Hooks{
		Event: on.Event{
			ID: t.nextEventID(), Type: event, Source: "campaign", ConversationID: t.next.ID,
			CharacterID: id, UserID: t.scenery().userID(), Payload: tree.Object(payload...),
		},
		State: t.stage.Staged.State.Hooks,
		Env: hooks.Env{
			Now: t.in.At, Character: companion.Mood, Relationship: companion.Relationship,
			Vars: t.scenery().readable(), Limits: t.game.Content().HookLimits,
		},
		Set: t.game.Hooks(),
	}
}

// hooksRan goes on with what hooks did.
func (m *Machine) hooksRan(ran HooksRan) Stop {
	m.turn.tookHooks(ran)
	return onward
}

// tookHooks takes over what hooks did.
func (t *run) tookHooks(ran HooksRan) {
	r := ran.Result
	t.stage.Staged.State.Hooks = r.State
	t.stage.Staged.Trace.Hooks = append(t.stage.Staged.Trace.Hooks, r.Logs...)
	t.stage.Staged.Trace.Hooks = append(t.stage.Staged.Trace.Hooks, r.Skipped...)
	t.stage.Staged.Trace.Refused = append(t.stage.Staged.Trace.Refused, ran.Refused...)
	t.stage.Apply("hooks", r.Effects)
}

// moodPayload is what events about the companion carry.
func (t *run) moodPayload() []tree.Member {
	c := t.scenery().companion()
	var out []tree.Member
	for _, key := range []string{"mood", "mood_intensity", "energy"} {
		if v := c.Mood.Get(key); v.Exists() {
			out = append(out, tree.Member{Key: key, Value: v})
		}
	}
	for _, key := range []string{"affection", "trust"} {
		if v := c.Relationship.Get(key); v.Exists() {
			out = append(out, tree.Member{Key: key, Value: v})
		}
	}
	return out
}

// scanBook lights up the lore for the prompt.
func (t *run) scanBook() {
	p := &t.stage.Staged
	if t.game.Book() == nil && len(p.State.Entries) == 0 {
		return
	}
	in := t.scenery().scanInput()
	in.Forced = t.forced
	in.Forced = append(slices.Clip(in.Forced), p.State.LoreEdits.ForcedIDs()...)
	in.Random, in.Explain = t.stage.Draw, t.explained != nil
	t.scan, p.State.Lore = t.game.Book().Scan(in, p.State.Lore)
	for _, a := range t.scan.Activated {
		if !t.firstReply() && slices.ContainsFunc(p.Trace.Lore, func(l turntrace.Lore) bool { return l.ID == a.ID.String() }) {
			continue // another one of the cast has found it
		}
		p.Trace.Lore = append(p.Trace.Lore,
			turntrace.Lore{ID: a.ID.String(), Comment: a.Comment, Why: a.Reason.String(), AutomationID: a.AutomationID})
		p.Automate(a)
	}
	if t.explained != nil {
		t.explained.Lore = t.scan.Trace
	}
	p.Trace.Fuses = append(p.Trace.Fuses, t.scan.Fuses...)
}
