package openjson

// Deeper reports whether JSON text has more than this number of levels: a scalar has none, and a
// list or an object has one more than its deepest element. It does not check the syntax.
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
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		}
	}
	return false
}
