package campaign_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// sealed encrypts with one key for each campaign. Destroying the key deletes the campaign, also in
// every backup.
type sealed struct {
	keys map[string]cipher.AEAD
}

func (s sealed) Seal(at campaign.Place, plain []byte) ([]byte, error) {
	key := s.keys[at.Campaign]
	if key == nil {
		return nil, errors.New("no key")
	}
	nonce := make([]byte, key.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return key.Seal(nonce, nonce, plain, []byte(at.String())), nil
}

func (s sealed) Open(at campaign.Place, data []byte) ([]byte, error) {
	key := s.keys[at.Campaign]
	if key == nil || len(data) < key.NonceSize() {
		return nil, errors.New("no key")
	}
	return key.Open(nil, data[:key.NonceSize()], data[key.NonceSize():], []byte(at.String()))
}

// The store contains data that cannot be read without the key.
func ExampleCodec() {
	ctx := context.Background()
	block, err := aes.NewCipher(bytes.Repeat([]byte{7}, 32)) // a key from your key store
	if err != nil {
		fmt.Println(err)
		return
	}
	key, err := cipher.NewGCM(block)
	if err != nil {
		fmt.Println(err)
		return
	}
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	store, codec := &campaign.MemoryStore{}, sealed{map[string]cipher.AEAD{"mill": key}}
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Codec: codec,
		Model: llmtest.NewScripted(llmtest.Text("Rain."))})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = engine.Create(ctx, mill())
	outcome, turnErr := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
	if err := errors.Join(err, turnErr, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	for entry := range store.Records(ctx, "mill", 1) {
		fmt.Println(entry.Kind, bytes.Contains(entry.Data, []byte("Rain.")))
	}
	rebuilt, err := engine.Rebuild(ctx, "mill")
	fmt.Println(rebuilt.Turns[0].Text, err)
	delete(codec.keys, "mill")
	_, err = engine.Rebuild(ctx, "mill")
	fmt.Println(err != nil)
	// Output:
	// turn false
	// Rain. <nil>
	// true
}

// The codec compresses the data for the store. Campaigns that were stored without it can still be
// read.
func ExampleDeflate() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	ctx, size := context.Background(), map[bool]int{}
	for _, deflated := range []bool{false, true} {
		store := &campaign.MemoryStore{}
		cfg := campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted()}
		if deflated {
			cfg.Codec = campaign.Deflate()
		}
		engine, err := campaign.New(cfg)
		if err != nil {
			fmt.Println(err)
			return
		}
		if _, err := engine.Create(ctx, mill()); err != nil {
			fmt.Println(err)
			return
		}
		for entry, err := range store.Records(ctx, "mill", 0) {
			if err != nil {
				fmt.Println(err)
			}
			size[deflated] += len(entry.Data)
		}
	}
	fmt.Println(size[true] > 0, size[true] < size[false])
	// Output:
	// true true
}
