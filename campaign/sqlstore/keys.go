package sqlstore

import (
	"context"
	"database/sql"
	"errors"
)

// Both questions have an index of their own, which holds nothing else.
const keyedText = `SELECT c.deleted,
	coalesce((SELECT min(version) FROM talewright_record WHERE campaign = ?1 AND key = ?2 AND key <> ''), 0),
	coalesce((SELECT max(version) FROM talewright_record WHERE campaign = ?1 AND key IS NULL), 0)
	FROM talewright_campaign c WHERE c.id = ?1`

// Keyed implements [campaign.Keys].
func (s *Store) Keyed(ctx context.Context, id, key string) (version, unkeyed int64, err error) {
	if err := errors.Join(checkID(id), checkID(key)); err != nil {
		return 0, 0, err
	}
	ctx, done := s.limit(ctx)
	defer done()
	var deleted int64
	err = s.reads.QueryRowContext(ctx, s.dialect.sql(keyedText), id, key).Scan(&deleted, &version, &unkeyed)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, 0, s.failed(ctx, id, err)
	}
	return version, unkeyed, missing(id, err == nil, deleted)
}
