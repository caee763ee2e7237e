package memvars_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// TestEraNames shows that the year is read after real names of eras: several of them end in a
// character that is also a number (MV-07, MV-08). A resource that grows by one a day counts the
// days.
func TestEraNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason    string
		era       string
		from, to  string
		grownDays string
	}{
		{"the year is the last number in the era: 2024 has a leap day",
			"公元2024年", "2月28日", "3月1日", "2"},
		{"元 belongs to the name, 十二 is the year",
			"开元十二年", "2月28日", "3月1日", "2"},
		{"元 before 年 is the first year, which is no leap year",
			"开元元年", "2月28日", "3月1日", "1"},
		{"a name behind the number is no number",
			"204年·新纪元", "2月28日", "3月1日", "2"},
		{"a year may stand before 年 in the date, with its era",
			"", "公元2024年2月28日", "公元2024年3月1日", "2"},
		{"in Chinese numerals as well",
			"", "开元十二年二月廿八", "开元十二年三月初一", "2"},
		{"the character for month within the name of the era",
			"", "双月历204年2月28日", "双月历204年3月1日", "2"},
		{"a time or a weekday may follow behind a blank",
			"", "2024-02-28 08:30", "2024-03-01 星期五", "2"},
		{"and behind the word for day",
			"", "2024年2月28日 星期三", "2024年3月1日（星期五）", "2"},
		{"the first year in words",
			"", "贞观元年二月廿八", "贞观元年三月初一", "1"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			doc := load(t, []byte(`{"stat_data":{"纪年":"`+tt.era+`","日期":["`+tt.from+`",""]},
				"assa_data":{"map":{"矿":{"resources":{"石":["1/d",0]}}}}}`))
			sys, problems := memvars.Compile(memvars.Options{})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			state := sys.Begin(doc)
			doc, result := sys.Apply(doc, "set_status('日期', '"+tt.to+"');", memvars.AI)
			if got := result.Calls[0].Status; got != memvars.Applied {
				t.Fatalf("the date was %s", got)
			}
			doc, _, _ = sys.EndTurn(doc, state, memvars.Turn{})
			path := tree.Path{"assa_data", "map", "矿", "resources", "石", "1"}
			if got := doc.Lookup(path).String(); got != tt.grownDays {
				t.Errorf("%s days, want %s", got, tt.grownDays)
			}
		})
	}
}

// TestOneNight shows that a night written in words is one night. With any word for midnight, the
// clock runs back once between the evening and the morning (MV-07).
func TestOneNight(t *testing.T) {
	t.Parallel()
	tests := []struct {
		reason string
		times  []string
		date   string
	}{
		{"晚上12点 is midnight, not noon", []string{"晚上11点", "晚上12点", "凌晨1点", "早上8点"}, "3月10日"},
		{"晚上1点 is after midnight", []string{"晚上9点", "晚上1点", "早上8点"}, "3月10日"},
		{"晚上5点 is before it", []string{"下午3点", "晚上5点", "晚上11点"}, "3月9日"},
		{"下午12点 is noon", []string{"上午11点", "下午12点", "下午1点"}, "3月9日"},
		{"24:00 still belongs to the day", []string{"22:00", "24:00", "1:00"}, "3月10日"},
		{"深夜5点 is early", []string{"深夜11点", "深夜5点", "上午9点"}, "3月10日"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			t.Parallel()
			doc := load(t, []byte(`{"stat_data":{"日期":["3月9日",""],"时间":["`+tt.times[0]+`",""]}}`))
			sys, problems := memvars.Compile(memvars.Options{})
			if err := problems.Err(); err != nil {
				t.Fatal(err)
			}
			state := sys.Begin(doc)
			for _, clock := range tt.times[1:] {
				doc, _ = sys.Apply(doc, "set_status('时间', '"+clock+"');", memvars.AI)
				doc, state, _ = sys.EndTurn(doc, state, memvars.Turn{})
			}
			if got, _ := doc.Get("stat_data.日期"); got != tt.date {
				t.Errorf("%v, want %s", got, tt.date)
			}
		})
	}
}

// TestNextDay advances dates by a night: each keeps its format (MV-07).
func TestNextDay(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reason, date, next string }{
		{"the traditional style at the end of a month", "正月三十一日", "二月初一日"},
		{"known by its month", "腊月三十一日", "正月初一日"},
		{"or its month alone", "正月二十日", "正月二十一日"},
		{"by its day", "三月廿九日", "三月三十日"},
		{"by no 日 after it", "三月三十一", "四月初一"},
		{"the plain style at the end of a month", "三月三十一日", "四月一日"},
		{"from the tenth on", "冬月初十日", "冬月十一日"},
		{"English names", "March 15", "March 16"},
		{"at the end of a month", "March 31", "April 1"},
		{"with the ending of the day", "March 21st", "March 22nd"},
		{"in words around it", "the 3rd of March, morning", "the 4th of March, morning"},
		{"the eleventh", "March 10th", "March 11th"},
		{"a short name", "Tue, Dec. 31, 1203 (snow)", "Tue, Jan. 1, 1204 (snow)"},
		{"the day first", "28 February 2024", "29 February 2024"},
		{"capitals", "DEC 31", "JAN 1"},
		{"padded", "Mar 09", "Mar 10"},
		{"May is as long as its short name", "30 Apr", "1 May"},
		{"days alone", "Day 3", "Day 4"},
		{"with what follows", "day 9 - the desert", "day 10 - the desert"},
		{"padded days", "Day 009", "Day 010"},
		{"behind a weekday", "Monday, Day 3", "Monday, Day 4"},
		{"Chinese", "第三天", "第四天"},
		{"in digits", "航行第９日", "航行第１０日"},
		{"over ten", "第十九天", "第二十天"},
		{"hundreds", "第一百零九天", "第一百一十天"},
		{"digit by digit", "第一二天", "第一三天"},
		{"but no mixture of both", "第二三十天", "第二三十天"},
		{"nor a number with too many digits", "第" + strings.Repeat("九", 40) + "天", "第" + strings.Repeat("九", 40) + "天"},
		{"no date", "March", "March"},
		{"no day of that month", "April 31", "April 31"},
		{"two numbers of days", "第2周第3天", "第2周第3天"},
		{"a number of days within a week", "Day 3 of week 2", "Day 3 of week 2"},
		{"another word", "Days 3", "Days 3"},
		{"a time is no year", "March 15, 1200:30", "March 16, 1200:30"},
	} {
		doc := load(t, []byte(`{"stat_data":{"日期":["`+tt.date+`",""],"时间":["23:00",""]}}`))
		state := sys.Begin(doc)
		doc, _ = sys.Apply(doc, "set_status('时间', '01:00')", memvars.AI)
		doc, _, res := sys.EndTurn(doc, state, memvars.Turn{})
		if got, _ := doc.Get("stat_data.日期"); got != tt.next {
			t.Errorf("%s: %s becomes %s, want %s", tt.reason, tt.date, got, tt.next)
		}
		if stands := tt.date == tt.next; stands != (len(res.Notes) > 0) {
			t.Errorf("%s: %s: notes %v", tt.reason, tt.date, res.Notes)
		}
	}
}

// TestTimeWithWordDates: the days of a task and of resources are counted with English dates and
// with day counts. Between the two kinds nothing is guessed, and a note reports this (MV-07,
// MV-08).
func TestTimeWithWordDates(t *testing.T) {
	t.Parallel()
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason, from, to, ore, left string
		notes                       int
	}{
		{"over the end of a month", "March 28", "April 2", "5", "5", 0},
		{"over a new year", "Dec 30", "Jan 2", "3", "7", 0},
		{"with years", "30 Dec 2023", "1 March 2024", "62", "0", 0},
		{"numbers of days", "Day 3", "Day 7", "4", "6", 0},
		{"Chinese numbers of days", "第三天", "第5天", "2", "8", 0},
		{"from one kind to the other", "Day 3", "March 5", "0", "10", 1},
		{"to what cannot be read", "March 3", "the next day", "0", "10", 1},
	} {
		doc := load(t, []byte(`{"stat_data":{"日期":["`+tt.from+`",""],"world_shard":{"task":{"time_limit":[10,""],
			"time_left":[10,""],"start_date":["`+tt.from+`",""]}}},"assa_data":{"map":{"m":{"resources":{"ore":["1/d",0]}}}}}`))
		state := sys.Begin(doc)
		doc, _ = sys.Apply(doc, "set_status('日期', '"+tt.to+"')", memvars.AI)
		doc, _, res := sys.EndTurn(doc, state, memvars.Turn{})
		ore := doc.Lookup(tree.Path{"assa_data", "map", "m", "resources", "ore", "1"}).String()
		left := doc.Lookup(tree.Path{"stat_data", "world_shard", "task", "time_left", "0"}).String()
		if ore != tt.ore || left != tt.left || len(res.Notes) != tt.notes {
			t.Errorf("%s: ore %s, left %s, %v; want %s, %s", tt.reason, ore, left, res.Notes, tt.ore, tt.left)
		}
	}
}
