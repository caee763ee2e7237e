package turn

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// EffectAutomation is the type of the [rules.Custom] that a host gets for each active
// entry of the world book with an automation id; its members are automationId and entry.
const EffectAutomation = "worldbook:automation"

// automate asks the host to run what an entry names.
func (p *progress) automate(a worldbook.Activation) {
	if a.AutomationID == "" {
		return
	}
	p.host = append(p.host, rules.Caused{By: a.ID.String(), Effect: rules.Custom{
		Type: EffectAutomation, Data: tree.Object(
			tree.Member{Key: "automationId", Value: tree.Text(a.AutomationID)},
			tree.Member{Key: "entry", Value: tree.Text(a.ID.String())}),
	}})
}
