package macro_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
)

// each repeats a text n times, with the number of the repetition for %d.
func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// largeEnv has n values in every field of an environment.
func largeEnv(n int) macro.Env {
	env := macro.Env{
		User: "Mara", Char: "Orin", Clock: time.Unix(1e9, 0), Random: func() float64 { return 0.5 },
		Vars: map[string]any{"text": "[]"}, Globals: map[string]any{}, Bare: map[string]any{},
		Macros: map[string]string{}, Outlets: map[string][]macro.Piece{},
	}
	var list []any
	object, chat := map[string]any{}, macro.Messages{}
	for i := range n {
		id := fmt.Sprint("v", i)
		list, object[id] = append(list, float64(i)), id
		env.Vars[id], env.Globals[id], env.Bare["bare"+id], env.Macros["call"+id] = id, id, id, id
		env.Group, env.Muted = append(env.Group, id), append(env.Muted, id)
		env.Outlets[id] = []macro.Piece{{Text: "{{user}}"}}
		env.Outlets["all"] = append(env.Outlets["all"], macro.Piece{Text: "{{user}}"})
		env.Card.Greetings = append(env.Card.Greetings, "{{user}} "+id)
		chat = append(chat, macro.Message{Role: "system", Text: "Hm.", Swipes: 1, Swipe: 1})
	}
	env.Vars["list"], env.Vars["object"], env.Bare["object"], env.Document = list, object, object, document{object}
	env.Card.Examples, env.Chat = each(n, "<START>\nMara: %d\n"), chat
	return env
}

type document struct{ value any }

func (d document) Get(string) (any, bool) { return d.value, true }

// scaleFeatures are texts that use a feature n times.
var scaleFeatures = []struct {
	name string
	text func(n int) string
}{
	{"plain text", func(n int) string { return strings.Repeat("They walk. ", n) }},
	{"names", func(n int) string { return each(n, "{{user}} <BOT> ") }},
	{"group", func(n int) string { return each(n, "{{group}}") }},
	{"nobody speaks", func(n int) string { return each(n, "{{groupNotMuted}}") }},
	{"not the character", func(n int) string { return each(n, "{{notChar}}") }},
	{"nothing said", func(n int) string {
		return each(n, "{{lastMessage}}{{lastUserMessage}}{{lastCharMessage}}{{lastMessageId}}{{allChatRange}}{{idle}}{{lastSwipeId}}")
	}},
	{"greetings", func(n int) string { return each(n, "{{greeting::%d}}") }},
	{"examples", func(n int) string { return each(n, "{{mesExamples}}") }},
	{"outlets", func(n int) string { return each(n, "{{outlet::v%d}}{{outlet::all}}") }},
	{"calls and bare names", func(n int) string { return each(n, "{{callv%d}}{{barev%d}}{{object}}") }},
	{"document", func(n int) string { return each(n, "{{var::a}}{{var::b}}") }},
	{"set", func(n int) string { return each(n, "{{setvar::n%d::1}}{{.m%d = 2}}{{$g%d ||= 3}}") }},
	{"get", func(n int) string { return each(n, "{{getvar::v%d}}{{.v%d}}{{getglobalvar::v%d}}") }},
	{"delete", func(n int) string { return each(n, "{{deletevar::v%d}}") }},
	{"show a list", func(n int) string { return each(n, "{{getvar::list}}{{.object}}") }},
	{"count a list", func(n int) string { return each(n, "{{incvar::list}}") }},
	{"add to a list", func(n int) string { return each(n, "{{addvar::list::%d}}") }},
	{"add to a list of text", func(n int) string { return each(n, "{{addvar::text::%d}}") }},
	{"add to a text", func(n int) string { return each(n, "{{addvar::growing::%d}}") }},
	{"compare a list", func(n int) string { return each(n, "{{.list > 1}}{{.list -= 1}}{{if .list}}x{{/if}}") }},
	{"set members", func(n int) string { return each(n, "{{setvarkey::o::k%d::v}}") }},
	{"set the members of an object", func(n int) string { return each(n, "{{setvarkey::object::v%d::v}}") }},
	{"set indexes", func(n int) string { return each(n, "{{setvarkey::text::%d::v}}") }},
	{"get members", func(n int) string { return each(n, "{{getvarkey::object::v%d}}{{getvarkey::list::%d}}") }},
	{"members by turns", func(n int) string {
		return each(n, "{{setvarkey::o::k%d::v}}{{getvarkey::o::k%d}}{{if .o}}x{{/if}}")
	}},
	{"arguments", func(n int) string { return "{{random" + each(n, "::%d") + "}}{{pick::" + each(n, "%d,") + "}}" }},
	{"dice", func(n int) string { return each(n, "{{roll::2d6}}{{pick::a::b}}{{random::a::b}}") }},
	{"times", func(n int) string { return each(n, "{{time::UTC+%d}}{{time_UTC+2}}{{datetimeformat::YYYY %d}}") }},
	{"long arguments", func(n int) string { return "{{reverse::" + each(n, "some text ") + "}}" }},
	{"nested to the limit", func(n int) string {
		return strings.Repeat("{{reverse::", 60) + each(n, "{{user}} ") + strings.Repeat("}}", 60)
	}},
	{"scopes to the limit", func(n int) string {
		return strings.Repeat("{{if 1}}", 60) + each(n, " {{user}}\n") + strings.Repeat("{{/if}}", 60)
	}},
	{"scopes", func(n int) string { return each(n, "{{if .v%d}}\n  yes {{else}} no{{/if}}") }},
	{"unscoped", func(n int) string { return each(n, "{{if %d}}{{trim}}{{setvar::x}}") }},
	{"trims", func(n int) string { return each(n, "\n{{trim}}\n%d") }},
	{"trims in a branch", func(n int) string { return "{{if 1}}x " + each(n, "{{trim}} ") + "y{{/if}}" }},
	{"trims in a blank branch", func(n int) string { return "{{if 1}}" + each(n, " {{trim}} ") + "{{/if}}" }},
	{"trims behind blanks", func(n int) string {
		return "{{if 1}}" + strings.Repeat(" ", 10*n) + "x" + each(n, "{{trim}}") + "x" + strings.Repeat(" ", 10*n) + "{{/if}}"
	}},
	{"comments", func(n int) string { return each(n, "{{// no }}{{//}} nor this {{///}}") }},
	{"unknown", func(n int) string { return each(n, "{{unheard%d::x}}{{/nothing}}") }},
	{"unclosed", func(n int) string { return each(n, "{{reverse::%d ") }},
}

// TestPerfFeatures: a text that uses a feature eight times as often, in an environment of eight
// times the size, takes about eight times as long. Quadratic work takes 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		work := func(n int) func() {
			env, text := largeEnv(n), f.text(n)
			return func() { macro.Expand(text, env) }
		}
		few, many := work(1000), work(8000)
		testkit.AtMost(t, f.name+", 8,000 against 1,000", 40, func() float64 {
			long, short := time.Hour, time.Hour
			for range 3 { // alternately, so that disturbances affect both
				long = min(long, testkit.Best(2, many))
				short = min(short, testkit.Best(6, few))
			}
			return testkit.Ratio(long, short)
		})
	}
}
