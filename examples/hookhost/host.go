package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

//go:embed hooks.json
var authored []byte

// compile reads an author's hooks. It adds one type of action that only this program has. It
// returns everything that is wrong with the hooks, or probably not intended.
func compile(data []byte, badge act.Handler) (*hooks.Set, talewright.Problems) {
	var actions act.Table
	if err := actions.Register("badge", act.Type{Handler: badge,
		Params: []act.Param{{Name: "name", Kind: tree.KindText, Required: true}}}); err != nil {
		return nil, talewright.Problems{{Path: "badge", Severity: talewright.Fatal, Text: err.Error()}}
	}
	list, problems := hooks.Parse(data)
	set, more := hooks.Compile(list, &actions)
	problems = append(problems, more...)
	return set, append(problems, hooks.Vet(list, hooks.Host{Actions: &actions})...)
}

// bot is a chat program with hooks. It raises events, stores what the hooks change, and applies
// their effects.
type bot struct {
	out      io.Writer
	set      *hooks.Set
	chats    map[string][]byte // by conversation, as a database would store them
	notes    []string          // from memory_write
	messages int
}

// chat is the stored data of a conversation. All of it is JSON.
type chat struct {
	Hooks        hooks.State    `json:"hooks"`
	Relationship tree.Value     `json:"relationship"`
	Injections   act.Injections `json:"injections"`
	Active       time.Time      `json:"active"` // time of the last activity
}

// badge is an action of this program. It may block and fail. It runs within the time limit of its
// hook, and a retry gets the same key.
func (b *bot) badge(_ context.Context, call act.Call) (act.Outcome, error) {
	name, _ := call.Action.Get("name").AsText()
	fmt.Fprintf(b.out, "  badge: %s\n", name)
	return act.Outcome{Detail: "awarded"}, nil
}

// remember stores a memory that hooks write.
func (b *bot) remember(_ context.Context, _ act.Call, e effect.WriteMemory) error {
	b.notes = append(b.notes, e.Content)
	return nil
}

// raise runs the hooks for one event of a conversation and applies their effects.
func (b *bot) raise(ctx context.Context, c *chat, event act.Event, now time.Time) {
	b.messages++
	event.ID = fmt.Sprintf("event-%d", b.messages) // must be unique: keys are made from it
	result := hooks.Run(ctx, b.set, event, c.Hooks, hooks.Env{
		Now: now, Relationship: c.Relationship, Sinks: act.Sinks{Memory: b.remember},
	})
	c.Hooks, c.Relationship = result.State, result.Relationship
	for _, log := range result.Logs {
		fmt.Fprintf(b.out, "  hook %s: %s\n", log.HookID, log.Status)
	}
	for _, asked := range result.Effects {
		switch asked := asked.(type) {
		case effect.InjectPrompt:
			c.Injections = c.Injections.With(asked)
		case effect.AddMessage:
			fmt.Fprintf(b.out, "  bot: %s\n", asked.Content)
		case effect.ChangeRelationship: // already in result.Relationship
		default:
			fmt.Fprintf(b.out, "  %s is nothing that this program does\n", asked.EffectType())
		}
	}
}

// hear processes a message: it runs the hooks and prints the prompt additions.
func (b *bot) hear(ctx context.Context, id, channel, text string, now time.Time) error {
	return b.with(id, func(c *chat) {
		fmt.Fprintf(b.out, "%s %s: %s\n", now.Format("15:04"), id, text)
		turn := fmt.Sprintf("%s-%d", id, b.messages)
		c.Hooks, c.Injections, c.Active = c.Hooks.BeginTurn(turn), c.Injections.BeginTurn(), now
		b.raise(ctx, c, act.Event{Type: act.BeforeReceive, ConversationID: id,
			Payload:  tree.Object(tree.Member{Key: "content", Value: tree.Text(text)}),
			Metadata: tree.Object(tree.Member{Key: "channel", Value: tree.Text(channel)}),
		}, now)
		b.raise(ctx, c, act.Event{Type: act.BeforePromptRender, ConversationID: id}, now)
		for _, note := range c.Injections.ByPriority() {
			fmt.Fprintf(b.out, "  prompt: %s\n", note.Content)
		}
	})
}

// pass advances the clock of a conversation, for hooks that wait for a time of day.
func (b *bot) pass(ctx context.Context, id string, from, to time.Time) error {
	return b.with(id, func(c *chat) {
		fmt.Fprintf(b.out, "%s the clock of %s goes on\n", to.Format("15:04"), id)
		b.raise(ctx, c, act.Event{Type: act.ClockPassed, ConversationID: id,
			Payload: act.ClockPayload(from, to, c.Active)}, to)
	})
}

// with loads a conversation, calls do with it, and stores it.
func (b *bot) with(id string, do func(*chat)) error {
	c := chat{Relationship: tree.Object(tree.Member{Key: "affection", Value: tree.Int(70)})}
	if data, ok := b.chats[id]; ok {
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
	}
	do(&c)
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	b.chats[id] = data
	return nil
}
