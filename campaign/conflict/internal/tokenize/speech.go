package tokenize

// quotes are the pairs that enclose speech and titles.
var quotes = [...]struct{ open, close rune }{
	{'“', '”'}, {'‘', '’'}, {'「', '」'}, {'『', '』'}, {'《', '》'}, {'"', '"'},
}

// maskSpeech replaces quoted speech by MaskRune. A quotation ends in the paragraph in which it began. An opening mark without a closing
// mark masks nothing.
func maskSpeech(runes []rune) {
	// Each kind of mark has its own search position, so a text of opening marks without closing
	// ones costs no more than other texts.
	closers := nextClosers{runes: runes}
	for i := 0; i < len(runes); i++ {
		for kind, q := range quotes {
			if runes[i] != q.open {
				continue
			}
			end := closers.after(kind, i)
			if end < 0 {
				break
			}
			for ; i < end; i++ {
				runes[i] = MaskRune
			}
			runes[i] = MaskRune
			break
		}
	}
}

// nextClosers finds the next closing mark of each kind. It reads every mark and every paragraph end
// once for each kind, whatever the number of calls.
type nextClosers struct {
	runes []rune
	at    [len(quotes)]int
}

// after returns the position of the next closing mark of the kind after i in the same paragraph, or
// -1. i must increase from call to call.
func (n *nextClosers) after(kind, i int) int {
	if n.at[kind] <= i {
		n.at[kind] = i + 1
	}
	for ; n.at[kind] < len(n.runes); n.at[kind]++ {
		switch n.runes[n.at[kind]] {
		case quotes[kind].close:
			return n.at[kind]
		case '\n':
			return -1
		}
	}
	return -1
}
