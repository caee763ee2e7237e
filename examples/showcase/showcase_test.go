package showcase_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/authoring"
	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm/llmtest"
)

var languages = []string{"en", "zh"}

// pages are the pages about the game. The last block of a page has lines that lead to an end.
var pages = map[string]string{"en": "README.md", "zh": "README.zh.md"}

// TestShowcase: in each language the game has no problem, is complete, passes its scenarios and keeps
// the secrets of its two players. The rules without words are the same.
func TestShowcase(t *testing.T) {
	var clock []byte
	for l, lang := range languages {
		g, problems := authoring.Load(os.DirFS(lang))
		compiled, more := g.Compile()
		for _, p := range append(append(problems, more...), g.Vet(compiled)...).AtLeast(talewright.Warning) {
			t.Errorf("%s: %s", lang, p)
		}
		data, err := os.ReadFile(path.Join(lang, "rules/clock.yaml"))
		if err != nil || l > 0 && !bytes.Equal(data, clock) {
			t.Errorf("%s: rules/clock.yaml differs: %v", lang, err)
		}
		clock = data
		t.Run(lang, func(t *testing.T) {
			complete(t, &g)
			walk(t, &g, pages[lang])
			scenarios(t, &g, 2*l)
			secrets(t, &g, compiled, sessions[lang])
		})
	}
}

// complete checks the counts of the parts.
func complete(t *testing.T, g *authoring.Game) {
	entries, formulas := 0, 0
	for _, b := range g.Content.Lore.Books {
		entries += len(b.Book.Entries)
	}
	for _, v := range g.Content.Rules.Variables {
		if v.Formula != "" {
			formulas++
		}
	}
	got := fmt.Sprintf("%d places, %d cards, %d entries, %d rules and reactions, %d hooks, %d formulas, %d scenarios",
		len(g.Setup.Map.Areas), len(g.Content.People.Cast)-1, entries, // one of the cast is the narrator
		len(g.Content.Rules.Rules)+len(g.Content.Rules.Reactions), len(g.Content.Rules.Hooks), formulas, len(g.Tests))
	if want := "20 places, 12 cards, 150 entries, 60 rules and reactions, 30 hooks, 9 formulas, 40 scenarios"; got != want {
		t.Error(got)
	}
}

// walk checks that a scenario answers each line of the walk on a page, so that it plays without a
// model.
func walk(t *testing.T, g *authoring.Game, page string) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(data), "\n```\n")
	if len(parts) != 3 {
		t.Fatalf("%s has %d parts", page, len(parts))
	}
	all := strings.Join(slices.Collect(maps.Values(g.Tests)), "\n")
	for said := range strings.Lines(parts[1] + "\n") {
		if !strings.HasPrefix(said, "/") && !strings.Contains(all, "\nsay "+said) {
			t.Errorf("%s: no scenario has the line %q", page, said)
		}
	}
}

// scenarios plays the scenarios. Without FULL it plays a fifth of them, from the given one on.
func scenarios(t *testing.T, g *authoring.Game, first int) {
	game, err := campaigntest.Prepare(g.Content, g.Setup)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range slices.Sorted(maps.Keys(g.Tests)) {
		if !testkit.Full() && i%5 != first {
			continue
		}
		s, problems := campaigntest.ParseScenario(name, g.Tests[name])
		report, err := game.Verify(t.Context(), s)
		if err := cmp.Or(problems.Err(), err); err != nil {
			t.Error(err)
		}
		for _, fault := range report.Faults {
			t.Error(fault)
		}
	}
}

// line is a line of a player and its reply. A line that only the player hears has a secret of the
// player, and so has its reply.
type line struct {
	actor, text, reply string
	alone              bool
}

// secrets plays a session of two players. No request for one of them and nothing that one of them may
// read has a secret of the other.
func secrets(t *testing.T, g *authoring.Game, compiled *game.Game, session session) {
	model := llmtest.NewScripted()
	for _, l := range session.lines {
		model.Add(llmtest.Text(l.reply))
	}
	engine, err := campaign.New(campaign.Config{Game: compiled, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	g.Setup.ID = "showcase"
	if _, err := engine.Create(t.Context(), g.Setup); err != nil {
		t.Fatal(err)
	}
	read := map[string]string{} // by the player
	for _, l := range session.lines {
		s := campaign.Submit{ActorID: l.actor, Text: l.text}
		if l.alone {
			s.Audience = []string{l.actor}
		}
		outcome, err := engine.Turn(t.Context(), g.Setup.ID, s)
		if err := cmp.Or(err, outcome.Err()); err != nil {
			t.Fatalf("%q: %v", l.text, err)
		}
		for _, viewer := range g.Setup.Selected.Party {
			if shown, ok := outcome.ForPlayers(viewer); ok {
				read[viewer] += fmt.Sprintf("%+v %+v\n", shown, shown.Turn)
			}
		}
	}
	requests := model.Requests()
	if len(requests) != len(session.lines) || model.Remaining() > 0 {
		t.Fatalf("%d requests for %d lines", len(requests), len(session.lines))
	}
	prompts := map[string]string{} // by the player
	for i, l := range session.lines {
		prompts[l.actor] += fmt.Sprint(requests[i].Messages)
	}
	for owner, words := range session.secrets {
		for _, viewer := range g.Setup.Selected.Party {
			for i, word := range words {
				if got := strings.Contains(prompts[viewer], word); got != (viewer == owner) {
					t.Errorf("a request for %s has %q: %v", viewer, word, got)
				}
				// The last word is said in a line that only its owner hears.
				if got := strings.Contains(read[viewer], word); got != (viewer == owner && i == len(words)-1) {
					t.Errorf("%s reads %q: %v", viewer, word, got)
				}
			}
		}
	}
}

// session is a session of two players, and the words of each player's secrets.
type session struct {
	secrets map[string][]string
	lines   []line
}

var sessions = map[string]session{
	"en": {
		secrets: map[string][]string{"surveyor": {"Early Frost", "contour", "grandmother Rose"}, "ferrygirl": {"third plank", "Crane, alive", "willow knife"}},
		lines: []line{
			{"surveyor", "I step ashore and read the notice about the seventh day.", "The ink is a little paler.", false},
			{"ferrygirl", "I moor the Magpie and look over to the huts in the reed beds.", "There is no smoke.", false},
			{"surveyor", "I think of the red line, the flood line, and open the field book.", "The paper has a watermark.", false},
			{"ferrygirl", "I feel for the willow knife in my boot.", "The willow knife is cold.", true},
			{"surveyor", "I ask what she is looking for. What is hidden on her ferry?", "She looks at the water.", false},
			{"surveyor", "I say to the river: grandmother Rose, I am here.", "The river does not ask who grandmother Rose is.", true},
			{"ferrygirl", "What did you just say? Was it about the closing?", "He shuts the field book.", false},
			{"ferrygirl", "People talk about a hermit in the reeds, and about the engineer.", "Somebody coughs.", false},
			{"surveyor", "Was the boot of Aldous Crane found in the backwater?", "The sole was dry.", false},
			{"ferrygirl", "I ask at the record room for the ledger.", "Nobody answers.", false},
			{"surveyor", "If the ledger is not in the record room, where is it?", "There is reed down in the dust.", false},
			{"ferrygirl", "I say: the day on which the gates close is printed too well.", "The paste still smells.", false},
			{"surveyor", "I put the theodolite on the table and ask for a pot of tea.", "The steam rises straight up.", false},
			{"ferrygirl", "I lean on the pillar and look at his seal and its red lacquer.", "The lacquer shines.", false},
			{"surveyor", "I say: tomorrow we go into the reed beds.", "A shadow on the table moves.", false},
		},
	},
	"zh": {
		secrets: map[string][]string{"surveyor": {"早霜", "等高线", "姓苏的祖母"}, "ferrygirl": {"舱板", "活着的顾长川", "柳叶刀"}},
		lines: []line{
			{"surveyor", "我下船，抬头看告示上的第七日。", "墨色略淡。", false},
			{"ferrygirl", "我系好喜鹊号，望一眼芦荡那边的芦棚。", "那边没有烟。", false},
			{"surveyor", "我想着红线，想着淹没线，打开手簿。", "纸上有水印。", false},
			{"ferrygirl", "我摸了摸靴筒里的柳叶刀。", "柳叶刀是凉的。", true},
			{"surveyor", "我问她在摸什么，她的渡船上藏着什么？", "她看着水。", false},
			{"surveyor", "我对着江水念：姓苏的祖母，我来了。", "江水不问姓苏的祖母是谁。", true},
			{"ferrygirl", "你刚才在念什么？是不是下闸的事？", "他合上了手簿。", false},
			{"ferrygirl", "我听人说起守着芦荡的那个人，也听人说起顾长川。", "有人咳嗽。", false},
			{"surveyor", "顾长川的靴子，是在回水湾找到的吗？", "靴底是干的。", false},
			{"ferrygirl", "我去册房那边问地契册的事。", "没有人答话。", false},
			{"surveyor", "地契册不在册房，会在哪里？", "灰里有芦花。", false},
			{"ferrygirl", "我说：闸门的日子，印得太干净了。", "糨糊味还没散。", false},
			{"surveyor", "我把经纬仪放在桌上，要一壶茶。", "茶烟直上。", false},
			{"ferrygirl", "我靠着柱子，看他的封条和红漆。", "红漆发亮。", false},
			{"surveyor", "我说：明天一早，去芦荡。", "桌上的影子动了动。", false},
		},
	},
}
