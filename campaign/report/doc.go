// Package report explains a turn to people: which lore came and which nearly did, what the prompt
// consisted of and what had no room in it, what the model asked for and what was refused, what the
// text claims by its own list and on which calls that rests, what contradicted the state and where,
// which rules fired and which nearly did, hooks, dice, and what the memory gave.
//
//	r, err := engine.Report(ctx, id, turnID) // of any turn that was ever played
//	fmt.Print(r)                             // as text
//	err = r.WriteHTML(file)                  // as one page that loads nothing
//	data, err := json.Marshal(r)             // for other programs
//
// Without an engine: everything that happened is in the turn, and [Of] needs no more. What nearly did
// is not kept; [turn.Record.Explain] works it out, and [campaign.Engine.Explain] for a line that nobody
// has said yet:
//
//	why, err := record.Explain(game, before, nil)
//	r := report.Of(*record.Turn, why)
//
// A report holds the words of players and models as they are. The page shows them as text: no
// markup in them counts. It has no scripts, and asks no server for anything.
//
// Everything is pure and safe for concurrent use.
package report
