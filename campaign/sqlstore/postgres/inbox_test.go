package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// TestPostsOverSeveralServers posts from one process, which follows the campaign. Two other
// processes play the posts, in order and once each, while the server sometimes ends all
// connections.
func TestPostsOverSeveralServers(t *testing.T) {
	config := server(t)
	const posts = 20
	first := connect(t, config)
	front := newEngine(t, campaign.Config{Store: first, Model: replies(0)})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for range 2 {
		g, _ := game.Compile(game.Content{})
		worker, err := campaign.New(campaign.Config{Game: g, Store: connect(t, config), Model: replies(10 * posts), Sharing: campaign.Sharing{Lease: time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if err := worker.Serve(ctx, 1, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("Serve: %v", err)
			}
		})
	}
	next := 0
	post := func() {
		if next == posts {
			return
		}
		in := turn.Submit{Text: fmt.Sprint("line ", next), ClientTurnID: fmt.Sprint("c", next)}
		if err := again(func() error { _, err := front.Post(ctx, "mill", in); return err }); err != nil {
			t.Fatal(err)
		}
		next++
	}
	for range 5 {
		post()
	}
	played := 0
	for rec, err := range front.Watch(ctx, "mill", 1) {
		if errors.Is(err, campaign.ErrUnavailable) {
			continue
		}
		if err != nil {
			t.Fatalf("after %d turns: %v", played, err)
		}
		if want := fmt.Sprint("line ", played); rec.Turn == nil || rec.Turn.UserInput != want {
			t.Fatalf("record %d is no turn of %q: %+v", rec.Version, want, rec.Turn)
		}
		if played++; played == posts {
			break
		}
		if played%6 == 0 {
			endOthers(t, first)
		}
		post()
	}
	cancel()
	wg.Wait()
	var c state.Campaign
	if err := again(func() (err error) { c, err = front.Rebuild(t.Context(), "mill"); return err }); err != nil || c.Version != posts+1 {
		t.Errorf("rebuilt version %d, %v", c.Version, err)
	}
	var found bool
	if err := again(func() (err error) { _, found, err = first.OldestPost(t.Context(), "mill"); return err }); found || err != nil {
		t.Errorf("something still waits: %t, %v", found, err)
	}
}
