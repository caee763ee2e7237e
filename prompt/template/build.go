package template

import (
	"cmp"
	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// NewBuild returns a build at its beginning.
func NewBuild(env Env) *Build {
	if env.Chat == nil {
		env.Chat = macro.Messages{}
	}
	env.MaxSteps = cmp.Or(env.MaxSteps, maxSteps)
	b := &Build{library: theLibrary(), env: env, dry: env.DryRun}
	v := env.Variables
	b.stores = [scopes]tree.Value{
		messageScope: v.Message, chatScope: v.Chat, globalScope: v.Global, initialScope: v.Initial,
	}
	for i, store := range b.stores {
		if !store.IsObject() {
			b.stores[i] = tree.Object()
		}
	}
	b.mergeStores()
	return b
}

// Writes returns the changes of variables so far, in their order. Do not modify them.
func (b *Build) Writes() []Write { return b.writes }

// Pulled returns the entries whose content getwi returned, each once, in their order. Do not modify
// them.
func (b *Build) Pulled() []worldbook.ID { return b.pulled }

// Problems returns the texts that failed so far, in their order, with the path of their piece or
// entry. Do not modify them.
func (b *Build) Problems() talewright.Problems { return b.problems }
