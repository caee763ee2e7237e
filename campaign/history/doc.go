// Package history has the words for looking back in a campaign: pages of its turns, and what lies
// between two of them. [campaign.Engine.History] and [campaign.Engine.Compare] speak them:
//
//	for t, err := range engine.History(ctx, "greyhaven", history.Page{Limit: 20}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(t.UserInput, t.Text, len(t.Others))
//	}
//
// [campaign.Engine.Branches] lists the branches, those too that were left long ago.
//
// All of its types are plain data.
package history
