package openjson_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/openjson"
)

func ExampleParseNumber() {
	for _, text := range []string{"007", " 1.50 ", "0x10", "1e3", "-Infinity", "7th", "1_000", ""} {
		fmt.Println(openjson.ParseNumber(text))
	}
	// Output:
	// 7 true
	// 1.5 true
	// 16 true
	// 1000 true
	// -Inf true
	// 0 false
	// 0 false
	// 0 false
}

func ExampleFormatNumber() {
	for _, n := range []float64{7, 1.5, 1e21, 1.5e-7, math.Copysign(0, -1), math.Inf(1)} {
		fmt.Println(openjson.FormatNumber(n))
	}
	// Output:
	// 7
	// 1.5
	// 1e+21
	// 1.5e-7
	// 0
	// Infinity
}

// TestParse checks what Go and JavaScript read differently.
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\ufeff7\u3000": "7", "+7": "7", ".5": "0.5", "5.": "5", "0B11": "3", "0o17": "15", "1e400": "Infinity",
		"+Infinity": "Infinity", "0xfffffffffffff": "4503599627370495",
		"\u00857": "NaN", "0x": "NaN", "0x-1": "NaN", "-0x1": "NaN", "0x1p4": "NaN", "--7": "NaN", ".": "NaN", "e5": "NaN",
		"1e": "NaN", "inf": "NaN", "infinity": "NaN", "nan": "NaN", "1 2": "NaN", "１": "NaN", strings.Repeat("9", 401): "NaN",
	} {
		n, ok := openjson.ParseNumber(text)
		if !ok {
			n = math.NaN()
		}
		if got := openjson.FormatNumber(n); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
