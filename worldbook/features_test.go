package worldbook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	wb "github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// TestFeatures shows one row of the feature list per subtest, each with a small book of a few
// entries.
func TestFeatures(t *testing.T) {
	t.Parallel()
	run := func(name string, check func(*testing.T)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t)
		})
	}
	run("WB-04 AND_ANY", featureAndAny)
	run("WB-05 AND_ALL NOT_ANY NOT_ALL", featureOtherLogic)
	run("WB-06 case sensitive", featureCaseSensitive)
	run("WB-07 whole words", featureWholeWords)
	run("WB-09 before and after the card", featureBeforeAfter)
	run("WB-10 note and examples", featureNoteExamples)
	run("WB-11 at depth with a role", featureAtDepth)
	run("WB-12 outlet", featureOutlet)
	run("WB-13 order", featureOrder)
	run("WB-14 constant and disable", featureConstantDisable)
	run("WB-16 cooldown", featureCooldown)
	run("WB-17 delay", featureDelay)
	run("WB-19 probability", featureProbability)
	run("WB-21 recursion", featureRecursion)
	run("WB-23 state", featureState)
	run("WB-27 triggers and character filter", featureTriggersFilter)
	run("WB-28 recursion levels", featureLevels)
	run("WB-28 minimum activations", featureMinActivations)
	run("WB-29 keys in character and persona", featureScanData)
	run("WB-31 several books", featureBooks)
	run("WB-35 conditions", featureConditions)
	run("WB-42 boolean expressions", featureExpression)
	run("WB-43 links between entries", featureLinks)
	run("WB-43 sets of entries", featureReplaces)
	run("WB-44 limits of books and sources", featureLimits)
	run("WB-44 trimmed texts", featureTrim)
	run("WB-45 spellings", featureFold)
	run("WB-45 word edges of Unicode, Korean particles", featureUnicodeWords)
	run("WB-46 sources of a scan", featureFrom)
	run("WB-46 acting characters", featureActors)
	run("WB-47 rounds", featureRounds)
}

// featureBook compiles entries as the book "b" and accepts no problem.
func featureBook(t *testing.T, set wb.ProfileSettings, entries ...wb.Entry) *wb.Compiled {
	t.Helper()
	book := wb.Book{Name: "b", Entries: entries}
	c, problems := wb.Compile([]wb.Attachment{{Book: book}}, set)
	if slices.ContainsFunc(problems, func(p talewright.Problem) bool { return p.Severity > talewright.Warning }) {
		t.Fatal(problems)
	}
	return c
}

// roleplayBook compiles entries in the notation of the RoleplayConfig document, with its profile.
// The argument fields has further members of the config, each with its comma.
func roleplayBook(t *testing.T, fields string, entries ...string) *wb.Compiled {
	t.Helper()
	text := "{" + fields + `"worldBookEntries": [` + strings.Join(entries, ",") + "]}"
	config, problems := format.ParseRoleplay("b", []byte(text))
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return featureBook(t, config.Settings, config.Book.Entries...)
}

// says is a scan input whose chat is made of the given messages.
func says(messages ...string) wb.Input {
	in := wb.Input{ContextSize: 8192}
	for _, m := range messages {
		in.Messages = append(in.Messages, wb.Message{Text: m})
	}
	return in
}

// uids lists the activated entries, in activation order.
func uids(r wb.Result) string { return strings.Join(activated(&r), " ") }

// scanned scans a new chat and lists the activated entries.
func scanned(c *wb.Compiled, in wb.Input) string {
	r, _ := c.Scan(in, wb.State{})
	return uids(r)
}

// timeline plays a chat message by message. It writes x for messages with an active entry and a dot
// for the others.
func timeline(c *wb.Compiled, messages ...string) string {
	line := ""
	var state wb.State
	for i := range messages {
		var r wb.Result
		r, state = c.Scan(says(messages[:i+1]...), state)
		line += ".x"[min(len(r.Activated), 1):][:1]
	}
	return line
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
