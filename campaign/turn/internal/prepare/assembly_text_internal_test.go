package prepare

import "testing"

// TestDrawsRepeat: the same random numbers come again after a restart, and new ones after them.
func TestDrawsRepeat(t *testing.T) {
	t.Parallel()
	drawn := 0.0
	d := draws{draw: func() float64 { drawn++; return drawn }}
	for _, want := range []float64{1, 2, 0, 1, 2, 3, 0, 1} {
		if want == 0 {
			d.next = 0
		} else if got := d.number(); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
