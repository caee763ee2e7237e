// Package postgres keeps campaigns on a PostgreSQL server: any process on any machine
// runs any campaign.
//
//	store, err := postgres.Open(ctx, "postgres://games@db.internal/games", postgres.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: model})
//
// A commit is one statement in one round trip. What was acknowledged is as safe as the
// server's settings make it: with synchronous_commit on (the default) it survives a crash
// of the server. It survives the loss of the machine only with a synchronous replica:
// with an asynchronous one, turns that were acknowledged may be missing after a failover.
//
// Of several processes one at a time plays a campaign; see campaign.Desk, and Lease and Owner
// of campaign.Config. The clock of the leases is the server's.
//
// Who follows a campaign (campaign.Engine.Watch) is woken by NOTIFY, which a process sends after
// its commits, many of them together, in statements that no commit waits for; [Options].Quiet
// spares them. What is lost with a connection is found by looking. A pooler in
// transaction mode does not hand notifications on: there those who follow look every ten seconds.
//
// The server does not compress what it keeps: campaign.Deflate does, as the Codec of
// campaign.Config, and spares the network too.
//
// For failover name all servers: "postgres://a,b/games". Connections then go to the one
// that can write. A connection that is lost, a server that shuts down and one that cannot
// write yet are campaign.ErrUnavailable: an engine finds out by itself whether its record
// was written, and a host may submit the turn again.
//
// Version 15 was tried; nothing later than version 9.5 is used. A pooler in transaction
// mode needs default_query_exec_mode=exec in the connection string, unless it knows
// prepared statements.
package postgres
