// Package play is a turn in the making: what it was asked for, the stage on which things happen,
// what was found for its prompt, what the model is sent and has answered, what people have decided,
// who of a cast speaks. The rooms of the stages work on it, each function a step that says by a
// [Next] where the turn goes on; what prompts and texts may read of it are the views that
// [Turn.View] and its neighbours return. Nothing of it is visible outside before the turn is
// recorded.
package play
