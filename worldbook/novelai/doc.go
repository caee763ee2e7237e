// Package novelai reads NovelAI lorebooks.
//
// An entry becomes a world book entry in this way; everything else of it is as
// the editor makes a new one, but not selective:
//
//	keys                           keys
//	text                           content
//	displayName                    comment
//	enabled                        not disabled; missing is enabled
//	forceActivation                constant
//	contextConfig.budgetPriority   order, 0 if missing
//
// Everything else does not act and is reported: searchRange, categories, biases, and
// the other settings of contexts.
package novelai
