package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/sqlite"
)

// kept has the stored campaign and its progress.
type kept struct {
	store campaign.Store
	close func() error
	found bool      // the campaign already existed
	steps int       // steps of the script that were already played
	last  time.Time // of the newest record
}

// keep opens the file of -store, or a store in memory.
func keep(ctx context.Context, path, id string) (kept, error) {
	if path == "" {
		return kept{store: &campaign.MemoryStore{}, close: func() error { return nil }}, nil
	}
	file, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return kept{}, fmt.Errorf("-store: %w", err)
	}
	k := kept{store: file, close: file.Close}
	for entry, err := range file.Records(ctx, id, 0) {
		switch {
		case errors.Is(err, campaign.ErrNotFound) && !errors.Is(err, campaign.ErrDeleted):
			return k, nil
		case err != nil:
			return kept{}, errors.Join(fmt.Errorf("-store: %w", err), file.Close())
		}
		k.found, k.last = true, entry.At
		switch entry.Kind { // one for each step; the engine writes other records by itself
		case "turn", "conflict", "approval_pending", "discard", "rollback", "undo_rollback", "raise_events", "choose", "patch_settings":
			k.steps++
		}
	}
	return k, nil
}
