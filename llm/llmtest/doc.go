// Package llmtest tests programs that use a language model, and adapters for language models.
//
// # Scripted models
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
//		// … check the requests
//	}
//
// A [Reply] is plain data with a useful zero value. Its fields set the size of pieces, usage,
// warnings, an incomplete stream, or an error in the middle. A [Gate] stops a reply at a point, so
// that a test can cancel or check something at exactly that moment, without sleeping. If the script
// has no reply for a request, the error names the request. Package campaign/storetest has a model
// and a store that fail by a random plan.
//
// # Recordings
//
// A [Recorder] wraps a real model and records each request and its chunks. A [Player] answers from
// such a recording without a model. The key is the bytes of the request: when a prompt changes, the
// player fails with a line diff against the nearest recorded request.
//
// # Contract tests for adapters
//
// [TestModel] checks every sentence of the contract of [llm.Model]. The test of an adapter runs it
// with a fake server that sends a given script:
//
//	func TestContract(t *testing.T) {
//		llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
//			return myadapter.New(fakeServer(t, script).URL)
//		})
//	}
package llmtest
