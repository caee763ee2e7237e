package campaign

import (
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/hooks/trace"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// turn is a turn in the making. Nothing of it is visible outside before the
// commit.
type turn struct {
	game   *Game
	in     Submit
	values setting.Values // frozen when the turn was accepted
	next   Campaign       // the head as it will be; its State is replaced at the end
	kind   DialogType
	source string // manual, router or fallback

	// settled is the state after everything that counts, staged adds what the
	// present output did and what a re-generation undoes.
	settled, staged progress

	court     court
	rolls     map[string][]int // dice by call; a re-generation finds them again
	past      *past            // what the machine knows of the turns before
	cursor    uint64           // random draws so far
	draws     []float64        // those of this turn, of undone attempts too
	prompted  bool             // the prompt is built: what is injected now is for the next one
	narrating bool             // second phase of plan_narrate
	rounds    int              // rounds of calls without narration

	asked     Submit // the submission as it came; scripts may change the line in it
	request   Request
	sent      int           // messages of the request that the model has seen
	text      *textPrompt   // the prompt as one text, nil for messages
	assembled prompt.Result // the first request, and what was appended to it
	tooLong   error         // set when an append did not fit the budget
	// resultsTold counts the applied calls whose results the model has seen.
	resultsTold int
	attempts    []Attempt
	retries     int
	retryWhy    string
	reply       Replied // the answer that is being judged
	calling     calling
	last        output
	cleaned     struct{ text, shown string } // the narration that was cleaned last
	unsettled   []FailedCall                 // refused calls of the last output
	refused     []FailedCall                 // those of earlier rounds, whose results the model has seen
	findings    []conflict.Conflict          // conflicts of the last output, all severities
	blocking    []conflict.Conflict          // those of them that keep it from passing
	accepted    []conflict.Conflict          // conflicts that a person waved through

	scan        worldbook.Result
	forced      []worldbook.Forced // entries that were found by meaning
	explained   *Explanation       // nil: nobody asks why
	headChanged bool               // the acceptance changed the campaign, whatever comes of the turn
	hostEvents  int                // of the submission, that hooks have heard of
	eventSeq    int
	panics      []ToolPanic
}

// progress is what a part of the turn has led to.
type progress struct {
	state    State
	applied  []Applied
	evidence []conflict.Action
	messages []string // from hooks, for the player
	host     []rules.Caused
	events   []rules.Event // changes that rules have not heard of yet
	changes  []tree.Change
	commands []CommandResult
	counts   map[string]int // checks made, by call
	trace    TurnTrace
}

// clone returns a copy that may be appended to.
func (p progress) clone() progress {
	p.state = p.state.staged()
	p.applied = slices.Clone(p.applied)
	p.evidence = slices.Clone(p.evidence)
	p.messages = slices.Clone(p.messages)
	p.host = slices.Clone(p.host)
	p.events = slices.Clone(p.events)
	p.changes = slices.Clone(p.changes)
	p.commands = slices.Clone(p.commands)
	counts := make(map[string]int, len(p.counts))
	for k, n := range p.counts {
		counts[k] = n
	}
	p.counts = counts
	p.trace = p.trace.clone()
	return p
}

// TurnTrace says why a turn went as it did.
type TurnTrace struct {
	Lore  []LoreTrace  `json:"lore,omitempty"`
	Fired []FiredTrace `json:"fired,omitempty"`
	// Opened and Closed are the modules that the player's words switched on and off.
	Opened  []string       `json:"opened_modules,omitempty"`
	Closed  []string       `json:"closed_modules,omitempty"`
	Hooks   []trace.Log    `json:"hooks,omitempty"`
	Notices []rules.Notify `json:"notices,omitempty"`
	// Refused are effects that the variables did not take.
	Refused []RefusedEffect `json:"refused,omitempty"`
	// Cut are the events that the bound of a chain left unheard.
	Cut []rules.Event `json:"cut,omitempty"`
	// Fuses are regex keys of the world book that were given up.
	Fuses []string `json:"blown_fuses,omitempty"`
	// Draws are the random numbers used, in order, by outputs that were undone too.
	Draws []float64 `json:"draws,omitempty"`
	// Prompt says what the first request consisted of.
	Prompt []PromptTrace `json:"prompt,omitempty"`
	// Scripts are the regex scripts that changed the player's line or the narration, and
	// those that failed on any text.
	Scripts []ScriptTrace `json:"scripts,omitempty"`
	// Warnings tell of things that a host may want to look into.
	Warnings []string `json:"warnings,omitempty"`
}

// ScriptTrace is one regex script that ran on a text.
type ScriptTrace struct {
	Script  string `json:"script"` // where it comes from, its place there, its name
	Matches int    `json:"matches"`
	Problem string `json:"problem,omitempty"` // why the text stayed as it was
}

// LoreTrace is one world book entry that was active.
type LoreTrace struct {
	ID      string `json:"id"` // book and uid
	Comment string `json:"comment,omitempty"`
	Why     string `json:"why"`
	// AutomationID is what the entry asks the host to run, see [EffectAutomation].
	AutomationID string `json:"automation_id,omitempty"`
}

// FiredTrace is one firing of a rule or reaction.
type FiredTrace struct {
	ID      string        `json:"id"`
	Event   rules.Event   `json:"event"`
	Hop     int           `json:"hop"` // from 0
	Effects rules.Effects `json:"effects,omitempty"`
}

// RefusedEffect is an effect that was not carried out, and why.
type RefusedEffect struct {
	By     string `json:"by,omitempty"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
}

// PromptTrace is one block of a prompt.
type PromptTrace struct {
	Key    string `json:"key"`
	Tokens int    `json:"tokens"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	// Count is the number of messages, for the history: it is one line, "history", or
	// two where the older part had no room.
	Count int `json:"count,omitempty"`
}

func (t TurnTrace) clone() TurnTrace {
	t.Lore = slices.Clone(t.Lore)
	t.Fired = slices.Clone(t.Fired)
	t.Opened = slices.Clone(t.Opened)
	t.Closed = slices.Clone(t.Closed)
	t.Hooks = slices.Clone(t.Hooks)
	t.Notices = slices.Clone(t.Notices)
	t.Refused = slices.Clone(t.Refused)
	t.Cut = slices.Clone(t.Cut)
	t.Fuses = slices.Clone(t.Fuses)
	t.Draws = slices.Clone(t.Draws)
	t.Prompt = slices.Clone(t.Prompt)
	t.Scripts = slices.Clone(t.Scripts)
	t.Warnings = slices.Clone(t.Warnings)
	return t
}

func newTurn(g *Game, next Campaign, in Submit, values setting.Values) *turn {
	t := &turn{
		game: g, in: in, asked: in, values: values, next: next,
		rolls: map[string][]int{}, cursor: next.State.Random, past: new(past),
	}
	t.settled = progress{state: next.State, counts: map[string]int{}}
	t.settled.state.Variables = g.complete(next.State) // a save may be older than the content
	t.settled.state.Hooks = t.settled.state.Hooks.BeginTurn(turnID(next.TurnCounter + 1))
	t.settled.state.Injections = t.settled.state.Injections.BeginTurn()
	t.staged = t.settled.clone()
	t.court = court{
		tools: g.tools, reasonText: g.reasonText, life: g.life, allowlist: next.Allowlist, disabled: next.DisabledTools,
		actorID: in.ActorID, maxCalls: values.Int(setting.MaxToolCalls),
		maxDelta: values.Int(setting.MaxHPDelta), roll: t.roll, refused: map[string]CallCode{},
		panicked: func(tool string, what any) {
			t.panics = append(t.panics, ToolPanic{tool, what, debug.Stack()})
		},
	}
	t.in.Text = t.scripted(in.Text, script.Where{Placement: script.UserInput})
	return t
}

// number is the turn's place on its branch, from 1.
func (t *turn) number() int { return t.settled.state.TurnCount + 1 }

// draw returns the next random number of the campaign's source and records it.
func (t *turn) draw() float64 {
	x := t.game.random(t.next.Seed, t.cursor)
	t.cursor++
	t.draws = append(t.draws, x)
	return x
}

// roll throws a die for a check. The n-th check with the same arguments shows the
// same in every re-generation.
func (t *turn) roll(key string, sides int) int {
	n := t.staged.counts[key]
	t.staged.counts[key] = n + 1
	if n < len(t.rolls[key]) {
		return t.rolls[key][n]
	}
	roll := 1 + int(t.draw()*float64(sides))
	t.rolls[key] = append(t.rolls[key], roll)
	return roll
}

// settle makes what is staged final for this turn.
func (t *turn) settle() { t.settled = t.staged.clone() }

// undo drops what is staged.
func (t *turn) undo() { t.staged = t.settled.clone() }

func (t *turn) nextEventID() string {
	t.eventSeq++
	return fmt.Sprintf("evt_%04d_%03d", t.next.Version+1, t.eventSeq) // unique in the log
}
