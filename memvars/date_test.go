package memvars_test

import (
	"testing"

	"github.com/talewright/talewright/memvars"
)

// TestEraNames shows that the year is read behind the names that eras really have:
// several of them end in a character that is a number elsewhere (MV-07, MV-08). A
// resource that grows by one a day counts the days.
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
			sys, err := memvars.Compile(memvars.Options{})
			if err != nil {
				t.Fatal(err)
			}
			state := sys.Begin(doc)
			doc, result := sys.Apply(doc, "set_status('日期', '"+tt.to+"');", memvars.AI)
			if got := result.Calls[0].Status; got != memvars.Applied {
				t.Fatalf("the date was %s", got)
			}
			doc, _, _ = sys.EndTurn(doc, state, memvars.Turn{})
			path := memvars.Path{"assa_data", "map", "矿", "resources", "石", "1"}
			if got := doc.Lookup(path).String(); got != tt.grownDays {
				t.Errorf("%s days, want %s", got, tt.grownDays)
			}
		})
	}
}

// TestOneNight shows that a night in words is one night: the clock falls once
// between the evening and the morning, whatever midnight is called (MV-07).
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
			sys, err := memvars.Compile(memvars.Options{})
			if err != nil {
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
