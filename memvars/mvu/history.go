package mvu

import (
	"regexp"
	"strings"
)

// placeholder is the place of a status page. MVU appends it to replies, and regex scripts of a card
// put the page there.
const placeholder = "<StatusPlaceHolderImpl/>"

// updateBlocks are blocks with commands that follow a line break.
var updateBlocks = regexp.MustCompile(`(?is)\n(?:<updatevariable>.*?</updatevariable>|<variableupdate>.*?</variableupdate>|<update>.*?</update>)`)

// CutHistory returns a message of the history as a model reads it: without the places of status
// pages. With updates it also cuts the blocks with commands, because a second model changes the
// variables. As in MVU, only what follows a line break is cut.
func CutHistory(text string, updates bool) string {
	text = strings.ReplaceAll(text, "\n"+placeholder, "")
	if updates {
		text = updateBlocks.ReplaceAllString(text, "")
	}
	return text
}
