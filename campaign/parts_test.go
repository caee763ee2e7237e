package campaign_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
)

// TestCommitByPartsIsTheWhole: to store only the members of a campaign that changed
// comes to the same as to store all of it, whichever member it is.
func TestCommitByPartsIsTheWhole(t *testing.T) {
	t.Parallel()
	for seed := range 20 {
		base, _, err := randomCampaign(2 * seed).StoredWhole()
		if err != nil {
			t.Fatal(err)
		}
		other := randomCampaign(2*seed + 1)
		other.Extra, other.State.Extra = base.Extra, base.State.Extra
		if seed%5 == 4 { // members that nobody knows have changed too
			other.Extra = randomCampaign(seed).Extra
		}
		for _, where := range []func(*campaign.Campaign) reflect.Value{
			func(c *campaign.Campaign) reflect.Value { return reflect.ValueOf(c).Elem() },
			func(c *campaign.Campaign) reflect.Value { return reflect.ValueOf(&c.State).Elem() },
		} {
			typ := where(&base).Type()
			for i := range typ.NumField() {
				next := base
				where(&next).Field(i).Set(where(&other).Field(i))
				checkParts(t, typ.Field(i).Name, base, next)
			}
		}
		checkParts(t, "nothing", base, base)
		checkParts(t, "everything", base, other)
	}
}

func randomCampaign(seed int) (c campaign.Campaign) {
	newFiller(seed, false).fill(reflect.ValueOf(&c).Elem(), 5)
	c.Turns, c.Snapshots = nil, nil
	return c
}

func checkParts(t *testing.T, what string, base, next campaign.Campaign) {
	t.Helper()
	got, gotValue, err := next.StoredByParts(base)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	want, wantValue, err := next.StoredWhole()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if got, want := gotValue.String(), wantValue.String(); got != want {
		t.Fatalf("%s: by parts\n%s\nthe whole\n%s", what, got, want)
	}
	got.Snapshots, want.Snapshots = nil, nil // which depend on what the base had
	if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" {
		t.Fatalf("%s (-whole +parts):\n%s", what, diff)
	}
}
