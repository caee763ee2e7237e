// Package storetest examines implementations of campaign.Store.
//
//	func TestStore(t *testing.T) {
//		folders := map[campaign.Store]string{}
//		open := func(folder string) campaign.Store {
//			s := mystore.Open(folder)
//			folders[s] = folder
//			return s
//		}
//		storetest.Run(t,
//			func(t *testing.T) campaign.Store { return open(t.TempDir()) },
//			storetest.Options{
//				Reopen: func(t *testing.T, s campaign.Store) campaign.Store {
//					s.(*mystore.Store).Close()
//					return open(folders[s])
//				},
//				Beside: func(t *testing.T, s campaign.Store) campaign.Store { return open(folders[s]) },
//			})
//	}
//
// With Reopen the exam also sees what is left after a restart; a store that forgets fails, unless
// it says so itself. A store that is a campaign.Catalog, a campaign.Desk, a campaign.Ledger,
// campaign.Keys, a campaign.Meter, a campaign.Notices or an campaign.Inbox is examined as one. Every case says in one
// sentence what it is about; the sentence is printed when the case fails. What becomes of campaigns
// when a store fails is played with campaign/storetest.
package storetest
