package card

import "testing"

// TestCheckShape shows that brackets and commas in strings do not count.
func TestCheckShape(t *testing.T) {
	t.Parallel()
	quoted := make([]byte, 0, 4<<20)
	quoted = append(quoted, `["\"`...)
	for range 1 << 20 {
		quoted = append(quoted, `[,\"`...)
	}
	quoted = append(quoted, `"]`...)
	if err := checkShape(quoted); err != nil {
		t.Error(err)
	}
}
