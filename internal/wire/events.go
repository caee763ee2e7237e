package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/talewright/talewright/llm"
)

// MaxEvent is the longest event that is read, in bytes.
const MaxEvent = 16 << 20

// ErrEventTooLong is the error of an event beyond [MaxEvent].
var ErrEventTooLong = errors.New("the event is too long")

// errBody is the error of a body that is longer than its limit.
var errBody = errors.New("the body is longer than its limit")

// boundedReader reads at most left bytes and then fails with errBody. It counts the bytes after
// decompression.
type boundedReader struct {
	in    io.Reader
	left  int64
	grace time.Duration // see Events.Complete; 0: no limit
	timer *time.Timer   // closes in; nil until the reply is complete
}

// complete closes the body after the grace. Each call restarts the grace.
func (b *boundedReader) complete() {
	body, closes := b.in.(io.Closer)
	switch {
	case !closes || b.grace <= 0:
	case b.timer == nil:
		b.timer = time.AfterFunc(b.grace, func() { body.Close() })
	default:
		b.timer.Reset(b.grace)
	}
}

// stop stops the timer of the grace.
func (b *boundedReader) stop() {
	if b.timer != nil {
		b.timer.Stop()
	}
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

// Event is one event of a stream. Data is valid until the next event is read.
type Event struct {
	Type string // empty if the server sends no name
	Data []byte // the lines of data, joined by line feeds
}

// Events reads an event stream, in time linear in its length, however it was cut into packets. It
// skips any number of comments and blank lines. The last event needs no blank line after it,
// because many servers omit it. Events without data are skipped. The fields id and retry are
// ignored. A JSON object or a list of objects between two events is an event: servers that fail in
// the middle of a stream write their error in this form.
type Events struct {
	in    *bufio.Reader
	body  *boundedReader // nil: the body has no limit
	lines []byte         // of an event, each with a line feed after it
	data  []byte
	kind  string
	err   error // reported after lines
	ended bool

	begun   int  // bytes of the current line, including a comment's
	comment bool // the current line is a comment
	skipLF  bool // a line feed that comes next belongs to the previous line
}

// NewEvents returns a reader of the events in in.
func NewEvents(in io.Reader) *Events {
	body, _ := in.(*boundedReader)
	return &Events{in: bufio.NewReaderSize(in, 32<<10), body: body}
}

// Complete records that the reply has its end mark: only usage reports may follow. A server may
// leave the connection open without sending a further event. The body is then closed after the
// grace of the [Stream]. Call Complete again after each event that follows the end mark.
func (e *Events) Complete() {
	if e.body != nil {
		e.body.complete()
	}
}

// First returns the first unread byte after white space and a byte order mark, without consuming
// it. It shows the kind of the body before the first event.
func (e *Events) First() (byte, error) {
	for {
		b, err := e.in.Peek(1)
		if err != nil {
			return 0, err
		}
		switch b[0] {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
			if _, err := e.in.Discard(1); err != nil {
				return 0, err
			}
		default:
			return b[0], nil
		}
	}
}

// Open returns the first byte of the body of a reply. It returns an error if the body is empty or a
// web page, or if the connection failed.
func (e *Events) Open() (byte, error) {
	first, err := e.First()
	switch {
	case err == io.EOF:
		return 0, llm.Incomplete("the body is empty")
	case err != nil:
		return 0, Broken(err)
	case first == '<':
		page, _ := e.in.Peek(256) // fewer if the page is shorter
		return 0, llm.Incomplete("the body is a web page: " + Begin(plain(page)))
	}
	return first, nil
}

// Whole returns the unread rest, for a body that is not an event stream.
func (e *Events) Whole() ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(e.in, MaxEvent+1))
	switch {
	case err != nil:
		return nil, Broken(err)
	case len(data) > MaxEvent:
		return nil, &llm.Error{Code: llm.CodeTooLarge, Message: fmt.Sprintf("the reply is longer than %d bytes", MaxEvent)}
	}
	return data, nil
}

// Each calls take for each event with data, until the body ends, stopped returns true, or take
// fails; err is then the error of take. If an error of take wraps [io.ErrUnexpectedEOF], the event
// is the beginning of a JSON text. The error lost is the reason for the end of the events; it is
// nil at the end of the body. Either the connection failed, or there was no event at all, or [DONE]
// came; then lost is done. If done is nil, [DONE] is skipped, because gateways add it.
func (e *Events) Each(stopped func() bool, done error, take func(Event) error) (lost, err error) {
	seen := false
	for !stopped() {
		event, err := e.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Broken(err), nil
		}
		event.Data = bytes.TrimSpace(event.Data)
		switch {
		case len(event.Data) == 0:
			continue
		case string(event.Data) == "[DONE]":
			if done != nil {
				return done, nil
			}
			continue
		}
		seen = true
		if err := take(event); err != nil {
			// An incomplete JSON text at the end of the body is an interrupted reply. In the middle
			// of the body it is a mistake of the server.
			if errors.Is(err, io.ErrUnexpectedEOF) && !e.Ended() {
				err = Malformed(event.Data, errors.New("the JSON text ends too early"))
			}
			return nil, err
		}
	}
	if !seen {
		return llm.Incomplete("the body has no event"), nil
	}
	return nil, nil
}

// Ended reports whether the body was read to its end.
func (e *Events) Ended() bool { return e.ended }

// Next returns the next event. At the end of the body the error is io.EOF. An event longer than
// [MaxEvent] gives [ErrEventTooLong].
func (e *Events) Next() (Event, error) {
	for e.err == nil {
		e.fill()
		if event, ok := e.fields(); ok {
			return event, nil
		}
	}
	return Event{}, e.err
}

// fields reads the lines of one event.
func (e *Events) fields() (Event, bool) {
	kind, count := []byte(nil), 0
	var first []byte // the first data line: most events have only one
	e.data = e.data[:0]
	for rest := e.lines; len(rest) > 0; {
		line := rest
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			line, rest = rest[:end], rest[end+1:]
		} else {
			rest = nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			kind = value
		case "data":
			if count++; count == 1 {
				first = value
				continue
			}
			if count == 2 {
				e.data = append(e.data, first...)
			}
			e.data = append(append(e.data, '\n'), value...)
		}
	}
	if count == 0 {
		raw := bytes.TrimSpace(e.lines)
		if (bytes.HasPrefix(raw, []byte("{")) || bytes.HasPrefix(raw, []byte("[{"))) && json.Valid(raw) {
			return Event{Data: raw}, true
		}
		return Event{}, false
	}
	if string(kind) != e.kind { // most events of a stream have the same kind: reuse the text
		e.kind = string(kind)
	}
	if count == 1 {
		return Event{Type: e.kind, Data: first}, true
	}
	return Event{Type: e.kind, Data: e.data}, true
}

// fill reads the lines of an event.
func (e *Events) fill() {
	e.lines = e.lines[:0]
	for len(e.lines) <= MaxEvent {
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
	e.lines, e.err = nil, ErrEventTooLong
}

// take reads lines from data. It returns the number of bytes that it used, and whether an event has
// ended.
func (e *Events) take(data []byte) (used int, whole bool) {
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
			if len(line) > cap(e.lines)-len(e.lines) {
				more := len(line)
				if len(e.lines) >= 128<<10 { // append alone would grow the slice by a quarter each time
					more += len(e.lines)
				}
				e.lines = slices.Grow(e.lines, more)
			}
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

// endLine ends a line and reports whether an event ends with it.
func (e *Events) endLine() (whole bool) {
	blank := e.begun == 0
	e.begun = 0
	if e.comment && !blank || blank && len(e.lines) == 0 {
		return false
	}
	e.lines = append(e.lines, '\n')
	return blank
}

// stop keeps the remaining lines if the body ended normally. If the body was interrupted, only
// complete events count.
func (e *Events) stop(err error) {
	e.err = err
	e.ended = err == io.EOF
	if !e.ended {
		e.lines = nil
	}
}
