package campaign_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// aviary is a random campaign with secret words, each known to only some characters. Its model
// writes a secret only if everybody who hears it knows it. The engine decides everything else.
type aviary struct {
	*rand.Rand
	t       *testing.T
	e       *campaign.Engine
	knows   map[string][]string // the characters who know a word
	actor   string              // the actor of the running instruction
	hears   []string            // its audience
	asked   int                 // the number of requests
	turns   int
	present []string // words of the last prompt
	played  []string // the played instructions, for reading a failure

	passwords []password
	looks     int // the number of texts that were searched
	told      int // words that only some know, in texts for these characters
}

// password is a word that activates lore or opens a module. word is its key, content the lore, and
// further are the texts that the content activates.
type password struct{ word, content, further string }

// unsaid are the characters who know a word that was not said yet.
var unsaid = []string{"nobody"}

// players are the characters of the cave, and one more.
var players = []string{"ren", "mei", "kai"}

var canary = regexp.MustCompile(`canary[0-9]+bird`)

// word returns a new secret word that the given characters know.
func (a *aviary) word(witnesses []string) string {
	w := fmt.Sprintf("canary%05dbird", len(a.knows))
	a.knows[w] = witnesses
	return w
}

// newPassword returns a word that was not said yet, with the lore that it activates.
func (a *aviary) newPassword() password {
	p := password{a.word(unsaid), a.word(unsaid), a.word(unsaid)}
	a.passwords = append(a.passwords, p)
	return p
}

// password returns a word that activates something, for some characters: a word that was not said
// yet, or that the same characters have heard. It returns "" if there is no such text.
func (a *aviary) password(hears []string) string {
	for _, i := range a.Perm(len(a.passwords)) {
		p := a.passwords[i]
		knows := a.knows[p.word]
		if fresh := slices.Equal(knows, unsaid); fresh || state.SameAudience(knows, hears) {
			a.knows[p.word], a.knows[p.content], a.knows[p.further] = hears, hears, hears
			return p.word
		}
	}
	return ""
}

// look fails if a text for a character contains a word that the character does not know.
func (a *aviary) look(what, text string, readers ...string) {
	a.looks++
	for _, w := range canary.FindAllString(text, -1) {
		if len(a.knows[w]) > 0 {
			a.told++
		}
		for _, id := range readers {
			if !state.Knows(a.knows[w], id) {
				a.t.Fatalf("%s for %s has %s, which only %v know:\n%s\nafter %s", what, id, w, a.knows[w], text,
					strings.Join(a.played[max(0, len(a.played)-8):], "\n"))
			}
		}
	}
}

// Generate answers as a model that keeps secrets and uses every form of a request for changes.
func (a *aviary) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	text := a.reply()
	return func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.TextDelta{Text: text}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
	}
}

// secret returns a word that the model may say in the running turn. Everybody in the audience knows
// the word, or it is in the prompt.
func (a *aviary) secret() string {
	hears := a.hears
	for _, i := range a.Perm(len(a.present)) {
		if w := a.present[i]; a.IntN(2) == 0 && (len(a.knows[w]) == 0 || len(hears) > 0 && !slices.ContainsFunc(hears, func(id string) bool { return !state.Knows(a.knows[w], id) })) {
			return w
		}
	}
	return a.word(hears)
}

func (a *aviary) reply() string {
	w := a.secret
	parts := []string{"You hear " + w() + " in the wind."}
	for range a.IntN(3) {
		switch a.IntN(7) {
		case 0:
			parts = append(parts, fmt.Sprintf("memory('notes', 'k%d', 'it is %s');", a.IntN(4), w()))
		case 1:
			parts = append(parts, fmt.Sprintf("memory('notes', '%s', %d);", w(), a.IntN(9)))
		case 2:
			parts = append(parts, fmt.Sprintf("set_attribute('note', 'a note of %s');", w()))
		case 3:
			parts = append(parts, fmt.Sprintf("set_attribute('nowhere.%s', 'x');", w())) // refused
		case 4:
			return fmt.Sprintf(`{"text": "Mist %s.", "tool_calls": [{"tool": "move", "args": {"actor_id": "%s", "to_area_id": "%s"}, "reason": "%s"}]}`,
				w(), a.actor, []string{"vault", "hall", w()}[a.IntN(3)], w())
		case 5:
			id := w()
			return fmt.Sprintf(`{"text": "A door %s.", "tool_calls": [{"tool": "map_generate", "args": {"areas": [{"id": "%s", "name": "The %s room"}],
				"paths": [{"from": "gate", "to": "%s"}]}}]}`, w(), id, id, id)
		default:
			parts = append(parts, strings.ToUpper(a.actor[:1])+a.actor[1:]+" loses 3 HP "+w()+".") // a contradiction
		}
	}
	return strings.Join(parts, "\n")
}

// someone returns an audience, nil for everybody.
func (a *aviary) someone() []string {
	if a.IntN(2) == 0 {
		return nil
	}
	return state.AudienceOf(a.actor, players[:1+a.IntN(2)])
}

// show checks the outcome for each player, and the refused calls for the whole audience.
func (a *aviary) show(o turn.Outcome) {
	for _, id := range append([]string{"a spectator"}, players...) {
		shown, ok := o.ForPlayers(id)
		if !ok {
			continue
		}
		a.look("what is shown", jsonOf(a.t, shown), id)
		for _, one := range o.Attempts {
			for _, f := range one.FailedCalls {
				a.look("a hint", f.Hint.String()+f.Expected.String(), id)
			}
		}
	}
}

// head returns the newest turn.
func (a *aviary) head() (state.Turn, bool) {
	c := campaignOf(a.t, a.e)
	return c.Turn(c.State.HeadTurnID)
}

// do plays an instruction, and decides about its conflicts.
func (a *aviary) do(in turn.Input) {
	a.played = append(a.played, fmt.Sprintf("%s as %s for %v: %+v", reflect.TypeOf(in), a.actor, a.hears, in))
	o, err := a.e.Do(a.t.Context(), "cave", in)
	if err != nil {
		if _, refused := err.(*state.Refusal); !refused {
			a.t.Fatalf("%T: %v", in, err)
		}
	}
	if o.Turn != nil && !o.Replayed {
		a.turns++
	}
	a.show(o)
	if o.Status == turn.Conflict { // a person lets it pass, or drops it
		for _, how := range []state.Decision{[]state.Decision{state.DecideAccept, state.DecideRetry}[a.IntN(2)], state.DecideDiscard} {
			if _, err := a.e.Do(a.t.Context(), "cave", turn.ResolveConflict{Decision: how}); err == nil && how == state.DecideDiscard {
				break
			}
		}
	}
}

// step plays one random instruction.
func (a *aviary) step() {
	a.actor, a.hears = players[a.IntN(len(players))], nil
	do := a.do
	head, any := a.head()
	if any && a.IntN(5) == 0 { // the head turn
		a.actor, a.hears = head.ActorID, head.Audience
		switch a.IntN(4) {
		case 0:
			do(turn.Regenerate{Instructions: "Say it with " + a.secret() + "."})
		case 1:
			do(turn.Continue{})
		case 2:
			do(turn.EditText{TurnID: head.ID, Text: "It was " + a.secret() + "."})
		default:
			c := campaignOf(a.t, a.e)
			if others := c.Answers(); len(others) > 0 {
				do(turn.Choose{TurnID: others[a.IntN(len(others))]})
			}
		}
		return
	}
	switch a.IntN(14) {
	case 0:
		a.hears = []string{a.actor}
		do(turn.Suggest{N: 2, ActorID: a.actor, Kind: []state.SuggestionKind{state.SuggestActions, state.SuggestLines}[a.IntN(2)]})
	case 1:
		c := campaignOf(a.t, a.e)
		do(turn.RollBack{To: c.Checkpoints[a.IntN(len(c.Checkpoints))].TurnID})
	case 2:
		do(turn.UndoRollBack{})
	case 3:
		do(turn.PatchSettings{Patch: setting.Snapshot{
			"dialog.manual_type": tree.Text([]string{"scene", "action", "rules", "free_chat"}[a.IntN(4)])}})
	case 4:
		full := a.IntN(2) == 0
		do(turn.PatchSettings{Patch: setting.Snapshot{"context.full_context_enabled": tree.Bool(full), "context.compress_enabled": tree.Bool(!full)}})
	case 5:
		a.hears = a.someone()
		do(turn.Proceed{ActorID: a.actor, Audience: a.hears, Instructions: "It ends with " + a.word(a.hears) + "."})
	default:
		a.hears = a.someone()
		said, noted := a.word(a.hears), a.word(a.hears)
		if a.IntN(2) == 0 {
			said += " " + a.password(a.hears)
		}
		if a.IntN(2) == 0 {
			noted = a.password(a.hears)
		}
		do(turn.Submit{ActorID: a.actor, Text: "I say " + said + " and look at the " + []string{"key", "sea"}[a.IntN(2)] +
			". set_attribute('note', 'told " + noted + "');", Audience: a.hears})
	}
}

// lookBack checks what the history shows to a character.
func (a *aviary) lookBack(id string) {
	var first, last string
	for one, err := range a.e.History(a.t.Context(), "cave", state.HistoryPage{Viewer: id, Limit: 30}) {
		if err != nil {
			a.t.Fatal(err)
		}
		a.look("a page of the history", jsonOf(a.t, one), id)
		if last == "" {
			last = one.ID
		}
		first = one.ID
	}
	if first == last {
		return
	}
	between, err := a.e.Compare(a.t.Context(), "cave", state.HistorySpan{A: first, B: last, Viewer: id})
	if _, refused := err.(*state.Refusal); err != nil && !refused {
		a.t.Fatal(err)
	}
	a.look("a comparison", jsonOf(a.t, between), id)
}

// noted is a rule that fires while there is a note.
func noted(id string, actions ...effect.Effect) rules.Rule {
	r := everyTurn(id, actions...)
	r.Conditions = []rules.Condition{{VariableID: "note", Operator: rules.Contains, Value: tree.Text("canary")}}
	return r
}

// content returns lore, hooks and rules that print, macros that store, and a cast.
func (a *aviary) content() game.Content {
	onlyRen := a.word([]string{"ren"})
	inject := func(id, event, text, scope string) hooks.Hook {
		return hooks.Hook{ID: id, Name: id, Event: hooks.On(event), Actions: []act.Action{act.New(act.PromptInject,
			tree.Member{Key: "key", Value: tree.Text(id)}, tree.Member{Key: "content", Value: tree.Text(text)},
			tree.Member{Key: "scope", Value: tree.Text(scope)})}}
	}
	c := game.Content{
		Prompt: game.Prompt{
			SummarizeAfter: 3,
			Note:           prompt.AuthorNote{Text: "Last: {{lastMessage}} / {{lastCharMessage}} / {{lastUserMessage}}", Depth: new(1)},
		}, Extensions: game.Extensions{Tools: []tool.Tool{tool.GenerateMap(tool.GenerateLimits{})}},
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
			{UID: "1", Keys: []string{"key"}, Content: "The key: " + onlyRen, Probability: 100, Position: worldbook.PositionAfterCharacter,
				Extensions: []byte(`{"visible_to": ["ren"]}`), Sticky: 3},
			{UID: "3", Constant: true, Content: "It is noted: {{var::note}} {{var::echo}}", Probability: 100, Position: worldbook.PositionBeforeCharacter,
				Conditions: []byte(`{"variableId": "note", "operator": "contains", "value": "canary"}`)},
			{UID: "2", Constant: true, Content: "Told: {{getvar::told}} {{var::note}}{{setvar::told::{{lastMessage}}}}", Probability: 100, Position: worldbook.PositionBeforeCharacter},
		}}}}},
		Rules: game.Rules{
			Variables: []rules.Variable{{ID: "note", Type: rules.TypeString}, {ID: "echo", Type: rules.TypeString}, {ID: "chronicle", Type: rules.TypeString},
				{ID: "rumour", Type: rules.TypeString}},
			Rules: []rules.Rule{
				everyTurn("echo", effect.SetVariable{Path: "echo", ValueRef: "note"}, effect.SetVariable{Path: "chronicle", Operation: effect.Append, ValueRef: "note"}),
				everyTurn("omen", effect.InjectDirective{ID: "omen", Content: "The omen: {{var::echo}} of {{lastMessage}}", Persistent: true}),
				noted("rumour", effect.InjectDirective{ID: "rumour", Content: "They say {{var::note}}", Persistent: true},
					effect.SetVariable{Path: "rumour", ValueRef: "note"}, effect.SendContext{Message: "Somebody noted {{var::rumour}}."}),
				everyTurn("wind", effect.SendContext{Message: "The wind: {{var::chronicle}}"}),
			},
			Hooks: []hooks.Hook{
				inject("turn", act.BeforePromptRender, "Now: {{lastMessage}}", "turn"),
				inject("after", act.AfterSend, "Then: {{var::note}} {{getvar::told}}", "session"),
			},
		},
	}
	a.addPasswords(&c)
	if a.IntN(3) == 0 {
		c.People.Cast = []game.CastMember{
			{CharacterID: "ash", Card: &card.Card{Name: "Ash", Description: "{{char}} heard {{lastMessage}}."}},
			{CharacterID: "reed", Card: &card.Card{Name: "Reed", Description: "{{char}} knows {{var::echo}}."}},
		}
	}
	if a.IntN(4) == 0 {
		c.Prompt.Budget.Context = 1200
	}
	return c
}

// addPasswords adds content that words of players activate and open: lore of every timing, in
// groups, with probability, by recursion and by conditions; modules and variables.
func (a *aviary) addPasswords(c *game.Content) {
	entries := &c.Lore.Books[0].Book.Entries
	noteHas := func(word string) []rules.Condition {
		return []rules.Condition{{VariableID: "note", Operator: rules.Contains, Value: tree.Text(word)}}
	}
	for i := range 24 {
		p := a.newPassword()
		e := worldbook.Entry{UID: fmt.Sprintf("p%d", i), Keys: []string{p.word}, Content: "It is said: " + p.content, Probability: 100,
			GroupWeight: 100, Position: worldbook.PositionBeforeCharacter, AutomationID: fmt.Sprintf("auto%d", i)}
		switch i % 12 {
		case 0:
			e.Sticky = 30
		case 1:
			e.Sticky, e.Cooldown = 3, 5
		case 2:
			e.Sticky, e.Group = 30, "g"
		case 3:
			e.Sticky, e.Probability, e.UseProbability = 30, 60, true
		case 4:
			e.Sticky, e.Delay = 30, 4
		case 5: // its content activates a second entry
			more := e
			more.UID, more.Keys, more.Content, more.Sticky = e.UID+"b", []string{p.content}, "And that "+p.further, 30
			*entries = append(*entries, more)
		case 6:
			e.Keys = []string{"/" + p.word[:11] + "[a-z]+/"}
			e.Sticky = 30
		case 7, 8:
			id := "module" + e.UID
			c.Rules.Modules = append(c.Rules.Modules, rules.Module{ID: id, Activation: rules.Activation{Mode: rules.ModeKeywords,
				Keywords: []string{p.word}, LeaveKeywords: []string{"sea"}, Exclusive: i%12 == 8}})
			c.Lore.Books = append(c.Lore.Books, lore(id, "Module of "+p.content))
			c.Rules.Rules = append(c.Rules.Rules, rules.Rule{ID: id, BookID: id, Trigger: &rules.Trigger{Type: rules.EveryTurn},
				Actions: effect.Actions{effect.SetVariable{Path: "rumour", ValueRef: "note"}}})
			continue
		case 9:
			id := "module" + e.UID
			c.Rules.Modules = append(c.Rules.Modules, rules.Module{ID: id, Activation: rules.Activation{Mode: rules.ModeConditions, Conditions: noteHas(p.word)}})
			c.Lore.Books = append(c.Lore.Books, lore(id, "Module of "+p.content))
			c.Rules.Variables = append(c.Rules.Variables, rules.Variable{ID: "of_" + id, BookID: id, Type: rules.TypeString, Default: tree.Text("In " + p.content)})
			continue
		case 10:
			c.Rules.Variables = append(c.Rules.Variables, rules.Variable{ID: "active" + e.UID, Type: rules.TypeString, Default: tree.Text("Active " + p.content),
				Activation: rules.Activation{Mode: rules.ModeConditions, Conditions: noteHas(p.word)}})
			continue
		default:
			e.Keys, e.Constant, e.Sticky = nil, true, 30
			e.Conditions = []byte(`{"variableId": "note", "operator": "contains", "value": "` + p.word + `"}`)
		}
		*entries = append(*entries, e)
	}
}

// readers returns the characters who must know everything in a request: the acting character, or in
// the mode "common" all who hear the turn.
func (a *aviary) readers(mode state.AudienceMode) []string {
	switch {
	case mode != state.AudienceCommon:
		return []string{a.actor}
	case len(a.hears) == 0:
		return append([]string{"a spectator"}, players...)
	}
	return a.hears
}

// newAviary begins a campaign.
func newAviary(t *testing.T, seed uint64) *aviary {
	a := &aviary{Rand: rand.New(rand.NewPCG(seed, 44)), t: t, knows: map[string][]string{}}
	mode := []state.AudienceMode{"", state.AudienceStrict, state.AudienceCommon}[seed%3]
	cfg := campaign.Config{
		Game: compile(t, a.content()), Model: a, Services: campaign.Services{
			Memory: &memory.Index{},
			Summarize: func(_ context.Context, q question.Summarize) (state.Summary, error) {
				readers := q.Witnesses
				if len(readers) == 0 {
					readers = players
				}
				q.Old.Facts = tree.Value{} // the facts name their witnesses
				text := jsonOf(t, q)
				a.look("a question for a summary", text, readers...)
				words := canary.FindAllString(text, -1)
				fact := a.word([]string{"kai"})
				return state.Summary{Text: "So far: " + strings.Join(words[:min(len(words), 8)], " "), Facts: tree.Array(tree.Object(
					tree.Member{Key: "f", Value: tree.Text(fact)}, tree.Member{Key: "witnesses", Value: tree.Array(tree.Text("kai"))}))}, nil
			},
		},
	}
	cfg.Observe = requests(func(_ string, g question.Generate) {
		text := jsonOf(t, g.Request)
		a.look("a request", text, a.readers(mode)...)
		a.present = canary.FindAllString(text, -1)
		a.asked++
	})
	set := ""
	if mode != "" {
		set = `, "visibility.mode": "` + string(mode) + `"`
	}
	a.e = newEngine(t, cfg, `{"settings": {"turn.order": "free"`+set+`, "retry.max_retries": 1, "context.recent_turns": 4,
		"rollback.max_checkpoints": 4, "alternatives.max": 3}, "allowlist": ["move", "hp_delta", "map_generate"],
		"variables": {"notes": {"k0": "old"}}, "world": {"rules": [{"id": "r", "text": "`+a.word([]string{"mei"})+` holds.", "visible_to": ["mei"]}]},
		"characters": [{"character_id": "ren", "name": "Ren", "hp": {"current": 10, "max": 10}, "area_id": "gate"},
			{"character_id": "mei", "name": "Mei", "hp": {"current": 8, "max": 8}, "area_id": "gate"},
			{"character_id": "kai", "name": "Kai", "hp": {"current": 8, "max": 8}, "area_id": "hall"}]}`)
	return a
}

// TestNoSecretInOthersPrompts: CA-44. In random campaigns in strict mode no request for a character
// contains a word that the character may not know. In the mode "common" everybody who hears
// the turn may know each word of a request. The campaigns have retries, rollbacks, new
// answers, suggestions, summaries, memories, hooks, rules and macros that print, casts, lore of
// every timing, modules and activations. No player gets such a word in an outcome, a hint or the
// history. With PERF=1 the test plays 10,000 turns.
func TestNoSecretInOthersPrompts(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	most := 150
	if testkit.Wanted() {
		most = 10_000
	}
	turns, asked, words, looks, told, groups := 0, 0, 0, 0, 0, 0
	for seed := uint64(1); turns < most; seed++ {
		a := newAviary(t, seed)
		if seed%3 == 0 { // the first whisper makes it strict
			a.actor, a.hears = "ren", []string{"ren"}
			a.do(turn.Submit{ActorID: "ren", Text: "I say " + a.word(a.hears), Audience: a.hears})
		}
		for range 40 {
			a.step()
		}
		all := campaignOf(t, a.e)
		for _, id := range players {
			for _, one := range all.TurnsFor(id) {
				a.look("the turns", one.UserInput+one.Text, id)
			}
			a.lookBack(id)
		}
		if seed%5 == 1 {
			if rebuilt, err := a.e.Rebuild(t.Context(), "cave"); err != nil || jsonOf(t, rebuilt) != jsonOf(t, all) {
				t.Fatalf("seed %d: the rebuilt campaign is another: %v", seed, err)
			}
		}
		turns, asked, words = turns+a.turns, asked+a.asked, words+len(a.knows)
		looks, told, groups = looks+a.looks, told+a.told, groups+len(all.State.Groups)
	}
	if told < asked || groups == 0 {
		t.Errorf("private words are told %d times to those who know them, and there were %d groups: the test says little", told, groups)
	}
	t.Logf("%d turns, %d requests, %d texts searched, %d canaries, told %d times to those who know them, %d groups at the end, leaks 0",
		turns, asked, looks, words, told, groups)
}
