package wire

import "github.com/talewright/talewright/llm"

// Sink passes the chunks of one reply to its consumer. Nothing follows the end of the reply, or a
// stop by the consumer. Incomplete characters at the end of a text are held back.
type Sink struct {
	Yield   func(llm.Chunk, error) bool
	stopped bool

	text, reasoning Stitcher
}

// Stopped reports whether the reply has ended or the consumer has stopped.
func (s *Sink) Stopped() bool { return s.stopped }

// Text passes on a piece of the text: a JSON string; null and absent are empty.
func (s *Sink) Text(literal Value) error {
	text, err := s.text.PushJSON(literal)
	if text != "" {
		s.Say(llm.TextDelta{Text: text})
	}
	return err
}

// Reasoning passes on a piece of the thinking, as [Sink.Text] does.
func (s *Sink) Reasoning(literal Value) error {
	text, err := s.reasoning.PushJSON(literal)
	if text != "" {
		s.Say(llm.ReasoningDelta{Text: text})
	}
	return err
}

// Say passes on a chunk. It skips empty parts of calls.
func (s *Sink) Say(chunk llm.Chunk) {
	if call, ok := chunk.(llm.CallDelta); ok && call == (llm.CallDelta{Index: call.Index}) {
		return
	}
	s.stopped = s.stopped || !s.Yield(chunk, nil)
}

// Flush passes on incomplete characters as replacement characters.
func (s *Sink) Flush() {
	if text := s.reasoning.End(); text != "" {
		s.Say(llm.ReasoningDelta{Text: text})
	}
	if text := s.text.End(); text != "" {
		s.Say(llm.TextDelta{Text: text})
	}
}

// Fail ends the reply with an error, after the chunks that had arrived.
func (s *Sink) Fail(err error) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(nil, err)
	}
}

// Done ends the reply successfully.
func (s *Sink) Done(reason llm.FinishReason) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(llm.Done{Reason: reason}, nil)
	}
}
