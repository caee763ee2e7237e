package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign"
)

const listSQL = `SELECT id, head, created, updated FROM talewright_campaign
	WHERE deleted = 0 AND id >= ?1 AND (?2 = '' OR id < ?2) AND (?3 = '' OR id > ?3) ORDER BY id LIMIT ?4`

// List implements [campaign.Store].
func (s *Store) List(ctx context.Context, page campaign.Page) ([]campaign.Info, error) {
	if err := errors.Join(checkID(page.Prefix), checkID(page.After)); err != nil {
		return nil, err
	}
	limit := int64(page.Limit)
	if limit <= 0 {
		limit = math.MaxInt64
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	rows, err := s.reads.QueryContext(ctx, s.dialect.sql(listSQL), page.Prefix, upperBound(page.Prefix), page.After, limit)
	if err != nil {
		return nil, wrapError(ctx, page.Prefix, err)
	}
	defer rows.Close()
	var out []campaign.Info
	for rows.Next() {
		var l campaign.Info
		var created, updated string
		if err := rows.Scan(&l.ID, &l.Version, &created, &updated); err != nil {
			return nil, wrapError(ctx, page.Prefix, err)
		}
		var errs [2]error
		l.Created, errs[0] = readTime(created)
		l.Updated, errs[1] = readTime(updated)
		if err := errors.Join(errs[:]...); err != nil {
			return nil, fmt.Errorf("sqlstore: %q: %w", l.ID, err)
		}
		out = append(out, l)
	}
	if err := rows.Err(); err != nil {
		return nil, wrapError(ctx, page.Prefix, err)
	}
	return out, nil
}

// upperBound returns the first text after all texts with the prefix. It returns "" if no text is greater.
func upperBound(prefix string) string {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case last == utf8.MaxRune:
			continue // no rune comes after it; raise the one before it
		case last == 0xD7FF:
			last = 0xE000 // skip the surrogates, which no text contains
		default:
			last++
		}
		return prefix + string(last)
	}
	return ""
}

// Delete implements [campaign.Store]. The bytes may stay in the database files until the database
// is compacted, and in its backups.
func (s *Store) Delete(ctx context.Context, id string) error {
	return s.notify(id, s.runStatements(ctx, id, []string{
		`UPDATE talewright_campaign SET deleted = 1, created = '', updated = '' WHERE id = ?1 AND deleted = 0`,
		`DELETE FROM talewright_snapshot WHERE campaign = ?1`,
		`DELETE FROM talewright_record WHERE campaign = ?1`,
		`DELETE FROM talewright_answer WHERE campaign = ?1`,
		`DELETE FROM talewright_inbox WHERE campaign = ?1`,
	}))
}

// Trim implements [campaign.Store].
func (s *Store) Trim(ctx context.Context, id string) error {
	return s.runStatements(ctx, id, []string{
		`UPDATE talewright_campaign SET head = head WHERE id = ?1 AND deleted = 0`,
		`DELETE FROM talewright_snapshot WHERE campaign = ?1 AND version <
			(SELECT max(version) FROM talewright_snapshot WHERE campaign = ?1)`,
	})
}

// runStatements runs statements on one campaign in one transaction. The first one must lock the row of
// the campaign. If it changes no row, the campaign does not exist.
func (s *Store) runStatements(ctx context.Context, id string, texts []string) error {
	if err := checkID(id); err != nil {
		return err
	}
	ctx, done := s.withTimeout(ctx)
	defer done()
	tx, err := s.writes.BeginTx(ctx, s.dialect.transaction)
	if err != nil {
		return wrapError(ctx, id, err)
	}
	defer tx.Rollback() // does nothing after Commit
	for i, text := range texts {
		result, err := tx.ExecContext(ctx, s.dialect.sql(text), id)
		if err != nil {
			return wrapError(ctx, id, err)
		}
		if n, err := result.RowsAffected(); err != nil || i == 0 && n == 0 {
			tx.Rollback() // releases the connection for the next query
			return errors.Join(err, s.missingError(ctx, id))
		}
	}
	if err := tx.Commit(); err != nil {
		return wrapError(ctx, id, err)
	}
	return nil
}

// missingError returns the error for a campaign that does not exist: ErrNotFound or ErrDeleted.
func (s *Store) missingError(ctx context.Context, id string) error {
	var deleted int64
	err := s.writes.QueryRowContext(ctx, s.dialect.sql(`SELECT deleted FROM talewright_campaign WHERE id = ?1`), id).Scan(&deleted)
	return rowError(ctx, id, err, 1)
}

const statsSQL = `SELECT
	(SELECT count(*) FROM talewright_campaign WHERE deleted = 0),
	(SELECT count(*) FROM talewright_campaign WHERE deleted = 0 AND owner <> '' AND expires > {now}),
	(SELECT count(*) FROM talewright_inbox WHERE outcome IS NULL),
	(SELECT count(DISTINCT campaign) FROM talewright_inbox WHERE outcome IS NULL),
	coalesce((SELECT at FROM talewright_inbox WHERE outcome IS NULL AND at <> '' ORDER BY at LIMIT 1), '')`

// Stats implements [campaign.Cluster]. It reads the rows of all campaigns and of all waiting posts.
func (s *Store) Stats(ctx context.Context) (st campaign.Stats, err error) {
	ctx, done := s.withTimeout(ctx)
	defer done()
	var oldest string
	err = s.reads.QueryRowContext(ctx, s.dialect.sql(statsSQL)).Scan(&st.Campaigns, &st.Leases, &st.Posts, &st.Inboxes, &oldest)
	if err != nil {
		return campaign.Stats{}, wrapError(ctx, "stats", err)
	}
	if st.Oldest, err = readTime(oldest); err != nil {
		return campaign.Stats{}, fmt.Errorf("sqlstore: stats: %w", err)
	}
	return st, nil
}

// unsoundSQL finds campaigns whose records are not exactly those from 1 to their head, with a snapshot
// after the head, or that are deleted and have records.
const unsoundSQL = `SELECT c.id, c.head, count(r.version), coalesce(max(r.version), 0)
	FROM talewright_campaign c LEFT JOIN talewright_record r ON r.campaign = c.id
	GROUP BY c.id, c.head, c.deleted
	HAVING (c.deleted = 0 AND (count(r.version) <> c.head OR max(r.version) <> c.head))
		OR c.head < (SELECT max(s.version) FROM talewright_snapshot s WHERE s.campaign = c.id)
		OR (c.deleted <> 0 AND count(r.version) > 0) ORDER BY c.id LIMIT 20`

// orphanSQL finds rows of campaigns that have no row of their own.
const orphanSQL = `SELECT campaign, rows_of, count(*), coalesce(max(version), 0) FROM (
	SELECT campaign, 'records' AS rows_of, version FROM talewright_record
	UNION ALL SELECT campaign, 'snapshots', version FROM talewright_snapshot
	UNION ALL SELECT campaign, 'answers', 0 FROM talewright_answer
	UNION ALL SELECT campaign, 'posts', seq FROM talewright_inbox) AS x
	WHERE NOT EXISTS (SELECT 1 FROM talewright_campaign c WHERE c.id = x.campaign)
	GROUP BY campaign, rows_of ORDER BY campaign, rows_of LIMIT 20`

// Check verifies that every log is complete: from its first record to its head, without gaps, and
// without a snapshot after the head. It also finds data of campaigns that have no row. The error
// names up to 20 campaigns of each kind. Check reads the whole index of the records, but not the
// records themselves. campaign.Engine.Check compares their checksums.
func (s *Store) Check(ctx context.Context) error {
	heads, err := s.findFaults(ctx, unsoundSQL, func(row scanner) error {
		var id string
		var head, count, last int64
		err := row.Scan(&id, &head, &count, &last)
		return errors.Join(err, fmt.Errorf("sqlstore: %q has head %d, and %d records up to %d", id, head, count, last))
	})
	if err != nil {
		return err
	}
	orphans, err := s.findFaults(ctx, orphanSQL, func(row scanner) error {
		var id, what string
		var count, last int64
		err := row.Scan(&id, &what, &count, &last)
		return errors.Join(err, fmt.Errorf("sqlstore: %q has %d %s up to %d and no row in talewright_campaign: restore that row, or delete the rest",
			id, count, what, last))
	})
	return errors.Join(append(heads, append(orphans, err)...)...)
}

type scanner interface{ Scan(into ...any) error }

// findFaults runs a query that selects faulty rows, and calls fault for the error of each.
func (s *Store) findFaults(ctx context.Context, text string, fault func(scanner) error) (found []error, err error) {
	rows, err := s.reads.QueryContext(ctx, text)
	err = eachRow(ctx, "check", rows, err, func() error {
		found = append(found, fault(rows))
		return nil
	})
	return found, err
}
