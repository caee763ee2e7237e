// Command randomgguf writes a model with random weights, half a megabyte. A real Ollama server
// loads and runs it. Its replies are noise, but in the real format:
//
//	go run ./internal/randomgguf noise.gguf
//	echo 'FROM ./noise.gguf' > Modelfile
//	ollama create noise -f Modelfile
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: randomgguf FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], model(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// The sizes of the smallest Llama model that servers accept.
const (
	width   = 64 // size of an embedding
	inner   = 128
	heads   = 4
	context = 8192
)

// The types of values in the header of a file.
const (
	typeUint32  uint32 = 4
	typeInt32   uint32 = 5
	typeFloat32 uint32 = 6
	typeText    uint32 = 8
	typeArray   uint32 = 9
)

// The kinds of tokens.
const (
	normal  int32 = 1
	unknown int32 = 2
	control int32 = 3
	single  int32 = 6 // one byte
)

// alignment is the alignment of the weights in the file.
const alignment = 32

// model returns the file: header, metadata of the model, the list of its tensors, and their
// weights.
func model() []byte {
	words, scores, kinds := vocabulary()
	tensors := tensors(len(words))

	var head buffer
	head.WriteString("GGUF")
	head.put(uint32(3), uint64(len(tensors)), uint64(17))
	head.text("general.architecture", "llama")
	head.text("general.name", "noise")
	head.number("general.file_type", 0) // all weights are 32 bits
	head.number("general.alignment", alignment)
	head.number("llama.context_length", context)
	head.number("llama.block_count", 1)
	head.number("llama.embedding_length", width)
	head.number("llama.feed_forward_length", inner)
	head.number("llama.attention.head_count", heads)
	head.number("llama.attention.head_count_kv", heads)
	head.number("llama.rope.dimension_count", width/heads)
	head.key("llama.attention.layer_norm_rms_epsilon", typeFloat32)
	head.put(float32(1e-5))
	head.text("tokenizer.ggml.model", "llama")
	head.key("tokenizer.ggml.tokens", typeArray)
	head.put(typeText, uint64(len(words)))
	for _, w := range words {
		head.string(w)
	}
	head.key("tokenizer.ggml.scores", typeArray)
	head.put(typeFloat32, uint64(len(scores)), scores)
	head.key("tokenizer.ggml.token_type", typeArray)
	head.put(typeInt32, uint64(len(kinds)), kinds)
	head.number("tokenizer.ggml.eos_token_id", 2)

	random := rand.New(rand.NewPCG(1, 2))
	var data buffer
	for _, t := range tensors {
		head.string(t.name)
		head.put(uint32(len(t.shape)), t.shape, uint32(0), uint64(data.Len()))
		count := uint64(1)
		for _, n := range t.shape {
			count *= n
		}
		weights := make([]float32, count)
		for i := range weights {
			if weights[i] = 1; len(t.shape) > 1 { // tensors with one dimension are factors of a norm
				weights[i] = float32(random.NormFloat64()) * 0.3
			}
		}
		data.put(weights)
		data.align()
	}
	head.align()
	_, _ = io.Copy(&head, &data.Buffer) // neither can fail
	return head.Bytes()
}

// vocabulary returns three marks, a token for each byte, and some words.
func vocabulary() (words []string, scores []float32, kinds []int32) {
	add := func(word string, kind int32) {
		words, scores, kinds = append(words, word), append(scores, -float32(len(words))), append(kinds, kind)
	}
	add("<unk>", unknown)
	add("<s>", control)
	add("</s>", control)
	for b := range 256 {
		add(fmt.Sprintf("<0x%02X>", b), single)
	}
	add("▁", normal)
	for c := 'a'; c <= 'z'; c++ {
		add(string(c), normal)
		add("▁"+string(c), normal)
	}
	for _, w := range []string{"▁the", "▁door", "▁rain", "▁bell", "▁and", "er", "in", "门", "雨", "钟"} {
		add(w, normal)
	}
	return words, scores, kinds
}

// tensor is a name and a shape, the fastest dimension first.
type tensor struct {
	name  string
	shape []uint64
}

// tensors returns the tensors of a model with one block.
func tensors(vocabulary int) []tensor {
	words := uint64(vocabulary)
	return []tensor{
		{"token_embd.weight", []uint64{width, words}},
		{"blk.0.attn_norm.weight", []uint64{width}},
		{"blk.0.attn_q.weight", []uint64{width, width}},
		{"blk.0.attn_k.weight", []uint64{width, width}},
		{"blk.0.attn_v.weight", []uint64{width, width}},
		{"blk.0.attn_output.weight", []uint64{width, width}},
		{"blk.0.ffn_norm.weight", []uint64{width}},
		{"blk.0.ffn_gate.weight", []uint64{width, inner}},
		{"blk.0.ffn_up.weight", []uint64{width, inner}},
		{"blk.0.ffn_down.weight", []uint64{inner, width}},
		{"output_norm.weight", []uint64{width}},
		{"output.weight", []uint64{width, words}},
	}
}

// buffer writes values in the format of the file: little endian, texts with their length.
type buffer struct{ bytes.Buffer }

func (b *buffer) put(values ...any) {
	for _, v := range values {
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			panic(err) // a value without a fixed size is a bug in this program
		}
	}
}

func (b *buffer) string(s string) {
	b.put(uint64(len(s)))
	b.WriteString(s)
}

func (b *buffer) key(name string, kind uint32) {
	b.string(name)
	b.put(kind)
}

func (b *buffer) text(name, value string) {
	b.key(name, typeText)
	b.string(value)
}

func (b *buffer) number(name string, n uint32) {
	b.key(name, typeUint32)
	b.put(n)
}

func (b *buffer) align() {
	for b.Len()%alignment != 0 {
		b.WriteByte(0)
	}
}
