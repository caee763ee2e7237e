package conflict_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/conflict"
)

// severities returns "kind severity" of every conflict.
func severities(conflicts []conflict.Conflict) []string {
	var out []string
	for _, c := range conflicts {
		out = append(out, c.Kind+" "+string(c.Severity))
	}
	return out
}

func TestOptions(t *testing.T) {
	t.Parallel()
	const text = "荆棘划破了你的手，你受伤了，失去2点生命值。"
	write := map[string]json.RawMessage{"hp": []byte("3"), "mood": []byte(`"grim"`)}
	const loss, wound = "hp_change_unsettled", "wound_unsettled"
	const structured = "structured_state_write block"
	for _, c := range []struct {
		name string
		opts conflict.Options
		want []string
	}{
		{"default", conflict.Options{}, []string{loss + " block", wound + " warn", structured}},
		{"mode warn lowers the text", conflict.Options{Mode: conflict.WarnOnly},
			[]string{loss + " warn", wound + " warn", structured}},
		{"mode off reads no text", conflict.Options{Mode: conflict.Off}, []string{structured}},
		{"wounds block", conflict.Options{HPQualitative: conflict.LevelBlock},
			[]string{loss + " block", wound + " block", structured}},
		{"wounds off", conflict.Options{HPQualitative: conflict.LevelOff},
			[]string{loss + " block", structured}},
		{"single detectors", conflict.Options{
			HPQualitative: conflict.LevelOff,
			Detectors: map[string]conflict.Level{
				"hp": conflict.LevelWarn, "hp_qualitative": conflict.LevelBlock,
				"structured": conflict.LevelOff, "unknown": conflict.LevelBlock,
			}},
			[]string{loss + " warn", wound + " block"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := severities(conflict.Detect(text, write, town(), c.opts))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestDoubtfulSubjectsOnlyWarn(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"受到3点伤害。", "走进大厅，火光摇曳。", "HP：3/12", "掷出了18！"} {
		got := conflict.Detect(text, nil, town(), conflict.Options{})
		if len(got) != 1 || got[0].Severity != conflict.Warn {
			t.Errorf("%s: got %v, want one warning", text, severities(got))
		}
	}
}

// Evidence of one kind does not support claims of a different kind, and each claim needs its own
// evidence.
func TestEvidence(t *testing.T) {
	t.Parallel()
	hurt := town()
	hurt.Characters[0].HP.Current = 4
	hurt.Actions = []conflict.Action{
		{Tool: "hp_delta", HP: []conflict.HPChange{
			{CharacterID: "lin", Requested: -3, Effective: -3, After: 7},
			{CharacterID: "lin", Requested: -5, Effective: -5, After: 2},
			{CharacterID: "lin", Requested: 9, Effective: 2, After: 4},
		}},
	}
	checkSentences(t, hurt, []sentenceCase{
		{"你失去3点生命值。", "", "one change"},
		{"你先后失去了8点生命值。", "", "all losses together"},
		{"你总共失去6点生命值。", "", "the sum"},
		{"你恢复了9点生命值。", "", "asked for"},
		{"你恢复了2点生命值。", "", "what was left of it"},
		{"你的生命值降到2，又升到4。", "", "values on the way"},
		{"你失去2点生命值。", "hp_amount_mismatch lin", "a gain supports no loss"},
		{"你的生命值是5。", linValue, "never had that"},
		{"苏晴失去3点生命值。", suChange, "somebody else's change"},
		{"你走进大厅。", linThere, "no move"},
	})
	moved := town()
	moved.Characters[0].AreaID = "cellar"
	moved.Actions = []conflict.Action{
		{Tool: "move", Moves: []conflict.Move{{CharacterID: "lin", From: "gate", To: "hall"}}},
		{Tool: "move", Moves: []conflict.Move{{CharacterID: "lin", From: "hall", To: "cellar"}}},
	}
	checkSentences(t, moved, []sentenceCase{
		{"你站在城门下，随后走进大厅，又下到地窖。", "", "the place left, told before the arrival"},
		{"你走进地窖。你站在城门下。", linIn, "told after the arrival"},
		{"你站在大厅深处。", "", "the area around"},
		{"你来到钟楼。", linThere, "another place"},
		{"苏晴走进地窖。", suThere, "another character"},
		{"你失去3点生命值。", linChange, "a move excuses no loss"},
	})
	fallen := town()
	fallen.Characters[0].AliveState = "dead"
	fallen.Characters[1].AliveState = "petrified"
	fallen.Characters[1].Unconscious = true
	checkSentences(t, fallen, []sentenceCase{
		{"你死了。", "", "dead"},
		{"你昏倒在地。", "", "the dead are unconscious too"},
		{"苏晴昏迷不醒。", "", "a state of the host's own"},
		{"苏晴断气了。", suLife, "unconscious is not dead"},
	})
	raised := town()
	raised.Actions = []conflict.Action{
		{HP: []conflict.HPChange{{CharacterID: "su", Requested: -8, Effective: -8}}},
		{HP: []conflict.HPChange{{CharacterID: "su", Requested: 8, Effective: 8, After: 8}}},
	}
	checkSentences(t, raised, []sentenceCase{
		{"苏晴昏了过去，又被药水救醒。", "", "she was down within the turn"},
	})
	tools := town()
	tools.Actions = []conflict.Action{{Tool: "train", Affects: []string{
		conflict.FieldCard, conflict.FieldMap, conflict.FieldGoal, conflict.FieldWorldRules,
		conflict.FieldAliveState,
	}, CharacterIDs: []string{"lin"}}}
	checkSentences(t, tools, []sentenceCase{
		{"你的力量提升了2点。", "", "a tool changed the card"},
		{"钟楼倒塌了。", "", "a tool changed the map"},
		{"最终目标改为逃跑。", "", "a tool changed the goal"},
		{"检定规则已更新。", "", "a tool changed the rules"},
		{"苏晴的力量提升了2点。", "card_rewrite su", "the tool trained somebody else"},
		{"苏晴死了。", suLife, "life states need their own evidence"},
		{"你失去3点生命值。", linChange, "hit points need their own evidence"},
	})
}

// CA-27: a hidden goal never leaks, not even in speech.
func TestHiddenGoal(t *testing.T) {
	t.Parallel()
	chinese := town()
	chinese.Goal = conflict.Goal{Text: "找到沉睡在钟楼底下的第七把银钥匙并毁掉它", Hidden: true}
	english := town()
	english.Goal = conflict.Goal{Text: "Destroy the silver key below the Bell Tower.", Hidden: true}
	short := town()
	short.Goal = conflict.Goal{Text: "弑王", Hidden: true}
	open := chinese
	open.Goal.Hidden = false
	for _, c := range []struct {
		name, text, quote string
		view              conflict.View
	}{
		{"in speech", "老人说：“去找到沉睡在钟楼底下的第七把银钥匙。”", "找到沉睡在钟楼底下的第七", chinese},
		{"across a comma", "沉睡在钟楼底下的，第七把银钥匙", "沉睡在钟楼底下的，第七把银", chinese},
		{"eleven characters", "他说起沉睡在钟楼底下的第七把。", "沉睡在钟楼底下的第七把", chinese},
		{"six words", "They must destroy THE silver key below the tower.", "destroy THE silver key below the", english},
		{"five words", "The silver key below the stairs.", "", english},
		{"a short goal", "他要弑王。", "弑王", short},
		{"not hidden", "找到沉睡在钟楼底下的第七把银钥匙并毁掉它", "", open},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want := c.quote
			if c.name == "eleven characters" {
				want = "" // one unit too few
			}
			got := ""
			for _, f := range conflict.Detect(c.text, nil, c.view, conflict.Options{}) {
				if f.Kind == conflict.HiddenGoalLeak && f.Severity == conflict.Block {
					got = f.Quote
				}
			}
			if got != want {
				t.Errorf("quote %q, want %q", got, want)
			}
		})
	}
}

// CA-24: the instructions for the model.
func TestReport(t *testing.T) {
	t.Parallel()
	got := conflict.Detect("你失去3点生命值。", nil, town(), conflict.Options{})
	want := []conflict.Conflict{{
		Detector: "hp", Kind: "hp_change_unsettled", Severity: conflict.Block,
		Field: "hp.current", EntityID: "lin",
		Expected:    conflict.Facts{"hp": 10, "applied_delta": 0},
		Found:       conflict.Facts{"claimed_delta": -3},
		Quote:       "失去3点生命值",
		Instruction: "不得自行改变生命值：请用 hp_delta 工具请求结算，或删去这句话。",
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	english := conflict.Detect("Ｌｉｎ　loses ５ HP.", nil, town(), conflict.Options{})
	if len(english) != 1 || english[0].Quote != "loses ５ HP" ||
		!strings.Contains(english[0].Instruction, "request hp_delta") {
		t.Errorf("got %+v", english)
	}
}

func TestRepeatedClaimIsReportedOnce(t *testing.T) {
	t.Parallel()
	got := conflict.Detect(strings.Repeat("你失去5点生命值。", 20), nil, town(), conflict.Options{})
	if len(got) != 1 {
		t.Errorf("%d conflicts, want 1", len(got))
	}
}

// A host's own detector uses the same reading and may replace a built-in one.
func TestExtraDetectors(t *testing.T) {
	t.Parallel()
	gold := conflict.Named{Name: "gold", Kinds: []string{"gold_unsettled"},
		Detector: conflict.DetectorFunc(func(r *conflict.Reading) []conflict.Conflict {
			const phrase = "金币少了"
			i := strings.Index(r.Narration, phrase)
			if i < 0 || !r.Asserted(i, i+len(phrase)) {
				return nil
			}
			ids, certain := r.Subject(i)
			if len(ids) == 0 || !certain {
				return nil
			}
			return []conflict.Conflict{{
				Kind: "gold_unsettled", Severity: conflict.Block, EntityID: ids[0], Quote: phrase,
			}}
		})}
	opts := conflict.Options{Extra: []conflict.Named{gold}}
	for text, want := range map[string]string{
		"苏晴身上金币少了。":    "su",
		"苏晴身上金币少了吗？":   "",
		"“苏晴身上金币少了。”":  "",
		"苏晴没有发现金币少了。":  "",
		"苏晴身后的守卫金币少了。": "",
	} {
		got := ""
		for _, c := range conflict.Detect(text, nil, town(), opts) {
			got = c.EntityID
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	silent := conflict.Named{Name: "hp",
		Detector: conflict.DetectorFunc(func(*conflict.Reading) []conflict.Conflict { return nil })}
	opts = conflict.Options{Extra: []conflict.Named{silent}}
	if got := conflict.Detect("你失去5点生命值。", nil, town(), opts); len(got) > 0 {
		t.Errorf("replaced detector still reports %v", got)
	}
}

// Detect reads any text, quotes it exactly and does not modify its arguments.
func FuzzDetect(f *testing.F) {
	for _, s := range []string{
		"你失去了5点生命值。", "“你会受到3点伤害！”守卫警告道。", "Su's HP: 2/8, “\n”",
		"大厅现在可以直接通往钟楼。", "从现在起不再需要掷骰", "\xff你的\xc3力量+2", "Lin rolls a 3.",
		"HP-3 -3 HP", "你的生命值从10降到", "被你", "的你们", "'s 're n't", "İ你",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		view := town()
		view.Goal = conflict.Goal{Text: "找到第七把银钥匙", Hidden: true}
		for _, c := range conflict.Detect(text, nil, view, conflict.Options{}) {
			if c.Quote == "" || !strings.Contains(text, c.Quote) {
				t.Errorf("%s: quote %q is not in %q", c.Kind, c.Quote, text)
			}
			if utf8.ValidString(text) && !utf8.ValidString(c.Quote) {
				t.Errorf("%s: quote %q cuts a character", c.Kind, c.Quote)
			}
		}
		view.Goal = conflict.Goal{}
		want := town()
		if diff := cmp.Diff(want, view); diff != "" {
			t.Errorf("the view was changed:\n%s", diff)
		}
		r := conflict.Read(text, nil, view)
		for i := 0; i <= len(text); i += 1 + len(text)/8 {
			r.Asserted(i, len(text))
			r.Subject(i)
		}
	})
}

func TestBuiltinNamesAndKinds(t *testing.T) {
	t.Parallel()
	var got []string
	for _, d := range conflict.Builtin() {
		got = append(got, d.Name)
		if len(d.Kinds) == 0 {
			t.Errorf("%s lists no kinds", d.Name)
		}
	}
	want := []string{"hp", "hp_qualitative", "life", "location", "world_rules", "map", "card",
		"goal", "dice", "structured"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
