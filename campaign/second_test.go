package campaign_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// splitLore is the book of a character. Its entries are marked for one of the two requests.
var splitLore = []worldbook.Attachment{{Sources: []worldbook.Source{worldbook.SourceCharacter}, Book: worldbook.Book{Name: "inn", Entries: []worldbook.Entry{
	{UID: "1", Comment: "[mvu_update] rules", Content: "RULES: trust changes by 1 to 3. {{random::a,b,c}}", Constant: true},
	{UID: "2", Comment: "[mvu_plot] style", Content: "STYLE: speak softly. {{setvar::seen::{{random::a,b,c}}}}{{getvar::seen}}", Constant: true},
	{UID: "3", Comment: "the inn", Content: "INN: by the river. {{incvar::n}}", Constant: true},
	{UID: "4", Comment: "[MVU_PLOT][mvu_update] both", Content: "BOTH: rain.", Constant: true},
	{UID: "5", Comment: "[mvu_update] ghost", Content: "GHOST", Keys: []string{"nobody says this"}},
}}}}

// splitContent is a game with that book and the language of MVU.
func splitContent() game.Content {
	return game.Content{
		People: game.People{Card: &card.Card{Name: "Mei"}},
		Lore:   game.Lore{Books: splitLore},
		Rules:  game.Rules{Dialects: []game.Dialect{game.CommandLanguage(mvu.Dialect(mvu.Options{}))}},
	}
}

const secondModel = `{"settings": {"variables.second_model": true}, "variables": {"stat_data": {"trust": 1, "day": 1}}}`

// sentText returns the texts of a request.
func sentText(req llm.Request) string {
	var b strings.Builder
	for _, m := range req.Messages {
		b.WriteString(m.Text + "\n")
	}
	return b.String()
}

// has checks which words a text has.
func has(t *testing.T, text, with, without string) {
	t.Helper()
	for _, word := range strings.Fields(with) {
		if !strings.Contains(text, word) {
			t.Errorf("no %s in\n%s", word, text)
		}
	}
	for _, word := range strings.Fields(without) {
		if strings.Contains(text, word) {
			t.Errorf("%s in\n%s", word, text)
		}
	}
}

// TestSecondModel plays turns with a second model for the changes of variables (SC-07). Each request
// has its own lore. Only the commands of the second answer count, after the commands of the narration. Its
// cost is in the record, and a rebuild needs no model.
func TestSecondModel(t *testing.T) {
	t.Parallel()
	narrator := scripted("Mei smiles.\n<UpdateVariable>_.add('trust', 1);</UpdateVariable>", "She pours tea.")
	update := llmtest.Text("I think trust grows.\n<UpdateVariable>_.add('trust', 10);\n_.set('nothing', 1);</UpdateVariable> [gold: +5]")
	update.Usage = &llm.Usage{PromptTokens: 70, CompletionTokens: 7}
	updater := llmtest.NewScripted(update, llmtest.Text("<UpdateVariable>_.set('day', 2);</UpdateVariable>"))
	e := newEngine(t, campaign.Config{Game: compile(t, splitContent()), Model: narrator, Services: campaign.Services{
		Updater:     updater,
		UpdaterName: "small",
	}, ModelName: "big"}, secondModel)
	var shown string
	var last turn.Outcome
	for p, err := range e.Stream(t.Context(), "cave", turn.Submit{Text: "Hello."}) {
		if err != nil {
			t.Fatal(err)
		}
		switch p := p.(type) {
		case campaign.Provisional:
			shown += p.Text
		case campaign.AttemptStarted:
			if p.Attempt != 1 {
				t.Errorf("players hear of attempt %d", p.Attempt)
			}
		case campaign.Finished:
			last = p.Outcome
		}
	}
	if strings.Contains(shown, "think") || last.Turn == nil || last.Turn.Text != "Mei smiles." {
		t.Fatalf("shown %q, %+v", shown, last)
	}
	first, second := sentText(narrator.Requests()[0]), sentText(updater.Requests()[0])
	has(t, first, "STYLE INN BOTH", "RULES GHOST")
	has(t, second, "RULES INN BOTH smiles", "STYLE GHOST")
	if req := updater.Requests()[0]; req.Model != "small" || len(req.Tools) > 0 || !strings.HasSuffix(second, game.English().Update+"\n") {
		t.Errorf("the second request is %+v", req)
	}
	for i, text := range []string{first, second} {
		if !strings.Contains(text, "INN: by the river. 1") {
			t.Errorf("the counter of request %d is wrong:\n%s", i, text)
		}
	}
	stat := campaignOf(t, e).State.Variables.Root().Get("stat_data").String()
	if want := `{"trust":12,"day":1}`; stat != want {
		t.Errorf("the variables are %s, want %s", stat, want)
	}
	attempts := last.Turn.Attempts
	if len(attempts) != 2 || attempts[0].Updates || !attempts[1].Updates || attempts[1].Usage == nil || attempts[1].Usage.PromptTokens != 70 {
		t.Errorf("the attempts are %+v", attempts)
	}
	var lore []string
	for _, l := range last.Turn.Trace.Lore {
		if l.Updates {
			lore = append(lore, l.ID)
		}
	}
	if !slices.Equal(lore, []string{"inn.1"}) || !slices.ContainsFunc(last.Turn.Trace.Prompt, func(p state.TracePrompt) bool { return p.Key == "update.history" }) {
		t.Errorf("the trace has %v, %v", lore, last.Turn.Trace.Prompt)
	}
	o := turnOf(t, e, turn.Submit{Text: "More."})
	has(t, sentText(narrator.Requests()[1]), "smiles nothing river.", "think UpdateVariable>_.add")
	if !strings.Contains(sentText(narrator.Requests()[1]), "INN: by the river. 2") {
		t.Error("the second request has changed the variables of macros")
	}
	if c := campaignOf(t, e); c.State.Variables.Root().Get("stat_data").Get("day") != tree.Int(2) || o.Turn.Text != "She pours tea." {
		t.Errorf("after the second turn: %v", c.State.Variables.Root())
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

// TestSecondModelOff: without the setting, or without marks in a book of the character, a turn has
// one request with all lore.
func TestSecondModelOff(t *testing.T) {
	t.Parallel()
	global := splitContent()
	global.Lore.Books = []worldbook.Attachment{{Book: splitLore[0].Book, Sources: []worldbook.Source{worldbook.SourceGlobal}}}
	for name, c := range map[string]struct {
		content game.Content
		setup   string
	}{
		"the setting is off":           {splitContent(), `{"variables": {"stat_data": {}}}`},
		"the marks are in other books": {global, secondModel},
	} {
		model := scripted("Mei smiles.")
		e := newEngine(t, campaign.Config{Game: compile(t, c.content), Model: model, Services: campaign.Services{Updater: llmtest.NewScripted()}}, c.setup)
		wantOutcome(t, turnOf(t, e, turn.Submit{Text: "Hello."}), "completed turn_0001")
		if n := len(model.Requests()); n != 1 {
			t.Errorf("%s: %d requests", name, n)
		}
		has(t, sentText(model.Requests()[0]), "STYLE RULES", "")
	}
}

// TestSecondModelFails: a turn completes without its second answer, and its trace says why. Without
// Services.Updater the same model is asked.
func TestSecondModelFails(t *testing.T) {
	t.Parallel()
	cut := llmtest.Text("<UpdateVariable>_.set('trust', 9);")
	cut.Finish = llm.FinishLength
	for name, c := range map[string]struct {
		second llmtest.Reply
		warned string
	}{
		"an error":           {llmtest.Reply{Err: &llm.Error{Code: llm.CodeOverloaded}}, "updater: overloaded"},
		"a truncated answer": {cut, "updater: truncated"},
	} {
		model := llmtest.NewScripted(llmtest.Text("Mei smiles."), c.second)
		e := newEngine(t, campaign.Config{Game: compile(t, splitContent()), Model: model}, secondModel)
		o := turnOf(t, e, turn.Submit{Text: "Hello."})
		wantOutcome(t, o, "completed turn_0001")
		if w := o.Turn.Trace.Warnings; len(w) != 1 || !strings.HasPrefix(w[0], c.warned) {
			t.Errorf("%s: warnings %q", name, w)
		}
		if v := campaignOf(t, e).State.Variables.Root().Get("stat_data").Get("trust"); v != tree.Int(1) {
			t.Errorf("%s: trust is %v", name, v)
		}
		if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSecondModelHasNoRoom: if only the narration fits the budget, there is no second request.
func TestSecondModelHasNoRoom(t *testing.T) {
	t.Parallel()
	content := splitContent()
	m := begin(t, content, secondModel)
	room := 0
	for _, msg := range generationsOf(t, m, "Mei smiles.")[1].Request.Messages {
		room += content.Prompt.Budget.Response + len(msg.Message.Text)/3
	}
	long := strings.Repeat("word and word ", 20*room/10)
	content.Prompt.Budget = prompt.Budget{Context: 4 * room}
	m = begin(t, content, secondModel)
	if n := len(generationsOf(t, m, long)); n != 1 {
		t.Errorf("%d requests", n)
	}
	o := m.Todo().Outcome
	if w := o.Turn.Trace.Warnings; o.Status != turn.Completed || len(w) != 1 || !strings.HasPrefix(w[0], "updater: ") {
		t.Errorf("%s, warnings %q", o.Status, w)
	}
}

// generationsOf plays a turn and returns its requests. The second answer changes nothing.
func generationsOf(t *testing.T, m *turn.Machine, narration string) (all []question.Generate) {
	t.Helper()
	step(t, m, turn.Submit{Text: "Hello."})
	for m.Phase() != turn.Idle {
		switch todo := m.Todo(); {
		case todo.Generate != nil && todo.Generate.Updates:
			all = append(all, *todo.Generate)
			step(t, m, turn.Replied{Text: "<UpdateVariable></UpdateVariable>"})
		case todo.Generate != nil:
			all = append(all, *todo.Generate)
			step(t, m, turn.Replied{Text: narration})
		default:
			step(t, m, turn.Committed{})
		}
	}
	return all
}

// TestSecondModelOfACast: with several speakers there is one second request, after the last of them,
// with all replies.
func TestSecondModelOfACast(t *testing.T) {
	t.Parallel()
	content := splitContent()
	content.People = game.People{Cast: []game.CastMember{{CharacterID: "ren", Card: &card.Card{Name: "Ash"}}, {CharacterID: "mei", Card: &card.Card{Name: "Reed"}}}}
	model := scripted("Ash nods.", "Reed bows.", "<UpdateVariable>_.set('trust', 5);</UpdateVariable>")
	e := newEngine(t, campaign.Config{Game: compile(t, content), Model: model}, secondModel)
	o := turnOf(t, e, turn.Submit{Text: "Ash and Reed?"})
	wantOutcome(t, o, "completed turn_0001")
	if len(o.Turn.Replies) != 2 || len(model.Requests()) != 3 {
		t.Fatalf("%d replies, %d requests", len(o.Turn.Replies), len(model.Requests()))
	}
	text := sentText(model.Requests()[2])
	has(t, text, "RULES nods bows", "STYLE")
	if strings.Count(text, "nods.") != 1 || strings.Count(text, "bows.") != 1 {
		t.Errorf("a reply is twice in\n%s", text)
	}
	if v := campaignOf(t, e).State.Variables.Root().Get("stat_data").Get("trust"); v != tree.Int(5) {
		t.Errorf("trust is %v", v)
	}
}

// TestSecondModelInSteps: a host that stores the journal of each step gets the same turn, and a step
// whose model fails does not ask to submit the turn again.
func TestSecondModelInSteps(t *testing.T) {
	t.Parallel()
	model := llmtest.NewScripted(llmtest.Text("Mei smiles."), llmtest.Reply{Err: &llm.Error{Code: llm.CodeOverloaded}})
	e := newEngine(t, campaign.Config{Game: compile(t, splitContent()), Model: model}, secondModel)
	j, err := turn.JournalOf(turn.Submit{Text: "Hello.", At: noon})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		next, err := e.Step(t.Context(), "cave", j, nil)
		if err != nil {
			t.Fatal(err)
		}
		if next.Again != nil {
			t.Errorf("the step asks to begin again: %+v", next.Again)
		}
		if next.Outcome != nil {
			wantOutcome(t, *next.Outcome, "completed turn_0001")
			return
		}
		j = j.Then(next)
	}
	t.Error("the turn does not end")
}
