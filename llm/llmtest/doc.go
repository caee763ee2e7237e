// Package llmtest tests programs that talk to a language model, and the
// adapters that let them.
//
// # A model that says what you want
//
// [Scripted] is a real [llm.Model] that answers from a list:
//
//	model := llmtest.NewScripted(
//		llmtest.Text("The goblin lunges at you."),
//		llmtest.Text("You are hit.").AndCall("hp_delta", "target", "hero", "delta", -3),
//		llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Retry: true}),
//		llmtest.Block(), // until the context ends
//	)
//	// … run the program with it …
//	for _, req := range model.Requests() {
//		// … see what the model was asked
//	}
//
// A [Reply] is plain data with a useful zero; its fields choose pieces, usage,
// warnings, a cut stream, an error in the middle. A [Gate] holds a reply at a
// place, so that a test can cancel or look around at exactly that moment,
// without sleeping. A request that the script has no reply for is an error that
// names the request. A model that fails by a random plan, and a store beside it, are in
// campaign/storetest.
//
// # Recordings
//
// A [Recorder] around a real model notes each request and its chunks; a
// [Player] answers from such notes without a model. The key is the request's
// bytes: when a prompt changes, the player fails with a line diff against the
// nearest recorded request instead of guessing.
//
// # An exam for adapters
//
// [TestModel] checks every sentence of the contract of [llm.Model]. Whoever
// writes an adapter runs it against a fake server that speaks a given script:
//
//	func TestContract(t *testing.T) {
//		llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
//			return myadapter.New(fakeServer(t, script).URL)
//		})
//	}
package llmtest
