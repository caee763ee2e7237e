package segment_test

import (
	"strings"
	"testing"
)

const sentence = "林小雨推开酒馆的门，看见一位年轻的魔法师正在学习黑暗魔法，于是她悄悄地走了过去。"

func BenchmarkIsWord(b *testing.B) {
	s := load(b, "林小雨")
	text := strings.Repeat(sentence, 20)
	for _, bc := range []struct {
		name, before, key string
		want              bool
	}{
		{"Word", "学习黑暗", "魔法", true},
		{"Part", "年轻的", "魔法", false},
		{"Name", "", "林小雨", true},
	} {
		b.Run(bc.name, func(b *testing.B) {
			start := strings.LastIndex(text, bc.before+bc.key) + len(bc.before)
			b.ReportAllocs()
			for b.Loop() {
				if s.IsWord(text, start, start+len(bc.key)) != bc.want {
					b.Fatalf("%s: not %v", bc.key, bc.want)
				}
			}
		})
	}
}

func BenchmarkCut(b *testing.B) {
	s := load(b, "林小雨")
	b.SetBytes(int64(len(sentence)))
	b.ReportAllocs()
	for b.Loop() {
		if n := len(s.Cut(sentence)); n != 22 {
			b.Fatalf("%d words, want 22", n)
		}
	}
}

func BenchmarkWith(b *testing.B) {
	s := load(b)
	var names []string
	for _, first := range "萧林叶苏秦楚白墨沈顾" {
		for _, second := range "炎雨尘婉霜寒夜渊璃瑶" {
			names = append(names, string(first)+string(second))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if words := s.With(names...).Cut("萧炎"); len(words) != 1 {
			b.Fatalf("cut as %q", words)
		}
	}
}
