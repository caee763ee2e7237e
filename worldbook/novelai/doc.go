// Package novelai reads NovelAI lorebooks.
package novelai
