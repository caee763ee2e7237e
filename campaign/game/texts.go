package game

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/prompt"
)

// Texts are the sentences that the engine writes into prompts. [English] and [Chinese] are
// complete. A host changes single fields of a copy.
type Texts struct {
	Persona        string // gm_persona, unless the character card has a system prompt
	Chat           string // gm_persona for the dialog type chat; {{char}} is the speaker
	Authority      string
	Title          map[BlockID]string // heading of a block
	HiddenGoal     string             // the instruction never to reveal the goal
	Acceleration   [3]string          // the instruction for each tier of the pacing
	DialogScene    string
	DialogAction   string
	DialogRules    string
	DialogFreeChat string
	ToolFeedback   string // before the JSON of refused calls
	ConflictDebug  string // before the JSON of conflicts
	OutputDebug    string // asks for a new answer, because this one is unreadable, truncated or without narration
	ToolResults    string // before the JSON of results
	OnlyCommands   string // after an answer with only commands: they take effect, and the narration is missing
	Narrate        string // the second phase of plan_narrate
	PlanOnly       string // the first phase of plan_narrate
	Update         string // the second request of a turn, see the setting variables.second_model
	// Continue, SuggestActions, SuggestLines and Impersonate come at the end of prompts that ask
	// for something other than an answer, if [Prompt.Preset] has no text for this. They are
	// templates; {n} is the number of wanted suggestions.
	Continue       string
	SuggestActions string
	SuggestLines   string
	Impersonate    string
	CastReply      string // at the end of a prompt for a member of a cast; {{char}} is the member
	Claims         string // how to list the claims of an answer, if the setting conflict.claims asks for it
	ListClaims     string // the description of the tool with which a model lists its claims
	Commands       string // before the refused requests of the last answer
	// Languages are the instructions how to write the passages that a dialect reads, by its name.
	Languages     map[string]string
	Changes       string // heading before Languages
	Writable      string // before the declared variables that the model may write
	Remembered    string // before each memory; {turn} is the index of its turn
	Witnessed     string // before texts that only some characters know; {names} are these characters
	Secrecy       string // the instruction for texts that only some characters know
	Whispered     string // says that only {names} hear the present turn
	SummaryDue    string // the request to summarize the short memory; {path} is its place
	Hidden        string // the meaning of {mark} in variables
	Variables     string // before the rendered variables
	Exits         string
	Locked        string                      // after the name of something locked; {why} is DisabledUntil and the reason
	DisabledUntil string                      // {until} is the time
	HP            string                      // before hit points in the block "status"
	Life          map[state.AliveState]string // life states in the block "status"; a missing one appears as its ID
	Args          string                      // before the schema of a tool's arguments
	Refuses       string                      // before the reasons for which a tool refuses
	Empty         string                      // in place of an answer without any text
	LeftOut       string                      // in place of the omitted part of a long answer; {n} is the number of bytes
	// Shape has the texts that [Prompt.Shape] and [Prompt.RefusesPrefill] insert if the prompt has no
	// text at a place that needs one. Empty texts are English.
	Shape prompt.ShapeWords
	// Marks is the punctuation of lists that the engine writes. The zero value means English.
	Marks Marks
	// Hints is the language of the refusals of commands, directives and other writes to variables,
	// in prompts: "en" (also "") or "zh". Hints of [Rules.Commands] has precedence. It is also the
	// language of the tools, see [tool.Tool.In].
	Hints string
	// Reasons are the texts of refusals by code: the texts of the engine, and a host's replacements
	// for the texts of the built-in tools. A missing code has its English text.
	Reasons map[state.CallCode]string
	// Refusals are the sentences for players about an instruction that was refused, by its
	// [state.RefusalCode], or that failed, by its turn.FailureKind. They do not name parts of the
	// program; the errors do, for developers.
	Refusals map[string]string
	// Pages replaces words of the pages of package observe, by their keys. The default words are in
	// Chinese if Hints is "zh", else in English.
	Pages map[string]string
}

// Marks is punctuation, including its blanks.
type Marks struct {
	Colon, Semicolon string // after a label; between the parts of a card
	Comma, Item      string // between parts of a line; between the items of a list
	Open, Close      string // around an id or a remark
	Gap              string // between sentences
}

// Aside returns a text with a remark in brackets.
func (m Marks) Aside(text, remark string) string { return text + m.Open + remark + m.Close }

// Refusal returns the sentence for players about a code of [Texts].Refusals. A code without a
// sentence is returned as it is.
func (t *Texts) Refusal(code string) string { return cmp.Or(t.Refusals[code], code) }

// complete fills in the punctuation of English if there is none.
func (t Texts) complete() Texts {
	t.Marks = cmp.Or(t.Marks, English().Marks)
	return t
}

// English returns the English texts.
func English() Texts {
	return Texts{
		Persona: "You are the game master of a tabletop role-playing game. You narrate the world " +
			"and its people in the second person, vividly and briefly, and never act for the player.",
		Chat: "You are {{char}} and talk with {{user}}. Answer in character with what {{char}} says, does and " +
			"feels, in keeping with what stands below, and leave to {{user}} what {{user}} says and does.",
		Authority: "Hit points, positions, life states, world rules, map and character cards are " +
			"what the system says. You may propose changes only by calling tools; a change exists " +
			"only once the system has settled it. Never narrate a result that has not been " +
			"settled. Answer either with plain narration or with one JSON object " +
			`{"text": "narration", "tool_calls": [{"id": "call_001", "tool": "...", "args": {...}, ` +
			`"reason": "..."}]}.`,
		Title: map[BlockID]string{
			BlockWorld: "World", BlockWorldRules: "Rules of the world", BlockMap: "Map",
			BlockParty: "Party", BlockStatus: "Authoritative status", BlockGoal: "Goal",
			BlockSummary: "What happened before", BlockPins: "Never forget",
			BlockMemory: "From earlier turns", BlockTools: "Tools",
			BlockDialog: "How to answer",
		},
		HiddenGoal: "Steer towards this goal, but never reveal or quote it.",
		Acceleration: [3]string{
			"The story has dwelt here long enough: raise the urgency a little, place a clearer " +
				"clue, and lean towards the goal. State changes only through tools.",
			"Press on: events follow faster, clues become frequent and point at the goal. State " +
				"changes only through tools.",
			"Bring it to a head: danger is immediate, every scene leads straight to the goal. " +
				"State changes only through tools.",
		},
		DialogScene:    "Describe the scene as the acting character perceives it.",
		DialogAction:   "Resolve the action that the player attempts, with its consequences.",
		DialogRules:    "Answer the question about the rules. Change nothing and tell no story.",
		DialogFreeChat: "Talk freely and in character. Change nothing.",
		ToolFeedback: "Some of your tool calls were refused. Nothing of that output counts. " +
			"Answer again without them, or with calls that are allowed:",
		ConflictDebug: "Your narration contradicts the authoritative state. Keep the text, change " +
			"only what is quoted, or add the tool call that is named:",
		OutputDebug: "Your answer cannot be used as it is. Answer again:",
		ToolResults: "Results of your tool calls:",
		OnlyCommands: "Your answer changed variables and told the player nothing. The changes are made; do not write them " +
			"again. Now write the narration.",
		Narrate:  "Now narrate exactly what was settled. No tool calls.",
		Continue: "Go on with your last message from where it ends. Do not repeat any of it.",
		SuggestActions: "The story waits. Suggest {n} different things that {{user}} could do next. Answer with nothing " +
			"but a JSON list of {n} short texts.",
		SuggestLines: "The story waits. Suggest {n} different lines that {{user}} could say next, in the words of " +
			"{{user}}. Answer with nothing but a JSON list of {n} short texts.",
		CastReply:   "Write the next reply only as {{char}}: what {{char}} says and does, and nothing for anybody else.",
		Impersonate: "The story waits. Write what {{user}} says or does next, in the words of {{user}}, and nothing else.",
		Update: "Do not go on with the story. Compare your last message with the variables, and write the commands for " +
			"everything that it changed, in one <UpdateVariable> block. If nothing changed, leave the block empty.",
		PlanOnly: "Propose only the tool calls that are needed now; their results come before the narration.",
		Claims: "End every answer that tells of hit points, wounds, life states, arrivals, rolls, or changes of cards, the map, the rules " +
			"or the goal with the list of what it tells, which players do not see: " +
			`<claims>[{"kind": "hp", "who": "id of a character", "amount": -3, "call": "call_001"}]</claims>. ` +
			"kind is hp (with amount, or with value for what is left), life (with state: alive, downed or dead), place (with place: " +
			"id of an area), roll (with value), wound, card, map, rules or goal; call is the id of the call that settles it, left out " +
			"where none does because it is so already. In a JSON answer the list is its member claims. What is told and not listed is refused.",
		ListClaims: "Lists what the narration of this answer claims, each with the id of the call that settles it. Changes nothing.",
		Commands:   "These changes of your last answer were refused:",
		Variables:  "Variables (change them only in the ways that you are told):",
		Languages: map[string]string{
			nameCommands: "Commands change the variables; write them at the end of your answer, one in a line: " +
				"set_attribute('path', value); below {character}, set_status('path', value); below {status}, " +
				"memory('path', 'key', value); and delete('path', 'key'); below {assets}. " +
				"The first two change what there is, memory also creates.",
			"mvu": "Calls change the variables below stat_data; write them at the end of your answer in " +
				"<UpdateVariable>…</UpdateVariable>, one in a line: _.set('path', value); _.add('path', number); " +
				"_.insert('path', 'key', value); _.delete('path');",
			nameDirectives: "Brackets change variables; write them where it happens: [id: +2], [id: -2] and [id: *2] " +
				"for numbers, [id: set value], [id: toggle], [id: append text], [id: push value] onto a list, " +
				"[id: merge {…}] into an object.",
			nameReceipt: "End your answer with one line [updates: N], where N is the number of brackets that change " +
				"variables, 0 if there are none. One mistake refuses all of them.",
		},
		Changes:    "How to change variables (players do not see this)",
		Writable:   "Variables that you may write:",
		Remembered: "Turn {turn}: ",
		Witnessed:  "[known only to {names}] ",
		Secrecy: "What begins with \"known only to\" is a secret of those who are named: never tell it to others, never hint " +
			"at it before them, and let nobody act on what they do not know. Do not write such marks yourself.",
		Whispered: "The present turn is heard by nobody but {names}.",
		SummaryDue: "The short memory is full: this time also sum it up in one new entry of the long one, " +
			"memory('{path}', 'a new key', 'the summary');",
		Hidden: "{mark} stands for something that you are not shown: neither change nor initialise it.",
		Exits:  "Exits", Locked: " [locked{why}]", DisabledUntil: " until {until}", HP: "HP", Args: "args", Refuses: "refuses",
		Empty: "(empty)", LeftOut: "[… {n} bytes left out …]",
		Marks:    Marks{Colon: ": ", Semicolon: "; ", Comma: ", ", Item: ", ", Open: " (", Close: ")", Gap: " "},
		Hints:    "en",
		Refusals: maps.Clone(refusalsEn),
	}
}

// Chinese returns the Chinese texts.
func Chinese() Texts {
	return Texts{
		Persona: "你是桌面角色扮演游戏的主持人。你以第二人称生动而简洁地叙述世界与其中的人物，绝不替玩家行动。",
		Chat: "你就是{{char}}，正在与{{user}}交谈。依照下文，以{{char}}的身份作答，写出{{char}}的言语、举动与感受；" +
			"{{user}}说什么、做什么由{{user}}自己决定。",
		Authority: "生命值、位置、存活状态、世界规则、地图与角色卡一律以系统数据为准。你只能通过工具调用提出变更请求，" +
			"变更在系统结算之后才成立；绝不叙述尚未结算的结果。回答时要么只写叙述，要么给出一个 JSON 对象：" +
			`{"text": "叙述", "tool_calls": [{"id": "call_001", "tool": "...", "args": {...}, "reason": "..."}]}。`,
		Title: map[BlockID]string{
			BlockWorld: "世界", BlockWorldRules: "世界规则", BlockMap: "地图", BlockParty: "队伍",
			BlockStatus: "权威状态", BlockGoal: "目标", BlockSummary: "前情提要",
			BlockPins: "切勿遗忘", BlockMemory: "往事记忆", BlockTools: "工具", BlockDialog: "回答方式",
		},
		HiddenGoal: "把剧情引向这个目标，但绝不透露或引用它。",
		Acceleration: [3]string{
			"剧情在此停留已久：略微提升紧迫感，放出更清晰的线索，并向目标靠拢。状态变更只能通过工具结算。",
			"加快节奏：事件接连发生，线索密集并指向目标。状态变更只能通过工具结算。",
			"推向高潮：危险迫在眉睫，每一幕都直指目标。状态变更只能通过工具结算。",
		},
		DialogScene:    "描写行动角色所感知到的场景。",
		DialogAction:   "裁定玩家所尝试的行动及其后果。",
		DialogRules:    "回答关于规则的问题。不改变任何状态，也不推进剧情。",
		DialogFreeChat: "以角色身份自由交谈。不改变任何状态。",
		ToolFeedback:   "你的部分工具调用被拒绝，该次输出全部作废。请去掉它们或改用允许的调用，重新回答：",
		ConflictDebug:  "你的叙述与权威状态矛盾。请保留原文，只修改所引之处，或补上所指的工具调用：",
		OutputDebug:    "你的回答无法直接使用，请重新回答：",
		ToolResults:    "工具调用结果：",
		OnlyCommands:   "你的回答只修改了变量，没有任何叙述。修改已经生效，不要重复书写。现在请写出叙述。",
		Narrate:        "现在请准确叙述已经结算的内容。不要再调用工具。",
		Continue:       "请从你上一条消息结束之处接着写，不要重复已有的内容。",
		SuggestActions: "故事暂停。请提出{{user}}接下来可以做的{n}件不同的事。只回答一个含{n}条短文本的 JSON 列表。",
		SuggestLines:   "故事暂停。请以{{user}}的口吻提出{{user}}接下来可以说的{n}句不同的话。只回答一个含{n}条短文本的 JSON 列表。",
		CastReply:      "接下来只以{{char}}的身份作答：只写{{char}}的言语与举动，不替其他任何人说话或行动。",
		Impersonate:    "故事暂停。请以{{user}}的口吻写出{{user}}接下来所说或所做的，此外什么都不要写。",
		Update:         "不要续写剧情。请对照上一条消息与当前变量，把其中发生的全部变化写成更新命令，放在一个 <UpdateVariable> 块里；没有变化就留空。",
		PlanOnly:       "请只提出此刻需要的工具调用；结果会在叙述之前给出。",
		Claims: "凡写到生命值、伤势、存活状态、到达地点、骰点，或角色卡、地图、规则、目标的变化，回答末尾都要列出所写的内容，玩家看不到这份列表：" +
			`<claims>[{"kind": "hp", "who": "角色编号", "amount": -3, "call": "call_001"}]</claims>。` +
			"kind 为 hp（写 amount，或以 value 写剩余值）、life（写 state：alive、downed 或 dead）、place（写 place：区域编号）、" +
			"roll（写 value）、wound、card、map、rules 或 goal；call 是结算它的调用编号，本来如此、无需结算的不写。" +
			"以 JSON 回答时，列表是其中的 claims 成员。写了却没有列出的内容会被拒绝。",
		ListClaims: "列出本次叙述所声明的内容，每条附上结算它的调用编号。不改变任何状态。",
		Commands:   "你上一次回答中的下列修改被拒绝：",
		Variables:  "变量（只能用告知的方式修改）：",
		Languages: map[string]string{
			nameCommands: "用指令修改变量，写在回答末尾，每行一条：set_attribute('路径', 值); 修改 {character}，" +
				"set_status('路径', 值); 修改 {status}，memory('路径', '键', 值); 与 delete('路径', '键'); 修改 {assets}。" +
				"前两种只能修改已有的内容，memory 也可以新建。",
			"mvu": "用调用修改 stat_data 下的变量，写在回答末尾的 <UpdateVariable>…</UpdateVariable> 中，每行一条：" +
				"_.set('路径', 值); _.add('路径', 数字); _.insert('路径', '键', 值); _.delete('路径');",
			nameDirectives: "用方括号修改变量，写在事情发生之处：数字用 [id: +2]、[id: -2]、[id: *2]，" +
				"[id: set 值]，[id: toggle]，[id: append 文本]，向列表添加用 [id: push 值]，并入对象用 [id: merge {…}]。",
			nameReceipt: "回答的最后单独写一行 [updates: N]，N 是修改变量的方括号的数目，没有则写 0。有一处错误，全部作废。",
		},
		Changes:    "如何修改变量（玩家看不到）",
		Writable:   "你可以修改的变量：",
		Remembered: "第{turn}回合：",
		Witnessed:  "[仅{names}知晓] ",
		Secrecy: "以“仅……知晓”开头的内容是其中所列之人的秘密：绝不告诉他人，也不在他人面前暗示，不知情者不得据此行动。" +
			"你自己不要写这样的标记。",
		Whispered:  "本回合只有{names}听见。",
		SummaryDue: "短期记忆已满：这一次还要把它总结成长期记忆中的一个新条目：memory('{path}', '新的键', '总结');",
		Hidden:     "{mark} 表示不向你展示的内容：不要修改，也不要重新初始化。",
		Exits:      "出口", Locked: "［已锁{why}］", DisabledUntil: "，直到{until}", HP: "生命值", Args: "参数", Refuses: "拒绝原因",
		Life:  map[state.AliveState]string{state.Alive: "存活", state.Downed: "倒地", state.Dead: "死亡"},
		Empty: "（空）", LeftOut: "［……此处略去 {n} 字节……］",
		Shape:    prompt.ShapeWords{Start: "［新的对话开始］", Empty: "［没有内容］", Continue: "［继续］", Prefill: "请一字不差地以这段文字开始回复："},
		Marks:    Marks{Colon: "：", Semicolon: "；", Comma: "，", Item: "、", Open: "（", Close: "）"},
		Hints:    "zh",
		Refusals: maps.Clone(refusalsZh),
		Reasons: map[state.CallCode]string{
			answer.NoObject: "调用应是一个对象 {tool, args}", answer.WrongID: "调用的 id 应是文本",
			answer.LongID: fmt.Sprintf("调用的 id 最多 %d 字节", tool.MaxName),
			answer.NoTool: "调用要写明 tool", answer.LongTool: fmt.Sprintf("调用的 tool 最多 %d 字节", tool.MaxName),
			answer.NoJSON: "参数不是有效的 JSON", answer.WrongArgs: "调用的参数应是一个对象",
			tool.CallInvalid: "不是有效的调用", tool.CallTooMany: "一次输出中的调用过多",
			tool.CallDuplicateID: "同一输出中已用过这个 id", tool.CallInNarration: "现在是叙述阶段：不要调用工具",
			tool.CallInDialogType: "这种对话没有工具", tool.CallToolUnknown: "没有这个工具",
			tool.CallToolNotAllowed: "本战役不允许使用这个工具", tool.CallToolDisabled: "这个工具已停用",
			tool.CallInvalidArgs: "参数不符合工具的格式（required 缺少，unexpected 没有这个参数，type 类型不对，" +
				"enum 不在可选项中，range 超出范围，length 长度不对）",
			tool.CallActorMismatch:   "现在是另一名角色的回合",
			tool.CallActorRestricted: "该角色目前的状态无法这样做", tool.CallToolFailed: "工具执行失败",
			ReasonNotWritable:   "现在不能由你修改",
			reasonTooManyBlocks: "一次回复中的标记段落过多，其余不计",
			tool.CallDenied:     "看护这局游戏的人没有同意",
			tool.CallRepeated:   "同样的调用在本回合已被拒绝：请换一种做法",
		},
	}
}

// ReasonNotWritable gives the model no further reason.
const ReasonNotWritable state.CallCode = "not_writable"

// reasonTooManyBlocks refuses passages over the limit for one reply.
const reasonTooManyBlocks state.CallCode = "too_many_passages"
