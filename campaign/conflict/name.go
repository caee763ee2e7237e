package conflict

import "github.com/talewright/talewright/campaign/conflict/internal/parse"

// ReadsAsWords reports whether a name consists of words that narrations use, in English or Chinese:
// "dies", "HP", "five", "you", or "Ann dies" if Ann is in names, the names of other people and
// places. Such a name confuses readers and detectors. A campaign should refuse it when a model
// chooses names. A name that ends in a noun for people or places, such as Fallen Guard, is allowed.
func ReadsAsWords(name string, names ...string) bool { return parse.ReadsAsWords(name, names) }
