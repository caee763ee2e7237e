package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// PlayerServer is a campaign that clients of the Model Context Protocol can read and, with Play, play as
// its game master. Engine, Game and Campaign are required.
//
// Clients see everything that a model sees, including lore and a hidden goal, because they have the
// role of the game master. Do not serve players.
type PlayerServer struct {
	Engine   *campaign.Engine
	Game     *game.Game // the game of the engine
	Campaign string     // the id of the campaign
	// Books are the books of the content. They provide the texts of lore. Entries of other books
	// are listed by title only.
	Books []worldbook.Attachment
	// Play enables the tool turn. The model of the engine must be a [ClientModel].
	Play bool
	// Roll rolls a die with this number of sides, 1 to sides, for the tool roll. nil means the
	// random numbers of math/rand/v2. It must be safe for concurrent use. The campaign itself uses
	// its own recorded random source.
	Roll func(sides int) int
}

// The limits on requests of clients.
const (
	maxDice  = 100
	maxSides = 1000
	maxFound = 20       // entries of lore
	maxLine  = 16 << 10 // bytes of a query, of a player's line and of a narration
	maxCalls = 32
)

// Server returns a server with the tools state, search_lore, roll, tools and, if Play is set, turn.
// Connect it to a transport of the SDK. It may serve several clients. The error lists the missing
// fields.
func (t PlayerServer) Server() (*sdk.Server, error) {
	var missing []error
	if t.Engine == nil {
		missing = append(missing, errors.New("mcp: PlayerServer.Engine is missing"))
	}
	if t.Game == nil {
		missing = append(missing, errors.New("mcp: PlayerServer.Game is missing: it is the one of the engine"))
	}
	if t.Campaign == "" {
		missing = append(missing, errors.New("mcp: PlayerServer.Campaign is missing"))
	}
	if len(missing) > 0 {
		return nil, errors.Join(missing...)
	}
	if t.Roll == nil {
		t.Roll = func(sides int) int { return 1 + rand.IntN(sides) }
	}
	t.Books = slices.Clone(t.Books)
	s := sdk.NewServer(&sdk.Implementation{Name: "talewright", Version: "0"}, nil)
	look := &sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)}
	sdk.AddTool(s, &sdk.Tool{Name: "state", Annotations: look,
		Description: "Tells the state of the campaign as the game master's model sees it: party, places, hit points, variables, goal."}, t.state)
	sdk.AddTool(s, &sdk.Tool{Name: "search_lore", Annotations: look,
		Description: "Finds what the world book knows about the words of a query."}, t.searchLore)
	sdk.AddTool(s, &sdk.Tool{Name: "roll", Annotations: look,
		Description: "Rolls dice, such as 2d6+3. Nothing of it is recorded."}, t.roll)
	sdk.AddTool(s, &sdk.Tool{Name: "tools", Annotations: look,
		Description: "Lists the tools that a game master may call within a turn, with their arguments."}, t.tools)
	if t.Play {
		sdk.AddTool(s, &sdk.Tool{Name: "turn", Annotations: &sdk.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(false)},
			Description: "Plays a turn: what the player says, what the game master narrates, and the calls that settle what the narration tells. " +
				"Everything is judged; if anything is refused nothing has happened, and the answer says what to change."}, t.turn)
	}
	return s, nil
}

type nothing struct{}

type stateAnswer struct {
	Version int64    `json:"version" jsonschema:"grows with everything that happens"`
	Turns   int      `json:"turns" jsonschema:"turns that were played"`
	Blocks  []string `json:"blocks" jsonschema:"what a prompt says of the state"`
}

// stateBlocks are the blocks of a prompt that describe the state.
var stateBlocks = []game.BlockID{
	game.BlockWorld, game.BlockWorldRules, game.BlockMap, game.BlockParty, game.BlockStatus,
	game.BlockGoal, game.BlockSummary, game.BlockPins,
}

const variablesBlock = "variables"

func (t PlayerServer) state(ctx context.Context, _ *sdk.CallToolRequest, _ nothing) (*sdk.CallToolResult, stateAnswer, error) {
	c, err := t.Engine.Campaign(ctx, t.Campaign)
	if err != nil {
		return nil, stateAnswer{}, err
	}
	asked, err := t.prompt(ctx, c)
	if err != nil {
		return nil, stateAnswer{}, err
	}
	out := stateAnswer{Version: c.Version, Turns: c.State.TurnCount, Blocks: []string{}}
	for _, m := range asked.Messages {
		if m.Kind == question.KindSystemBlock && (m.Block == variablesBlock || slices.Contains(stateBlocks, game.BlockID(m.Block))) {
			out.Blocks = append(out.Blocks, m.Message.Text)
		}
	}
	return nil, out, nil
}

// prompt returns a request that a model would get now, also if no turn can be played: the campaign
// waits for people or has ended, or its active character cannot act. Nothing is recorded, and rules,
// hooks and router do not run.
func (t PlayerServer) prompt(ctx context.Context, c state.Campaign) (question.Request, error) {
	c.PendingConflict, c.PendingApproval, c.State.Lifecycle = nil, nil, state.Lifecycle{}
	m := turn.NewMachine(t.Game, c)
	err := m.Step(turn.Suggest{})
	for err == nil {
		switch todo := m.Todo(); {
		case todo.Generate != nil:
			return todo.Generate.Request, nil
		case todo.Past != nil:
			var read turn.PastRead
			if read, err = t.readTurns(ctx, todo.Past.Turns); err == nil {
				err = m.Step(read)
			}
		case todo.Retrieve != nil:
			err = m.Step(turn.Retrieved{})
		case todo.Outcome != nil && todo.Outcome.Err() != nil:
			err = todo.Outcome.Err()
		default:
			err = errors.New("mcp: there is no prompt now")
		}
	}
	return question.Request{}, err
}

// readTurns reads turns that the campaign does not hold in memory. ids are in the order of the turns.
func (t PlayerServer) readTurns(ctx context.Context, ids []string) (read turn.PastRead, err error) {
	for past, err := range t.Engine.History(ctx, t.Campaign, state.HistoryPage{}) {
		if err != nil {
			return read, err
		}
		if slices.Contains(ids, past.ID) {
			read.Turns = append(read.Turns, past.Turn)
		}
		if len(read.Turns) == len(ids) {
			break
		}
	}
	return read, nil
}

type loreQuestion struct {
	Query string `json:"query" jsonschema:"words that the lore is about"`
	Limit int    `json:"limit,omitempty" jsonschema:"at most so many entries, 1 to 20; 0 means 20"`
}

type loreAnswer struct {
	Entries []loreEntry `json:"entries"`
	More    int         `json:"more,omitempty" jsonschema:"entries beyond the limit"`
}

type loreEntry struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	Why   string `json:"why" jsonschema:"the word that led to it"`
	Text  string `json:"text,omitempty"`
}

// searchLore plays the query as a player's line at the beginning of a story. It returns the entries
// that the campaign's own rules then add to a prompt, without the constant entries.
func (t PlayerServer) searchLore(ctx context.Context, _ *sdk.CallToolRequest, q loreQuestion) (*sdk.CallToolResult, loreAnswer, error) {
	out := loreAnswer{Entries: []loreEntry{}}
	if err := bounded("query", q.Query); err != nil {
		return nil, out, err
	}
	if q.Limit < 0 || q.Limit > maxFound {
		return nil, out, fmt.Errorf("limit: %d is not 0 to %d", q.Limit, maxFound)
	}
	q.Limit = cmp.Or(q.Limit, maxFound)
	c, err := t.Engine.Campaign(ctx, t.Campaign)
	if err != nil {
		return nil, out, err
	}
	c.State.Lore, c.State.Greeting, c.State.Injections = worldbook.State{}, "", nil
	c.State.Timers = nil
	c.Turns = nil
	for _, x := range turn.NewMachine(t.Game, c).Explain(turn.Submit{Text: q.Query}, "").Lore {
		if !x.Active || x.Reason == nil || x.Reason.Kind == worldbook.ByConstant {
			continue
		}
		if len(out.Entries) == q.Limit {
			out.More++
			continue
		}
		out.Entries = append(out.Entries, loreEntry{ID: x.ID.String(), Title: x.Comment, Why: x.Reason.String(), Text: t.loreText(c, x.ID)})
	}
	return nil, out, nil
}

// loreText returns the text of an entry. Macros are replaced by names, and decorators, which
// control the scan, are removed.
func (t PlayerServer) loreText(c state.Campaign, id worldbook.ID) string {
	for _, a := range t.Books {
		if a.Book.Name != id.Book {
			continue
		}
		for _, e := range a.Book.Entries {
			if e.UID != id.UID {
				continue
			}
			text := e.Content
			for strings.HasPrefix(text, "@@") {
				_, text, _ = strings.Cut(text, "\n")
			}
			actor, _ := c.State.Character(c.State.Selected.ActorID)
			return macro.NewRun(macro.Env{User: actor.Name}).Expand(text, macro.Names)
		}
	}
	return ""
}

func bounded(name, text string) error {
	if strings.TrimSpace(text) == "" || len(text) > maxLine {
		return fmt.Errorf("%s: want a text of at most %d bytes", name, maxLine)
	}
	return nil
}

type toolsAnswer struct {
	Tools []toolAnswer `json:"tools"`
}

type toolAnswer struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Arguments   map[string]any `json:"arguments" jsonschema:"their JSON Schema"`
}

func (t PlayerServer) tools(ctx context.Context, _ *sdk.CallToolRequest, _ nothing) (*sdk.CallToolResult, toolsAnswer, error) {
	out := toolsAnswer{Tools: []toolAnswer{}}
	c, err := t.Engine.Campaign(ctx, t.Campaign)
	if err != nil {
		return nil, out, err
	}
	for _, name := range c.Allowlist {
		tool, known := t.Game.Tool(name)
		if _, off := c.DisabledTools[name]; off || !known {
			continue
		}
		var schema map[string]any
		if err := json.Unmarshal(tool.Schema(), &schema); err != nil {
			return nil, out, err
		}
		out.Tools = append(out.Tools, toolAnswer{Name: name, Description: tool.Description, Arguments: schema})
	}
	return nil, out, nil
}
