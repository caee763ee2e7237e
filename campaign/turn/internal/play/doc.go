// Package play has the running turn. It has the order of the turn, the stage of its changes, the
// findings for its prompt, the exchange with the model, the decisions of people, and the speakers
// of a cast. Each exported step function does one row of the course and returns, as a [Next], where
// the turn continues. Prompts and texts read the turn through the views that [Turn.View] and
// similar methods return. Nothing of the turn is visible outside before it is recorded.
package play
