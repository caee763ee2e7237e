package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// MessageKind says what a message of a request is for. Roles are what a provider
// sees; kinds are what the engine means.
type MessageKind string

// The kinds.
const (
	KindSystemBlock   MessageKind = "system_block"
	KindHistory       MessageKind = "history"
	KindPlayerInput   MessageKind = "player_input"
	KindToolCalls     MessageKind = "assistant_tool_calls"
	KindToolResults   MessageKind = "tool_results"
	KindRejected      MessageKind = "assistant_rejected"
	KindToolFeedback  MessageKind = "tool_feedback"
	KindConflictDebug MessageKind = "conflict_debug"
	KindNarrate       MessageKind = "narrate_instruction"
)

// Request is what the model is asked. Each request of a turn begins with all the
// messages of the one before, byte for byte.
type Request struct {
	Messages []RequestMessage `json:"messages"`
	Tools    []llm.ToolSpec   `json:"tools,omitempty"`
}

// RequestMessage is a message with its meaning.
type RequestMessage struct {
	Kind MessageKind `json:"kind"`
	// Block names the part of the prompt that a system block is.
	Block   string      `json:"block,omitempty"`
	Message llm.Message `json:"message"`
}

// LLM returns the request in the form that a model takes.
func (r Request) LLM() llm.Request {
	out := llm.Request{Messages: make([]llm.Message, len(r.Messages)), Tools: r.Tools}
	for i, m := range r.Messages {
		out.Messages[i] = m.Message
	}
	return out
}

// layout is the order of a prompt: the blocks of the dialog type in their fixed
// order, and around them what cards, lore, rules and hooks add.
func layout() prompt.Layout {
	const directive, lore = 880, 700
	slot := func(id BlockID, keep int) prompt.Slot {
		return prompt.Slot{Name: string(id), Keep: keep, Required: keep == 0}
	}
	return prompt.Layout{Slots: []prompt.Slot{
		{Name: "top", Keep: directive},
		slot(BlockPersona, 0),
		slot(BlockAuthority, 0),
		{Name: "hooks_session", Keep: 870, Stability: prompt.Session},
		{Name: "before_char", Keep: directive},
		{Name: "world_before", Joiner: "\n", Keep: lore},
		{Name: "persona", Keep: 900, Stability: prompt.Static},
		{Name: "character", Keep: 900, Stability: prompt.Static},
		slot(BlockWorld, 950), slot(BlockWorldRules, 950), slot(BlockMap, 950),
		slot(BlockParty, 950),
		{Name: "after_char", Keep: directive},
		{Name: "world_after", Joiner: "\n", Keep: lore},
		{Name: "variables", Keep: 940}, // never required: a model can fill them
		{Name: "languages", Keep: 945},
		slot(BlockStatus, 0), slot(BlockGoal, 950), slot(BlockAcceleration, 950),
		{Name: "auto", Keep: directive},
		slot(BlockSummary, 850), slot(BlockPins, 850), slot(BlockTools, 0), slot(BlockDialog, 0),
		{Name: "examples", Form: prompt.Examples, Keep: 200, Stability: prompt.Static},
		{Name: "bottom", Keep: directive},
		{Name: "history", Form: prompt.History},
		{Name: "context", Form: prompt.Separate, Keep: 960},
		{Name: "hooks_turn", Keep: 870},
		{Name: "command_feedback", Keep: 930},
		{Name: "post_history", Required: true},
	}}
}

// buildRequest assembles the first request of the turn.
func (t *turn) buildRequest() error {
	env, chat := t.promptEnv(), t.shownChat()
	env.Chat = chat
	result, err := prompt.Assemble(layout(), prompt.Input{
		Blocks: t.promptBlocks(), History: chat.lines(t.oldest(chat)), Tools: true,
	}, env, t.budget())
	if err != nil {
		return err
	}
	t.assembled, t.prompted = result, true
	t.request = Request{Tools: t.toolSpecs(), Messages: make([]RequestMessage, 0, len(result.Messages))}
	for i, m := range result.Messages {
		origin := result.Origins[i]
		entry := RequestMessage{Kind: KindSystemBlock, Block: origin.Slot, Message: m}
		if origin.Kind == prompt.KindHistory {
			entry.Kind, entry.Block = KindHistory, ""
		}
		t.request.Messages = append(t.request.Messages, entry)
	}
	for i := len(t.request.Messages) - 1; i >= 0; i-- {
		if t.request.Messages[i].Kind == KindHistory { // the newest line is the player's
			t.request.Messages[i].Kind = KindPlayerInput
			break
		}
	}
	t.tracePrompt(result.Report, len(chat))
	t.settle()
	return nil
}

func (t *turn) budget() prompt.Budget {
	b := t.game.content.Budget
	b.Counter = counted{t.game.counter(), t.past.tokens}
	if b.TurnReserve == 0 {
		b.TurnReserve = b.Context / 8
	}
	return b
}

func (t *turn) contextSize() int {
	if n := t.game.content.Budget.Context; n > 0 {
		return n
	}
	const unlimited = 1 << 20
	return unlimited
}

func (t *turn) toolSpecs() []llm.ToolSpec {
	if !t.kind.has(BlockTools) || !t.offersTools() || !t.values.Bool(setting.NativeTools) {
		return nil // the prompt tells of them all the same, and calls in texts are understood
	}
	var out []llm.ToolSpec
	for _, name := range t.game.toolNames(t.next.Allowlist, t.next.DisabledTools) {
		tool, _ := t.game.tools.Get(name)
		out = append(out, llm.ToolSpec{
			Name: name, Description: tool.Description, Parameters: tool.Schema()})
	}
	return out
}

// promptBlocks lists everything that may stand in the prompt.
func (t *turn) promptBlocks() []prompt.Block {
	var out []prompt.Block
	for _, id := range blockOrder {
		if text := t.blockText(id); t.kind.has(id) && text != "" {
			out = append(out, prompt.Block{Key: string(id), Slot: string(id), Text: text,
				Literal: id != BlockPersona})
		}
	}
	out = append(out, t.cardBlocks()...)
	out = append(out, t.loreBlocks()...)
	out = append(out, t.directiveBlocks()...)
	for _, e := range t.staged.state.Injections.ByPriority() {
		slot := "hooks_turn"
		if e.Scope == "session" {
			slot = "hooks_session"
		}
		out = append(out, prompt.Block{Key: "hook." + e.Key, Slot: slot, Text: e.Content,
			Source: prompt.Source{Kind: prompt.KindHook, ID: e.Key}})
	}
	var pending []rules.SendContext
	t.staged.state.Ledger, pending = t.staged.state.Ledger.TakePending()
	for i, c := range pending {
		out = append(out, prompt.Block{Key: fmt.Sprintf("context.%d", i), Slot: "context",
			Role: llm.Role(c.Role), Text: c.Message})
	}
	variables := t.variablesText()
	literal := map[string]string{
		"variables": variables, "languages": t.languagesText(variables), "command_feedback": t.feedbackText(),
	}
	for _, slot := range []string{"variables", "languages", "command_feedback"} {
		if text := literal[slot]; text != "" {
			out = append(out, prompt.Block{Key: slot, Slot: slot, Text: text, Literal: true})
		}
	}
	t.staged.state.Feedback = nil
	t.loreActs(out)
	return out
}

// loreActs carries out what entries ask of other parts of the prompt: to take a
// text in, or to be left out.
func (t *turn) loreActs(blocks []prompt.Block) {
	for _, a := range t.scan.Activated {
		for i := range blocks {
			b := &blocks[i]
			if in := a.Inject; in != nil && (b.Key == in.Into || b.Key == "char."+in.Into) {
				b.Text = in.Apply(b.Text, a.Text)
			}
			for _, part := range a.Hides {
				if b.Key == part || part == hideSystem && b.Key == string(BlockPersona) ||
					part == hidePostHistory && b.Key == "post_history" {
					b.Withheld = prompt.Disabled
				}
			}
		}
	}
}

// The parts that the decorator disable_ui_prompt of Card V3 names.
const (
	hideSystem      = "system_prompt"
	hidePostHistory = "post_history_instructions"
)

// cardBlocks are the parts of the character that the model plays.
func (t *turn) cardBlocks() []prompt.Block {
	var out []prompt.Block
	add := func(key, slot, text string) {
		if strings.TrimSpace(text) != "" {
			out = append(out, prompt.Block{Key: key, Slot: slot, Text: text,
				Source: prompt.Source{Kind: prompt.KindCard, ID: key}})
		}
	}
	add("persona", "persona", t.game.content.Persona)
	c := t.game.content.Card
	if c == nil {
		return out
	}
	add("char.description", "character", c.Description)
	add("char.personality", "character", c.Personality)
	add("char.scenario", "character", c.Scenario)
	add("char.examples", "examples", c.MesExample)
	add("post_history", "post_history", c.PostHistoryInstructions)
	return out
}

// loreBlocks places the activated entries of the world book.
func (t *turn) loreBlocks() []prompt.Block {
	var out []prompt.Block
	add := func(slot string, placed []worldbook.Placed, stability func(worldbook.Placed) prompt.Stability) {
		for i, p := range placed {
			out = append(out, prompt.Block{Key: "world." + p.ID.String(), Slot: slot, Text: p.Text,
				Order: &i, Stability: stability(p),
				Source: prompt.Source{Kind: prompt.KindWorld, ID: p.ID.String()}})
		}
	}
	steady := func(p worldbook.Placed) prompt.Stability {
		if p.Constant {
			return prompt.Static
		}
		return prompt.Turn
	}
	add("world_before", t.scan.Before, steady)
	add("world_after", t.scan.After, steady)
	for _, e := range t.scan.Examples {
		order := 50
		if e.After {
			order = 150
		}
		out = append(out, prompt.Block{Key: "world." + e.ID.String(), Slot: "examples",
			Text: e.Text, Order: &order,
			Source: prompt.Source{Kind: prompt.KindWorld, ID: e.ID.String()}})
	}
	for _, o := range t.scan.Outlets {
		for _, p := range o.Entries {
			out = append(out, prompt.Block{Key: "world." + p.ID.String(), Outlet: o.Name, Text: p.Text})
		}
	}
	for _, g := range t.scan.Depth {
		depth := 4
		if g.Depth != nil {
			depth = *g.Depth
		}
		for _, p := range g.Entries {
			out = append(out, prompt.Block{Key: "world." + p.ID.String(), Depth: &depth,
				Role: depthRole(g.Role), Text: p.Text,
				Source: prompt.Source{Kind: prompt.KindWorld, ID: p.ID.String()}})
		}
	}
	return append(out, t.noteBlock()...)
}

// noteBlock stands for the author's note, which a campaign has not: the lore
// around it goes where the note would, four messages from the newest.
func (t *turn) noteBlock() []prompt.Block {
	text := worldbook.Join(slices.Concat(t.scan.NoteTop, t.scan.NoteBottom))
	if text == "" {
		return nil
	}
	return []prompt.Block{{Key: "note", Depth: new(4), Text: text,
		Source: prompt.Source{Kind: prompt.KindNote}}}
}

func depthRole(r worldbook.Role) llm.Role {
	switch r {
	case worldbook.RoleUser:
		return llm.User
	case worldbook.RoleAssistant:
		return llm.Assistant
	}
	return llm.System
}

// directiveBlocks are the instructions of rules that are in force.
func (t *turn) directiveBlocks() []prompt.Block {
	var out []prompt.Block
	for _, d := range t.staged.state.Ledger.Directives {
		b := prompt.Block{Key: "directive." + d.ID, Text: d.Content, Slot: d.Position,
			Source: prompt.Source{Kind: prompt.KindDirective, ID: d.ID}, Stability: prompt.Turn}
		if d.Persistent {
			b.Stability = prompt.Session
		}
		switch d.Position {
		case "top", "before_char", "after_char", "bottom":
		case "depth":
			b.Slot, b.Depth = "", new(4)
			if d.Depth != nil {
				b.Depth = d.Depth
			}
		default:
			b.Slot = "auto"
		}
		out = append(out, b)
	}
	return out
}

// appendMessage puts a message behind the request; everything before it stays.
func (t *turn) appendMessage(kind MessageKind, role llm.Role, text string) {
	t.follow(RequestMessage{Kind: kind, Message: llm.Message{Role: role, Text: text}})
}

// follow appends messages, if the budget has room for them; if not, the turn ends
// before the model is asked again.
func (t *turn) follow(list ...RequestMessage) {
	if t.tooLong == nil {
		t.assembled, t.tooLong = t.extended(list)
	}
	t.request.Messages = append(slices.Clip(t.request.Messages), list...)
}

// extended is the prompt with further messages, or why there is no room for them.
func (t *turn) extended(list []RequestMessage) (prompt.Result, error) {
	messages := make([]llm.Message, len(list))
	for i, m := range list {
		messages[i] = m.Message
	}
	return t.assembled.Extend(t.budget(), messages...)
}

// continueRequest appends the calls of an output and their results.
func (t *turn) continueRequest() {
	native := t.last.native
	calls := t.toldCalls(native)
	t.follow(RequestMessage{Kind: KindToolCalls, Message: llm.Message{
		Role: llm.Assistant, Text: shorten(t.last.raw, maxRejected), ToolCalls: calls}})
	results := map[string]memvars.Value{}
	var list []memvars.Value
	for _, a := range t.staged.applied[t.resultsTold:] {
		v := memvars.Object(
			memvars.Member{Key: "id", Value: memvars.Text(a.ID)},
			memvars.Member{Key: "tool", Value: memvars.Text(a.Tool)},
			memvars.Member{Key: "result", Value: a.Result})
		results[a.ID] = v
		list = append(list, v)
	}
	t.resultsTold = len(t.staged.applied)
	for _, f := range t.unsettled {
		v, err := valueOf(f.brief())
		if err == nil {
			results[f.ID] = v
			list = append(list, v)
		}
	}
	if len(calls) == 0 {
		t.appendMessage(KindToolResults, llm.User,
			t.game.texts.ToolResults+"\n"+memvars.Array(list...).String())
		return
	}
	answers := make([]RequestMessage, len(calls))
	for i, c := range calls { // providers want one result for each native call
		id := t.last.calls[len(t.last.calls)-len(native)+i].id
		answers[i] = RequestMessage{Kind: KindToolResults, Message: llm.Message{
			Role: llm.Tool, ToolCallID: c.ID, Name: c.Name, Text: results[id].String()}}
	}
	t.follow(answers...)
}

// toolFeedback is what the model is told about refused calls.
type toolFeedback struct {
	FailedCalls   []FailedCall `json:"failed_calls"`
	Omitted       int          `json:"omitted_calls,omitempty"` // refused ones that are not listed
	RolledBack    []string     `json:"rolled_back_calls"`
	AllowedTools  []string     `json:"allowed_tools"`
	DisabledTools []string     `json:"disabled_tools"`
	RetriesLeft   int          `json:"retries_left"`
}

// conflictDebug is what the model is told about contradictions.
type conflictDebug struct {
	Expected    memvars.Value       `json:"expected_state_snippet"`
	Mismatches  []conflict.Conflict `json:"mismatches"`
	Omitted     int                 `json:"omitted_mismatches,omitempty"`
	RetriesLeft int                 `json:"retries_left"`
}

// feedback appends the rejected output and what is wrong with it. Of a long output
// the middle is left out, and more of it where the prompt has little room.
func (t *turn) feedback(blocking []conflict.Conflict, left int) {
	reasons := t.faults(blocking, left)
	rejected := t.rejectedText()
	var list []RequestMessage
	for limit := maxRejected; limit >= 128; limit /= 4 {
		list = append([]RequestMessage{{Kind: KindRejected, Message: llm.Message{
			Role: llm.Assistant, Text: shorten(rejected, limit)}}}, reasons...)
		if _, err := t.extended(list); err == nil {
			break
		}
	}
	t.follow(list...)
}

// rejectedText is the last output as text: a native call without its result is an
// error for a provider.
func (t *turn) rejectedText() string {
	text := t.last.raw
	if len(t.last.native) > 0 {
		text = strings.TrimSpace(text + "\n" + feedbackJSON(t.toldCalls(t.last.native)))
	}
	if strings.TrimSpace(text) == "" {
		return "(empty)" // providers refuse empty messages
	}
	return text
}

// faults tells what is wrong with the last output.
func (t *turn) faults(blocking []conflict.Conflict, left int) (out []RequestMessage) {
	tell := func(kind MessageKind, title string, what any) {
		out = append(out, RequestMessage{Kind: kind, Message: llm.Message{
			Role: llm.User, Text: title + "\n" + feedbackJSON(what)}})
	}
	if len(t.unsettled) > 0 {
		f := toolFeedback{RetriesLeft: left, RolledBack: []string{}, DisabledTools: []string{},
			AllowedTools: t.game.toolNames(t.next.Allowlist, t.next.DisabledTools)}
		f.FailedCalls, f.Omitted = briefCalls(t.unsettled)
		for _, a := range t.staged.applied[len(t.settled.applied):] {
			f.RolledBack = append(f.RolledBack, a.ID)
		}
		for name := range t.next.DisabledTools {
			f.DisabledTools = append(f.DisabledTools, name)
		}
		slices.Sort(f.DisabledTools)
		tell(KindToolFeedback, t.game.texts.ToolFeedback, f)
	}
	if len(blocking) > 0 {
		d := conflictDebug{Expected: t.settled.state.expectedState(), RetriesLeft: left}
		d.Mismatches, d.Omitted = briefConflicts(blocking)
		tell(KindConflictDebug, t.game.texts.ConflictDebug, d)
	}
	return out
}
