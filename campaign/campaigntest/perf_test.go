package campaigntest_test

import (
	"testing"
	"time"

	. "github.com/talewright/talewright/campaign/campaigntest"
	"github.com/talewright/talewright/internal/testkit"
)

// TestPerfScenarios checks that more than thirty scenarios run in less than two seconds, including
// the compilation of the content and a replay of each.
func TestPerfScenarios(t *testing.T) {
	testkit.Need(t)
	content, setup := crypt(t)
	list := stories(t)
	took := testkit.Best(3, func() {
		g, err := Prepare(content, setup)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			if _, err := g.Verify(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Logf("%d scenarios in %v", len(list), took)
	if took > 2*time.Second {
		t.Errorf("%d scenarios take %v", len(list), took)
	}
}
