package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errBody is the error of a body that is longer than its limit.
var errBody = errors.New("the body is longer than its limit")

// boundedReader reads at most left bytes and then fails with errBody. What it
// bounds is what comes out of a decompression, not what travelled.
type boundedReader struct {
	in   io.Reader
	left int64
}

// Read implements io.Reader.
func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errBody
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// eventReader hands out whole events, without comments and with one blank line
// behind each. The event parser looks through its buffer from the start after
// every read; so it is asked to only when an event has ended, and comments and
// blank lines, of which there may be any number, never reach it.
//
// At the end of the body it adds the blank line that many servers leave out
// behind their last event.
type eventReader struct {
	in    *bufio.Reader
	lines []byte // of an event, read and not yet handed out
	err   error  // comes after lines
	ended bool   // the body was read to its end; only then comes the blank line

	begun   int  // bytes of the current line, a comment's included
	comment bool // the current line is one
	skipLF  bool // a line feed that comes next belongs to the line before
}

// Read implements io.Reader.
func (e *eventReader) Read(p []byte) (int, error) {
	if len(e.lines) == 0 && e.err == nil {
		e.fill()
	}
	n := copy(p, e.lines)
	e.lines = e.lines[n:]
	if n == 0 && len(p) > 0 {
		return 0, e.err
	}
	return n, nil
}

// fill reads an event, or fails with bufio.ErrTooLong if it is longer than
// maxBody.
func (e *eventReader) fill() {
	e.lines = nil
	for len(e.lines) <= maxBody {
		if _, err := e.in.Peek(1); err != nil {
			e.stop(err)
			return
		}
		buffered, _ := e.in.Peek(e.in.Buffered())
		n, whole := e.take(buffered)
		e.in.Discard(n)
		if whole {
			return
		}
	}
	e.lines, e.err = nil, bufio.ErrTooLong
}

// take reads lines out of data. It returns how much of it was used, and whether
// an event has ended.
func (e *eventReader) take(data []byte) (used int, whole bool) {
	for used < len(data) {
		if e.skipLF {
			e.skipLF = false
			if data[used] == '\n' {
				used++
				continue
			}
		}
		if e.begun == 0 {
			e.comment = data[used] == ':'
		}
		line := data[used:]
		end := bytes.IndexAny(line, "\r\n")
		if end >= 0 {
			line = line[:end]
		}
		if !e.comment {
			e.lines = append(e.lines, line...)
		}
		e.begun += len(line)
		used += len(line)
		if end < 0 {
			break
		}
		e.skipLF = data[used] == '\r'
		used++
		if e.endLine() {
			return used, true
		}
	}
	return used, false
}

// endLine closes a line and reports whether that ends an event.
func (e *eventReader) endLine() (whole bool) {
	blank := e.begun == 0
	e.begun = 0
	if e.comment && !blank || blank && len(e.lines) == 0 {
		return false
	}
	e.lines = append(e.lines, '\n')
	return blank
}

// stop keeps what is left when the body ends, well or badly. Of a body that broke
// off only whole lines count.
func (e *eventReader) stop(err error) {
	e.err = err
	if err == io.EOF {
		e.lines, e.ended = append(e.lines, "\n\n"...), true
		return
	}
	e.lines = e.lines[:bytes.LastIndexByte(e.lines, '\n')+1]
}
