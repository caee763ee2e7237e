package stage

import (
	"encoding/json"
	"slices"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/hooks/internal/condition"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// preparePrompt checks prompt_inject. The default key depends on the turn and is chosen when the
// action runs.
func preparePrompt(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	text := effect.InjectPrompt{
		Content:  p.required("content"),
		Key:      p.text("key", ""),
		Priority: p.integer("priority", act.DefaultInjectPriority),
	}
	scope, fail := lifetime(effect.PromptScope(p.text("scope", "")))
	if text.Scope = scope; fail != nil {
		p.refuse(fail)
	}
	stage := func(o *Overlay, means *Means, e *act.Event) (Success, *act.Failure) {
		if means.Lacks(act.Prompts) {
			return Success{}, unavailable("a prompt to inject into")
		}
		key := o.inject(text, e)
		output := tree.Object(tree.Member{Key: "key", Value: tree.Text(key)})
		return Success{Detail: "injected as " + key, Output: output}, nil
	}
	return Prepared{Stage: stage}, p.fail
}

// lifetime reads the scope of an injection. The default is the turn; "conversation" is a synonym
// for the session.
func lifetime(scope effect.PromptScope) (effect.PromptScope, *act.Failure) {
	switch scope {
	case "", effect.ForTurn:
		return effect.ForTurn, nil
	case effect.ForSession, "conversation":
		return effect.ForSession, nil
	}
	return scope, act.Invalid("scope", "must be turn or session, not %q", scope)
}

// inject stages the text and returns its key. A text without a key gets a default key.
func (o *Overlay) inject(effect effect.InjectPrompt, e *act.Event) string {
	if effect.Key == "" {
		effect.Key = o.Keys.unusedKey("hook_" + firstCharacters(e.ID, 8))
	}
	o.Add(effect)
	return effect.Key
}

// summaryLength is the number of characters of a memory's content that become its summary.
const summaryLength = 100

// memoryCategories are the categories of structured memories.
var memoryCategories = [...]string{
	"user_persona", "character_persona", "recent_digest", "important_event", "timeline",
}

// prepareMemory checks memory_write. The memory types that the host registers are known only when
// the action runs.
func prepareMemory(a act.Action) (Prepared, *act.Failure) {
	p := params{action: a}
	asked := effect.WriteMemory{
		Content: p.required("content"),
		Title:   p.text("title", ""),
		MemType: p.text("mem_type", ""),
	}
	if asked.MemType == "" {
		asked.MemType = p.text("memory_type", "long")
	}
	asked.Summary = firstCharacters(asked.Content, summaryLength)
	asked.Extra = p.structuredMemory()
	build := func(means *Means, e *act.Event) (effect.Effect, Success, *act.Failure) {
		switch typ := asked.MemType; {
		case typ != "long" && typ != "short" && !slices.Contains(means.MemoryTypes, typ):
			return nil, Success{}, act.Invalid("mem_type",
				"%q is not long, short or a registered type", typ)
		case means.Lacks(act.Memories):
			return nil, Success{}, unavailable("a memory store")
		}
		written := asked
		written.CharacterID, written.UserID = e.CharacterID, e.UserID
		return written, Success{Detail: "memory written"}, nil
	}
	return Prepared{Effect: build}, p.fail
}

// structuredMemory reads the members of a structured memory. If a category is given, they go to the
// effect's Extra, with the default importance. Stores without categories read an ordinary memory
// and can ignore these members.
func (p *params) structuredMemory() map[string]json.RawMessage {
	category := p.text("category", "")
	if category == "" {
		return nil
	}
	if !slices.Contains(memoryCategories[:], category) {
		p.refuse(act.Invalid("category", "must be one of %q, not %q", memoryCategories, category))
	}
	extra := map[string]json.RawMessage{
		"category":   p.get("category").AppendJSON(nil),
		"importance": json.RawMessage("0.6"),
	}
	if v := p.get("importance"); v.Exists() {
		n, ok := condition.Number(v)
		if !ok || n.Cmp("0") < 0 || n.Cmp("1") > 0 {
			p.refuse(act.Invalid("importance", "must be a number from 0 to 1, not %s", condition.Brief(v)))
		}
		extra["importance"] = json.RawMessage(n)
	}
	if p.boolean("append") {
		extra["append"] = json.RawMessage("true")
	}
	return extra
}

// firstCharacters returns the first n code points of s. A limit in bytes could split a Chinese
// character.
func firstCharacters(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
