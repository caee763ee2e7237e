package wiretest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
)

// Drain reads a reply and checks the rules for every reply.
func Drain(t testing.TB, seq iter.Seq2[llm.Chunk, error]) (llm.Response, error) {
	t.Helper()
	var sum llm.Collector
	var failure error
	for chunk, err := range seq {
		switch {
		case failure != nil || sum.Complete():
			t.Fatalf("after the end came %v, %v", chunk, err)
		case err != nil:
			failure = err
			if _, ok := errors.AsType[*llm.Error](err); !ok || chunk != nil {
				t.Fatalf("error %v (%T) with chunk %v", err, err, chunk)
			}
			continue
		}
		for _, text := range texts(chunk) {
			if !utf8.ValidString(text) {
				t.Fatalf("chunk %q is not valid UTF-8", text)
			}
		}
		if err := sum.Add(chunk); err != nil {
			return sum.Response(), err
		}
	}
	if failure == nil && !sum.Complete() {
		t.Fatal("the reply ended without Done and without an error")
	}
	return sum.Response(), failure
}

func texts(chunk llm.Chunk) []string {
	switch chunk := chunk.(type) {
	case llm.TextDelta:
		return []string{chunk.Text}
	case llm.ReasoningDelta:
		return []string{chunk.Text}
	case llm.CallDelta:
		return []string{chunk.ID, chunk.Name, chunk.Arguments}
	}
	return nil
}

// Packets checks that a body gives the same reply whole and byte by byte, and that the reply can be
// read back from JSON.
func Packets(t testing.TB, body []byte, decode func(io.Reader) iter.Seq2[llm.Chunk, error]) {
	t.Helper()
	whole, err := Drain(t, decode(bytes.NewReader(body)))
	piecewise, again := Drain(t, decode(iotest.OneByteReader(bytes.NewReader(body))))
	if a, b := fmt.Sprintf("%v", err), fmt.Sprintf("%v", again); a != b {
		t.Errorf("the error depends on the packets: %s / %s", a, b)
	}
	a, errA := json.Marshal(whole)
	b, errB := json.Marshal(piecewise)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the reply depends on the packets:\n%s %v\n%s %v", a, errA, b, errB)
	}
	var back llm.Response
	if err := json.Unmarshal(a, &back); err != nil {
		t.Errorf("%s does not read back: %v", a, err)
	}
}

// Failure checks the code, status, wait and Retry of an error, and whether it wraps
// io.ErrUnexpectedEOF exactly if the wanted code is CodeIncomplete.
func Failure(t testing.TB, err error, want llm.Error) *llm.Error {
	t.Helper()
	got, ok := errors.AsType[*llm.Error](err)
	if !ok {
		t.Fatalf("the error is %v (%T), want code %s", err, err, want.Code)
	}
	incomplete := want.Code == llm.CodeIncomplete
	if got.Code != want.Code || got.Status != want.Status || got.Retry != want.Retry || got.RetryAfter != want.RetryAfter ||
		errors.Is(err, io.ErrUnexpectedEOF) != incomplete {
		t.Errorf("the error is %v with status %d, retry %t, wait %v;\nwant %s, %d, %t, %v",
			err, got.Status, got.Retry, got.RetryAfter, want.Code, want.Status, want.Retry, want.RetryAfter)
	}
	return got
}
