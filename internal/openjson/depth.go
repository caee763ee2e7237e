package openjson

// Deeper reports whether JSON text has more than this number of levels. A scalar has no level. A
// list or an object has one level more than its deepest element. It does not check the syntax.
func Deeper(data []byte, levels int) bool {
	level := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if level++; level > levels {
				return true
			}
		case '}', ']':
			level--
		case '"':
			i = TextEnd(data, i) - 1
		}
	}
	return false
}
