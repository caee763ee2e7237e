package hooks_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// TestFeatures shows one row of the list of features in each case: a hook, an event, and the
// result.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for name, show := range map[string]func(*testing.T){
		"HK-04 state_delta in two formats, all or nothing":    stateDelta,
		"HK-05 how each field of the state changes":           stateFields,
		"HK-06 relationship_delta in two formats":             relationshipDelta,
		"HK-07 six relationship fields from 0 to 100":         relationshipFields,
		"HK-08 memory_write with its alias and defaults":      memoryWrite,
		"HK-09 log in four levels, into slog":                 logLevels,
		"HK-10 message after message of the turn":             messages,
		"HK-11 workflow and its alias started by the host":    workflows,
		"HK-20 permissions for action types and for channels": permissions,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			show(t)
		})
	}
}

// someone is a character who knows the player a little.
var someone = hooks.Env{
	Character:    value(`{"name":"Mara","mood":"calm","mood_intensity":0.5,"energy":60,"place":"hall"}`),
	Relationship: value(`{"affection":50,"trust":95,"jealousy":3}`),
}

// runActions runs a hook with these actions, a JSON list, once. The list may have mistakes: a set
// is still usable.
func runActions(t *testing.T, env hooks.Env, actions string) hooks.Result {
	t.Helper()
	list, problems := hooks.Parse([]byte(
		`[{"id":"h","name":"h","event":"e","actions":` + actions + `}]`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	set, _ := hooks.Compile(list, nil)
	event := act.Event{ID: "evt", Type: "e", CharacterID: "mara", UserID: "ann"}
	res := hooks.Run(t.Context(), set, event, hooks.State{}, env)
	if len(res.Logs) != 1 {
		t.Fatalf("%d logs, want that of the one hook", len(res.Logs))
	}
	return res
}

// wantObject compares a value with a JSON text.
func wantObject(t *testing.T, got tree.Value, want string) {
	t.Helper()
	if !got.Equal(value(want)) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func stateDelta(t *testing.T) {
	for _, actions := range []string{
		`[{"type":"state_delta","field":"energy","delta":-10},
			{"type":"state_delta","field":"place","delta":"attic"}]`,
		`[{"type":"state_delta","payload":{"energy":-10,"place":"attic"}}]`,
	} {
		res := runActions(t, someone, actions)
		wantObject(t, res.Character,
			`{"name":"Mara","mood":"calm","mood_intensity":0.5,"energy":50,"place":"attic"}`)
	}
	res := runActions(t, someone, `[{"type":"state_delta","payload":{"energy":-10,"wings":2}}]`)
	wantCodes(t, res.Logs[0], act.CodeUnknownField)
	if !res.Character.Equal(someone.Character) || len(res.Effects) > 0 {
		t.Errorf("half of a payload was carried out: %s", res.Character)
	}
}

func stateFields(t *testing.T) {
	for _, c := range []struct{ payload, mood, intensity, energy, place string }{
		{`{"mood":"merry"}`, `"merry"`, "0.5", "60", `"hall"`},
		{`{"mood_intensity":0.25}`, `"calm"`, "0.75", "60", `"hall"`},
		{`{"mood_intensity":0.9}`, `"calm"`, "1", "60", `"hall"`},
		{`{"mood_intensity":-0.9}`, `"calm"`, "0", "60", `"hall"`},
		{`{"energy":15}`, `"calm"`, "0.5", "75", `"hall"`},
		{`{"energy":70}`, `"calm"`, "0.5", "100", `"hall"`},
		{`{"energy":-70}`, `"calm"`, "0.5", "0", `"hall"`},
		{`{"place":7}`, `"calm"`, "0.5", "60", `7`},
	} {
		res := runActions(t, someone, `[{"type":"state_delta","payload":`+c.payload+`}]`)
		wantObject(t, res.Character, `{"name":"Mara","mood":`+c.mood+`,"mood_intensity":`+c.intensity+
			`,"energy":`+c.energy+`,"place":`+c.place+`}`)
	}
}

func relationshipDelta(t *testing.T) {
	for _, actions := range []string{
		`[{"type":"relationship_delta","field":"affection","delta":5},
			{"type":"relationship_delta","field":"jealousy","delta":-2}]`,
		`[{"type":"relationship_delta","payload":{"affection":5,"jealousy":-2}}]`,
	} {
		res := runActions(t, someone, actions)
		wantObject(t, res.Relationship, `{"affection":55,"trust":95,"jealousy":1}`)
		want := effect.List{
			effect.ChangeRelationship{CharacterID: "mara", UserID: "ann", Field: "affection",
				Old: tree.Int(50), New: tree.Int(55)},
			effect.ChangeRelationship{CharacterID: "mara", UserID: "ann", Field: "jealousy",
				Old: tree.Int(3), New: tree.Int(1)},
		}
		if diff := cmp.Diff(want, res.Effects, cmp.Comparer(tree.Value.Equal)); diff != "" {
			t.Errorf("effects (-want +got):\n%s", diff)
		}
	}
}

func relationshipFields(t *testing.T) {
	start := hooks.Env{Relationship: value(`{"jealousy":2}`)}
	res := runActions(t, start, `[{"type":"relationship_delta","payload":{"affection":1,"trust":2,
		"familiarity":3,"dependency":4,"security":250,"jealousy":-5}}]`)
	wantObject(t, res.Relationship,
		`{"jealousy":0,"affection":1,"trust":2,"familiarity":3,"dependency":4,"security":100}`)

	res = runActions(t, someone, `[{"type":"relationship_delta","payload":{"trust":9,"envy":1}},
		{"type":"relationship_delta","field":"trust","delta":9},
		{"type":"relationship_delta","field":"affection","delta":-99}]`)
	wantCodes(t, res.Logs[0], act.CodeUnknownField, act.CodeOK, act.CodeOK)
	wantObject(t, res.Relationship, `{"affection":0,"trust":100,"jealousy":3}`)
}

func memoryWrite(t *testing.T) {
	res := runActions(t, someone, `[
		{"type":"memory_write","title":"rain","content":"It rained."},
		{"type":"memory_write","content":"Dinner.","mem_type":"short"},
		{"type":"memory_write","content":"Supper.","memory_type":"short"},
		{"type":"memory_write","content":"Dreamt.","mem_type":"dream"},
		{"type":"memory_write","title":"nothing"}]`)
	wantCodes(t, res.Logs[0], act.CodeOK, act.CodeOK, act.CodeOK,
		act.CodeInvalidValue, act.CodeMissingParams)
	var got []string
	for _, e := range res.Effects {
		m := e.(effect.WriteMemory)
		got = append(got, strings.Join([]string{m.Title, m.Content, m.MemType, m.CharacterID}, "|"))
	}
	want := []string{"rain|It rained.|long|mara", "|Dinner.|short|mara", "|Supper.|short|mara"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("memories (-want +got):\n%s", diff)
	}
}

// logLevels writes the lines to a slog logger with a sink of a few lines. The package itself does
// not log.
func logLevels(t *testing.T) {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo,
		"warning": slog.LevelWarn, "error": slog.LevelError}
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	env := hooks.Env{Sinks: act.Sinks{
		Log: func(ctx context.Context, call act.Call, line effect.WriteLog) error {
			logger.Log(ctx, levels[line.Level], line.Message, "hook", call.HookID)
			return nil
		},
	}}
	const lines = `[{"type":"log","level":"debug","message":"a"},{"type":"log","message":"b"},
		{"type":"log","level":"warning","message":"c"},{"type":"log","level":"error","message":"d"}]`
	runActions(t, env, lines)
	want := "level=DEBUG msg=a hook=h\nlevel=INFO msg=b hook=h\n" +
		"level=WARN msg=c hook=h\nlevel=ERROR msg=d hook=h\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	if res := runActions(t, hooks.Env{}, lines); len(res.Effects) != 4 {
		t.Errorf("without a sink %d lines are left to the host, want 4", len(res.Effects))
	}
}

func messages(t *testing.T) {
	set := mustCompile(t, nil, `[
		{"id":"later","name":"later","event":"e","priority":200,
			"actions":[{"type":"message","content":"The lamp goes out."}]},
		{"id":"first","name":"first","event":"e","priority":10,
			"actions":[{"type":"message","content":"A knock."},{"type":"message","content":"Another."}]},
		{"id":"blank","name":"blank","event":"f","actions":[{"type":"message","content":"Silence."}]}]`)
	var state hooks.State
	var got []string
	for _, typ := range []string{"e", "f"} { // two events of one turn
		res := hooks.Run(t.Context(), set, act.Event{ID: typ, Type: typ}, state, hooks.Env{})
		state = res.State
		for _, e := range res.Effects {
			got = append(got, e.(effect.AddMessage).Content)
		}
	}
	want := []string{"A knock.", "Another.", "The lamp goes out.", "Silence."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// workflows passes the work to a host that queues it: the hook is done when the host has accepted
// the work, not when the workflow has ended.
func workflows(t *testing.T) {
	queue := make(chan effect.StartWorkflow, 2)
	env := hooks.Env{Sinks: act.Sinks{
		Workflow: func(_ context.Context, _ act.Call, w effect.StartWorkflow) error {
			select {
			case queue <- w:
				return nil
			default:
				return &act.Failure{Code: act.CodeUnavailable, Detail: "the queue is full"}
			}
		},
	}}
	res := runActions(t, env, `[{"type":"workflow","workflow":"mail","params":{"to":"ann"}},
		{"type":"workflow","workflow_id":"backup"},{"type":"workflow","workflow":"third"},
		{"type":"workflow"}]`)
	wantCodes(t, res.Logs[0], act.CodeOK, act.CodeOK,
		act.CodeUnavailable, act.CodeMissingParams)
	mail, backup := <-queue, <-queue
	if mail.Workflow != "mail" || backup.Workflow != "backup" {
		t.Errorf("started %q and %q", mail.Workflow, backup.Workflow)
	}
	wantObject(t, mail.Params, `{"to":"ann"}`)
	if len(res.Delivered) != 2 || len(res.Effects) != 0 {
		t.Errorf("%d delivered, %d left to do", len(res.Delivered), len(res.Effects))
	}
}

func permissions(t *testing.T) {
	list, problems := hooks.Parse([]byte(`[
		{"id":"guest","name":"guest","event":"e","permissions":{"actions":["message","log"]},"actions":[
			{"type":"message","content":"Hello."},{"type":"relationship_delta","field":"trust","delta":5}]},
		{"id":"inside","name":"inside","event":"e","permissions":{"channels":["table"]},"actions":[
			{"type":"message","content":"Between us."}]},
		{"id":"quiet","name":"quiet","event":"e","permissions":{"deny_channels":["street"]},"actions":[
			{"type":"message","content":"Hush."}]}]`))
	set, more := hooks.Compile(list, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if len(more) != 1 || more[0].Path != "hooks[0].actions[1]" {
		t.Errorf("the compiler reports %v, want the one action that is not granted", more)
	}
	for channel, want := range map[string]string{
		"table":  "guest partial, inside success, quiet success: Hello. Between us. Hush.",
		"street": "guest partial, inside denied, quiet denied: Hello.",
		"":       "guest partial, inside denied, quiet success: Hello. Hush.", // unknown
	} {
		event := act.Event{ID: "evt", Type: "e"}
		if channel != "" {
			event.Payload = tree.Object(member("channel", tree.Text(channel)))
		}
		res := hooks.Run(t.Context(), set, event, hooks.State{}, someone)
		var statuses, said []string
		for _, log := range res.Logs {
			statuses = append(statuses, log.HookID+" "+string(log.Status))
		}
		for _, e := range res.Effects {
			said = append(said, e.(effect.AddMessage).Content)
		}
		if got := strings.Join(statuses, ", ") + ": " + strings.Join(said, " "); got != want {
			t.Errorf("channel %q: %s, want %s", channel, got, want)
		}
		if code := res.Logs[0].Results[1].Code; code != act.CodeForbidden {
			t.Errorf("channel %q: the action that is not granted ends with %s", channel, code)
		}
		wantObject(t, res.Relationship, someone.Relationship.String())
	}
}
