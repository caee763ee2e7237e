package lore

import (
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
)

// IsPattern reports whether a key is taken as a regular expression.
func IsPattern(key string) bool {
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
