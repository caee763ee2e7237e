package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// optionBook reads a book in the form of SillyTavern's files. Each entry has a uid, the keys (with
// commas), a content "Text of uid." and further members.
func optionBook(t *testing.T, entries ...[3]string) worldbook.Attachment {
	t.Helper()
	var list []string
	for _, e := range entries {
		keys := ""
		if e[1] != "" {
			keys = `"` + strings.ReplaceAll(e[1], ",", `","`) + `"`
		}
		list = append(list, `"`+e[0]+`":{"uid":"`+e[0]+`","key":[`+keys+`],"content":"Text of `+e[0]+`.","order":100,"position":0,"probability":100,`+
			`"extensions":{"talewright":{`+e[2]+`}}}`)
	}
	book, problems := format.Parse([]byte(`{"entries":{` + strings.Join(list, ",") + `}}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	book.Name = "b"
	return worldbook.Attachment{Book: book}
}

// playsLore plays lines, each "line > uids of the entries in its prompt". The campaign is loaded
// again after each turn.
func playsLore(t *testing.T, content game.Content, lines ...string) *turn.Machine {
	t.Helper()
	m := begin(t, content)
	for _, row := range lines {
		line, want, _ := strings.Cut(row, " >")
		text := promptOf(t, m, line)
		got := ""
		for _, e := range content.Lore.Books[0].Book.Entries {
			if strings.Contains(text, e.Content) {
				got += " " + e.UID
			}
		}
		if got != want {
			t.Errorf("%q: the prompt has%s, want%s", line, got, want)
		}
		m = turn.NewMachine(compile(t, content), m.Campaign())
	}
	return m
}

// TestExpressionsPlay: an entry joins a prompt while its expression holds (WB-42).
func TestExpressionsPlay(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth = 1
	playsLore(t, game.Content{Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{optionBook(t,
		[3]string{"lair", "dragon,wyrm", `"when":"NOT (boat OR fruit)"`}, [3]string{"hoard", "", `"when":"(dragon OR wyrm) AND gold"`})}}},
		"I see a dragon. > lair", "A dragon boat with gold! > hoard", "A wyrm on its gold. > lair hoard", "I wait. >")
}

// TestSourcesPlay: an entry searches its keys only in the lines of the player, or only in the lines
// of the model. An entry of a character takes part while this character acts (WB-46).
func TestSourcesPlay(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth = 2
	playsLore(t, game.Content{Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{optionBook(t,
		[3]string{"said", "passes", `"from":["player"]`}, [3]string{"told", "passes", `"from":["model"]`},
		[3]string{"own", "wait", `"actors":["ren"]`}, [3]string{"other", "wait", `"actors":["nobody"]`})}}},
		"I wait. > own", "I wait. > told own", "Time passes, and I wait. > said told own")
}

// TestActorsPlay: an entry of a character takes part while this character acts or answers, by any of
// its names (WB-46).
func TestActorsPlay(t *testing.T) {
	t.Parallel()
	book := optionBook(t, [3]string{"id", "wait", `"actors":["hero"]`}, [3]string{"name", "wait", `"actors":["REN"]`}, [3]string{"user", "wait", `"actors":["Traveller"]`},
		[3]string{"card", "wait", `"actors":["Orin"]`}, [3]string{"cardid", "wait", `"actors":["smith"]`}, [3]string{"else", "wait", `"actors":["Mei"]`})
	for _, c := range []struct {
		people game.People
		want   string
	}{
		{game.People{}, "id name"},
		{game.People{UserName: "Traveller", Card: &card.Card{Name: "Orin"}}, "id name user card cardid"},
		{game.People{Card: &card.Card{Name: "Bram"}}, "id name"},
		{game.People{Cast: []game.CastMember{{CharacterID: "smith", Card: &card.Card{Name: "Orin"}}}}, "id name card cardid"},
	} {
		m := begin(t, game.Content{People: c.people, Lore: game.Lore{Books: []worldbook.Attachment{book}}}, `{"settings": {"turn.order": "free"}, "characters": [
			{"character_id": "hero", "name": "Ren", "hp": {"current": 5, "max": 5}}, {"character_id": "smith", "name": "Orin", "hp": {"current": 5, "max": 5}, "mood": {"calm": 1}}]}`)
		if got := entriesIn(promptOf(t, m, "I wait."), book); got != c.want {
			t.Errorf("%+v: %q, want %q", c.people, got, c.want)
		}
	}
}

// entriesIn returns the IDs of the entries whose content a prompt contains.
func entriesIn(prompt string, book worldbook.Attachment) string {
	var ids []string
	for _, e := range book.Book.Entries {
		if strings.Contains(prompt, e.Content) {
			ids = append(ids, e.UID)
		}
	}
	return strings.Join(ids, " ")
}

// TestSpeakersPlay: an entry searches the lines of a speaker by any of its names, also if the content
// has a different name for the player (WB-46).
func TestSpeakersPlay(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth = 3
	book := optionBook(t, [3]string{"id", "bell", `"from":["hero"]`}, [3]string{"name", "bell", `"from":["REN"]`}, [3]string{"user", "bell", `"from":["Traveller"]`},
		[3]string{"card", "gong", `"from":["Orin"]`}, [3]string{"cardid", "gong", `"from":["smith"]`}, [3]string{"else", "bell,gong", `"from":["Mei"]`})
	for _, c := range []struct {
		people game.People
		want   string
	}{
		{game.People{}, "id name"},
		{game.People{UserName: "Traveller", Card: &card.Card{Name: "Orin", Nickname: "Old Orin"}}, "id name user card"},
		{game.People{Card: &card.Card{Name: "Orin"}}, "id name card cardid"},
		{game.People{UserName: "Traveller", Cast: []game.CastMember{{CharacterID: "smith", Card: &card.Card{Name: "Orin"}}}}, "id name user card cardid"},
	} {
		m := begin(t, game.Content{People: c.people, Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{book}}}, `{"characters": [
			{"character_id": "hero", "name": "Ren", "hp": {"current": 5, "max": 5}}, {"character_id": "smith", "name": "Orin", "hp": {"current": 5, "max": 5}}]}`)
		play(t, m, turn.Submit{Text: "A bell!"}, "A gong.")
		if got := entriesIn(promptOf(t, m, "I wait."), book); got != c.want {
			t.Errorf("%+v: %q, want %q", c.people, got, c.want)
		}
	}
}

// TestRoundsPlay: durations count the lines of the player, for any number of replies (WB-47).
func TestRoundsPlay(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth = 1
	playsLore(t, game.Content{Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{optionBook(t,
		[3]string{"bell", "bell", `"stickyRounds":2,"cooldownRounds":1`}, [3]string{"truth", "bell", `"delayRounds":5`})}}},
		"A bell. > bell", "Hm. > bell", "Hm. > bell", "A bell. >", "A bell. > bell", "A bell. > bell truth")
}

// TestLimitsPlay: a limit allows one entry of a book in a prompt, and a long text is cut (WB-44).
func TestLimitsPlay(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth, settings.Limits = 1, []worldbook.Limit{{Book: "b", Entries: 1}}
	book := optionBook(t, [3]string{"bell", "bell", ""}, [3]string{"tower", "tower", `"maxTokens":12`})
	book.Book.Entries[1].Content += strings.Repeat(" Nobody knows who built it.", 20)
	m := begin(t, game.Content{Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{book}}})
	for line, want := range map[string][2]bool{"A bell in a tower.": {true, false}, "A tower.": {false, true}} {
		text := promptOf(t, m, line)
		if got := [2]bool{strings.Contains(text, "Text of bell."), strings.Contains(text, "Text of tower. Nobody knows")}; got != want {
			t.Errorf("%q: bell and tower are %v, want %v", line, got, want)
		}
		if strings.Count(text, "Nobody knows") > 1 {
			t.Errorf("%q: the text is not cut:\n%s", line, text)
		}
	}
}

// TestLinksPlay: an entry waits for the entry that it requires and keeps out the entry that it
// excludes. The weather that was called last stays, also after a reload (WB-43).
func TestLinksPlay(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth = 1
	playsLore(t, game.Content{Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{optionBook(t,
		[3]string{"siege", "siege", `"requires":["town"],"excludes":["fair"]`}, [3]string{"town", "town", ""}, [3]string{"fair", "town", ""},
		[3]string{"rain", "rain", `"replaces":"sky"`}, [3]string{"sun", "sun", `"replaces":"sky"`})}}},
		"A siege. >", "The town. > town fair", "The siege of the town in the rain. > siege town rain", "I wait. > rain", "I wait. > rain",
		"The sun over the town. > town fair sun", "I wait. > sun")
}

// TestFoldPlays: keys find the other spelling of Chinese words and full-width letters, by the
// settings and by an entry, and Korean words before their particles (WB-45).
func TestFoldPlays(t *testing.T) {
	t.Parallel()
	settings := worldbook.Exact()
	settings.Depth, settings.Fold, settings.WholeWords = 1, []string{"chinese"}, worldbook.WordsUnicode
	playsLore(t, game.Content{Lore: game.Lore{Settings: settings, Books: []worldbook.Attachment{optionBook(t,
		[3]string{"hair", "头发", ""}, [3]string{"elf", "elf", `"fold":["width"]`}, [3]string{"orc", "orc", ""}, [3]string{"마왕", "마왕", ""})}}},
		"她的頭髮很長。 > hair", "Ｅｌｆ, ｏｒｃ? > elf", "마왕이 온다. > 마왕", "마왕성. >")
}
