// Package formula is the arithmetic of variables that follow other variables, as
// in "str * (1 + lv * 0.5)".
//
// Values are numbers; booleans count as 1 and 0, texts that hold a number as that
// number. The language, loosest binding first:
//
//	||   &&   == !=   < <= > >=   + -   * / %   ^   - !   (…)  name  {any name}  function(…)
//
// All operators associate to the left, ^ too, and a sign binds tighter than ^, so
// that -2 ^ 2 is 4. Comparisons and logic give 1 or 0; == compares texts as texts
// and everything else as numbers. Division and remainder by zero are 0. The signs
// × ÷ − and the full-width brackets and comma are understood.
//
// Functions, in any case: min, max, floor, ceil, round (halves up), abs, sum, clamp(x,
// low, high), if(condition, then, else), which evaluates all three, and len: the
// elements of a list, or the parts of a text between , ， and | that are not blank. Of a list,
// min, max and sum take the elements, and pass over those that are no numbers.
//
// Names may hold letters, digits, _ $ and dots; put others in braces. Texts stand in
// " ", ' ' or 「 」.
package formula
