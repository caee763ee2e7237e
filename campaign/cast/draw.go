package cast

import "math"

// chance draws numbers from the source of a round and records them.
type chance struct {
	random func() float64
	used   []float64 // the numbers that were drawn, in order
	lacks  bool      // a number was needed and there was no source
}

// next returns a number in [0, 1), whatever the source returns.
func (c *chance) next() float64 {
	if c.random == nil {
		c.lacks = true
		return 0
	}
	x := c.random()
	switch {
	case !(x >= 0): // NaN too
		x = 0
	case x >= 1:
		x = math.Nextafter(1, 0)
	}
	c.used = append(c.used, x)
	return x
}

// index returns a drawn index below n. If n is 0, it also draws a number and returns -1.
func (c *chance) index(n int) int { return min(int(c.next()*float64(n)), n-1) }

// shuffle returns the members in a drawn order. It draws one number for each of them, including the
// last one, which has no choice.
func (c *chance) shuffle(members []Member) []Member {
	out := append([]Member(nil), members...)
	for i := len(out) - 1; i >= 0; i-- {
		j := c.index(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}
