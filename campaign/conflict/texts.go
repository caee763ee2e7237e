package conflict

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed texts.txt
var textFile string

// texts returns the texts for models, in Chinese (true) and English, by kind.
var texts = sync.OnceValue(func() map[bool]map[string]string {
	out := map[bool]map[string]string{true: {}, false: {}}
	for line := range strings.Lines(textFile) {
		if parts := strings.Split(strings.TrimSpace(line), " | "); len(parts) == 3 {
			out[true][parts[0]], out[false][parts[0]] = parts[1], parts[2]
		}
	}
	return out
})

// Text returns the question in words, in Chinese or English.
func (q Question) Text(chinese bool) string { return texts()[chinese][q.Kind] }
