package wire

import "github.com/talewright/talewright/llm"

// Sink hands the chunks of one reply to its consumer and takes care that nothing
// follows the end, or the consumer's no. Texts are kept back as long as they may be
// half a character.
type Sink struct {
	Yield   func(llm.Chunk, error) bool
	stopped bool

	text, reasoning Stitcher
}

// Stopped reports whether nothing more is wanted.
func (s *Sink) Stopped() bool { return s.stopped }

// Text hands out a piece of the text: a JSON string; null and absent are empty.
func (s *Sink) Text(literal Value) error {
	text, err := s.text.PushJSON(literal)
	if text != "" {
		s.Say(llm.TextDelta{Text: text})
	}
	return err
}

// Reasoning hands out a piece of the thinking, as [Sink.Text] does.
func (s *Sink) Reasoning(literal Value) error {
	text, err := s.reasoning.PushJSON(literal)
	if text != "" {
		s.Say(llm.ReasoningDelta{Text: text})
	}
	return err
}

// Say hands out a chunk. Parts of calls that say nothing are left out.
func (s *Sink) Say(chunk llm.Chunk) {
	if call, ok := chunk.(llm.CallDelta); ok && call == (llm.CallDelta{Index: call.Index}) {
		return
	}
	s.stopped = s.stopped || !s.Yield(chunk, nil)
}

// Flush hands out halves of characters, as replacement characters.
func (s *Sink) Flush() {
	if text := s.reasoning.End(); text != "" {
		s.Say(llm.ReasoningDelta{Text: text})
	}
	if text := s.text.End(); text != "" {
		s.Say(llm.TextDelta{Text: text})
	}
}

// Fail ends the reply with an error, after what had come.
func (s *Sink) Fail(err error) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(nil, err)
	}
}

// Done ends the reply well.
func (s *Sink) Done(reason llm.FinishReason) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(llm.Done{Reason: reason}, nil)
	}
}
