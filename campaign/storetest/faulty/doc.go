// Package faulty is a store that fails as a test wants it: it answers late or not at all, loses
// what it was given or only the answer, writes twice or half, and breaks off in the middle. A host
// plays its campaigns on it to see what its players would.
//
//	store := &faulty.Store{Store: &memstore.Store{}, Plan: faulty.Random(7, 0.2)}
//	engine, err := campaign.NewEngine(campaign.Config{Game: g, Store: store, Model: model})
package faulty
