package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
)

// TestDeflate: records become a third at most, come back as they were, and may follow on
// records without a codec; what was cut is an error.
func TestDeflate(t *testing.T) {
	t.Parallel()
	codec, at := campaign.Deflate(), campaign.Place{Campaign: "cave", Version: 1, Kind: "turn"}
	plain, sealed := 0, 0
	for _, e := range entries(t, uncut(t).records...) {
		out, err := codec.Seal(at, e.Data)
		if err != nil {
			t.Fatal(err)
		}
		plain, sealed = plain+len(e.Data), sealed+len(out)
		for _, stored := range [][]byte{out, e.Data} {
			if back, err := codec.Open(at, stored); err != nil || string(back) != string(e.Data) {
				t.Fatalf("record %d comes back as %q, %v", e.Version, back, err)
			}
		}
		if _, err := codec.Open(at, out[:len(out)/2]); err == nil || !strings.HasPrefix(err.Error(), "inflate: ") {
			t.Errorf("half of record %d: %v", e.Version, err)
		}
	}
	t.Logf("%d bytes became %d", plain, sealed)
	if sealed > plain/3 {
		t.Errorf("%d bytes became %d", plain, sealed)
	}
}
