package campaigntest_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/campaigntest"
)

func ExampleParseScenario() {
	s, problems := campaigntest.ParseScenario("bell.txt", "say I ring the bell.\nmodel It tolls.\nwant lore bell\nwant hp mara 6\n")
	fmt.Println(s.Steps[0].Wants[1].Name, s.Steps[0].Wants[1].Args, len(problems))

	_, problems = campaigntest.ParseScenario("bell.txt", "say I ring the bell.\nmodell It tolls.\nwant hp mara six\n")
	fmt.Println(problems.Err())
	// Output:
	// hp [mara 6] 0
	// bell.txt:2: unknown word "modell": did you mean model?
	// bell.txt:3: "six" is not a whole number: write want hp CHARACTER N
}
