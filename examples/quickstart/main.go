// Quickstart plays a campaign. Lore activates, rules fire, and the model proposes changes. The
// engine refuses invalid changes and has contradictions repaired, so the state stays right. At the
// end the whole log is replayed and compared byte for byte.
//
// The players and the model have their lines from a script, so it needs no network:
//
//	go run ./examples/quickstart
//	go run ./examples/quickstart -lang zh
//
// The campaign is in memory and ends with the program; examples/savefile keeps one in a file. To play
// yourself, with your own content and model, use campaign/authoring/talewright.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		for _, line := range strings.Split(strings.TrimSpace(err.Error()), "\n") {
			fmt.Fprintln(os.Stderr, "quickstart: "+line)
		}
		os.Exit(1)
	}
}

// run is the program without the process around it.
func run(ctx context.Context, args []string, out, errOut io.Writer) error {
	fs := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	fs.SetOutput(errOut)
	lang := fs.String("lang", "en", "language of the campaign: en or zh")
	switch err := fs.Parse(args); {
	case err != nil:
		return err
	case fs.NArg() > 0:
		return fmt.Errorf("unknown argument %q; see -help", fs.Arg(0))
	case *lang != "en" && *lang != "zh":
		return fmt.Errorf("-lang %s: choose en or zh", *lang)
	}
	s, err := start(ctx, *lang, out)
	if err != nil {
		return err
	}
	return s.scripted(ctx)
}
