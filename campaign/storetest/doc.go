// Package storetest examines implementations of campaign.Store.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) campaign.Store { return mystore.Open(t.TempDir()) })
//	}
//
// Every case says in one sentence what it is about; the sentence is printed when
// the case fails.
package storetest
