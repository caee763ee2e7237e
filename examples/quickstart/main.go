// Quickstart plays a campaign. Lore activates, rules fire, and the model proposes changes. The
// engine refuses invalid changes and has contradictions repaired, so the state stays right. At the
// end the whole log is replayed and compared byte for byte.
//
// Without flags it plays a session from a script, offline:
//
//	go run ./examples/quickstart
//	go run ./examples/quickstart -lang zh
//
// See -help for how to play yourself, with your own world book, card and model. The campaign is in
// memory and ends with the program; examples/savefile keeps one in a file.
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

	"github.com/talewright/talewright/prompt"
)

// options are the command line.
type options struct {
	lang     string
	folder   string
	book     string
	card     string
	play     bool
	model    string
	name     string
	seed     uint64
	seedSet  bool
	keyEnv   string
	shape    string
	errorOut io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			for _, line := range strings.Split(strings.TrimSpace(err.Error()), "\n") {
				fmt.Fprintln(os.Stderr, "quickstart: "+line)
			}
		}
		os.Exit(1)
	}
}

// run is the program without the process around it.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) error {
	o, err := parseFlags(args, errOut)
	if err != nil {
		return err
	}
	l, err := load(o)
	if err != nil {
		return err
	}
	s, err := start(ctx, o, l, out)
	if err != nil {
		return err
	}
	if o.play || o.model != "" {
		return s.interactive(ctx, in)
	}
	return s.scripted(ctx)
}

func parseFlags(args []string, errOut io.Writer) (options, error) {
	o := options{errorOut: errOut}
	fs := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	fs.SetOutput(errOut)
	fs.StringVar(&o.lang, "lang", "en", "language of the built-in campaign: en or zh")
	fs.StringVar(&o.folder, "campaign", "", "folder of another campaign, laid out like campaigns/en")
	fs.StringVar(&o.book, "book", "", "world book (JSON of SillyTavern, NovelAI, RisuAI, Agnai and others) to play with")
	fs.StringVar(&o.card, "card", "", "character card (JSON, PNG or CHARX) to play with")
	fs.BoolVar(&o.play, "play", false, "type yourself instead of playing the script")
	fs.StringVar(&o.model, "model", "", "address of an OpenAI-compatible server, such as http://localhost:11434/v1")
	fs.StringVar(&o.name, "model-name", "", "name of the model there")
	fs.StringVar(&o.shape, "shape", "", "shape of the messages that the model accepts, such as strict or openai; without it that of the server's profile, which its address selects")
	fs.StringVar(&o.keyEnv, "key-env", "OPENAI_API_KEY", "environment variable that holds the server's key")
	fs.Uint64Var(&o.seed, "seed", 0, "seed of the campaign's dice; without it that of the campaign file")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	fs.Visit(func(f *flag.Flag) { o.seedSet = o.seedSet || f.Name == "seed" })
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("unknown argument %q; see -help", fs.Arg(0))
	case o.lang != "en" && o.lang != "zh":
		return o, fmt.Errorf("-lang %s: choose en or zh", o.lang)
	case o.shape != "" && o.model == "":
		return o, errors.New("-shape needs -model: without a server no messages are sent")
	case o.model != "" && o.name == "":
		return o, errors.New("-model needs -model-name: the name of the model on that server")
	}
	if err := (prompt.ShapeRules{Profile: prompt.ShapeProfile(o.shape)}).Check().Err(); err != nil {
		return o, fmt.Errorf("-shape: %w", err)
	}
	return o, nil
}
