package testkit

import (
	"fmt"
	"strings"
)

// This file makes the documents and messages for the benchmarks of memvars and mvu. A document is a
// world with as many characters as fit into a size. A message has n commands on random characters.

// random is the linear congruential generator that was used to measure other programs.
type random struct{ state uint32 }

func (r *random) next(n int) int {
	r.state = (r.state*1103515245 + 12345) & 0x7fffffff
	return int(r.state) % n
}

// Characters returns the JSON object of the characters, whose text has about size bytes, and their
// number.
func Characters(size int) (text string, count int) {
	r := random{12345}
	var b strings.Builder
	b.WriteByte('{')
	for b.Len() < size-200 {
		if count > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s":`, Name(count))
		character(&b, &r, count)
		count++
	}
	b.WriteByte('}')
	return b.String(), count
}

// Name returns the key of the i-th character.
func Name(i int) string { return fmt.Sprintf("角色%04d", i) }

func character(b *strings.Builder, r *random, i int) {
	fmt.Fprintf(b, `{"姓名":"旅人%d","好感度":[%d,"对主角的好感度"],"生命":[%d,"当前的生命数值"],`,
		i, r.next(100), r.next(100))
	fmt.Fprintf(b, `"位置":["第%d街区","现在所处的位置"],"情绪":{"愉悦":[0.%02d,"愉悦的程度"],`,
		r.next(90), r.next(100))
	fmt.Fprintf(b, `"唤醒":[0.%02d,"唤醒的程度"]},"物品":{`, r.next(100))
	for j := range 6 {
		if j > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `"物品%d":{"num":%d,"description":"寻常的物件"}`, j, 1+r.next(9))
	}
	b.WriteString(`},"经历":["在雾港的码头做过一阵子工","后来去了北方的矿山","又回到城里开了间铺子","如今四处打听消息"]}`)
}

// World is the JSON object of the world without the characters.
const World = `{"日期":["03月15日","格式 mm月dd日"],"时间":["08:30","格式 hh:mm"],` +
	`"天气":["晴","环境"],"计数":[0,"计数器"]}`

// Message returns a reply with n commands on characters out of count. The function line writes the
// i-th command: kind counts from 0 to 9, who is a character, x is a number.
func Message(n, count int, line func(kind int, who string, x int) string) string {
	r := random{54321}
	var b strings.Builder
	b.WriteString(strings.Repeat("雾气沿着街道慢慢散开。", 30))
	b.WriteString("\n<UpdateVariable>\n")
	for i := range n {
		b.WriteString(line(i%10, Name(r.next(count)), r.next(100)))
		b.WriteString("//剧情需要\n")
	}
	b.WriteString("</UpdateVariable>\n")
	return b.String()
}
