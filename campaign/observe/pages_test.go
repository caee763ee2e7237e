package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// hostile is a text that must not become markup, script or style in a page.
const hostile = `</title></style><script>alert(1)</script><img src=x onerror=alert(1)> "'><svg onload=alert(1)> {{.Title}} javascript:alert(1) ` + "\u202e"

// tale is the content of a story in one language.
type tale struct {
	lang, title, mara, harbour, tower string
	keeper, oil, cat, rats            [2]string // a keyword and a text
	night, persona                    string
	lines, replies                    []string
	doubtful, wrong                   string // replies that contradict the state
}

var tales = []tale{
	{lang: "en", title: "The Lamp of Greyhaven", mara: "Mara", harbour: "Harbour", tower: "Lighthouse",
		keeper: [2]string{"keeper", "Old Osk kept the light for forty years. Nobody has seen him since the fog came."},
		oil:    [2]string{"oil", "The lamp burns whale oil. One can lasts for one night."},
		cat:    [2]string{"lighthouse", "A grey cat sleeps on the stairs."}, night: "midnight",
		rats:    [2]string{"cellar", "Rats have the run of the cellar."},
		persona: "Mara is a diver. She has come back to the town of her childhood.",
		lines:   []string{"Where is the keeper? I look for oil at the harbour.", "I walk to the lighthouse, and light the lamp before the ship is lost.", "I go down.", "I wait."},
		replies: []string{"An old woman points up at the dark tower. \"Osk? He went up, and he did not come down.\" A single can of oil stands on the jetty.",
			"The steps are slippery. You slip and strike your knee on the iron, which costs you three hit points. Then the flame takes, and the beam sweeps out over the water.", "Fog creeps in.", "A bell rings."},
		doubtful: "The bell tolls, and 4 hit points are what it costs Mara this time.", wrong: "Mara loses 5 hp on the wet stairs."},
	{lang: "zh", title: "灰港之灯", mara: "玛拉", harbour: "港口", tower: "灯塔",
		keeper: [2]string{"守塔人", "老奥斯克守了四十年的灯塔。起雾以后再没有人见过他。"},
		oil:    [2]string{"灯油", "灯塔烧的是鲸油，一罐够烧一夜。"},
		cat:    [2]string{"灯塔", "一只灰猫睡在楼梯上。"}, night: "午夜",
		rats:    [2]string{"地窖", "地窖里到处是老鼠。"},
		persona: "玛拉是一名潜水员，回到了童年的小镇。",
		lines:   []string{"守塔人在哪里？我在港口找灯油。", "我走到灯塔，在船迷路之前点亮灯。", "我下去。", "我等待。"},
		replies: []string{"一位老妇人指了指黑沉沉的塔。“奥斯克？他上去了，就没有下来。”栈桥上只有一罐灯油。",
			"台阶湿滑，你一脚踩空，膝盖磕在铁栏上，失去三点生命值。随后火焰燃起，光束扫过海面。", "雾气涌来。", "钟声响起。"},
		doubtful: "钟声响过，四点生命值便是玛拉付的账。", wrong: "玛拉失去5点生命值。"},
}

// with returns the tale with a text in each of its texts.
func (s tale) with(text string) tale {
	s.title, s.harbour, s.tower, s.persona, s.wrong, s.doubtful = text, text, text, text, s.wrong+" "+text, s.doubtful+" "+text
	for _, of := range []*[2]string{&s.keeper, &s.oil, &s.cat, &s.rats} {
		of[1] += text
	}
	add := func(list []string) (out []string) {
		for _, one := range list {
			out = append(out, one+" "+text)
		}
		return out
	}
	s.lines, s.replies = add(s.lines), add(s.replies)
	return s
}

// content is the game of a tale.
func (s tale) content() game.Content {
	entry := func(uid string, of [2]string) worldbook.Entry {
		return worldbook.Entry{Probability: 100, GroupWeight: 100, UID: uid, Comment: of[0], Keys: []string{of[0]}, Content: of[1]}
	}
	cat := entry("3", s.cat)
	cat.SecondaryKeys, cat.Selective, cat.Logic = []string{s.night}, true, worldbook.AndAny
	always := entry("5", [2]string{s.title, s.title})
	always.Constant = true
	texts := game.English()
	if s.lang == "zh" {
		texts = game.Chinese()
	}
	every := &rules.Trigger{Type: rules.EveryTurn}
	return game.Content{
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "town",
			Entries: []worldbook.Entry{entry("1", s.keeper), entry("2", s.oil), cat, entry("4", s.rats), always}}}}},
		Rules: game.Rules{
			Variables: []rules.Variable{{ID: "fog", Name: map[string]string{"zh": "雾", "en": "Fog"}[s.lang], Type: rules.TypeNumber}, {ID: "lit", Type: rules.TypeBoolean}},
			Rules: []rules.Rule{
				{ID: "thicken", Trigger: every, Actions: effect.Actions{effect.SetVariable{Path: "fog", Operation: effect.Add, Value: tree.Int(2)}}},
				{ID: "lost", Name: s.title, Trigger: every, Actions: effect.Actions{effect.Notify{Message: s.title}},
					Conditions: []rules.Condition{{VariableID: "fog", Operator: rules.Gte, Value: tree.Int(30)}}},
			}},
		People:     game.People{Persona: s.persona},
		Prompt:     game.Prompt{Budget: prompt.Budget{Context: 4000}},
		Extensions: game.Extensions{Texts: &texts},
	}
}

// talewriter answers questions about a text, and else gives the next reply.
type talewriter struct{ *llmtest.Scripted }

func (m talewriter) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	if req.Options.Format != nil {
		return llmtest.NewScripted(llmtest.Reply{Text: `{"answers": [{"n": 1, "asserted": "yes", "who": "mara", "value": 4}]}`,
			Usage: &llm.Usage{PromptTokens: 160, CompletionTokens: 20}}).Generate(ctx, req)
	}
	return m.Scripted.Generate(ctx, req)
}

// play plays a tale: the second turn has a refused call, a contradiction and a question. Then the
// player returns and goes another way.
func (s tale) play(t *testing.T) (*campaign.Engine, *game.Game) {
	t.Helper()
	sent := 1500
	call := func(text string, calls ...llm.ToolCall) llmtest.Reply {
		sent += 40
		return llmtest.Reply{Text: text, Calls: calls, Usage: &llm.Usage{PromptTokens: sent, CachedTokens: sent * 2 / 3, CompletionTokens: 60}}
	}
	model := talewriter{llmtest.NewScripted(
		call(s.replies[0]),
		call(s.wrong), call(s.doubtful), call(s.replies[1], llm.ToolCall{ID: "c0", Name: "move", Arguments: `{"actor_id":"mara","to_area_id":"moon"}`}),
		call(s.replies[1], llm.ToolCall{ID: "c1", Name: "move", Arguments: `{"actor_id":"mara","to_area_id":"tower"}`},
			llm.ToolCall{ID: "c2", Name: "hp_delta", Arguments: `{"target_character_id":"mara","delta":-3,"cause":"iron"}`}),
		call(s.replies[2]), call(s.replies[3]), call(s.replies[2]), call(s.replies[3]),
	)}
	g, problems := game.Compile(s.content())
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	e, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model,
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Create(t.Context(), state.Setup{ID: "mill", Title: s.title, Settings: setting.Snapshot{"retry.max_retries": tree.Int(3)},
		Map: state.Map{Areas: []state.MapArea{{ID: "harbour", Name: s.harbour}, {ID: "tower", Name: s.tower}},
			Paths: []state.MapPath{{ID: "causeway", From: "harbour", To: "tower"}}},
		Characters: []state.Character{{ID: "mara", Name: s.mara, AreaID: "harbour", HP: state.HP{Current: 10, Max: 10}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range s.lines {
		do(t, e, turn.Submit{ActorID: "mara", Text: line})
	}
	do(t, e, turn.RollBack{To: "turn_0002"})
	do(t, e, turn.Submit{ActorID: "mara", Text: s.lines[3]})
	return e, g
}

// page is a page of a tale.
type page struct {
	name, lang string
	write      func(io.Writer) error
}

// storyPages returns every kind of page of tales.
func storyPages(t *testing.T, list ...tale) (out []page) {
	t.Helper()
	for _, s := range list {
		e, g := s.play(t)
		now, err := e.Campaign(t.Context(), "mill")
		if err != nil {
			t.Fatal(err)
		}
		whole := observe.CampaignReport{Game: g, Campaign: now, Turns: e.History(t.Context(), "mill", state.HistoryPage{}),
			Branches: e.Branches(t.Context(), "mill", state.HistoryBranches{})}
		graph := observe.RuleGraph{Title: s.title, Rules: g.Content().Rules, Texts: g.Texts()}
		out = append(out, page{"turn", s.lang, reported(t, e, "turn_0002").WriteHTML}, page{"campaign", s.lang, whole.WriteHTML}, page{"rules", s.lang, graph.WriteHTML})
	}
	return out
}

func (p page) html(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.write(&b); err != nil {
		t.Fatal(p.name, p.lang, err)
	}
	return b.String()
}

// browser returns a headless browser, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on the PATH")
	return ""
}

// TestPagesInABrowser: a browser shows each page, light, dark and narrow, without a message on its
// console, such as a violation of the security policy. The pictures are artifacts of the test.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	chromium, dir := browser(t), t.ArtifactDir()
	bad := tales[0].with(hostile)
	bad.lang = "hostile"
	looks := map[string][]string{"en": {"--window-size=1280,3000"}, "hostile": {"--window-size=1280,3000"},
		"zh": {"--window-size=500,4400", "--blink-settings=preferredColorScheme=0"}}
	for _, p := range append(storyPages(t, tales[1], tales[0]), storyPages(t, bad)...) {
		file := filepath.Join(dir, p.name+"-"+p.lang+".html")
		if err := os.WriteFile(file, []byte(p.html(t)), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"--headless", "--no-sandbox", "--user-data-dir=" + t.TempDir(), "--no-first-run",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--enable-logging=stderr",
			"--screenshot=" + file + ".png", "file://" + file}, looks[p.lang]...)
		out, err := exec.CommandContext(t.Context(), chromium, args...).CombinedOutput()
		if err != nil || bytes.Contains(out, []byte("CONSOLE")) {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
		if info, err := os.Stat(file + ".png"); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: no picture: %v", file, err)
		}
		if p.name == "turn" && p.lang == "en" {
			testkit.Picture(t, "../../examples/pictures/turn.png", beginning(t, file+".png", 1100))
		}
		if !testkit.Full() {
			break
		}
	}
}

// TestPagesAreData: words of players, models and authors add no markup to a page: a hostile tale has
// the tags and attributes of a harmless one.
func TestPagesAreData(t *testing.T) {
	t.Parallel()
	bad, good := storyPages(t, tales[0].with(hostile)), storyPages(t, tales[0].with("harmless"))
	for i, p := range bad {
		got, want := p.html(t), good[i].html(t)
		for _, mark := range []string{"<", ">", `"`, "<script", "<img"} {
			if a, b := strings.Count(got, mark), strings.Count(want, mark); a != b {
				t.Errorf("%s: %d times %q, not %d", p.name, a, mark, b)
			}
		}
		if n := strings.Count(got, "&lt;script&gt;alert(1)"); n < 3 {
			t.Errorf("%s: the words are in the page %d times", p.name, n)
		}
		for _, never := range []string{"ZgotmplZ", "src=\"", "href=\"", "url(", "@import", "&lt;no value", "\u202e"} {
			if strings.Contains(strings.ReplaceAll(got, "url(1", ""), never) {
				t.Errorf("%s has %q", p.name, never)
			}
		}
	}
}

// TestPagesAsTheyAre: the pages of a tale, of a turn with everything, and of rules with a hook and a
// reaction.
func TestPagesAsTheyAre(t *testing.T) {
	t.Parallel()
	graph := observe.RuleGraph{Rules: tales[0].content().Rules}
	if err := json.Unmarshal([]byte(`{"reactions": [{"id": "ring", "name": "Ring the bell"}], "hooks": [{"id": "greet", "name": "Greet",
		"event": ["user.before_turn.started", "user.before_turn.started"], "actions": [{"type": "log", "message": "An owl hoots."}]}]}`), &struct {
		Reactions *[]reactions.Reaction
		Hooks     *[]hooks.Hook
	}{&graph.Rules.Reactions, &graph.Rules.Hooks}); err != nil {
		t.Fatal(err)
	}
	whole := map[string]string{"everything": page{write: observe.Of(everything()).WriteHTML}.body(t), "relations": page{write: graph.WriteHTML}.body(t)}
	for _, p := range storyPages(t, tales[0]) {
		whole[p.name] = p.body(t)
	}
	testkit.Run(t, "testdata/pages.txt", func(*testing.T) func(testkit.Case) string {
		return func(c testkit.Case) string { return whole[c.Name] }
	})
}

// body returns the page without its style and the texts of the prompt.
func (p page) body(t *testing.T) string {
	_, body, _ := strings.Cut(p.html(t), "</style>")
	return regexp.MustCompile(`(?s)(</summary>).*?</details>`).ReplaceAllString(body, "$1")
}

// TestPagesForReaders: a page has a language, a policy, one main heading and landmarks. Each picture
// has a description, each table a caption, and each section a heading.
func TestPagesForReaders(t *testing.T) {
	t.Parallel()
	for _, p := range storyPages(t, tales...) {
		got := p.html(t)
		name := p.name + " " + p.lang
		for _, once := range []string{`<html lang="` + p.lang + `">`, "<h1>", "<main>", "<header>", `content="default-src 'none'; style-src 'unsafe-inline'"`} {
			if n := strings.Count(got, once); n != 1 {
				t.Errorf("%s has %q %d times", name, once, n)
			}
		}
		if a, b := strings.Count(got, "<table>"), strings.Count(got, "<table>\n<caption>"); a != b || a == 0 {
			t.Errorf("%s: %d of %d tables have a caption", name, b, a)
		}
		for _, tag := range regexp.MustCompile(`<(?:svg|div class="bar")[^>]*>`).FindAllString(got, -1) {
			if !strings.Contains(tag, `role="img" aria-label="`) || strings.Contains(tag, `aria-label=""`) {
				t.Errorf("%s: no description: %s", name, tag)
			}
		}
		for _, of := range regexp.MustCompile(`<section aria-labelledby="([^"]*)">`).FindAllStringSubmatch(got, -1) {
			if !strings.Contains(got, `<h2 id="`+of[1]+`">`) {
				t.Errorf("%s: no heading %q", name, of[1])
			}
		}
		if sections := strings.Count(got, "<section"); sections != strings.Count(got, "<section aria-labelledby=") {
			t.Errorf("%s: a section has no heading", name)
		}
	}
}

// TestWordsOfPages: each word that the pages use is there in both languages, with the same verbs.
func TestWordsOfPages(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	known, verbs := map[string]bool{}, regexp.MustCompile(`%(?:\[\d\])?[a-z]`)
	for line := range strings.Lines(read("pages/words.txt")) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 || known[parts[0]] {
			t.Errorf("%q is no word, or has two lines", line)
			continue
		}
		known[parts[0]] = true
		if a, b := verbs.FindAllString(parts[1], -1), verbs.FindAllString(parts[2], -1); !slices.Equal(a, b) {
			t.Errorf("%q: %v and %v", line, a, b)
		}
	}
	for _, name := range []string{"page.go", "report.go", "report_build.go", "../history.go", "lore.go", "report_html.go", "campaign_html.go", "rules_html.go", "pages/turn.html", "pages/campaign.html", "pages/rules.html"} {
		for _, of := range regexp.MustCompile(`(?:Of|say)(?:\(| )"([^"]+)"|"(r\.[a-z.]+)"`).FindAllStringSubmatch(read(name), -1) {
			if of[1] += of[2]; !known[of[1]] && !strings.HasSuffix(of[1], ".") {
				t.Errorf("%s uses the unknown word %q", name, of[1])
			}
		}
	}
}

// TestPageWords: a host replaces words, and a report that was decoded from JSON shows its lists.
func TestPageWords(t *testing.T) {
	t.Parallel()
	content := tales[0].content()
	content.Extensions.Texts.Pages = map[string]string{"said": "Spoken & heard"}
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	r := observe.Of(state.Turn{ID: "turn_0001", Index: 1, Text: "Rain falls."}, turn.Explanation{}).For(g, state.Campaign{}, "")
	if got := (page{"turn", "en", r.WriteHTML}).html(t); !strings.Contains(got, "Spoken &amp; heard</h2>") {
		t.Error(got)
	}
	data, err := json.Marshal(r)
	var back observe.Report
	if err != nil || json.Unmarshal(data, &back) != nil {
		t.Fatal(err)
	}
	if got := (page{write: back.WriteHTML}).html(t); !strings.Contains(got, "Rain falls.") || !strings.Contains(got, `<section aria-labelledby="s-turn">`) {
		t.Error(got)
	}
	got := page{"turn", "en", back.For(g, state.Campaign{}, "zh").WriteHTML}.html(t)
	if !strings.Contains(got, "<b>answer</b> Rain falls.") || !strings.Contains(got, `<html lang="zh">`) || strings.Contains(got, "Spoken") {
		t.Error(got)
	}
}

// TestPagesAreBounded: a page of thousands of turns, branches, entries and rules stays small, and says
// what it leaves out.
func TestPagesAreBounded(t *testing.T) {
	t.Parallel()
	const many = 2500
	content := tales[0].content()
	for i := range many {
		id := fmt.Sprint("extra", i)
		content.Lore.Books[0].Book.Entries = append(content.Lore.Books[0].Book.Entries, worldbook.Entry{UID: id, Keys: []string{id}, Content: id})
		content.Rules.Rules = append(content.Rules.Rules, rules.Rule{ID: id, Trigger: &rules.Trigger{Type: rules.EveryTurn},
			Actions: effect.Actions{effect.SetVariable{Path: "fog", Operation: effect.Add, Value: tree.Int(1)}}})
	}
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("雾", 5000)
	r := observe.CampaignReport{Game: g, Campaign: state.Campaign{ID: "mill"}}
	r.Turns = func(yield func(state.HistoryTurn, error) bool) {
		for i := many; i > 0; i-- {
			one := state.Turn{ID: state.TurnID(i), Index: i, BranchID: "main", UserInput: long, Text: long, Attempts: []state.Attempt{{Usage: &llm.Usage{PromptTokens: i}}}}
			for v := 0; v < 62 && i <= 100; v++ {
				one.Changes = append(one.Changes, tree.Change{Path: tree.Path{fmt.Sprint("v", v)}, Old: tree.Int(int64(i)), New: tree.Int(int64(i + 1))})
			}
			if !yield(state.HistoryTurn{Turn: one}, nil) {
				return
			}
		}
	}
	r.Branches = func(yield func(state.HistoryBranch, error) bool) {
		for i := range many {
			if !yield(state.HistoryBranch{ID: fmt.Sprint("b", i), Branch: state.Branch{Parent: "b0", ForkTurnID: state.TurnID(i), HeadTurnID: state.TurnID(i + 1)}}, nil) {
				return
			}
		}
	}
	whole := page{"campaign", "en", r.WriteHTML}.html(t)
	graph := page{"rules", "en", observe.RuleGraph{Rules: g.Content().Rules}.WriteHTML}.html(t)
	for text, in := range map[string]string{"500 earlier turns are not listed": whole, "And 2005 more": whole, "leaves out the last 2202 rules": graph} {
		if !strings.Contains(in, text) {
			t.Errorf("nobody reads %q", text)
		}
	}
	if len(whole) > 6<<20 || len(graph) > 2<<20 {
		t.Errorf("%d and %d bytes", len(whole), len(graph))
	}
	failing := errors.New("the store is away")
	r.Branches = func(yield func(state.HistoryBranch, error) bool) { yield(state.HistoryBranch{}, failing) }
	if err := r.WriteHTML(io.Discard); !errors.Is(err, failing) {
		t.Error(err)
	}
}

// beginning returns the upper part of a picture.
func beginning(t *testing.T, file string, height int) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	upper := whole.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(0, 0, whole.Bounds().Dx(), height))
	if err := png.Encode(&out, upper); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
