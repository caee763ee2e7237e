// Package ledger has what rules and reactions remember between turns: switches, cooldowns, counts,
// directives, and one-shot context for the next prompt.
package ledger
