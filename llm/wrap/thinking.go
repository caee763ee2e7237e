package wrap

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"github.com/talewright/talewright/llm"
)

// ThinkSplitter separates the thinking from a streamed text. Many models write it between the tags
// `<think>` and `</think>` before their answer. Some servers do not separate it, so the client
// must.
//
// The zero value looks for those tags. A splitter is the state of one reply: use a new one for each
// reply, from one goroutine. The result does not depend on how the text was cut into pieces.
type ThinkSplitter struct {
	Open, Close string // tags; empty: "<think>" and "</think>"
	// Inside says that the reply begins inside a block, because the prompt already ended with the
	// opening tag.
	Inside bool

	started bool
	inside  bool
	trim    bool   // white space directly after a tag belongs to the tag
	held    string // the end of the text so far, if it may be the start of a tag
}

// Split adds the next piece of the text and returns the chunks that are already certain, as
// [llm.TextDelta] and [llm.ReasoningDelta] chunks. No chunk is empty.
//
// White space after a tag is dropped. A closing tag outside of a block, and an opening tag inside a
// block, are ordinary text. A reply may contain any number of blocks, anywhere.
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

// End returns the text that was held back as a possible tag. Call it once, after the last piece. An
// unclosed block remains reasoning.
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

// overlap returns the length of the longest suffix of text that is a proper prefix of tag. Both are
// UTF-8, so it never cuts a character.
func overlap(text, tag string) int {
	for n := min(len(text), len(tag)-1); n > 0; n-- {
		if strings.HasSuffix(text, tag[:n]) {
			return n
		}
	}
	return 0
}

// SplitThinking returns a model that moves the blocks of a [ThinkSplitter] from the text to the
// reasoning. The argument splitter holds the tags; each reply uses a copy of it.
//
// Text that may be the start of a tag is buffered until the next text chunk decides, or until the
// reply ends with or without an error.
func SplitThinking(m llm.Model, splitter ThinkSplitter) llm.Model {
	splitter = ThinkSplitter{Open: splitter.Open, Close: splitter.Close, Inside: splitter.Inside}
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		seq := m.Generate(ctx, req)
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			s := splitter
			splitReply(seq, &s, yield)
		})
	})
}

// replySplitter converts the text of a reply to chunks. End returns the chunks of the text that Split
// has buffered.
type replySplitter interface {
	Split(text string) []llm.Chunk
	End() []llm.Chunk
}

// splitReply passes a reply on and replaces its text by the result of s. The buffered text comes at the
// end of the reply, with or without an error.
func splitReply(seq iter.Seq2[llm.Chunk, error], s replySplitter, yield func(llm.Chunk, error) bool) {
	pass := func(chunks []llm.Chunk) bool {
		for _, chunk := range chunks {
			if !yield(chunk, nil) {
				return false
			}
		}
		return true
	}
	for chunk, err := range seq {
		var ok bool
		text, isText := chunk.(llm.TextDelta)
		switch _, isDone := chunk.(llm.Done); {
		case isDone || err != nil:
			ok = pass(s.End()) && yield(chunk, err) && err == nil
		case isText:
			ok = pass(s.Split(text.Text))
		default:
			ok = yield(chunk, nil)
		}
		if !ok {
			return
		}
	}
	pass(s.End())
}
