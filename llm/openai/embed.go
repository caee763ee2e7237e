package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

var errImages = errors.New("a text completion cannot have images")

// The limits of the answer to [Client.Embed], in bytes: maxVectors for the whole answer, and
// maxVector for each text that was sent. A vector of 16,384 numbers with 32 bytes each fits.
const (
	maxVectors   = 256 << 20
	maxVector    = 16384 * 32
	maxVectorEnd = 64 << 10 // for everything that is not a vector
)

// Embed returns one vector for each text, in the order of the texts. All vectors have the same
// length. An empty model means Config.Model. Usage is nil if the server reports none.
//
// Failures are [*llm.Error] values, as in [Client.Generate]. CodeMalformed (a retry may help) is an
// answer without a vector of numbers for each text. CodeTooLarge is an answer of more than 512 KiB
// for each text or 256 MiB in total. CodeTimeout comes after Config.Limits.First.
func (c *Client) Embed(ctx context.Context, model string, texts []string) ([][]float32, *llm.Usage, error) {
	s := c.s()
	if len(texts) == 0 {
		return nil, nil, ctx.Err()
	}
	inner, cancel, late := s.patient(ctx)
	defer cancel()
	vectors, usage, err := s.embed(inner, cmp.Or(model, s.config.Model), texts)
	switch {
	case err == nil:
		return vectors, usage, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case inner.Err() != nil:
		err = late
	}
	return nil, nil, s.replies.Secrets.Redact(err)
}

// patient returns a context that ends when the server has sent nothing for too long, and the error
// for that case.
func (s *settings) patient(ctx context.Context) (context.Context, context.CancelFunc, error) {
	wait := s.config.Limits.First
	wait = cmp.Or(wait, 10*time.Minute)
	if wait < 0 {
		return ctx, func() {}, nil
	}
	inner, cancel := context.WithTimeout(ctx, wait)
	return inner, cancel, &llm.Error{Code: llm.CodeTimeout, Message: fmt.Sprintf("no answer within %v", wait), Retry: true}
}

func (s *settings) embed(ctx context.Context, model string, texts []string) ([][]float32, *llm.Usage, error) {
	response, err := s.send(ctx, s.sibling("embeddings"), func() ([]byte, error) {
		if model == "" {
			return nil, errNoModel
		}
		return json.Marshal(members{"model": model, "input": texts, "encoding_format": "float"})
	})
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return nil, nil, wire.Refusal(response)
	}
	longest := min(maxVectors, maxVectorEnd+len(texts)*maxVector)
	data, err := io.ReadAll(io.LimitReader(response.Body, int64(longest)+1))
	switch {
	case err != nil:
		return nil, nil, wire.Broken(err)
	case len(data) > longest:
		return nil, nil, &llm.Error{Code: llm.CodeTooLarge, Message: fmt.Sprintf("the answer to %d texts is longer than %d bytes", len(texts), longest)}
	}
	return readVectors(data, len(texts))
}

// vector is a vector in JSON.
type vector []float32

// UnmarshalJSON refuses null for a number, which servers write for NaN. Package json reads it as 0.
func (v *vector) UnmarshalJSON(data []byte) error {
	if bytes.Contains(data, []byte("null")) {
		return errors.New("a number in a vector is null")
	}
	return json.Unmarshal(data, (*[]float32)(v))
}

// readVectors reads an answer that must have n vectors.
func readVectors(data []byte, n int) ([][]float32, *llm.Usage, error) {
	var in struct {
		Data []struct {
			Index     number `json:"index"`
			Embedding vector `json:"embedding"`
		} `json:"data"`
		Usage json.RawMessage `json:"usage"`
		Error json.RawMessage `json:"error"`
	}
	data, err := wire.Parse(data)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, nil, wire.Malformed(data, err)
	}
	if wire.Failing(string(in.Error)) {
		return nil, nil, wire.Reported(data)
	}
	out := make([][]float32, n)
	found := 0
	for i, element := range in.Data {
		at := i
		if element.Index.known {
			at = element.Index.value
		}
		switch {
		case at >= n || out[at] != nil:
			return nil, nil, wire.Malformed(data, fmt.Errorf("a vector has the place %d of %d, or a place has two vectors", at, n))
		case len(element.Embedding) == 0 || len(element.Embedding) != len(in.Data[0].Embedding):
			return nil, nil, wire.Malformed(data, errors.New("the vectors are empty or differ in length"))
		}
		out[at] = element.Embedding
		found++
	}
	if found != n {
		return nil, nil, wire.Malformed(data, fmt.Errorf("%d vectors came for %d texts", found, n))
	}
	usage, _ := readUsage(in.Usage) // counts that cannot be read are ignored
	return out, usage, nil
}
