// Package mcp supports the Model Context Protocol in both directions, with the official SDK. A
// model can call the tools of external servers ([Connect]). External agents can read a campaign, or
// play it as its game master ([PlayerServer]).
//
// # External tools
//
//	client, err := mcp.Connect(ctx, &sdk.CommandTransport{Command: exec.Command("library")}, mcp.Options{
//		Allow:   []string{"search"},
//		Approve: askTheHost,
//		Prefix:  "library_",
//	})
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//
//	rules, problems := game.Compile(game.Content{Extensions: game.Extensions{Tools: client.Tools()}})
//
// A campaign must also allow the tools, in Setup.Allowlist or with SetTools. Without a campaign,
// [Client.Specs] describes the tools to a model and [Client.Call] calls them.
//
// # Serving a campaign
//
// An agent that plays is a model like any other. The engine checks its output, refuses it with the
// required changes, or records it. A replay does not need the agent.
//
//	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: mcp.ClientModel(nil)})
//	…
//	server, err := mcp.PlayerServer{Engine: engine, Game: game, Campaign: "greyhaven", Play: true}.Server()
//	…
//	err = server.Run(ctx, &sdk.StdioTransport{})
//
// # Trust
//
// Nothing is trusted: not the server, whose descriptions of tools are added to prompts, and not the
// calls, because a model writes them.
//
//   - [Options.Allow] names the allowed tools. No other tool is described or called.
//   - [Options.Approve] must approve every call, except for tools that [Options.Unattended] names.
//     Without both, no tool is called.
//   - Arguments are checked against the schema of the tool before approval. References in a schema
//     are expanded, up to a limit. A schema whose check would not be linear in its length makes the
//     tool unusable, and [Client.Problems] reports it.
//   - Tools are read once: an allowed tool cannot change later.
//   - Invisible characters are removed from descriptions, and descriptions are truncated to 1 KiB.
//     If names or values of a schema have such characters, the tool is unusable. Members that are
//     not part of JSON Schema are removed. With [Options.Describe], the model sees no text of the
//     server except the names of arguments.
//   - Only the allowed tools of the list are kept in memory.
//   - A server gets no capabilities: it cannot use a model, ask a person or read a folder.
//   - Results are data. Their macros are never expanded, and [Options.MaxResult] limits their size.
//   - [Options.Timeout] limits the time, also for servers that do not read their input. The SDK
//     alone would wait forever for such a server.
//
// The SDK sets the limits of the transport: 16 MiB for a message. With HTTP, the http.Client of the
// transport handles redirects and keys. A client that follows redirects to other hosts must not add
// a key to every request.
//
// # Errors
//
// A call without a result is an [*Error] with a [Code]; its Text is written for the model. Connect
// returns the SDK's error, wrapped, or the error of the context.
package mcp
