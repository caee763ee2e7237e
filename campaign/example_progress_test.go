package campaign_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// An HTTP handler sends a turn to its player as it happens, one event a line. A client reads the
// lines: CA-60.
func ExampleParseProgress() {
	const player = "ann" // the character of the player who is logged in
	engine := newMill(llmtest.NewScripted(llmtest.Text("The miller nods. He says nothing.")), game.Content{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
		if err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
			return
		}
		in, err := turn.ParseInstruction(body)
		submit, ok := in.(turn.Submit)
		if err != nil || !ok {
			http.Error(w, "not an instruction of players", http.StatusBadRequest)
			return
		}
		submit.ActorID = player
		lines, flush := json.NewEncoder(w), http.NewResponseController(w).Flush
		for p, err := range engine.Stream(r.Context(), "mill", submit) {
			if err != nil {
				return
			}
			var line any = p
			var audience []string
			switch p := p.(type) {
			case campaign.AttemptStarted:
				p.Retry = "" // for operators
				line = p
			case campaign.Provisional:
				audience = p.Audience
			case campaign.Narration:
				audience = p.Audience
			case campaign.HostEffect:
				continue // the host applies it
			case campaign.Finished:
				shown, ok := p.Outcome.ForPlayers(player)
				if !ok {
					continue
				}
				line = map[string]any{"progress": "finished", "outcome": shown}
			}
			if len(audience) > 0 && !slices.Contains(audience, player) {
				continue
			}
			if lines.Encode(line) != nil || flush() != nil {
				return
			}
		}
	})

	response := httptest.NewRecorder()
	handler.ServeHTTP(response, httptest.NewRequest(http.MethodPost, "/turn", strings.NewReader(`{"input":"submit","text":"Hello!"}`)))
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		p, err := campaign.ParseProgress(lines.Bytes())
		if err != nil {
			fmt.Println(err)
			return
		}
		if end, ok := p.(campaign.Finished); ok {
			fmt.Println(end.Outcome.Status, end.Outcome.Turn.ID)
			return
		}
		fmt.Println(lines.Text())
	}
	// Output:
	// {"progress":"attempt_started","attempt":1}
	// {"progress":"narration","text":"The miller nods."}
	// {"progress":"narration","text":" He says nothing."}
	// completed turn_0001
}
