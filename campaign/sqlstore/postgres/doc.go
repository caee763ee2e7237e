// Package postgres stores campaigns on a PostgreSQL server. Any process on any machine can run any
// campaign.
//
//	store, err := postgres.Open(ctx, "postgres://games@db.internal/games", postgres.Options{})
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: model})
//
// A commit is one statement in one round trip. The settings of the server determine how durable an
// acknowledged commit is. With synchronous_commit on (the default) it survives a crash of the
// server. It survives the loss of the machine only with a synchronous replica. With an asynchronous
// replica, acknowledged turns may be missing after a failover.
//
// Only one process at a time plays a campaign; see campaign.Cluster, and Lease and Owner of
// campaign.Config. Leases use the clock of the server.
//
// NOTIFY wakes the followers of a campaign (campaign.Engine.Watch). A process sends notifications
// after its commits, many of them together, and no commit waits for them. [Options].Quiet turns
// them off. Followers also poll, and so find changes whose notification was lost with a connection.
// A pooler in transaction mode does not forward notifications: followers then poll every ten
// seconds.
//
// The server does not compress the data. Set campaign.Deflate as the Codec of campaign.Config; this
// also reduces network traffic.
//
// For failover, name all servers: "postgres://a,b/games". Connections then go to the server that
// can write. A lost connection, a server that shuts down and a server that cannot write yet are
// campaign.ErrUnavailable. An engine checks by itself whether its record was written, and a host
// may submit the turn again.
//
// The package is tested with version 15 and uses nothing newer than version 9.5. A pooler in
// transaction mode needs default_query_exec_mode=exec in the connection string, unless it supports
// prepared statements.
package postgres
