package llmtest

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/llm"
)

// flaw changes a correct model, so that it violates a sentence of the contract. The channel is
// closed when the trial is over.
type flaw func(good llm.Model, over <-chan struct{}) llm.Model

// each builds a flaw that changes how the sequence behaves.
func each(change func(ctx context.Context, seq sequence, yield func(llm.Chunk, error) bool)) flaw {
	return func(good llm.Model, _ <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			return llm.Once(func(yield func(llm.Chunk, error) bool) {
				change(ctx, good.Generate(ctx, req), yield)
			})
		})
	}
}

// mapped builds a flaw that replaces single chunks and errors.
func mapped(change func(llm.Chunk, error) (llm.Chunk, error)) flaw {
	return each(func(_ context.Context, seq sequence, yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			if !yield(change(chunk, err)) {
				return
			}
		}
	})
}

// deaf returns a context that ends with the trial, not with ctx.
func deaf(ctx context.Context, over <-chan struct{}) context.Context {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() { <-over; cancel() }()
	return ctx
}

// pump is a typical mistake of adapters: a goroutine reads the reply, and continues to wait after
// its consumer has left.
func pump(ctx context.Context, seq sequence, over <-chan struct{}) sequence {
	type item struct {
		chunk llm.Chunk
		err   error
	}
	return func(yield func(llm.Chunk, error) bool) {
		items := make(chan item)
		go func() {
			for chunk, err := range seq {
				select {
				case items <- item{chunk, err}:
				case <-over:
					return
				}
			}
		}()
		for {
			select {
			case i := <-items:
				if _, done := i.chunk.(llm.Done); !yield(i.chunk, i.err) || done || i.err != nil {
					return
				}
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			}
		}
	}
}

// flaws are broken models, with the names of the cases that must detect them.
var flaws = []struct {
	name  string
	flaw  flaw
	found []string
}{{
	name: "sends at once",
	flaw: func(good llm.Model, _ <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			next, stop := iter.Pull2(good.Generate(ctx, req))
			first, err, _ := next()
			stop()
			return func(yield func(llm.Chunk, error) bool) { yield(first, err) }
		})
	},
	found: []string{"lazy"},
}, {
	name: "sends again",
	flaw: func(good llm.Model, _ <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			return func(yield func(llm.Chunk, error) bool) { good.Generate(ctx, req)(yield) }
		})
	},
	found: []string{"single-use"},
}, {
	name: "forgets Done",
	flaw: each(func(_ context.Context, seq sequence, yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			if _, done := chunk.(llm.Done); done || !yield(chunk, err) {
				return
			}
		}
	}),
	found: []string{"text", "empty text"},
}, {
	name: "takes a cut reply for a whole one",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if failure, ok := errors.AsType[*llm.Error](err); ok && failure.Code == llm.CodeIncomplete {
			return llm.Done{Reason: llm.FinishStop}, nil
		}
		return chunk, err
	}),
	found: []string{"incomplete"},
}, {
	name: "goes on after an error",
	flaw: each(func(_ context.Context, seq sequence, yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			if !yield(chunk, err) {
				return
			}
			if err != nil {
				yield(llm.Done{}, nil)
			}
		}
	}),
	found: []string{"incomplete", "refused", "context ended before"},
}, {
	name: "goes on after Done",
	flaw: each(func(_ context.Context, seq sequence, yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			if !yield(chunk, err) {
				return
			}
		}
		yield(llm.Warning{Code: "late"}, nil)
	}),
	found: []string{"text", "usage"},
}, {
	name: "cuts characters",
	flaw: each(func(_ context.Context, seq sequence, yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			text, ok := chunk.(llm.TextDelta)
			if !ok || len(text.Text) < 2 {
				if !yield(chunk, err) {
					return
				}
				continue
			}
			for i := range len(text.Text) {
				if !yield(llm.TextDelta{Text: text.Text[i : i+1]}, nil) {
					return
				}
			}
		}
	}),
	found: []string{"text", "reasoning"},
}, {
	name: "holds a chunk back",
	flaw: each(func(_ context.Context, seq sequence, yield func(llm.Chunk, error) bool) {
		var held llm.Chunk
		for chunk, err := range seq {
			if held != nil && !yield(held, nil) {
				return
			}
			if held = chunk; err != nil {
				yield(nil, err)
				return
			}
		}
		if held != nil {
			yield(held, nil)
		}
	}),
	found: []string{"at once"},
}, {
	name: "mixes reasoning into the text",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if reasoning, ok := chunk.(llm.ReasoningDelta); ok {
			return llm.TextDelta(reasoning), nil
		}
		return chunk, err
	}),
	found: []string{"reasoning"},
}, {
	name: "loses the name of a call",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if call, ok := chunk.(llm.CallDelta); ok {
			call.Name = ""
			return call, err
		}
		return chunk, err
	}),
	found: []string{"calls"},
}, {
	name: "numbers all calls 0",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if call, ok := chunk.(llm.CallDelta); ok {
			call.Index = 0
			return call, err
		}
		return chunk, err
	}),
	found: []string{"calls"},
}, {
	name: "drops usage",
	flaw: each(func(_ context.Context, seq sequence, yield func(llm.Chunk, error) bool) {
		for chunk, err := range seq {
			if _, ok := chunk.(llm.UsageReport); !ok && !yield(chunk, err) {
				return
			}
		}
	}),
	found: []string{"usage"},
}, {
	name: "says stop for everything",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if _, ok := chunk.(llm.Done); ok {
			return llm.Done{Reason: llm.FinishStop}, nil
		}
		return chunk, err
	}),
	found: []string{"finish length", "calls"},
}, {
	name: "hands out pointers",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if text, ok := chunk.(llm.TextDelta); ok {
			return &text, nil
		}
		return chunk, err
	}),
	found: []string{"text"},
}, {
	name: "a chunk beside the error",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if err != nil {
			return llm.TextDelta{}, err
		}
		return chunk, nil
	}),
	found: []string{"incomplete", "deadline"},
}, {
	name: "errors without a type",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if err != nil {
			return nil, errors.New(err.Error())
		}
		return chunk, nil
	}),
	found: []string{"incomplete", "refused", "failure in the stream", "cancelled while waiting"},
}, {
	name: "retries nothing",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if failure, ok := errors.AsType[*llm.Error](err); ok {
			changed := *failure
			changed.Retry = false
			return nil, &changed
		}
		return chunk, err
	}),
	found: []string{"incomplete", "refused", "failure in the stream"},
}, {
	name: "dresses the context's error",
	flaw: mapped(func(chunk llm.Chunk, err error) (llm.Chunk, error) {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return nil, &llm.Error{Code: llm.CodeNetwork, Message: "broken off"}
		}
		return chunk, err
	}),
	found: []string{"context ended before", "cancelled between chunks", "deadline"},
}, {
	name: "does not hear the context",
	flaw: func(good llm.Model, over <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			return good.Generate(deaf(ctx, over), req)
		})
	},
	found: []string{
		"context ended before", "cancelled while waiting", "cancelled between chunks",
		"cancelled while the consumer is busy", "deadline",
	},
}, {
	name: "reads to the end although nobody listens",
	flaw: func(good llm.Model, over <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			return llm.Once(func(yield func(llm.Chunk, error) bool) {
				listening := true
				for chunk, err := range good.Generate(deaf(ctx, over), req) {
					listening = listening && yield(chunk, err)
				}
			})
		})
	},
	found: []string{"consumer stops"},
}, {
	name: "leaves a goroutine behind",
	flaw: func(good llm.Model, over <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			return llm.Once(pump(ctx, good.Generate(deaf(ctx, over), req), over))
		})
	},
	found: []string{"no goroutine left"},
}, {
	name: "writes to the request",
	flaw: func(good llm.Model, _ <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			req.Messages[0].Text = "changed"
			return good.Generate(ctx, req)
		})
	},
	found: []string{"request untouched"},
}, {
	name: "appends to the messages",
	flaw: func(good llm.Model, _ <-chan struct{}) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			req.Messages = append(req.Messages, llm.Message{Role: llm.System, Text: "more"})
			return good.Generate(ctx, req)
		})
	},
	found: []string{"request untouched"},
}, {
	name: "one reply for all callers",
	flaw: func(good llm.Model, _ <-chan struct{}) llm.Model {
		var mu sync.Mutex
		var shared llm.Chunks
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			return func(yield func(llm.Chunk, error) bool) {
				mu.Lock()
				defer mu.Unlock()
				if shared == nil {
					for chunk, err := range good.Generate(ctx, req) {
						if err != nil {
							yield(nil, err)
							return
						}
						shared = append(shared, chunk)
					}
				}
				for _, chunk := range shared {
					if !yield(chunk, nil) {
						return
					}
				}
			}
		})
	},
	found: []string{"concurrent", "single-use"},
}, {
	name: "spoiled by an error",
	flaw: func(good llm.Model, _ <-chan struct{}) llm.Model {
		var spoiled error
		return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
			return llm.Once(func(yield func(llm.Chunk, error) bool) {
				if spoiled != nil {
					yield(nil, spoiled)
					return
				}
				for chunk, err := range good.Generate(ctx, req) {
					if err != nil {
						spoiled = err
					}
					if !yield(chunk, err) {
						return
					}
				}
			})
		})
	},
	found: []string{"goes on after an error"},
}}

// Every flaw is detected by its cases, and every case detects some flaw: a test that no model can
// fail would prove nothing. The trials run on a fake clock, so that waiting for a blocked model
// takes no time.
func TestExamFindsFlaws(t *testing.T) {
	useful := map[string]bool{}
	for _, f := range flaws {
		t.Run(f.name, func(t *testing.T) {
			for _, name := range f.found {
				useful[name] = true
				synctest.Test(t, func(t *testing.T) {
					over := make(chan struct{})
					err := caseNamed(t, name).verdict(func(script ...Reply) llm.Model {
						return f.flaw(NewScripted(script...), over)
					})
					if err == nil {
						t.Errorf("the case %q does not find it", name)
					}
					close(over)
				})
			}
		})
	}
	for _, c := range examCases {
		if !useful[c.name] {
			t.Errorf("no flaw is found by the case %q", c.name)
		}
	}
}

func caseNamed(t *testing.T, name string) examCase {
	for _, c := range examCases {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("there is no case %q", name)
	return examCase{}
}

// The contract test ends with a model that ignores its context: no case blocks, the cases about
// contexts fail, and replies that waited at a gate continue.
func TestExamEndsWithADeafModel(t *testing.T) {
	for _, c := range examCases {
		synctest.Test(t, func(t *testing.T) {
			var served sync.WaitGroup // like the handlers of a server that is closed
			err := c.verdict(func(script ...Reply) llm.Model {
				provider := NewScripted(script...)
				return llm.ModelFunc(func(ctx context.Context, req llm.Request) sequence {
					return llm.Once(func(yield func(llm.Chunk, error) bool) {
						served.Add(1)
						defer served.Done()
						listening := true
						for chunk, err := range provider.Generate(context.WithoutCancel(ctx), req) {
							listening = listening && yield(chunk, err)
						}
					})
				})
			})
			synctest.Wait()
			served.Wait() // the bubble reports a deadlock if a gate stays closed
			for _, name := range []string{
				"context ended before", "cancelled while waiting", "cancelled between chunks", "deadline",
				"cancelled while the consumer is busy", "consumer stops", "no goroutine left",
			} {
				if c.name == name && err == nil {
					t.Errorf("the case %q passes a model that ignores its context", name)
				}
			}
		})
	}
}

// A blocked model is reported, and the test does not wait for it.
func TestExamDoesNotHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		start := time.Now()
		_, err := read(t.Context(), llm.ModelFunc(func(context.Context, llm.Request) sequence {
			return func(func(llm.Chunk, error) bool) { <-over }
		}), question(), nil)
		if err == nil || !strings.Contains(err.Error(), "has not returned") {
			t.Errorf("the error is %v", err)
		}
		if waited := time.Since(start); waited != patience {
			t.Errorf("waited %v, want %v", waited, patience)
		}
		close(over)
	})
}

// Every case ends with a model that never returns, whether it blocks in Generate or in its
// sequence, and no case passes.
func TestExamEndsWithAHangingModel(t *testing.T) {
	over := make(chan struct{})
	for name, model := range map[string]llm.Model{
		"in Generate": llm.ModelFunc(func(context.Context, llm.Request) sequence {
			<-over
			return func(func(llm.Chunk, error) bool) {}
		}),
		"in the sequence": llm.ModelFunc(func(context.Context, llm.Request) sequence {
			return func(func(llm.Chunk, error) bool) { <-over }
		}),
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range examCases {
				synctest.Test(t, func(t *testing.T) {
					over = make(chan struct{}) // a channel of this bubble
					err := c.verdict(func(...Reply) llm.Model { return model })
					if err == nil {
						t.Errorf("the case %q passes a model that never returns", c.name)
					}
					close(over)
				})
			}
		})
	}
}
