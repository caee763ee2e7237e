package imports

import (
	"bytes"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// ChatFile is a chat of SillyTavern: a file of JSON lines, first a header and then one message
// each, with the answers (swipes) that were not chosen. A chat from SillyTavern can continue as a
// campaign:
//
//	start, problems := imports.Parse(png, imports.Options{ID: "seraphina", Player: "Mara"})
//	chat, more := imports.ParseChat(data)
//	chat.AddTo(&start.Setup)
//	_, err = engine.Create(ctx, start.Setup)
//
// The engine's own sentences follow the content of the card; a chat does not change them. [ChatOf]
// converts a played campaign into a chat.
//
// Each line of the player begins a turn, and the following messages of the characters are its
// answer; several messages are its [state.Reply] list. Their messages before the first line are the
// greeting of the setup, and further turns without a line. Hidden messages (is_system) never go
// into a prompt. The last 100 swipes of the last answer become turns. The campaign keeps as many of
// them as the setting alternatives.max says, as alternatives for turn.Choose. A chat contains no
// state of a game. A message that only some characters hear is marked, and such turns stay private:
// see [ChatMessage.Audience].
//
// The original messages are stored in the member "sillytavern" of the turns and of the campaign,
// including members that are unknown here. [ChatOf] writes them back unchanged if the turn still
// says the same, and writes all swipes. So a chat that was read, continued and written loses
// nothing.
//
// Reading takes time linear in the size of the file. A message may be nested as deep as any
// document of the library ([tree.MaxDepth]). A line that is not a JSON object is reported with its
// number and skipped. A repeated member and a comma too many do not lose a line. The functions are
// pure and safe for concurrent use.
type ChatFile struct {
	// UserName and CharacterName are the names in the header. Newer files have "unused" there; then
	// only the names of the messages are valid.
	UserName, CharacterName string
	Messages                []ChatMessage

	header tree.Value // the original header
}

// ChatMessage is one message of a chat, as it is shown.
type ChatMessage struct {
	Name   string
	User   bool // from the player
	Hidden bool // shown to people, not sent to the model
	Text   string
	// Sent is the time of the message, or zero if the file has no time in a known format.
	Sent time.Time
	// Swipes are all answers, including Text, and Swipe is the index of Text. nil means that there
	// is only one answer.
	Swipes []string
	Swipe  int
	// Audience lists the IDs of the characters who hear a private message, see [state.Turn]. Empty
	// means everybody. The file has it in the member "talewright" of "extra", which SillyTavern
	// keeps but does not act on.
	Audience []string

	raw tree.Value // the original message
}

// The codes of the problems of [ParseChat].
const (
	codeNotAChat        talewright.Code = "not_a_chat"    // Fatal: no line is a header or a message
	codeUnreadableLine  talewright.Code = "unreadable"    // a line that is not a JSON object; it is skipped
	codeDuplicateMember talewright.Code = "duplicate"     // two members of one name; the last one counts
	codeMendedLine      talewright.Code = "mended_json"   // comments, or commas before closing brackets
	codeBadChatText     talewright.Code = "bad_text"      // the file is not UTF-8
	codeWrongChatType   talewright.Code = "wrong_type"    // a member of a wrong type; it is read as absent and kept
	codeNoSuchSwipe     talewright.Code = "no_such_swipe" // swipe_id is not an index of the list, or its text differs
	codeTooMany         talewright.Code = "too_many"      // there are more problems than are listed
)

// maxProblems is the maximum number of listed problems of a file.
const maxProblems = 1000

// ParseChat reads a chat. Every mistake is a problem. Its path is the number of the line, from 1,
// and the member: "12.swipe_id". At most 1000 are listed, followed by a note with the number of the
// rest. Only a file that is not a chat is fatal.
func ParseChat(data []byte) (ChatFile, talewright.Problems) {
	var file ChatFile
	var problems talewright.Problems
	unlisted, after := 0, "" // problems that are not listed, and the path of the first
	add := func(list ...talewright.Problem) {
		for _, p := range list {
			if len(problems) < maxProblems {
				problems = append(problems, p)
				continue
			}
			if unlisted++; after == "" {
				after = p.Path
			}
		}
	}
	if !utf8.Valid(data) {
		add(talewright.Problem{Code: codeBadChatText, Severity: talewright.Warning,
			Text: "the file is not UTF-8: the broken bytes are read as U+FFFD"})
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	begun, number := false, 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			used, found := file.readLine(line, strconv.Itoa(number), begun)
			begun = begun || used
			add(found...)
		}
	}
	if unlisted > 0 {
		problems = append(problems, talewright.Problem{Path: after, Code: codeTooMany,
			Text: strconv.Itoa(unlisted) + " further problems are not listed; correct the listed ones first"})
	}
	if !begun {
		problems = append(problems, talewright.Problem{Code: codeNotAChat, Severity: talewright.Fatal,
			Text: "no line is a message or a header of a chat; give a .jsonl file of a chat"})
	}
	return file, problems
}

// readLine adds a line to the file. The first line that can be used may be a header, the others are
// messages; begun reports whether there was one. path is the number of the line.
func (f *ChatFile) readLine(line []byte, path string, begun bool) (used bool, problems talewright.Problems) {
	v, mistake, err := readValue(line)
	mayBeHeader := !begun && !v.Get("mes").Exists()
	unusable := ""
	switch {
	case err != nil:
		unusable = "not JSON: " + err.Error()
	case !v.IsObject():
		unusable = "not a JSON object"
	case mayBeHeader && !isHeader(v):
		unusable = "neither a header nor a message of a chat"
	}
	if unusable != "" {
		return false, talewright.Problems{{Path: path, Code: codeUnreadableLine,
			Text: unusable + "; the line is left out: correct it or remove it"}}
	}
	if mistake.Path = path; mistake.Code != "" {
		problems = append(problems, mistake)
	}
	if mayBeHeader {
		f.readHeader(v)
		return true, problems
	}
	m, bad := readMessage(v, path)
	f.Messages = append(f.Messages, m)
	return true, append(problems, bad...)
}

// readValue reads JSON. A mistake that leaves the rest readable is a warning, else an error.
func readValue(line []byte) (v tree.Value, mistake talewright.Problem, err error) {
	if v, err = tree.ParseValue(line); err == nil {
		return v, mistake, nil
	}
	mistake = talewright.Problem{Code: codeDuplicateMember, Severity: talewright.Warning,
		Text: "an object has two members of one name; the last one counts"}
	if v, err := tree.ParseLoose(string(line)); err == nil {
		return v, mistake, nil
	}
	if lenient, mended := openjson.Lenient(line); mended != "" {
		if v, err := tree.ParseLoose(string(lenient)); err == nil {
			mistake.Code, mistake.Text = codeMendedLine, "the text is JSON with "+mended+"; read without them"
			return v, mistake, nil
		}
	}
	return v, talewright.Problem{}, err
}

// isHeader reports whether an object has a member of a header. Group chats have only the metadata.
func isHeader(v tree.Value) bool {
	return v.Get("user_name").Exists() || v.Get("character_name").Exists() || v.Get("chat_metadata").Exists()
}

func (f *ChatFile) readHeader(v tree.Value) {
	members := authorjson.Of(v)
	f.UserName, f.CharacterName = members.Text("user_name"), members.Text("character_name")
	f.header = v
}

// readMessage reads one line.
func readMessage(v tree.Value, path string) (ChatMessage, talewright.Problems) {
	f := authorjson.Of(v)
	m := ChatMessage{
		Name: f.Text("name"), User: f.True("is_user"), Hidden: f.True("is_system"),
		Text: f.Text("mes"), Sent: readDate(f.Value("send_date")), Swipes: f.Texts("swipes"),
		Swipe: authorjson.OrZero(f.Whole("swipe_id")), Audience: audienceOf(v), raw: v,
	}
	var problems talewright.Problems
	for _, name := range f.Bad() {
		problems = append(problems, talewright.Problem{Path: path + "." + name, Code: codeWrongChatType,
			Text: "of a different type than in a chat; it is read as absent"})
	}
	if len(m.Swipes) > 0 && (m.Swipe < 0 || m.Swipe >= len(m.Swipes) || m.Swipes[m.Swipe] != m.Text) {
		problems = append(problems, talewright.Problem{Path: path + ".swipe_id", Code: codeNoSuchSwipe,
			Severity: talewright.Warning, Text: "is not the index of the shown text; the shown text is used"})
		m.Swipes, m.Swipe = append(m.Swipes[:len(m.Swipes):len(m.Swipes)], m.Text), len(m.Swipes)
	}
	return m, problems
}

// Encode writes the file. Unchanged parts keep their original form, including unknown members. New
// dates are written in UTC as 2026-01-02T03:04:05.000Z.
func (f ChatFile) Encode() []byte {
	out := f.writeHeader().AppendJSON(nil)
	out = append(out, '\n')
	for _, m := range f.Messages {
		out = append(m.write().AppendJSON(out), '\n')
	}
	return out
}

// writeHeader returns the original header with the present names.
func (f ChatFile) writeHeader() tree.Value {
	if !f.header.Exists() {
		return tree.Object(tree.Member{Key: "user_name", Value: tree.Text(f.UserName)},
			tree.Member{Key: "character_name", Value: tree.Text(f.CharacterName)},
			tree.Member{Key: "chat_metadata", Value: tree.Object()})
	}
	var was ChatFile
	was.readHeader(f.header)
	out := f.header
	if was.UserName != f.UserName {
		out = out.With("user_name", tree.Text(f.UserName))
	}
	if was.CharacterName != f.CharacterName {
		out = out.With("character_name", tree.Text(f.CharacterName))
	}
	return out
}

// write returns the original message with the changes.
func (m ChatMessage) write() tree.Value {
	out, was, read := m.raw, ChatMessage{}, m.raw.Exists()
	if read {
		was, _ = readMessage(m.raw, "")
	} else {
		out = tree.Object()
	}
	set := func(changed bool, key string, value tree.Value) {
		if changed || !read {
			out = out.With(key, value)
		}
	}
	set(was.Name != m.Name, "name", tree.Text(m.Name))
	set(was.User != m.User, "is_user", tree.Bool(m.User))
	set(was.Hidden != m.Hidden, "is_system", tree.Bool(m.Hidden))
	if !m.Sent.IsZero() && !was.Sent.Equal(m.Sent) {
		out = out.With("send_date", tree.Text(m.Sent.UTC().Format(dateFormat)))
	}
	set(was.Text != m.Text, "mes", tree.Text(m.Text))
	if !read {
		out = out.With("extra", tree.Object())
	}
	if !slices.Equal(was.Audience, m.Audience) {
		out = out.With("extra", withAudience(out.Get("extra"), m.Audience))
	}
	if !slices.Equal(was.Swipes, m.Swipes) || was.Swipe != m.Swipe {
		out = out.With("swipes", authorjson.Texts(m.Swipes)).With("swipe_id", tree.Int(int64(m.Swipe)))
	}
	return out
}

// marks is the member of "extra" with the data of this library.
const marks = "talewright"

// audienceOf returns the characters who hear a message.
func audienceOf(message tree.Value) []string {
	var out []string
	for _, id := range message.Get("extra").Get(marks).Get("audience").Elements() {
		if text, ok := id.AsText(); ok {
			out = append(out, text)
		}
	}
	return out
}

// withAudience returns the member "extra" of a message with an audience.
func withAudience(extra tree.Value, audience []string) tree.Value {
	if !extra.IsObject() {
		extra = tree.Object()
	}
	if len(audience) == 0 {
		return extra.Without(marks)
	}
	return extra.With(marks, tree.Object(tree.Member{Key: "audience", Value: authorjson.Texts(audience)}))
}
