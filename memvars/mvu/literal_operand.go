package mvu

import (
	"cmp"
	"math/big"
	"strconv"
	"strings"
)

// operand is a value within an expression. In default mode whole numbers are exact, with any number
// of digits.
type operand struct {
	kind      operandKind
	f         float64
	whole     *big.Int // in default mode; nil if it is not whole, or not known to be
	imaginary bool
}

// maxWhole is the maximum number of bits of an exact whole number, maxLiteral the maximum number of
// its digits.
const (
	maxWhole   = 332
	maxLiteral = 100
)

// literal reads a number.
func (e *arithmetic) literal(s string) (operand, bool) {
	f, err := strconv.ParseFloat(s, 64)
	out := operand{f: f}
	if !e.compat && len(s) <= maxLiteral && strings.Trim(s, "0123456789") == "" {
		out.whole, _ = new(big.Int).SetString(s, 10)
	}
	return out, err == nil
}

// combine combines two operands: exactly if both are whole and exact gives a whole result, else with
// the result f.
func (x operand) combine(f float64, y operand, exact func(z, x, y *big.Int) *big.Int) operand {
	if x.whole != nil && y.whole != nil {
		if z := exact(new(big.Int), x.whole, y.whole); z != nil && z.BitLen() <= maxWhole {
			f, _ = z.Float64()
			return operand{f: f, whole: z}
		}
	}
	return operand{f: f}
}

// quotient divides if there is no remainder.
func quotient(z, x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	if _, rest := z.QuoRem(x, y, new(big.Int)); rest.Sign() != 0 {
		return nil
	}
	return z
}

// remainder has the sign of the divisor.
func remainder(z, x, y *big.Int) *big.Int {
	if y.Sign() == 0 {
		return nil
	}
	if z.Rem(x, y); z.Sign()*y.Sign() < 0 {
		z.Add(z, y)
	}
	return z
}

// power computes powers that are not too long.
func power(z, x, y *big.Int) *big.Int {
	if y.Sign() < 0 || y.BitLen() > 10 || x.BitLen()*int(y.Int64()) > 2*maxWhole {
		return nil
	}
	return z.Exp(x, y, nil)
}

// compare compares two operands.
func (x operand) compare(y operand) int {
	if x.whole != nil && y.whole != nil {
		return x.whole.Cmp(y.whole)
	}
	return cmp.Compare(x.f, y.f)
}
