package keyindex_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/keyindex"
)

// TestScanCharactersOfThreeBytes puts a text at the beginning, at the boundary of a block and at
// the end of a longer text. All keys occur in the text.
func TestScanCharactersOfThreeBytes(t *testing.T) {
	t.Parallel()
	var many []string // more three-byte keys than the main filter accepts
	for i := range 300 {
		many = append(many, string(rune(0x5000+i)))
	}
	rows := []struct {
		name, reason string
		keys         []string
		text         string
	}{
		{"pairs", "filtered by two characters", []string{"魔法", "法师", "魔法师学院"}, "魔法师学院"},
		{"a character and a letter", "no pair: filtered by four bytes", []string{"魔a", "魔ab", "魔 x法师"}, "法魔abc魔 x法师"},
		{"a character and two bytes", "no pair either", []string{"魔é", "魔éé法"}, "法魔éé法"},
		{"a character and four bytes", "no pair either", []string{"魔\U0001f409", "\U0001f409魔"}, "法魔\U0001f409魔"},
		{"a letter and characters", "taken with the eight positions of ASCII", []string{"a魔法", "éa魔"}, "éa魔法"},
		{"one character beside pairs", "it rides along: pairs are known by their first one", []string{"魔", "法师", "师a"}, "法师a魔"},
		{"one character beside letters", "it rides along with all fourth bytes", []string{"魔", "elf", "elfin"}, "elfin魔a"},
		{"letters beside pairs", "pairs stay pairs or not, elf is found by four bytes", []string{"elf", "法师"}, "法师elf法"},
		{"many of one character", "they have a filter of their own", append([]string{"法师", "师a"}, many...), "法师a" + strings.Join(many, "")},
	}
	for _, r := range rows {
		list := toKeys(r.keys)
		x := keyindex.Build(list)
		for _, filler := range []string{"一", "x", "é"} {
			for _, size := range []int{0, 1, 5, 4060, 4070, 4080, 4090} {
				for shift := range 12 {
					before := strings.Repeat(filler, size/len(filler)+shift)
					for _, after := range []string{"", "一", "xy", strings.Repeat("二", 20)} {
						hits := x.Scan(nil, []byte(before+r.text+after), nil)
						slices.Sort(hits)
						if want := ids(len(r.keys)); !slices.Equal(hits, want) {
							t.Fatalf("%s (%s): %d times %q before, %q after: %v", r.name, r.reason, size/len(filler)+shift, filler, after, hits)
						}
					}
				}
			}
		}
	}
}

// ids returns the first n ids.
func ids(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// TestScanLongKeys: if keys have a common prefix of sixteen bytes or more, hash and tail do not
// show which key the text begins with.
func TestScanLongKeys(t *testing.T) {
	t.Parallel()
	common := "the very same prefix "
	var list []string
	for i := range 50 {
		list = append(list, fmt.Sprintf("%s%02d", common, i))
	}
	rows := []struct {
		name, reason string
		keys         []string
		text         string
		want         []int32
	}{
		{"last found first", "that the last one is found says nothing of those before", list, list[49] + list[3] + list[49] + list[17], []int32{3, 17, 49}},
		{"above all", "the text is greater than every key", list, common + "zz", nil},
		{"below all", "the text is smaller than every key", list, common + "!", nil},
		{"nested", "links lead to shorter ones", []string{common, common + "a", common + "ab", common + "b"}, common + "abc", []int32{0, 1, 2}},
		{"equal", "each has its own id, and links to the one before", []string{"dragon", "drago", "dragon", common, common}, "dragon " + common, []int32{0, 1, 2, 3, 4}},
		{"zero bytes", "they look like the end of a short tail", []string{"drago", "drago\x00", "drago\x00\x00", "dragonfly"}, "dragon drago\x00", []int32{0, 1}},
	}
	for _, r := range rows {
		x := keyindex.Build(toKeys(r.keys))
		for range 200 { // more scans than generations of marks
			hits := x.Scan(nil, []byte(r.text), nil)
			if slices.Sort(hits); !slices.Equal(hits, r.want) {
				t.Fatalf("%s (%s): %v, want %v", r.name, r.reason, hits, r.want)
			}
		}
	}
}
