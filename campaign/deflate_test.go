package campaign_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
)

// TestDeflate: records shrink to a third or less, are restored exactly, and may follow records
// without a codec. Truncated data is an error.
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

// TestDeflateKeepsItsTables: the tables of a compressor, which are larger than any record, are
// reused.
func TestDeflateKeepsItsTables(t *testing.T) {
	codec, at := campaign.Deflate(), campaign.Place{Campaign: "cave", Version: 1, Kind: "turn"}
	data := entries(t, uncut(t).records[1])[0].Data
	const times = 50
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		sealed, err := codec.Seal(at, data)
		if err == nil {
			_, err = codec.Open(at, sealed)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / times; each > 600_000 { // 1.2 MB with new tables for each
		t.Errorf("%d bytes are allocated for a record of %d", each, len(data))
	}
}

// BenchmarkDeflate seals and opens the record of a turn.
func BenchmarkDeflate(b *testing.B) {
	codec, at := campaign.Deflate(), campaign.Place{Campaign: "cave", Version: 1, Kind: "turn"}
	g := longGame(b)
	data := entries(b, *longTurn(b, longMachine(b, g, longCampaign(b, g, 10)), longWarm))[0].Data
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		sealed, err := codec.Seal(at, data)
		if err == nil {
			_, err = codec.Open(at, sealed)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
