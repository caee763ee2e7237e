package template

import (
	"strconv"
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/utf8text"
)

// Template is a compiled text. It is immutable and safe for concurrent use.
type Template struct {
	src     source
	program *blockStmt // nil: a text without tags
	macros  []string   // texts with macros, in their order
	lookups []*call    // calls that name entries, in their order
	names   nameUse
	needs   string // the construct that only an engine can run
}

// Compile reads a text. If it has no tag, the template prints it unchanged. If the text is wrong,
// the template is nil and the problem has one of the codes of this package, with line and column in
// its text.
func Compile(text string) (*Template, talewright.Problems) {
	var none *Cache
	return none.Compile(text)
}

// compile reads the pieces of a unit as one text.
func compile(pieces ...string) (t *Template, err *Error) {
	var starts []int
	var all strings.Builder
	for i, piece := range pieces {
		if i > 0 {
			starts = append(starts, all.Len())
		}
		all.WriteString(utf8text.Mend(piece))
	}
	text := all.String()
	if !hasTag(text) {
		return &Template{src: source{written: text}}, nil
	}
	if len(pieces) > 1 && !tagsWithin(pieces) {
		s := newSource(text)
		return nil, s.fail(0, codeUnclosed, "", "a tag is divided between two texts: write it in one text")
	}
	defer func() {
		if e := errorOf(recover()); e != nil {
			t, err = nil, e
		}
	}()
	t = &Template{src: newSource(text)}
	t.src.setStarts(starts)
	chunks, err := t.src.split()
	if err != nil {
		return nil, err
	}
	l := lexer{src: &t.src}
	p := parser{src: &t.src, tokens: l.read(chunks)}
	t.program = p.program()
	t.macros, t.lookups, t.names = p.macros, p.lookups, p.names
	return t, nil
}

// tagsWithin reports whether every tag lies within one piece. A piece may have the value of a macro of
// an earlier step, which must not complete a tag.
func tagsWithin(pieces []string) bool {
	before := ""
	for _, piece := range pieces {
		s := newSource(piece)
		if _, err := s.split(); err != nil || strings.HasSuffix(before, "<") && strings.HasPrefix(piece, "%") {
			return false
		}
		before += piece[max(len(piece)-1, 0):]
		before = before[max(len(before)-1, 0):]
	}
	return true
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

// compile compiles the pieces of a unit as one text. A nil cache compiles each time.
func (c *Cache) compile(pieces ...string) (*Template, *Error) {
	if c == nil {
		return compile(pieces...)
	}
	text := pieces[0]
	if len(pieces) > 1 || strings.HasPrefix(text, "\xFF") {
		text = unitKey(pieces)
	}
	c.mu.Lock()
	found, ok := c.texts[text]
	c.mu.Unlock()
	if ok {
		return found.t, found.err
	}
	t, err := compile(pieces...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += len(text); c.texts == nil || c.size > maxCached {
		c.texts, c.size = map[string]compiled{}, len(text)
	}
	c.texts[text] = compiled{t, err}
	return t, err
}

// unitKey returns the key of a unit in the cache: the lengths of its pieces, and their texts. It
// begins with a byte that begins no other key.
func unitKey(pieces []string) string {
	var b strings.Builder
	for _, piece := range pieces {
		b.WriteByte(0xFF)
		b.WriteString(strconv.Itoa(len(piece)))
	}
	b.WriteByte(0xFF)
	for _, piece := range pieces {
		b.WriteString(piece)
	}
	return b.String()
}

// compile returns the template of a text that a running text uses. It panics with an *Error.
func (b *Build) compile(pieces ...string) *Template {
	t, err := b.compiled(b.env.Cache, pieces...)
	if err != nil {
		panic(err)
	}
	return t
}

// compiled returns the template of a text or a unit. With an engine, a text that needs one is no
// error. The pieces of a unit that needs one run alone, because an engine returns one text.
func (b *Build) compiled(cache *Cache, pieces ...string) (*Template, *Error) {
	t, err := cache.compile(pieces...)
	if err != nil && len(pieces) == 1 && b.env.Engine != nil && err.Code == Refused && needsEngine[err.Name] {
		return &Template{src: newSource(pieces[0]), needs: err.Name}, nil
	}
	return t, err
}
