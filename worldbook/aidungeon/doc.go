// Package aidungeon reads AI Dungeon story cards and the older world info lists.
package aidungeon
