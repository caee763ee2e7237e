package crash

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/memvars/tree"
)

const envAnswer = "TALEWRIGHT_CRASH_ANSWER" // makes a process an answering one; the value is the duration of its leases

// answered is the end of an instruction in a process.
type answered struct {
	Status   turn.OutcomeStatus
	Replayed bool
	Late     string // the refusal or the typed error of a late answer
	Err      string // any other error
}

// bite is a model that narrates a bite and calls hp_delta.
func bite(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	const reply = `{"text": "A bat bites.", "tool_calls": [{"tool": "hp_delta", "args": {"target_character_id": "ann", "delta": -1, "cause": "bat"}}]}`
	return chunks(llm.TextDelta{Text: reply}, llm.Done{Reason: llm.FinishStop})
}

// answer executes the instructions that it reads, until the end of its input.
func answer(store campaign.Store, lease string, in io.Reader, out io.Writer) error {
	d, err := time.ParseDuration(lease)
	if err != nil {
		return err
	}
	engine, err := engineOf(store, d, bite)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		in, err := turn.ParseInstruction(lines.Bytes())
		if err != nil {
			return err
		}
		var a answered
		o, err := engine.Do(context.Background(), campaignID(0), in)
		refusal, refused := errors.AsType[*state.Refusal](err)
		switch {
		case err == nil:
			a.Status, a.Replayed = o.Status, o.Replayed
			if o.Status != turn.Completed {
				a.Late = o.Reason
			}
		case refused:
			a.Late = string(refusal.Code)
		case errors.Is(err, campaign.ErrVersionConflict), errors.Is(err, campaign.ErrLeaseLost):
			a.Late = err.Error()
		default:
			a.Err = err.Error()
		}
		if err := json.NewEncoder(out).Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Answer lets two processes answer the same question about a turn at once, each with its own
// arguments. They run first without and then with leases. Exactly one answer must take effect,
// complete and once. The other one must be refused, or must report a lost race with a typed error.
func Answer(t *testing.T, store campaign.Store, where string, env ...string) {
	const rounds, fullHP = 6, 100
	engine, err := engineOf(store, -1, bite)
	if err == nil {
		_, err = engine.Create(t.Context(), state.Setup{ID: campaignID(0),
			Characters: []state.Character{{ID: "ann", Name: "Ann", HP: state.HP{Current: fullHP, Max: fullHP}}},
			Settings:   setting.Snapshot{settingkey.ToolApproval: tree.Text("all")}})
	}
	if err != nil {
		t.Fatal(err)
	}
	late, turns, hp := map[string]int{}, 0, fullHP
	for _, lease := range []string{"-1ns", "1m"} {
		people := [2]*person{startPerson(t, where, lease, env), startPerson(t, where, lease, env)}
		for range rounds {
			turns++
			winner := ask(t, engine, people, late)
			c, err := engine.Campaign(t.Context(), campaignID(0))
			if err != nil || len(c.Turns) != turns || c.PendingApproval != nil {
				t.Fatalf("%d turns after %d questions, %v waits: %v", len(c.Turns), turns, c.PendingApproval, err)
			}
			last := c.Turns[turns-1]
			hp += delta(winner)
			if got := c.State.Characters[0].HP.Current; got != hp || len(last.Applied) != 1 || len(last.Approvals) != 1 || last.Approvals[0].By != name(winner) {
				t.Fatalf("person %d counts: ann has %d of %d, applied is %+v by %+v", winner, got, hp, last.Applied, last.Approvals)
			}
		}
	}
	if _, err := engine.Rebuild(t.Context(), campaignID(0)); err != nil {
		t.Error(err)
	}
	t.Logf("answer: questions %d, answered once %d, late: %v", turns, turns, late)
}

func name(person int) string { return fmt.Sprint("person ", person) }

// delta is the hit points that a person changes in their answer.
func delta(person int) int { return -2 - person }

// ask begins a turn that waits for approval, lets both processes answer, and returns whose answer
// took effect.
func ask(t *testing.T, engine *campaign.Engine, people [2]*person, late map[string]int) (winner int) {
	t.Helper()
	o, err := engine.Turn(t.Context(), campaignID(0), turn.Submit{Text: "I look."})
	if err != nil || o.Status != turn.Waiting || len(o.Approval.Calls) != 1 {
		t.Fatalf("the turn ended as %+v: %v", o, err)
	}
	for i, p := range people {
		in, err := turn.MarshalInstruction(turn.Approve{Question: o.Approval.ID, By: name(i), Decisions: []state.ApprovalDecision{{
			CallID: o.Approval.Calls[0].ID, Verdict: state.Edit,
			Args: tree.Object(tree.Member{Key: "target_character_id", Value: tree.Text("ann")},
				tree.Member{Key: "delta", Value: tree.Int(int64(delta(i)))}, tree.Member{Key: "cause", Value: tree.Text("bat")})}}})
		if err != nil {
			t.Fatal(err)
		}
		p.instruction = append(in, '\n')
	}
	for _, p := range people { // both have begun before one of them ends
		if _, err := p.in.Write(p.instruction); err != nil {
			t.Fatal(err)
		}
	}
	winner = -1
	for i, p := range people {
		var a answered
		if err := p.answers.Decode(&a); err != nil {
			t.Fatalf("person %d: %v: %s", i, err, p.stderr.String())
		}
		switch {
		case a.Status == turn.Completed && !a.Replayed && winner < 0:
			winner = i
		case a.Late != "":
			late[a.Late]++
		default:
			t.Fatalf("person %d: %+v, and person %d counts", i, a, winner)
		}
	}
	if winner < 0 {
		t.Fatal("no answer counts")
	}
	return winner
}

// person is an answering process.
type person struct {
	*child
	answers     *json.Decoder
	instruction []byte
}

// startPerson starts a process that ends with the test.
func startPerson(t *testing.T, where, lease string, env []string) *person {
	t.Helper()
	process, err := startChild(append(slices.Clone(env), envWhere+"="+where, envAnswer+"="+lease)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.in.Close()
		if err := process.Wait(); err != nil {
			t.Errorf("a person ended: %v: %s", err, process.stderr.String())
		}
	})
	return &person{child: process, answers: json.NewDecoder(process.out)}
}
