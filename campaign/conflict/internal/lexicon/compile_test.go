package lexicon

import "testing"

// Braces contain choices, of which one may be empty. ~ and @ work in each choice.
func TestChoices(t *testing.T) {
	t.Parallel()
	l := newLexicon()
	l.addLine(`never {wakes/woke} {/up }again, {~slip/slid} away, close {@/the} eyes`, false, Dead)
	l.addLine(`{再/也}没{动/起/醒来} 死/去了`, true, Dead)
	l.entries = l.graph.Join()
	for text, want := range map[string]int{
		"never woke up again": 1, "never wakes again": 1, "never up again": 0, "slipped away": 1, "slid away": 1, "slided away": 0,
		"close her eyes": 1, "close the eyes": 1, "再没醒来": 1, "也没动": 1, "没动": 0, "死了": 1, "死去": 1, "never {wakes/woke} again": 0,
	} {
		if got := l.find([]rune(text)).All(Dead); len(got) != want {
			t.Errorf("%s: %d words, want %d", text, len(got), want)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		compileFiles()
	}
}
