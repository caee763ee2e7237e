package setting_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleRegistry_Patch() {
	reg := setting.Builtin()
	next, result, problems := reg.Patch(nil, nil, setting.Snapshot{
		setting.CompressEnabled: tree.Bool(true),
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
	// turn.tempo: no such setting
}

func ExampleRegistry_With() {
	reg, err := setting.Builtin().With(setting.Definition{
		Key: "house.language", Type: setting.Enum, Default: tree.Text("en"),
		Validation: setting.Validation{Allowed: []string{"en", "zh"}},
	})
	fmt.Println(err, reg.Freeze(nil, nil).Text("house.language"))
	_, err = reg.With(setting.Definition{Key: "house.language"})
	fmt.Println(err)
	// Output:
	// <nil> en
	// setting: house.language is registered already
}

func ExampleRegistry_Freeze() {
	global := setting.Snapshot{setting.MaxRetries: tree.Int(5), setting.RecentTurns: tree.Int(3)}
	campaign := setting.Snapshot{setting.MaxRetries: tree.Int(0)}
	values := setting.Builtin().Freeze(global, campaign)
	fmt.Println(values.Int(setting.MaxRetries), values.Int(setting.RecentTurns),
		values.Text(setting.TurnMode))
	// Output: 0 3 single
}

// What the installation says holds for campaigns that say nothing of their own.
func ExampleRegistry_PatchGlobal() {
	reg := setting.Builtin()
	campaign := setting.Snapshot{setting.TurnOrder: tree.Text("free")}
	global, result, problems := reg.PatchGlobal(nil, campaign, setting.Snapshot{
		setting.TurnOrder: tree.Text("round_robin"), setting.MaxRetries: tree.Int(1),
	})
	values := reg.Freeze(global, campaign)
	fmt.Println(result.Changed, len(problems))
	fmt.Println(values.Text(setting.TurnOrder), values.Int(setting.MaxRetries))
	// Output:
	// [retry.max_retries] 0
	// free 1
}
