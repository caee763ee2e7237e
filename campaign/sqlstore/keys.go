package sqlstore

import (
	"context"
	"database/sql"
	"errors"
)

// An index alone answers the query.
const keyedText = `SELECT c.deleted,
	coalesce((SELECT min(version) FROM talewright_record WHERE campaign = ?1 AND key = ?2 AND key <> ''), 0)
	FROM talewright_campaign c WHERE c.id = ?1`

// Keyed implements [campaign.Keys]. All entries were stored with their keys.
func (s *Store) Keyed(ctx context.Context, id, key string) (version, unkeyed int64, err error) {
	if err := errors.Join(checkID(id), checkID(key)); err != nil {
		return 0, 0, err
	}
	ctx, done := s.limit(ctx)
	defer done()
	var deleted int64
	err = s.reads.QueryRowContext(ctx, s.dialect.sql(keyedText), id, key).Scan(&deleted, &version)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, 0, s.failed(ctx, id, err)
	}
	return version, 0, missing(id, err == nil, deleted)
}
