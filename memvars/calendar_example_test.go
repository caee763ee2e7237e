package memvars_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars"
)

func ExampleCalendar_Read() {
	var gregorian memvars.Calendar
	from, _ := gregorian.Read("12月28日", "")
	to, _ := gregorian.Read("1月4日", "")
	fmt.Println(gregorian.Between(from, to, 31), gregorian.Next(from))

	lunar := memvars.Calendar{Months: []int{30, 29, 30}}
	day, ok := lunar.Read("贞观三年正月三十", "")
	fmt.Println(lunar.Next(day), ok)
	_, ok = lunar.Read("some day in spring", "")
	fmt.Println(ok)
	// Output:
	// 7 12月29日
	// 贞观三年二月初一 true
	// false
}

func ExampleParseClock() {
	for _, text := range []string{"20:15", "晚上8点半", "noonish"} {
		fmt.Println(memvars.ParseClock(text))
	}
	// Output:
	// 1215 true
	// 1230 true
	// 0 false
}
