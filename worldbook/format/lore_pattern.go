package format

import (
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
)

// isPattern reports whether a key is read as a regular expression.
func isPattern(key string) bool {
	body, letters, ok := jsregex.SplitKey(keyindex.TrimSpace(key))
	if !ok {
		return false
	}
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		return false
	}
	_, err = jsregex.Compile(body, flags)
	return err == nil
}
