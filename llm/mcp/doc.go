// Package mcp speaks the Model Context Protocol, over the official SDK, in both
// directions: a model calls the tools of other people's servers ([Connect]), and other
// people's agents look at a campaign, or play it as its game master ([Table]).
//
// # Tools of others
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
//	rules, problems := game.Compile(game.Content{Tools: client.Tools()})
//
// A campaign still has to allow the tools, in Setup.Allowlist or by SetTools. Without a
// campaign [Client.Specs] describes them to a model and [Client.Call] calls them.
//
// # A campaign for others
//
// An agent that plays is a model like any other: what it says is judged by the engine,
// refused with what to change, recorded, and replayed without it.
//
//	engine, err := campaign.New(campaign.Config{Game: game, Store: store, Model: mcp.Seat(nil)})
//	…
//	server, err := mcp.Table{Engine: engine, Game: game, Campaign: "greyhaven", Play: true}.Server()
//	…
//	err = server.Run(ctx, &sdk.StdioTransport{})
//
// # What is trusted
//
// Nothing. A server is a stranger, what it says of its tools stands in prompts, and what
// calls it is written by a model.
//
//   - [Options.Allow] names the tools that exist; no other is described or called.
//   - Every call is approved by [Options.Approve], but for tools that [Options.Unattended]
//     names. Without either nothing is called.
//   - Arguments fit the schema of the tool before anybody is asked. References within a
//     schema are written out, within a bound; a schema that cannot be checked in time that
//     follows its length makes the tool unusable, which [Client.Problems] says.
//   - Tools are read once: what was allowed cannot turn into something else.
//   - Descriptions lose characters that cannot be seen, and are cut at 1 KiB. A schema whose
//     names or values hold such characters makes the tool unusable, and members that are not
//     of JSON Schema are left out. With [Options.Describe] no text of the server reaches the
//     model but the names of arguments.
//   - Of the list of tools only the allowed ones are kept.
//   - A server gets no capability: it can ask neither a model nor a person, and sees no
//     folder.
//   - Results are data. They are never expanded, and bounded by [Options.MaxResult].
//   - Time is bounded by [Options.Timeout], also for servers that do not read what they
//     are sent, for which the SDK alone waits without end.
//
// Bounds of the transport are those of the SDK: 16 MiB for a message. Over HTTP redirects
// and keys are the business of the http.Client that the transport is given; one that
// follows redirects to other hosts must not add a key to every request.
//
// # What goes wrong
//
// A call without a result is an [*Error] with a [Code], whose Text is made for the model.
// Connecting fails with the SDK's error, wrapped, or with the error of the context.
package mcp
