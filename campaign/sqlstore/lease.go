package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign"
)

const (
	acquireSQL = `UPDATE talewright_campaign SET owner = ?2, fence = fence + 1, expires = {now} + CAST(?3 AS bigint)
		WHERE id = ?1 AND deleted = 0 AND (expires <= {now} OR owner = ?2) RETURNING fence`
	selectLeaseSQL = `SELECT deleted, owner, expires - {now} FROM talewright_campaign WHERE id = ?1`
	renewSQL       = `UPDATE talewright_campaign SET expires = {now} + CAST(?3 AS bigint)
		WHERE id = ?1 AND deleted = 0 AND fence = ?2`
	releaseSQL = `UPDATE talewright_campaign SET owner = '', fence = fence + 1, expires = 0
		WHERE id = ?1 AND deleted = 0 AND fence = ?2`
)

// Acquire implements [campaign.Cluster]. With [Options].Alone it returns an error that wraps
// [errors.ErrUnsupported].
func (s *Store) Acquire(ctx context.Context, id, owner string, d time.Duration) (fence int64, err error) {
	if s.alone {
		return 0, fmt.Errorf("sqlstore: %q: leases are switched off, see Options.Alone: %w", id, errors.ErrUnsupported)
	}
	if err := errors.Join(checkID(id), checkID(owner)); err != nil {
		return 0, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	err = untilSerialized(ctx, func() error {
		return s.leases.QueryRowContext(ctx, s.dialect.sql(acquireSQL), id, owner, d.Milliseconds()).Scan(&fence)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, s.leaseError(ctx, id)
	}
	if err != nil {
		return 0, wrapError(ctx, id, err)
	}
	return fence, nil
}

// leaseError returns the error for a campaign that cannot be leased: it does not exist, or a different
// owner has it.
func (s *Store) leaseError(ctx context.Context, id string) error {
	var deleted, left int64
	var owner string
	err := s.leases.QueryRowContext(ctx, s.dialect.sql(selectLeaseSQL), id).Scan(&deleted, &owner, &left)
	if err := rowError(ctx, id, err, deleted); err != nil {
		return err
	}
	held := &campaign.HeldError{Owner: owner, For: max(0, time.Duration(left)*time.Millisecond)}
	return fmt.Errorf("sqlstore: %q: %w", id, held)
}

// Renew implements [campaign.Cluster].
func (s *Store) Renew(ctx context.Context, id string, fence int64, d time.Duration) error {
	return s.changeWithFence(ctx, id, renewSQL, id, fence, d.Milliseconds())
}

// Release implements [campaign.Cluster].
func (s *Store) Release(ctx context.Context, id string, fence int64) error {
	err := s.changeWithFence(ctx, id, releaseSQL, id, fence)
	if errors.Is(err, campaign.ErrLeaseLost) {
		return nil
	}
	return err
}

const (
	saveAnswerSQL = `INSERT INTO talewright_answer (campaign, key, fence, data)
		SELECT id, CAST(?2 AS text), CAST(?3 AS bigint), CAST(?4 AS {blob}) FROM talewright_campaign
		WHERE id = ?1 AND deleted = 0 AND fence = ?3
		ON CONFLICT (campaign, key) DO UPDATE SET fence = excluded.fence, data = excluded.data`
	deleteOldAnswersSQL = `DELETE FROM talewright_answer WHERE campaign = ?1 AND fence <= CAST(?2 AS bigint)`
	selectAnswerSQL     = `SELECT c.deleted, a.data FROM talewright_campaign c
		LEFT JOIN talewright_answer a ON a.campaign = c.id AND a.key = ?2 WHERE c.id = ?1`
)

// SaveAnswer implements [campaign.Cluster].
func (s *Store) SaveAnswer(ctx context.Context, id string, fence int64, key string, answer []byte) error {
	if err := checkID(key); err != nil {
		return err
	}
	if err := s.changeWithFence(ctx, id, saveAnswerSQL, id, key, fence, orEmpty(answer)); err != nil {
		return err
	}
	// Answers whose turn was not committed for so long are deleted at every 32nd fence. Acquire and
	// Release each raise the fence, so the fences of leases may all be odd or all even: 0 and 1 count.
	if fence%32 > 1 {
		return nil
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	if _, err := s.change(ctx, s.leases, deleteOldAnswersSQL, id, fence-campaign.MaxAnswerFences); err != nil {
		return wrapError(ctx, id, err)
	}
	return nil
}

// Answer implements [campaign.Cluster].
func (s *Store) Answer(ctx context.Context, id, key string) (data []byte, err error) {
	if err := errors.Join(checkID(id), checkID(key)); err != nil {
		return nil, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	var deleted int64
	err = s.leases.QueryRowContext(ctx, s.dialect.sql(selectAnswerSQL), id, key).Scan(&deleted, &data)
	return data, rowError(ctx, id, err, deleted)
}

// changeWithFence runs a statement that changes a row only if the campaign has a fence. If it changes no
// row, the error is ErrLeaseLost or the error of a campaign that does not exist.
func (s *Store) changeWithFence(ctx context.Context, id, text string, args ...any) error {
	if err := checkID(id); err != nil {
		return err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	changed, err := s.change(ctx, s.leases, text, args...)
	switch {
	case err != nil:
		return wrapError(ctx, id, err)
	case changed > 0:
		return nil
	}
	if err := s.leaseError(ctx, id); errors.Is(err, campaign.ErrNotFound) || errors.Is(err, campaign.ErrUnavailable) {
		return err
	}
	return fmt.Errorf("sqlstore: %q: %w", id, campaign.ErrLeaseLost)
}
