package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
)

const (
	selectPostSQL = `SELECT p.seq, p.key, p.at, p.input, p.outcome FROM talewright_inbox p WHERE p.campaign = ?1`

	// The row of the campaign is changed first. This makes concurrent posts wait for each other.
	nextSeqSQL      = `UPDATE talewright_campaign SET posted = posted + 1 WHERE id = ?1 AND deleted = 0 RETURNING posted`
	countWaitingSQL = `SELECT count(*) FROM talewright_inbox WHERE campaign = ?1 AND outcome IS NULL`
	insertPostSQL   = `INSERT INTO talewright_inbox (campaign, seq, key, at, input) VALUES (?1, ?2, ?3, ?4, ?5)`
	deletePostSQL   = `DELETE FROM talewright_inbox WHERE campaign = ?1 AND key = ?2`

	finishPostSQL = `UPDATE talewright_inbox SET outcome = ?4 WHERE campaign = ?1 AND key = ?2 AND outcome IS NULL
		AND EXISTS (SELECT 1 FROM talewright_campaign WHERE id = ?1 AND deleted = 0 AND (CAST(?3 AS bigint) = 0 OR fence = ?3))`
	deleteFinishedSQL = `DELETE FROM talewright_inbox WHERE campaign = ?1 AND outcome IS NOT NULL AND seq <= CAST(?2 AS bigint) +
		(SELECT max(seq) FROM talewright_inbox WHERE campaign = ?1 AND outcome IS NOT NULL)`
	selectFenceSQL = `SELECT deleted, fence FROM talewright_campaign WHERE id = ?1`
	listInboxesSQL = `SELECT DISTINCT campaign FROM talewright_inbox WHERE outcome IS NULL AND campaign > ?1
		ORDER BY campaign LIMIT ?2`
)

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// readPost reads one post. where is whereKeySQL or whereOldestSQL. found is false if there is no such
// post.
func (s *Store) readPost(ctx context.Context, from querier, where string, args ...any) (p campaign.InboxPost, found bool, err error) {
	var at string
	err = from.QueryRowContext(ctx, s.dialect.sql(selectPostSQL+where), args...).Scan(&p.Seq, &p.Key, &at, &p.Data, &p.Outcome)
	if errors.Is(err, sql.ErrNoRows) {
		return p, false, nil
	}
	if err == nil {
		p.At, err = readTime(at)
	}
	return p, err == nil, err
}

const (
	whereKeySQL    = ` AND p.key = ?2`
	whereOldestSQL = ` AND p.outcome IS NULL ORDER BY p.seq LIMIT 1`
)

// PutPost implements [campaign.Cluster].
func (s *Store) PutPost(ctx context.Context, id string, p campaign.InboxPost) (campaign.InboxPost, error) {
	at, err := timeText(p.At)
	if err = errors.Join(err, checkID(id), checkID(p.Key)); err != nil {
		return campaign.InboxPost{}, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	// A host posts again to get the outcome. Then nothing is written and nobody is woken.
	stored, found, err := s.readPost(ctx, s.reads, whereKeySQL, id, p.Key)
	if err != nil {
		return campaign.InboxPost{}, wrapError(ctx, id, err)
	}
	if found {
		return stored, nil
	}
	tx, err := s.writes.BeginTx(ctx, s.dialect.transaction)
	if err != nil {
		return campaign.InboxPost{}, wrapError(ctx, id, err)
	}
	defer tx.Rollback() // does nothing after Commit
	stored, err = s.insertPost(ctx, tx, id, at, p)
	if errors.Is(err, sql.ErrNoRows) {
		_ = tx.Rollback() // releases the connection for the next query
		return stored, s.missingError(ctx, id)
	}
	if errors.Is(err, campaign.ErrInboxFull) {
		return stored, fmt.Errorf("sqlstore: %q: %w", id, err)
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return campaign.InboxPost{}, wrapError(ctx, id, err)
	}
	return stored, s.notify("", nil)
}

// insertPost stores a post, or returns the stored post with its key. at is the text of p.At. The error
// is sql.ErrNoRows if the campaign does not exist.
func (s *Store) insertPost(ctx context.Context, tx *sql.Tx, id, at string, p campaign.InboxPost) (campaign.InboxPost, error) {
	var seq, waiting int64
	if err := tx.QueryRowContext(ctx, s.dialect.sql(nextSeqSQL), id).Scan(&seq); err != nil {
		return campaign.InboxPost{}, err
	}
	stored, found, err := s.readPost(ctx, tx, whereKeySQL, id, p.Key)
	if err != nil || found {
		return stored, err
	}
	if err := tx.QueryRowContext(ctx, s.dialect.sql(countWaitingSQL), id).Scan(&waiting); err != nil {
		return stored, err
	}
	if waiting >= campaign.MaxWaitingPosts {
		return stored, campaign.ErrInboxFull
	}
	p.Seq, p.Data, p.Outcome = seq, orEmpty(p.Data), nil
	_, err = tx.ExecContext(ctx, s.dialect.sql(insertPostSQL), id, seq, p.Key, at, p.Data)
	return p, err
}

// OldestPost implements [campaign.Cluster].
func (s *Store) OldestPost(ctx context.Context, id string) (campaign.InboxPost, bool, error) {
	if err := checkID(id); err != nil {
		return campaign.InboxPost{}, false, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	p, found, err := s.readPost(ctx, s.reads, whereOldestSQL, id)
	if err != nil {
		return campaign.InboxPost{}, false, wrapError(ctx, id, err)
	}
	if !found {
		_, err = s.fenceOf(ctx, id)
	}
	return p, found, err
}

// fenceOf returns the fence of a campaign that exists.
func (s *Store) fenceOf(ctx context.Context, id string) (fence int64, err error) {
	var deleted int64
	err = s.reads.QueryRowContext(ctx, s.dialect.sql(selectFenceSQL), id).Scan(&deleted, &fence)
	return fence, rowError(ctx, id, err, deleted)
}

// FinishPost implements [campaign.Cluster].
func (s *Store) FinishPost(ctx context.Context, id string, fence int64, key string, outcome []byte) error {
	if err := errors.Join(checkID(id), checkID(key)); err != nil {
		return err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	finished, err := s.change(ctx, s.writes, finishPostSQL, id, key, fence, orEmpty(outcome))
	if err == nil && finished > 0 {
		_, err = s.change(ctx, s.writes, deleteFinishedSQL, id, -campaign.MaxFinishedPosts)
	}
	if err != nil {
		return wrapError(ctx, id, err)
	}
	if finished > 0 {
		return nil
	}
	newest, err := s.fenceOf(ctx, id)
	if err == nil && fence != 0 && fence != newest {
		err = fmt.Errorf("sqlstore: %q: %w", id, campaign.ErrLeaseLost)
	}
	return err
}

// ListInboxes implements [campaign.Cluster].
func (s *Store) ListInboxes(ctx context.Context, after string, limit int) (ids []string, err error) {
	if err := checkID(after); err != nil {
		return nil, err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	rows, err := s.reads.QueryContext(ctx, s.dialect.sql(listInboxesSQL), after, int64(limit))
	err = eachRow(ctx, "inbox", rows, err, func() error {
		var id string
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}
