package answer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/internal/declared"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

// WithClaims returns the answer with its list of claims as the member claims of [Answer.Extra]. It
// accepts each form of the list: a passage <claims>…</claims> of the text, a call of
// [declared.ToolName], or that member. Several lists are joined. A list that cannot be parsed is
// kept as a text.
func (o Answer) WithClaims() Answer {
	var lists []tree.Value
	if list := o.Extra.Get(declared.Member); list.Exists() {
		lists = append(lists, list)
	}
	text, passages := cutClaims(o.Text)
	o.Text = text
	for _, p := range passages {
		lists = append(lists, claimsOf(p))
	}
	o.Calls, o.Native, lists = withoutClaimCalls(o, lists)
	if list, ok := joinLists(lists); ok {
		if !o.Extra.IsObject() {
			o.Extra = tree.Object()
		}
		o.Extra = o.Extra.With(declared.Member, list)
	}
	return o
}

// withoutClaimCalls returns the calls of an answer other than calls of [declared.ToolName], and adds the
// lists of these to lists. The last calls of an answer are the native ones, in the order of Native.
func withoutClaimCalls(o Answer, lists []tree.Value) (calls []RawCall, native []llm.ToolCall, _ []tree.Value) {
	inText := len(o.Calls) - len(o.Native)
	native = o.Native[:0:0]
	for i, c := range o.Calls {
		if c.Tool == declared.ToolName {
			lists = append(lists, c.Args.Get(declared.Member))
			continue
		}
		calls = append(calls, c)
		if i >= inText {
			native = append(native, o.Native[i-inText])
		}
	}
	return calls, native, lists
}

// joinLists joins lists. ok is false without a list. The result may have more elements than [declared.Read]
// accepts.
func joinLists(lists []tree.Value) (joined tree.Value, ok bool) {
	lists = slices.DeleteFunc(lists, func(v tree.Value) bool { return !v.Exists() })
	switch len(lists) {
	case 0:
		return tree.Value{}, false
	case 1:
		return lists[0], true // also a value that is not a list
	}
	var all []tree.Value
	for _, list := range lists {
		if !list.IsArray() {
			all = append(all, list)
		}
		all = append(all, list.List()...)
	}
	return tree.Array(all...), true
}

var claimsTag = regexp.MustCompile(`(?i)</?claims>`)

// cutClaims removes the passages from a text. A passage that is not closed extends to the end of
// the text.
func cutClaims(text string) (rest string, passages []string) {
	tags := claimsTag.FindAllStringIndex(text, -1)
	if tags == nil {
		return text, nil
	}
	var b strings.Builder
	at, open := 0, -1
	for _, tag := range tags {
		closes := text[tag[0]+1] == '/'
		switch {
		case open < 0:
			b.WriteString(text[at:tag[0]])
			if !closes {
				open = tag[1]
			}
		case closes:
			passages, open = append(passages, text[open:tag[0]]), -1
		}
		at = tag[1]
	}
	if open >= 0 {
		return strings.TrimSpace(b.String()), append(passages, text[open:])
	}
	return strings.TrimSpace(b.String() + text[at:]), passages
}

// claimsOf parses a passage: JSON, with or without a code fence.
func claimsOf(passage string) tree.Value {
	body := withoutFence(strings.TrimSpace(passage))
	if body == "" {
		return tree.Array()
	}
	v, err := parseJSON(body)
	if err != nil {
		return tree.Text(passage)
	}
	return v
}
