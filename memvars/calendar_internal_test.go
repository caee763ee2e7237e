package memvars

import "testing"

// TestReadNumber: digits of both widths and Chinese numerals are numbers; mixtures are not.
func TestReadNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"12": 12, "１２": 12, "十": 10, "十五": 15, "二十": 20, "二十一": 21, "廿": 20, "廿一": 21, "卅": 30, "卅一": 31,
		"百": 100, "百二十": 120, "一百十五": 115, "一百一十五": 115, "一百零五": 105, "一百〇五": 105, "一百五": 150, "两百五": 250,
		"一百廿": 120, "二百零三": 203, "一千零五": 1005, "一千零五十": 1050, "三千五": 3500, "两千零二十四": 2024,
		"一万": 10_000, "三万五": 35_000, "三万零五": 30_005, "九万九千九百九十九": 99_999, "二〇二四": 2024, "零": 0, "元": 1,
	} {
		if got, ok := readNumber(text); !ok || got != want {
			t.Errorf("%s: %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "二廿", "十廿", "廿十", "廿廿", "廿卅", "一百零", "零十", "一百零十", "十百", "一百百", "百千", "一百零五十",
		"二三十", "十二三", "一零零百", "十零五", "万", "一万万", "十五万", "三千百", "1十", "十1"} {
		if got, ok := readNumber(text); ok {
			t.Errorf("%s: %d", text, got)
		}
	}
	for n := 1; n <= maxHan; n++ {
		if got, ok := readNumber(writeHan(n)); !ok || got != n {
			t.Fatalf("%s: %d, %v; want %d", writeHan(n), got, ok, n)
		}
	}
}

// TestParseDateOfLettersThatGrow: the lower case of Ⱥ has more bytes than the letter. An offset in the
// lower-case text is not an offset in the text.
func TestParseDateOfLettersThatGrow(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"ȺȺȺȺ of March", "the 15th ȺȺȺȺ of March 1203"} {
		if d, ok := parseDate(text); ok {
			t.Errorf("%s: %+v", text, d)
		}
	}
}
