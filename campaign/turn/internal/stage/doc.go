// Package stage is where something happens to a campaign, in a turn or between turns: it holds the state
// in the making, and what commands, calls, effects and rules make of it. It knows nothing of models,
// prompts and stores: who plays a turn hands it what was said and asked for, and takes the [Progress].
package stage
