package campaign

import (
	"sync"
	"sync/atomic"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// sessions are the campaigns that an [Engine] has in memory.
type sessions struct {
	maxIdle int // the maximum number of idle sessions
	mu      sync.Mutex
	all     map[string]*session // by the ID of the campaign
	idle    map[string]*session // the sessions without users
}

// session is one campaign in the memory of this process.
type session struct {
	id    string
	users int // the number of calls that use the session; guarded by sessions.mu

	mu    sync.Mutex // the lock of the campaign: it is locked while an instruction runs
	queue queue      // the instructions that wait for mu

	// The fields from machine to sentToMemory are guarded by mu.

	machine      *turn.Machine        // nil until the campaign is loaded, and after forget
	game         *game.Game           // the content of the machine
	needs        turnlog.Requirements // what a version of the library must know to play the campaign
	sentToMemory memoryProgress

	// The last fields are safe for concurrent use.

	times       turnlog.FirstTimes             // the times of submissions that may be repeated
	submissions turnlog.TurnIndex              // finds old turns by client turn ID
	conflicts   turnlog.ConflictIndex          // finds old outcomes without a turn by client turn ID
	lastCommit  atomic.Pointer[state.Campaign] // the campaign of the machine as of its last commit, for readers during a turn
}

// memoryProgress records what the host's [Memory] has received of a campaign.
type memoryProgress struct {
	lastTurn int           // the number of the newest turn that it received
	summary  state.Summary // the newest summary that it received
	version  int64         // the version of the campaign at which it was up to date; 0: not yet
}

// pin returns the session of a campaign and keeps it in memory. The caller must unpin it.
func (l *sessions) pin(id string) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, ok := l.all[id]
	if !ok {
		s = &session{id: id}
		l.all[id] = s
	}
	delete(l.idle, id)
	s.users++
	return s
}

// unpin ends a use of a session. If there are more than maxIdle idle sessions, it removes some of
// them, in any order.
func (l *sessions) unpin(s *session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.users--; s.users == 0 {
		l.idle[s.id] = s
	}
	for id := range l.idle {
		if len(l.idle) <= l.maxIdle {
			return
		}
		delete(l.idle, id)
		delete(l.all, id)
	}
}

// forget makes the next instruction load the campaign from the store. The caller holds s.mu.
func (s *session) forget() {
	s.machine = nil
	s.lastCommit.Store(nil)
}
