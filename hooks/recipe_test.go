package hooks_test

import (
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// Typical first hooks of authors. Each recipe runs on the first event and not on the second.
func TestRecipes(t *testing.T) {
	t.Parallel()
	mara := hooks.Env{
		Now:          time.Date(2026, 5, 1, 23, 0, 0, 0, time.UTC),
		Character:    value(`{"mood":"sad","mood_intensity":0.6,"energy":15}`),
		Relationship: value(`{"affection":80,"trust":50}`),
	}
	other := hooks.Env{
		Now:          time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
		Character:    value(`{"mood":"calm","energy":90}`),
		Relationship: value(`{"affection":79}`),
	}
	limited := mara
	limited.Missing = []act.Capability{act.Memories}
	tests := []struct {
		name, hook    string
		event, second act.Event
		env, quietEnv hooks.Env
		want          string // status and types of the effects
	}{
		{"comfort when sad", `{"event":"character.before_turn.finished","conditions":{"mood_is":"sad"},
			"actions":[{"type":"prompt_inject","content":"Comfort her."}]}`,
			at(act.BeforeTurnFinished, ""), at(act.BeforeTurnFinished, ""), mara, other,
			"success prompt-inject"},
		{"night mode", `{"event":"character.before_turn.finished","priority":20,
			"conditions":{"time_range":["22:00","06:00"]},"actions":[
			{"type":"prompt_inject","content":"Speak softly."},
			{"type":"state_delta","field":"energy","delta":-5}]}`,
			at(act.BeforeTurnFinished, ""), at(act.BeforeTurnFinished, ""), mara, other,
			"success prompt-inject state-change"},
		{"milestone", `{"event":"relationship.changed","conditions":{"affection_gte":80},
			"trigger_mode":"once_per_conversation","actions":[
			{"type":"memory_write","title":"close","content":"We are close now.","mem_type":"long"},
			{"type":"world_book_add","book_id":"lore","content":"They are close.","keywords":["friend"]}]}`,
			at("character.relationship.changed", ""), at(act.RelationshipChanged, ""), mara, other,
			"success write-memory add-entry"},
		{"low energy", `{"event":["character.after_turn.*","state.changed"],"conditions":{"energy_lte":20},
			"actions":[{"type":"message","content":"She yawns."}]}`,
			at(act.AfterStateUpdate, ""), at(act.StateChanged, ""), mara, other,
			"success add-message"},
		{"for one character", `{"event":"reply.before_send","scope":"character","character_id":"mara",
			"actions":[{"type":"message","content":"Mara waves."}]}`,
			act.Event{Type: act.BeforeSend, CharacterID: "mara"},
			act.Event{Type: act.BeforeSend, CharacterID: "orin"}, mara, mara, "success add-message"},
		{"greeting by channel", `{"event":"conversation.before_receive","conditions":{"channel":["web","qq"]},
			"actions":[{"type":"prompt_inject","content":"Say hello to the web."}]}`,
			at(act.BeforeReceive, "qq"), at(act.BeforeReceive, "telegram"), mara, mara,
			"success prompt-inject"},
		{"log of model calls", `{"event":"model.after_call","actions":[
			{"type":"log","level":"debug","message":"the model answered"}]}`,
			at("character.model.generated", ""), at(act.BeforeModelCall, ""), mara, mara,
			"success write-log"},
		{"five actions without a memory", `{"event":"gift","actions":[
			{"type":"relationship_delta","payload":{"affection":5,"trust":2}},
			{"type":"state_delta","field":"mood","delta":"happy"},
			{"type":"memory_write","content":"A gift!"},{"type":"message","content":"Thank you!"},
			{"type":"workflow","workflow_id":"confetti"}]}`,
			at("gift", ""), at("theft", ""), limited, limited,
			"partial relationship-change relationship-change state-change add-message start-workflow"},
		{"everything", `{"event":"*","priority":999,"actions":[{"type":"log","message":"something"}]}`,
			at("anything.at.all", ""), act.Event{}, mara, mara, "success write-log"},
	}
	for _, tt := range tests {
		set := mustCompile(t, nil, strings.Replace("["+tt.hook+"]", "{", `{"id":"h","name":"n",`, 1))
		res := hooks.Run(t.Context(), set, tt.event, hooks.State{}, tt.env)
		got := []string{string(res.Logs[0].Status)}
		for _, e := range res.Effects {
			got = append(got, e.EffectType())
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		quiet := hooks.Run(t.Context(), set, tt.second, hooks.State{}, tt.quietEnv)
		if len(quiet.Logs)+len(quiet.Skipped) > 0 {
			t.Errorf("%s: answers %+v too", tt.name, tt.second)
		}
	}
}

// A hook of each of the four bands of priority runs in its band, and sees the results of the hooks
// before it.
func TestPriorityBands(t *testing.T) {
	t.Parallel()
	set := mustCompile(t, nil, `[
		{"id":"debug","name":"n","event":"e","priority":999,"conditions":{"state.step":3}},
		{"id":"usual","name":"n","event":"e","conditions":{"state.step":2},
			"actions":[{"type":"state_delta","field":"step","delta":3}]},
		{"id":"core","name":"n","event":"e","priority":0,
			"actions":[{"type":"state_delta","field":"step","delta":1}]},
		{"id":"business","name":"n","event":"e","priority":50,"conditions":{"state.step":1},
			"actions":[{"type":"state_delta","field":"step","delta":2}]}]`)
	env := hooks.Env{Character: tree.Object(member("step", tree.Int(0)))}
	res := hooks.Run(t.Context(), set, at("e", ""), hooks.State{}, env)
	const want = "core success, business success, usual success, debug success"
	if got := statuses(res); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
