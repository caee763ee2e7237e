package segment

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A cost measures how unlikely a word is, in 1/65536 bits. The cost of a division is the sum over
// its words. Sums of whole numbers do not depend on the order.
const (
	bit = 1 << 16
	// unknown is the cost of a character that is not in the dictionary.
	unknown = 32 * bit
	// rare is the frequency of the dictionary's rare words.
	rare = 3
)

// dictionary is a sorted list of words with their costs. It is immutable.
type dictionary struct {
	words string // concatenated
	ends  []uint32
	costs []int32
	first map[rune]span
	max   int // length of the longest word
}

// span is the range [lo, hi) of words that begin with one character. longest is the length of the
// longest of them in bytes.
type span struct{ lo, hi, longest int32 }

// entry is a word to add to a dictionary.
type entry struct {
	word string
	cost int32
}

// newDictionary returns a dictionary of words with at least one character, each given once. It
// reorders the entries.
func newDictionary(entries []entry) *dictionary {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.word, b.word) })
	d := &dictionary{first: map[rune]span{}}
	var words strings.Builder
	for i, e := range entries {
		words.WriteString(e.word)
		d.ends = append(d.ends, uint32(words.Len()))
		d.costs = append(d.costs, e.cost)
		r, _ := utf8.DecodeRuneInString(e.word)
		s, ok := d.first[r]
		if !ok {
			s.lo = int32(i)
		}
		d.max = max(d.max, len(e.word))
		d.first[r] = span{s.lo, int32(i + 1), max(s.longest, int32(len(e.word)))}
	}
	d.words = words.String()
	d.ends, d.costs = slices.Clip(d.ends), slices.Clip(d.costs)
	return d
}

func (d *dictionary) word(i int32) string { return d.words[d.start(i):d.ends[i]] }

func (d *dictionary) start(i int32) uint32 {
	if i == 0 {
		return 0
	}
	return d.ends[i-1]
}

// longest returns the length of the longest word that begins with r.
func (d *dictionary) longest(r rune) int { return int(d.first[r].longest) }

// each calls found for every word that is a prefix of text, shorter ones first.
func (d *dictionary) each(text string, found func(size int, cost int32)) {
	r, size := utf8.DecodeRuneInString(text)
	s, ok := d.first[r]
	for lo, hi := s.lo, s.hi; ok; {
		if len(d.word(lo)) == size {
			found(size, d.costs[lo])
			lo++
		}
		if lo == hi || size >= min(int(s.longest), len(text)) {
			return
		}
		_, next := utf8.DecodeRuneInString(text[size:])
		size += next
		lo = d.search(lo, hi, text[:size], false)
		hi = d.search(lo, hi, text[:size], true)
		ok = lo < hi
	}
}

// search returns the first word of [lo, hi) that is not less than prefix. With after it returns the
// first word after all words with that prefix.
func (d *dictionary) search(lo, hi int32, prefix string, after bool) int32 {
	return lo + int32(sort.Search(int(hi-lo), func(i int) bool {
		word := d.word(lo + int32(i))
		return word >= prefix && !(after && strings.HasPrefix(word, prefix))
	}))
}

// base is the embedded dictionary, shared by all segmenters, with the cost of a rare word.
type base struct {
	*dictionary
	rare int32
}

// packed is the dictionary: the sum of all frequencies, and for each word, in order, the number of
// bytes that it shares with the word before it, the number of its other bytes, these bytes, and its
// frequency. Numbers are varints, and all of it is compressed. The folder says where it comes from.
//
//go:embed words/words.bin
var packed []byte

// load reads the dictionary on first use.
var load = sync.OnceValues(func() (base, error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return base{}, err
	}
	return unpack(data)
})

// unpack reads a dictionary that is not compressed.
func unpack(data []byte) (base, error) {
	number := func() int {
		n, size := binary.Uvarint(data)
		data = data[max(size, 0):]
		return int(n)
	}
	total := math.Log2(float64(number()))
	cost := func(freq float64) int32 { return int32(math.Round((total - math.Log2(freq)) * bit)) }
	var entries []entry
	for word := ""; len(data) > 0; {
		shared, own := number(), number()
		if shared > len(word) || own > len(data) {
			return base{}, errors.New("the dictionary is damaged: build the program again")
		}
		word = word[:shared] + string(data[:own])
		data = data[own:]
		entries = append(entries, entry{word, cost(float64(number()))})
	}
	if len(entries) == 0 {
		return base{}, errors.New("the dictionary is empty: build the program again")
	}
	return base{newDictionary(entries), cost(rare)}, nil
}

func isHan(r rune) bool { return r >= 0x2E80 && unicode.Is(unicode.Han, r) }
