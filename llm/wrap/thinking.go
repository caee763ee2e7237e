package wrap

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"github.com/talewright/talewright/llm"
)

// ThinkSplitter takes the thinking out of a streamed text. Many models write it
// between tags, `<think>` and `</think>`, in front of their answer; a server
// that does not take it out leaves that to its client.
//
// The zero value looks for those tags. A splitter is one reply's state: use a
// fresh one for each, from one goroutine. The result does not depend on how the
// text was cut into pieces.
type ThinkSplitter struct {
	Open, Close string // tags; empty: "<think>" and "</think>"
	// Inside says that the reply begins within a block, because the prompt
	// already ended with the opening tag.
	Inside bool

	started bool
	inside  bool
	trim    bool   // white space right behind a tag belongs to the tag
	held    string // the end of the text so far, if it may be the start of a tag
}

// Split takes the next piece of the text and returns what is certain by now, as
// [llm.TextDelta] and [llm.ReasoningDelta] chunks, none of them empty.
//
// White space behind a tag is dropped. A closing tag outside of a block, and an
// opening tag within one, are ordinary text. Blocks may follow anywhere in the
// reply, any number of them.
func (s *ThinkSplitter) Split(piece string) []llm.Chunk {
	if !s.started {
		s.started, s.inside, s.trim = true, s.Inside, s.Inside
	}
	text := s.held + piece
	s.held = ""
	var out []llm.Chunk
	for {
		if s.trim {
			text = strings.TrimLeft(text, " \t\r\n")
			s.trim = text == ""
		}
		tag := s.nextTag()
		before, after, found := strings.Cut(text, tag)
		if !found {
			break
		}
		out = s.emit(out, before)
		s.inside, s.trim = !s.inside, true
		text = after
	}
	keep := overlap(text, s.nextTag())
	s.held = text[len(text)-keep:]
	return s.emit(out, text[:len(text)-keep])
}

// End returns what was held back because it might have become a tag. Call it
// once, after the last piece; a block that was never closed stays reasoning.
func (s *ThinkSplitter) End() []llm.Chunk {
	rest := s.held
	s.held = ""
	return s.emit(nil, rest)
}

func (s *ThinkSplitter) nextTag() string {
	if s.inside {
		return cmp.Or(s.Close, "</think>")
	}
	return cmp.Or(s.Open, "<think>")
}

func (s *ThinkSplitter) emit(out []llm.Chunk, text string) []llm.Chunk {
	switch {
	case text == "":
		return out
	case s.inside:
		return append(out, llm.ReasoningDelta{Text: text})
	default:
		return append(out, llm.TextDelta{Text: text})
	}
}

// overlap is the length of the longest end of text that begins tag, tag itself
// excluded. As both are UTF-8, it never cuts a character.
func overlap(text, tag string) int {
	for n := min(len(text), len(tag)-1); n > 0; n-- {
		if strings.HasSuffix(text, tag[:n]) {
			return n
		}
	}
	return 0
}

// SplitThinking returns a model whose replies have the blocks of a
// [ThinkSplitter] as reasoning apart from the text. The argument splitter holds
// the tags; each reply works on a copy of it.
//
// Text that may be the start of a tag is held back until the next text chunk
// decides, at the latest until the reply ends, well or badly.
func SplitThinking(m llm.Model, splitter ThinkSplitter) llm.Model {
	splitter = ThinkSplitter{Open: splitter.Open, Close: splitter.Close, Inside: splitter.Inside}
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		seq := m.Generate(ctx, req)
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			s := splitter
			splitReply(seq, s.Split, s.End, func(done llm.Done) llm.Done { return done }, yield)
		})
	})
}

// splitReply hands on a reply with what split makes of its text, and with what it still holds when
// the reply ends, well or badly. Done returns the last chunk as it is handed on.
func splitReply(seq iter.Seq2[llm.Chunk, error], split func(string) []llm.Chunk, end func() []llm.Chunk,
	done func(llm.Done) llm.Done, yield func(llm.Chunk, error) bool) {
	pass := func(chunks []llm.Chunk) bool {
		for _, chunk := range chunks {
			if !yield(chunk, nil) {
				return false
			}
		}
		return true
	}
	for chunk, err := range seq {
		if err != nil {
			if pass(end()) {
				yield(nil, err)
			}
			return
		}
		var ok bool
		switch chunk := chunk.(type) {
		case llm.TextDelta:
			ok = pass(split(chunk.Text))
		case llm.Done:
			ok = pass(end()) && yield(done(chunk), nil)
		default:
			ok = yield(chunk, nil)
		}
		if !ok {
			return
		}
	}
	pass(end())
}
