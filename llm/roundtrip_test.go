package llm_test

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestRoundTripOfBuiltValues builds random values of every stored type, as a host may: the value
// that is read back is equal, except for nil and empty.
func TestRoundTripOfBuiltValues(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	r := builder{rand.New(rand.NewPCG(3, 4))}
	for range 400 {
		for _, value := range []any{
			r.build(reflect.TypeFor[llm.Message]()), r.build(reflect.TypeFor[llm.ToolCall]()),
			r.build(reflect.TypeFor[llm.ToolSpec]()), r.build(reflect.TypeFor[llm.Image]()),
			r.build(reflect.TypeFor[llm.Request]()), r.build(reflect.TypeFor[llm.Options]()),
			r.build(reflect.TypeFor[llm.Usage]()), r.build(reflect.TypeFor[llm.Response]()),
			r.build(reflect.TypeFor[llm.Error]()), r.build(reflect.TypeFor[llm.Attempt]()),
			r.build(reflect.TypeFor[llm.Chunks]()), r.build(reflect.TypeFor[llmtest.Reply]()),
		} {
			data, err := openjson.Marshal(value)
			if err != nil {
				t.Fatalf("%T %+v: %v", value, value, err)
			}
			back := reflect.New(reflect.TypeOf(value))
			if err := json.Unmarshal(data, back.Interface()); err != nil {
				t.Fatalf("%T %s: %v", value, data, err)
			}
			if d := cmp.Diff(value, back.Elem().Interface(), cmpopts.EquateEmpty(), sameCause,
				cmpopts.IgnoreTypes(&llmtest.Gate{})); d != "" {
				t.Fatalf("%s (-built +read):\n%s", data, d)
			}
			again, err := openjson.Marshal(back.Interface())
			if err != nil || string(again) != string(data) {
				t.Fatalf("written again: %s, %v, want %s", again, err, data)
			}
		}
	}
}

// sameCause compares the parts of causes that JSON keeps.
var sameCause = cmp.Comparer(func(a, b error) bool {
	if absent(a) || absent(b) {
		return absent(a) && absent(b)
	}
	x, isX := errors.AsType[*llm.Error](a)
	y, isY := errors.AsType[*llm.Error](b)
	if isX && isY {
		return x.Code == y.Code && x.Error() == y.Error() && x.Body == y.Body && x.RetryAfter == y.RetryAfter
	}
	if isX != isY { // an attempt that failed with a different error type is read as CodeUnknown
		return plainCause(a) == plainCause(b)
	}
	return a.Error() == b.Error() && errors.Is(a, io.ErrUnexpectedEOF) == errors.Is(b, io.ErrUnexpectedEOF)
})

// absent reports whether there is no error, not even a nil pointer.
func absent(err error) bool {
	e, ok := err.(*llm.Error)
	return err == nil || ok && e == nil
}

// plainCause returns the text of an error, or of the cause of an error with CodeUnknown.
func plainCause(err error) string {
	if e, ok := errors.AsType[*llm.Error](err); ok && e.Code == llm.CodeUnknown && e.Err != nil {
		return e.Err.Error()
	}
	return err.Error()
}

// builder makes random values of data types.
type builder struct{ *rand.Rand }

func (b builder) build(t reflect.Type) any {
	v := reflect.New(t).Elem()
	b.fill(v)
	return v.Interface()
}

func (b builder) text() string {
	pieces := []string{"", "a", "<门>&", "\u2028", "🐉", "\"\\", "\n", "\x00", "\uFFFD", "{}", "null", "type"}
	return pieces[b.IntN(len(pieces))] + pieces[b.IntN(len(pieces))]
}

func (b builder) raw() json.RawMessage {
	raws := []string{`null`, `1.0`, `1e400`, `"<x>"`, `[]`, `{"b":1,"a":[true,null]}`, `"\ud83d"`}
	return json.RawMessage(raws[b.IntN(len(raws))])
}

func (b builder) fill(v reflect.Value) {
	switch v.Interface().(type) {
	case map[string]json.RawMessage:
		if b.IntN(3) == 0 {
			v.Set(reflect.ValueOf(map[string]json.RawMessage{"x_" + b.text(): b.raw(), "x_later": b.raw()}))
		}
		return
	case json.RawMessage:
		if b.IntN(2) == 0 {
			v.Set(reflect.ValueOf(b.raw()))
		}
		return
	case llm.Chunks:
		v.Set(reflect.ValueOf(b.chunks()))
		return
	case time.Duration:
		v.SetInt(b.Int64N(1 << 50))
		return
	case *llmtest.Gate:
		return
	}
	if v.Type() == reflect.TypeFor[error]() {
		causes := []error{nil, errors.New(b.text()), io.ErrUnexpectedEOF}
		if cause := causes[b.IntN(3)]; cause != nil {
			v.Set(reflect.ValueOf(cause))
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(b.text())
	case reflect.Bool:
		v.SetBool(b.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(b.Int64() >> b.IntN(64))
	case reflect.Uint8:
		v.SetUint(uint64(b.IntN(256)))
	case reflect.Float64:
		v.SetFloat(b.NormFloat64())
	case reflect.Pointer:
		if b.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			b.fill(v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), b.IntN(3), 3))
		for i := range v.Len() {
			b.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "GateAfter" { // only for tests, not stored
				b.fill(v.Field(i))
			}
		}
	default:
		panic("a stored type holds a " + v.Kind().String())
	}
}

// chunks returns a list of chunks of all kinds.
func (b builder) chunks() llm.Chunks {
	var out llm.Chunks
	for range b.IntN(4) {
		kinds := []llm.Chunk{
			b.build(reflect.TypeFor[llm.TextDelta]()).(llm.Chunk), b.build(reflect.TypeFor[llm.ReasoningDelta]()).(llm.Chunk),
			b.build(reflect.TypeFor[llm.Seal]()).(llm.Chunk),
			b.build(reflect.TypeFor[llm.CallDelta]()).(llm.Chunk), b.build(reflect.TypeFor[llm.UsageReport]()).(llm.Chunk),
			b.build(reflect.TypeFor[llm.Warning]()).(llm.Chunk), b.build(reflect.TypeFor[llm.Done]()).(llm.Chunk),
		}
		out = append(out, kinds[b.IntN(len(kinds))])
	}
	return out
}
