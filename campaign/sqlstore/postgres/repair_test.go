package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/sqlstore/internal/crash"
)

// TestDamagedRowsAreRepaired damages rows: they are cut, emptied, removed or changed, or their
// snapshot is deleted. After a repair the campaign continues (CA-55).
func TestDamagedRowsAreRepaired(t *testing.T) {
	server(t) // skips the test if there is no server
	crash.Mend(t, func(t *testing.T) crash.Database {
		config := server(t)
		return crash.Database{Blob: "bytea", Edit: `convert_to(replace(convert_from(data, 'UTF8'), 'Snow.', 'Hail.'), 'UTF8')`, Open: func() campaign.Store { return connect(t, config) },
			Exec: func(text string) {
				conn, err := pgx.ConnectConfig(t.Context(), config)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close(t.Context())
				if _, err := conn.Exec(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}}
	})
}
