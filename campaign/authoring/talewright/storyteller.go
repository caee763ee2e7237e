package main

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
)

// storyteller is a model that gives the replies of the scenarios. If a scenario has the player's line, it
// gives the replies to that line. In a game with one scenario it gives the next replies to other
// lines. Otherwise it goes where the player names a place.
type storyteller struct {
	mu      sync.Mutex
	replies []campaigntest.ScenarioReply            // of the only scenario, in order
	lines   map[string][]campaigntest.ScenarioReply // by the player's line
	queue   []campaigntest.ScenarioReply            // to the present line
	noModel string                                  // the reply if no place is named
	stop    string                                  // after a sentence
	areas   []state.MapArea
	actor   string // ID of the character who goes
}

func (l *loaded) storyteller() *storyteller {
	s := &storyteller{lines: map[string][]campaigntest.ScenarioReply{}, noModel: l.texts.NoModel, stop: l.texts.AfterSentence,
		areas: l.Setup.Map.Areas, actor: l.Setup.Selected.ActorID}
	if characters := l.Setup.Characters; s.actor == "" && len(characters) > 0 {
		s.actor = characters[0].ID
	}
	for _, name := range sortedKeys(l.Tests) {
		scenario, problems := campaigntest.ParseScenario(name, l.Tests[name])
		if problems.Err() != nil {
			continue
		}
		for _, step := range scenario.Steps {
			if step.Do == "say" && len(step.Args) > 0 && s.lines[step.Args[0]] == nil {
				s.lines[step.Args[0]] = step.Replies
			}
			if len(l.Tests) == 1 {
				s.replies = append(s.replies, step.Replies...)
			}
		}
	}
	return s
}

// chooseReplies chooses the replies for a line.
func (s *storyteller) chooseReplies(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = slices.Clone(s.lines[line])
}

// Generate implements [llm.Model].
func (s *storyteller) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	s.mu.Lock()
	reply := s.improvise(req)
	switch {
	case len(s.queue) > 0:
		reply, s.queue = s.queue[0], s.queue[1:]
	case len(s.replies) > 0:
		reply, s.replies = s.replies[0], s.replies[1:]
	}
	s.mu.Unlock()
	return llm.Once(func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.TextDelta{Text: answerText(reply)}, nil) && yield(llm.Done{Reason: llm.FinishStop}, nil)
	})
}

// improvise moves the player to a place that the last line names. Otherwise it returns a fixed text.
func (s *storyteller) improvise(req llm.Request) campaigntest.ScenarioReply {
	fixed := campaigntest.ScenarioReply{Text: s.noModel}
	line := ""
	for _, m := range req.Messages {
		if m.Role == llm.User {
			line = strings.ToLower(m.Text)
		}
		if strings.Contains(m.Text, "retries_left") { // the engine refused to go there
			return fixed
		}
	}
	isNamed := func(name string) bool { return name != "" && strings.Contains(line, strings.ToLower(name)) }
	for _, a := range s.areas {
		if !isNamed(a.Name) && !slices.ContainsFunc(a.Aliases, isNamed) {
			continue
		}
		args, err := json.Marshal(map[string]string{"actor_id": s.actor, "to_area_id": a.ID})
		if err != nil {
			return fixed
		}
		return campaigntest.ScenarioReply{Text: a.Name + s.stop + a.Description,
			Calls: []campaigntest.ScenarioCall{{Tool: "move", Args: string(args)}}}
	}
	return fixed
}

// answerText writes a reply in the form in which models call tools as text.
func answerText(r campaigntest.ScenarioReply) string {
	if len(r.Calls) == 0 {
		return r.Text
	}
	type call struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	answer := struct {
		Text  string `json:"text"`
		Calls []call `json:"tool_calls"`
	}{Text: r.Text}
	for _, c := range r.Calls {
		args := json.RawMessage(c.Args)
		if !json.Valid(args) {
			args = json.RawMessage("{}")
		}
		answer.Calls = append(answer.Calls, call{c.Tool, args})
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return r.Text
	}
	return string(data)
}
