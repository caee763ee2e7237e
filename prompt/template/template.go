package template

import (
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
)

// Template is a compiled text. It is immutable and safe for concurrent use.
type Template struct {
	src     source
	program *block   // nil: a text without tags
	macros  []string // texts with macros, in their order
}

// Compile reads a text. If it has no tag, the template prints it unchanged. If the text is wrong,
// the template is nil and the problem has one of the codes of this package, with line and column in
// its text.
func Compile(text string) (*Template, talewright.Problems) {
	t, err := compile(text)
	if err != nil {
		return nil, talewright.Problems{err.problem("")}
	}
	return t, nil
}

func compile(text string) (t *Template, err *Error) {
	text = utf8text.Mend(text)
	if !strings.Contains(text, "<%") {
		return &Template{src: source{written: text}}, nil
	}
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(*Error)
			if !ours {
				panic(r)
			}
			t, err = nil, e
		}
	}()
	t = &Template{src: newSource(text)}
	chunks, err := t.src.split()
	if err != nil {
		return nil, err
	}
	l := lexer{src: &t.src}
	p := parser{src: &t.src, tokens: l.read(chunks)}
	t.program = p.program()
	t.macros = p.macros
	return t, nil
}

// Cache compiles each text once. The zero value is ready. It is safe for concurrent use. It keeps
// texts of up to 8 MiB together, and starts again when they are more.
type Cache struct {
	mu    sync.Mutex
	texts map[string]compiled
	size  int
}

type compiled struct {
	t   *Template
	err *Error
}

const maxCached = 8 << 20

// Compile is [Compile] with the cache.
func (c *Cache) Compile(text string) (*Template, talewright.Problems) {
	t, err := c.compile(text)
	if err != nil {
		return nil, talewright.Problems{err.problem("")}
	}
	return t, nil
}

func (c *Cache) compile(text string) (*Template, *Error) {
	if c == nil {
		return compile(text)
	}
	c.mu.Lock()
	found, ok := c.texts[text]
	c.mu.Unlock()
	if ok {
		return found.t, found.err
	}
	t, err := compile(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += len(text); c.texts == nil || c.size > maxCached {
		c.texts, c.size = map[string]compiled{}, len(text)
	}
	c.texts[text] = compiled{t, err}
	return t, err
}
