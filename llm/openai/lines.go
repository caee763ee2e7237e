package openai

import (
	"bufio"
	"bytes"
	"io"
)

// lineReader hands out whole lines, as many as are there. The event parser
// looks through its buffer from the start after every read; so it is asked to
// only when a line has ended, not with every network packet of a long event.
//
// At the end of the body it adds the blank line that many servers leave out
// behind their last event.
type lineReader struct {
	in    *bufio.Reader
	lines []byte // read, not yet handed out
	err   error  // comes after lines
	ended bool   // the body was read to its end; only then comes the blank line
}

// Read implements io.Reader.
func (l *lineReader) Read(p []byte) (int, error) {
	if len(l.lines) == 0 && l.err == nil {
		l.fill()
	}
	n := copy(p, l.lines)
	l.lines = l.lines[n:]
	if n == 0 && len(p) > 0 {
		return 0, l.err
	}
	return n, nil
}

// fill reads until at least one line has ended, but no more than an event may
// hold: the parser then reports the event as too long.
func (l *lineReader) fill() {
	l.lines = l.lines[:0]
	for len(l.lines) <= maxBody {
		if _, err := l.in.Peek(1); err != nil {
			l.err = err
			if err == io.EOF {
				l.lines, l.ended = append(l.lines, "\n\n"...), true
			}
			return
		}
		buffered, _ := l.in.Peek(l.in.Buffered())
		end := bytes.LastIndexAny(buffered, "\r\n") + 1
		if end > 0 {
			buffered = buffered[:end]
		}
		l.lines = append(l.lines, buffered...)
		l.in.Discard(len(buffered))
		if end > 0 {
			return
		}
	}
}
