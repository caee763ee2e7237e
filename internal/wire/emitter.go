package wire

import "github.com/talewright/talewright/llm"

// Emitter passes the chunks of one reply to its consumer. Nothing follows the end of the reply, or
// a stop by the consumer. Incomplete characters at the end of a text wait for the next chunk.
type Emitter struct {
	Yield   func(llm.Chunk, error) bool
	stopped bool

	text, reasoning RuneJoiner
}

// Stopped reports whether the reply has ended or the consumer has stopped.
func (s *Emitter) Stopped() bool { return s.stopped }

// Text passes on a piece of the text: a JSON string; null and absent are empty.
func (s *Emitter) Text(literal Value) error {
	text, err := s.text.PushJSON(literal)
	if text != "" {
		s.Emit(llm.TextDelta{Text: text})
	}
	return err
}

// Reasoning passes on a piece of the thinking, as [Emitter.Text] does.
func (s *Emitter) Reasoning(literal Value) error {
	text, err := s.reasoning.PushJSON(literal)
	if text != "" {
		s.Emit(llm.ReasoningDelta{Text: text})
	}
	return err
}

// Emit passes on a chunk. It skips empty parts of calls.
func (s *Emitter) Emit(chunk llm.Chunk) {
	if call, ok := chunk.(llm.CallDelta); ok && call == (llm.CallDelta{Index: call.Index}) {
		return
	}
	s.stopped = s.stopped || !s.Yield(chunk, nil)
}

// Flush passes on incomplete characters as replacement characters.
func (s *Emitter) Flush() {
	if text := s.reasoning.End(); text != "" {
		s.Emit(llm.ReasoningDelta{Text: text})
	}
	if text := s.text.End(); text != "" {
		s.Emit(llm.TextDelta{Text: text})
	}
}

// Fail ends the reply with an error, after the chunks that had arrived.
func (s *Emitter) Fail(err error) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(nil, err)
	}
}

// Done ends the reply successfully.
func (s *Emitter) Done(reason llm.FinishReason) {
	s.Flush()
	if !s.stopped {
		s.stopped = true
		s.Yield(llm.Done{Reason: reason}, nil)
	}
}
