package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/llm"
)

// ErrNotRecorded is the cause of a [Player]'s error for a request that is not in its recording, or
// not as often.
var ErrNotRecorded = errors.New("llmtest: the request is not in the recording")

// Player is a model that answers from a recording, with the recorded chunks. Make one with
// [NewPlayer]; it is safe for concurrent use. A request that was recorded several times gets its
// replies in the order of the recording.
type Player struct {
	notes []exchange

	mu       sync.Mutex
	unplayed int
	waiting  map[string][]int // by request: the indexes of the remaining notes, in order
	recorded map[string]int   // by request: the number of recorded replies
}

// NewPlayer reads a recording that a [Recorder] wrote. The error lists the number of every line
// that cannot be read.
func NewPlayer(recording []byte) (*Player, error) {
	p := &Player{waiting: map[string][]int{}, recorded: map[string]int{}}
	var problems []error
	number := 0
	for line := range bytes.Lines(recording) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		note, err := readNote(line)
		if err != nil {
			problems = append(problems, fmt.Errorf("llmtest: recording, line %d: %w", number, err))
			continue
		}
		request := string(note.Request)
		p.waiting[request] = append(p.waiting[request], len(p.notes))
		p.recorded[request]++
		p.notes = append(p.notes, note)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	p.unplayed = len(p.notes)
	return p, nil
}

// readNote decodes one line and converts its request to the canonical form, so that a recording may
// be reformatted by hand.
func readNote(line []byte) (exchange, error) {
	var note exchange
	if err := json.Unmarshal(line, &note); err != nil {
		return note, err
	}
	if note.Request == nil {
		return note, errors.New("there is no \"request\"")
	}
	var req llm.Request
	if err := json.Unmarshal(note.Request, &req); err != nil {
		return note, fmt.Errorf("request: %w", err)
	}
	if note.Chunks == nil {
		note.Chunks = llm.Chunks{}
	}
	request, err := key(req)
	note.Request = request
	return note, err
}

// Unplayed returns the number of recorded replies that were not requested.
func (p *Player) Unplayed() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unplayed
}

// Generate returns the recorded reply to exactly this request. For a different request it yields an
// [*llm.Error] that wraps [ErrNotRecorded] and shows, line by line, how the request differs from
// the nearest recorded request.
func (p *Player) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return once(ctx, func() (Reply, error) {
		note, err := p.take(req)
		return Reply{Chunks: note.Chunks, Err: note.Err}, err
	})
}

// take returns the next unplayed note with the request's key.
func (p *Player) take(req llm.Request) (exchange, error) {
	want, err := key(req)
	if err != nil {
		return exchange{}, &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if next := p.waiting[string(want)]; len(next) > 0 {
		p.waiting[string(want)] = next[1:]
		p.unplayed--
		return p.notes[next[0]], nil
	}
	return exchange{}, &llm.Error{
		Code:    llm.CodeInvalidRequest,
		Message: p.explain(want, p.recorded[string(want)]),
		Err:     ErrNotRecorded,
	}
}

// explain returns the reason why there is no reply: all recorded replies of the request are used
// up, or the request differs from all recorded requests.
func (p *Player) explain(want []byte, recorded int) string {
	switch {
	case recorded > 0:
		return fmt.Sprintf("the request was recorded %d time(s) and is made once more; "+
			"record again", recorded)
	case len(p.notes) == 0:
		return "the recording is empty"
	}
	lines := readable(want)
	count := countLines(lines)
	nearest, best := 0, -1
	for i, note := range p.notes {
		if same := count.shared(readable(note.Request)); same > best {
			nearest, best = i, same
		}
	}
	return fmt.Sprintf("the request differs from the nearest of %d recorded, number %d "+
		"(- recorded, + now); if the change is meant, record again:\n%s",
		len(p.notes), nearest+1, utf8text.Diff(readable(p.notes[nearest].Request), lines, 2))
}

// readable formats a request's JSON for reading: indented, and with a line break after each line of
// a long text. Different requests have different layouts.
func readable(request []byte) []string {
	var indented bytes.Buffer
	if json.Indent(&indented, request, "", "  ") != nil {
		return strings.Split(string(request), "\n")
	}
	var out []string
	for line := range strings.SplitSeq(indented.String(), "\n") {
		out = append(out, breakText(line)...)
	}
	return out
}

// breakText breaks a line of JSON after every escaped line feed in it.
func breakText(line string) []string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "  "
	var out []string
	start := 0
	for i := 0; i+1 < len(line); i++ {
		if line[i] != '\\' {
			continue
		}
		i++ // the escaped character
		if line[i] == 'n' && i+1 < len(line) && line[i+1] != '"' {
			out = append(out, line[start:i+1])
			start = i + 1
		}
	}
	out = append(out, line[start:])
	for i := range out[1:] {
		out[i+1] = indent + out[i+1]
	}
	return out
}

// lineCount counts how often each line occurs in a text.
type lineCount map[string]int

func countLines(lines []string) lineCount {
	count := make(lineCount, len(lines))
	for _, line := range lines {
		count[line]++
	}
	return count
}

// shared counts the lines that two texts have in common, in any order. Its cost is linear in the
// second text.
func (c lineCount) shared(other []string) int {
	shared := 0
	for line, n := range countLines(other) {
		shared += min(n, c[line])
	}
	return shared
}
