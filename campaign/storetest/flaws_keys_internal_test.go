package storetest

import (
	"context"

	"github.com/talewright/talewright/campaign"
)

func (m *memory) Find(ctx context.Context, id, key string) (version int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fault(ctx, id); err != nil && !m.has("finds keys of nothing") {
		return 0, err
	}
	logs := map[string]*memoryLog{id: m.find(id)}
	if m.has("finds keys of other campaigns") {
		logs = m.logs
	}
	for _, l := range logs {
		if l == nil {
			continue
		}
		for _, e := range l.entries {
			if e.Key == key && (key != "" || m.has("finds what has no key")) && (version == 0 || m.has("finds the newest")) {
				version = e.Version
			}
		}
	}
	return version, nil
}

// forgetKeys returns entries without their keys, like after a restart.
func forgetKeys(entries []campaign.Entry) (out []campaign.Entry) {
	for _, e := range entries {
		e.Key = ""
		out = append(out, e)
	}
	return out
}
