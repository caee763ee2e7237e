package draft

import "testing"

// TestTextsAreJoinedAsTheyAreWritten checks that a continued text is joined by the rules of its
// language, with any missing blanks.
func TestTextsAreJoinedAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, more, want, reason string }{
		{"Did you?", "When?", "Did you? When?", "a sentence ends with a question mark"},
		{"Stop!", "Now.", "Stop! Now.", "or with an exclamation mark"},
		{"He said:", "no.", "He said: no.", "a colon"},
		{"(He waits.)", "Then he goes.", "(He waits.) Then he goes.", "a closing bracket"},
		{"‘No.’", "She goes.", "‘No.’ She goes.", "a closing quotation mark"},
		{"100%", "of it.", "100% of it.", "a sign behind a number"},
		{"Wait", "...", "Wait...", "a closing sign is not apart from its word"},
		{"", "He waits.", "He waits.", "there is no text yet"},
		{"“Wait", "”, she said.", "“Wait”, she said.", "nor is a quotation mark that closes"},
		{"She said “", "no”.", "She said “no”.", "nothing stands behind one that opens"},
		{"a (", "b)", "a (b)", "nor behind an opening bracket"},
		{"well-", "known", "well-known", "a hyphen joins"},
		{"文が終わる。", "次の文。", "文が終わる。次の文。", "no blanks between words"},
		{"你好吗？", "When?", "你好吗？When?", "a wide sign brings its own room"},
		{"문이 열린다.", "바람이 분다.", "문이 열린다. 바람이 분다.", "Korean has blanks"},
		{"ประตู", "เปิด", "ประตูเปิด", "Thai has none between words"},
	} {
		if got := Joined(c.text, c.more, c.more); got != c.want {
			t.Errorf("%q and %q: %q, want %q: %s", c.text, c.more, got, c.want, c.reason)
		}
	}
}

// TestBlanksOfTheModelJoinTexts checks that the blanks before a continued text, which the model has
// written, decide what joins it, and that a repeated beginning is not joined.
func TestBlanksOfTheModelJoinTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, more, raw, want, reason string }{
		{"He waits.", "Rain.", "\n\nRain.", "He waits.\n\nRain.", "a new paragraph"},
		{"He waits.", "Rain.", "\n \n\nRain.", "He waits.\n\nRain.", "more blank lines are one paragraph"},
		{"He waits.", "Rain.", " \nRain.", "He waits.\nRain.", "a new line"},
		{"well-", "known", " known", "well- known", "a blank of the model counts where none is needed"},
		{"你好。", "雨。", "\n雨。", "你好。\n雨。", "also between wide signs"},
		{"He waits.\n", "Rain.", "\n\nRain.", "He waits.\nRain.", "the text ends with a blank already"},
		{"He waits.", "\tRain.", "\n\n\tRain.", "He waits.\tRain.", "the addition begins with one"},
		{"", "Rain.", "\n\nRain.", "Rain.", "there is no text yet"},
		{"He waits.", "", "\n\n", "He waits.", "nothing is added"},
		{"He waits.", "He waits. Rain.", "\nHe waits. Rain.", "He waits. Rain.", "the whole text is repeated"},
	} {
		if got := Joined(c.text, c.more, c.raw); got != c.want {
			t.Errorf("%q and %q: %q, want %q: %s", c.text, c.raw, got, c.want, c.reason)
		}
	}
}
