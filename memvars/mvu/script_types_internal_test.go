package mvu

import (
	"strings"
	"testing"
)

// TestTypesOfScripts: types of TypeScript are left out of a script, and plain JavaScript stays as it
// is.
func TestTypesOfScripts(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"const a: z.ZodType<any> = 1;":                                                                      "const a = 1;",
		"const f = (v: number, w?: Record<string, any[]>): v is string => v;":                               "const f = (v, w) => v;",
		"const f = (v: number): Record<string, number> => v;":                                               "const f = (v) => v;",
		"const f = ({a, b}: {a: number; b: string} = {a: 1}, c: 'x' | 'y' = 'x', ...d: number[]) => a;":     "const f = ({a, b} = {a: 1}, c = 'x', ...d) => a;",
		"const f = async (a: (b: number) => void): Promise<void> => {}":                                     "const f = async (a) => {}",
		"function f(a: number): string { return a! + b!.c; }":                                               "function f(a) { return a + b.c; }",
		"import { a as b } from 'c'; const x = y as const; const z = [1] as any[] satisfies T;":             "import { a as b } from 'c'; const x = y; const z = [1];",
		"_.pickBy(d, ({n}: {n: number}) => n > 0)":                                                          "_.pickBy(d, ({n}) => n > 0)",
		"let x: number | null = null, y = 2":                                                                "let x = null, y = 2",
		"(x: number,) => x as number > 5":                                                                   "(x,) => x > 5",
		"x ? (a) : b => c":                                                                                  "",
		"x ? f(a) : b => c":                                                                                 "",
		"x = a ? (b, c) => d : (e) => f":                                                                    "",
		"({a: (v) => v, b: c ? d : e})":                                                                     "",
		"if (!a) return !b; x = a != b; y = a !== b;":                                                       "",
		"switch (a) { case 'x': return 1; default: return 2 }":                                              "",
		"a ? b : c; const {d: e} = f; g = {h: (1), i: j}; import * as z from 'zod'; if (a < b || c > d) {}": "",
		"z.object({as: z.number(), satisfies: 1})":                                                          "",
	} {
		if want == "" {
			want = code
		}
		got := withoutTypes(code)
		if len(got) != len(code) {
			t.Errorf("%s: the length changed: %q", code, got)
		}
		if squeeze := strings.NewReplacer(" ", ""); squeeze.Replace(got) != squeeze.Replace(want) {
			t.Errorf("%s gives\n%s, want\n%s", code, got, want)
		}
	}
}
