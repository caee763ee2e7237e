package setting_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleRegistry_Patch() {
	reg := setting.Builtin()
	next, result, problems := reg.Patch(nil, nil, setting.Snapshot{
		"context.compress_enabled": tree.Bool(true),
	})
	fmt.Println(len(problems), result.Changed, result.AutoChanged)
	fmt.Println(reg.Freeze(nil, next).ContextMode())

	_, _, problems = reg.Patch(nil, next, setting.Snapshot{
		"retry.max_retries": tree.Int(9), "turn.tempo": tree.Text("fast"),
	})
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// 0 [context.compress_enabled context.full_context_enabled] [context.full_context_enabled]
	// compress
	// retry.max_retries: must be at most 5, not 9
	// turn.tempo: no such setting; correct the name
}

func ExampleRegistry_With() {
	reg, err := setting.Builtin().With(setting.Definition{
		Key: "house.language", Type: setting.Enum, Default: tree.Text("en"),
		Validation: setting.Validation{Allowed: []string{"en", "zh"}}, EffectTags: []string{"ui"},
	})
	fmt.Println(err, reg.Freeze(nil, nil).Text("house.language"))
	_, err = reg.With(setting.Definition{Key: "house.language"})
	fmt.Println(err)
	// Output:
	// <nil> en
	// setting: house.language is registered already; choose a different key
}

func ExampleRegistry_Freeze() {
	global := setting.Snapshot{"retry.max_retries": tree.Int(5), "context.recent_turns": tree.Int(3)}
	campaign := setting.Snapshot{"retry.max_retries": tree.Int(0)}
	values := setting.Builtin().Freeze(global, campaign)
	fmt.Println(values.Int("retry.max_retries"), values.Int("context.recent_turns"),
		values.Text("turn.mode"))
	// Output: 0 3 single
}

// The installation's values apply to campaigns that have no values of their own.
func ExampleRegistry_PatchGlobal() {
	reg := setting.Builtin()
	campaign := setting.Snapshot{"turn.order": tree.Text("free")}
	global, result, problems := reg.PatchGlobal(nil, campaign, setting.Snapshot{
		"turn.order": tree.Text("round_robin"), "retry.max_retries": tree.Int(1),
	})
	values := reg.Freeze(global, campaign)
	fmt.Println(result.Changed, len(problems))
	fmt.Println(values.Text("turn.order"), values.Int("retry.max_retries"))
	// Output:
	// [retry.max_retries] 0
	// free 1
}

// A registry of a host's own settings, separate from the settings of the engine.
func ExampleRegistry() {
	reg, err := setting.Registry{}.With(
		setting.Definition{Key: "chat.size", Type: setting.Int, Default: tree.Int(12), Validation: setting.Validation{Min: new(8), Max: new(24)},
			EffectTags: []string{"ui"}},
		setting.Definition{Key: "chat.dark", Type: setting.Bool, Default: tree.Bool(true), EffectTags: []string{"ui"}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	values := reg.Freeze(nil, setting.Snapshot{"chat.size": tree.Int(16)})
	fmt.Println(values.Int("chat.size"), values.Bool("chat.dark"))

	_, err = setting.Registry{}.With(setting.Definition{Key: "chat.size", Type: setting.Int, Default: tree.Text("big"), EffectTags: []string{"ui"}})
	fmt.Println(err)
	// Output:
	// 16 true
	// setting: default of chat.size: must be a whole number, not "big"
}

// A part of a host that comes later adds a word to a setting of a different part.
func ExampleRegistry_Allow() {
	reg, err := setting.Registry{}.With(setting.Definition{
		Key: "house.language", Type: setting.Enum, Default: tree.Text("en"),
		Validation: setting.Validation{Allowed: []string{"en", "zh"}}, EffectTags: []string{"ui"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	more, err := reg.Allow("house.language", "ja")
	for _, r := range []setting.Registry{reg, more} {
		_, result, problems := r.Patch(nil, nil, setting.Snapshot{"house.language": tree.Text("ja")})
		fmt.Println(result.Changed, problems.Err())
	}
	fmt.Println(err)
	_, err = more.Allow("house.size", "big")
	fmt.Println(err)
	// Output:
	// [] house.language: must be one of ["en" "zh"], not "ja"
	// [house.language] <nil>
	// <nil>
	// setting: house.size is not a registered enum; correct the key, or register it as an enum first
}
