package guard

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Expressions for what a text that takes over a model says. gap stands between
// words; few lets up to three other words in.
const (
	gap = `(?:[\s!-/:-@\[-` + "`" + `{-\x7e\x{a1}-\x{bf}\x{2010}-\x{205e}]{1,8})`
	few = `(?:[^\s.;:!?]{1,24}` + gap + `){0,3}`
)

// role makes an expression, when it is first needed, from a pattern in which ~
// stands for a gap and ~~ for a gap and up to three words.
func role(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		p := strings.ReplaceAll(pattern, "~~", gap+few)
		return regexp.MustCompile(foldPattern(strings.ReplaceAll(p, "~", gap)))
	})
}

const (
	ordersEN   = `(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|constraints?|restrictions?|polic(?:y|ies)|training|programming|guardrails?|safeguards?|orders?|context|messages?|conversations?|text)`
	previousEN = `(?:previous|previously|prior|earlier|above|preceding|foregoing|past|existing|original|initial|former|system|safety|developer|aforementioned|preexisting|hidden|old)`
	modesEN    = `(?:developer|dev|debug|god|admin|jailbreak|jailbroken|dan|unrestricted|unfiltered|sudo|root|maintenance|evil|opposite)`
)

var englishRoles = []roleRule{
	// Tokens of chat templates. "<s>old</s>" is struck-out text.
	{
		name:  "chat-template",
		words: []string{"<|", "< |", "|>"},
		re: role(`<\s?\|[a-z][\w/:.-]{0,40}\|\s?>|<\|/?\s?(?:im_start|im_end|system|user|assistant|end|start|eot_id|endoftext|channel|message|call|return|tool\w*|think|turn)\s?\|?>` +
			`|<\|(?:turn|channel|tool\w*|think|"\|)|<(?:turn|channel|tool\w*)\|>`),
	},
	{
		name:  "chat-template",
		words: []string{"inst]", "<<", "_of_turn>", "system_prompt]", "available_tools]", "tool_calls]", "tool_results]", "gmask]", "_header_id", "im_start", "im_end", "im_sep"},
		re: role(`\[\s?/?\s?inst\s?\]|<</?sys>>|<\s?/?(?:start|end)_of_turn\s?>|\[/?(?:system_prompt|available_tools|tool_calls|tool_results|tool_content)\]|\[gmask\]` +
			`|\b(?:start|end)_header_id\b|[<|\[]im_(?:start|end|sep)\b|\bim_(?:start|end|sep)[|>]`),
	},
	{
		name:  "chat-template",
		words: []string{"</s>"},
		re:    role(`</s>`),
		when:  func(text string) bool { return strings.Count(text, "<s>") < strings.Count(text, "</s>") },
	},
	// Calls of tools, as models of several makers write them.
	{
		name:  "tool-call",
		words: []string{"tool", "function", "invoke", "parameter", "<use_", "recipient"},
		re: role(`<\s?/?\s?(?:\w+:)?(?:tool_?calls?|function_?calls?|tool_?use|tool_?results?|tool_?response|function_results?|tool_?code|tool_outputs?|use_mcp_tool)\b[^>\n]{0,80}>` +
			`|<\s?(?:\w+:)?invoke\s+name\s?=|<\s?(?:\w+:)?parameter\s+name\s?=\s?"?\w+"?>\s*\S|</\s?(?:\w+:)?invoke\s?>|<function\s?=|<parameter\s?=` +
			`|["'](?:tool_calls|function_call|tool_use_id|tool_call_id)["']\s*:\s*["\[{]|["']type["']\s*:\s*["'](?:tool_use|tool_result|function_call|function_call_output|tool_call)["']` +
			"|```\\s?tool_(?:call|code|use)\\b|\\bto=functions\\.\\w+"),
	},
	{
		name:  "tool-call",
		words: []string{"action input"},
		re:    role(`(?m)^\s*action\s*:\s*\S.*\n+\s*action input\s*:`),
	},
	{
		name:  "fake-turn",
		words: []string{`"role"`, "'role'"},
		re:    role(`["']role["']\s*:\s*["'](?:system|assistant|developer|tool|user|human|model)["']\s*,\s*["'](?:content|parts|text|tool_calls)["']|["'](?:content|parts)["']\s*:[^\n]{0,400}["']role["']\s*:\s*["'](?:system|assistant|developer|tool)["']`),
	},
	{
		name:  "fake-turn",
		words: []string{"system", "assistant", "instruction", "human", "developer", "response"},
		re: role(`(?m)</(?:system|assistant|system[_-]?(?:prompt|message|reminder|instructions?)|human_turn|instructions_for_ai|developer)>|^\s*<(?:system|assistant|developer)>|<system[_-](?:prompt|message|reminder|instructions?|override|note)\b[^>]{0,40}>` +
			`|^\s{0,3}###+\s*(?:system|assistant|human|instructions?|response)\s*:` +
			`|^\s{0,3}###\s*(?:system|assistant|human|system (?:prompt|message|instructions?))\s*#*\s*$` +
			`|^\s{0,3}#{1,6}\s*(?:new|updated|override) (?:system )?(?:instructions?|prompt)\b` +
			`|^\s*\[\s?(?:system|assistant)(?:[\s_-](?:message|prompt|note|override|instructions?|notice|update))?\s?\]\s*:?[^\S\n]*(?:[a-z][^\n=]*\s[^\n=]*|$\n)?[a-z]{2,}\s[a-z]{2,}`),
		accept: acceptTag,
	},
	{
		name: "fake-turn",
		words: foldAll("system", "assistant", "human:", "human :", "user:", "user :", "ai:", "ai :", "developer", "systeme", "sistema", "assistent", "benutzer", "systeem", "система", "система", "системн", "ассистент", "асистент", "пользователь",
			"系统", "系統", "助手", "システム", "アシスタント", "시스템", "어시스턴트", "النظام", "सिस्टम", "asystent", "sistem", "asistan", "model:"),
		re: role(`(?m)^[\s>*#"'\-\[(|]{0,6}(system|assistant|human|user|developer|ai|model|chatgpt|claude|gpt|systeme|système|assistent|asistente|assistente|sistema|systeem|benutzer|nutzer|utilisateur|usuario|usuário|utente|gebruiker|система|системное сообщение|системне повідомлення|ассистент|асистент|помощник|пользователь|користувач|系统|系統|助手|用户|用戶|システム|アシスタント|ユーザー|시스템|어시스턴트|사용자|النظام|نظام|المساعد|सिस्टम|asystent|użytkownik|sistem|asistan|kullanıcı)` +
			`((?:[\s_-](?:message|prompt|instructions?|note|notice|override|update|alert|command|nachricht|anweisung|turn))?)["'*\])]{0,4}\s{0,2}:["'*]{0,3}[^\S\n]*([^\n]*(?:\n[^\n:]*)?)`),
		accept: acceptTurn,
	},
	// Orders to drop what a model was told.
	{
		name:  "role-override",
		words: []string{"ignor", "disregard", "forget", "dismiss", "overrid", "bypass", "neglect", "discard", "do not follow", "don't follow", "stop following", "pay no attention", "no longer follow", "not obey", "n't obey", "abandon", "set aside", "violate", "break", "disable", "turn off", "drop ", "skip "},
		re: role(`\b(ignor(?:e|ing)|disregard(?:ing)?|forget|dismiss|overrid(?:e|ing)|bypass|neglect|discard|abandon|set aside|(?:do not|don't|stop|no longer) (?:follow(?:ing)?|obey(?:ing)?)|pay no attention to|drop|skip)~` +
			`(?:(?:all|any|every|each|everything|of|the|these|those|this|that|your|my|our|their|its|to|and|about|from|in|whatever|as|well|other|and/or|or)~){0,5}` +
			previousEN + `(?:~(?:and|or|all|any|of|the|your|my|` + previousEN + `|given|system|user|developer|safety|chat|stated|said|set|[a-z]{3,12})){0,3}?~` + ordersEN + `\b`),
		accept: acceptOrder,
	},
	{
		name:  "role-override",
		words: []string{"ignor", "disregard", "forget", "do not follow", "don't follow", "stop following", "overrid", "bypass", "abandon", "violate"},
		re: role(`\b(ignore|disregard|forget|override|bypass|abandon|violate|(?:do not|don't|stop|no longer) follow(?:ing)?)~(?:all~(?:of~)?(?:the~|your~|these~|those~)?|any~|every~|your~|its~)(?:own~|other~|built-in~|core~|content~|ethical~|internal~)?` +
			`(?:instructions?|prompts?|rules|guidelines|directives|commands|constraints|restrictions|training|programming|guardrails|safeguards|orders|safety\s\w+|content polic(?:y|ies))\b`),
		accept: acceptOrder,
	},
	{
		name:   "role-override",
		words:  []string{"instruct", "you were told", "been told", "everything above", "everything before", "everything said", "came before"},
		re:     role(`\b(ignore|disregard|forget)~(?:all~|everything~|anything~|whatever~|what~|the~|of~|that~|you~|i~|was~|were~|have~|has~|been~){1,6}(?:instructions?~(?:above|before|given|you~(?:were|have|had)|that~(?:you|came|precede))|told|said~(?:before|above|so~far)|above|(?:came|comes|come)~before|before~this|instructed)`),
		accept: acceptOrder,
	},
	{
		name:   "role-override",
		words:  []string{"safety", "ethic", "moral", "content", "guardrail", "security", "filter", "restriction", "safeguard"},
		re:     role(`\b(override|bypass|ignore|disable|turn off|switch off|drop|abandon|violate|disregard|circumvent|remove|deactivate)~(?:(?:all|any|of)~)?(?:your|its|the~(?:model|ai|assistant)'s|all|any)~(?:\w+~)?(?:safety|ethic\w*|moral|content|guardrails?|alignment|safeguards?|restrictions?|filters?)(?:~(?:and~\w+~)?(?:rules?|guidelines?|filters?|polic(?:y|ies)|measures?|checks?|protocols?|restrictions?|guardrails?|features?|training|constraints?|instructions?|systems?))?\b`),
		accept: acceptOrder,
	},
	// A new role for the model, or a mode without rules.
	{
		name:  "role-override",
		words: []string{"you are", "you're", "act as", "pretend", "roleplay", "respond as", "answer as", "behave as", "you will be", "imagine you", "simulate"},
		re: role(`\b(?:you are|you're|you will be|act(?:ing)? as|pretend(?:ing)? (?:to be|you are|that you are|you're|(?:that )?you(?: now)? (?:have|had))|role-?play(?:ing)? as|respond as|answer as|behave as|imagine you are|simulate)\b[^\n.]{0,100}\b` +
			`(?:without (?:any )?(?:\w+ )?(?:restrictions?|limits|limitations|filters?|rules|censorship|guardrails|constraints|guidelines)|(?:has|have|had|having|with) no (?:\w+ )?(?:content polic(?:y|ies)|polic(?:y|ies)|restrictions?|limits|limitations|filters?|rules|guidelines|guardrails|ethics|morals)|free (?:of|from) (?:all |any |your )?(?:restrictions?|limits|rules|constraints|guidelines|filters?)|unrestricted|uncensored|unfiltered|jailbroken|do anything now|not bound by|no longer bound|` + modesEN + ` mode)\b` +
			`|\b(?:you are|you're)~now~(?:in~)?(?:dan\b|stan\b|dude\b|an?~(?:\w+~){0,4}(?:ai|assistant|model|bot|chatbot|agent|llm|persona|character|hacker|terminal|interpreter|pirate|administrator|expert)\b|(?:my|the)~(?:\w+~){0,2}(?:ai|assistant|slave|servant|agent|bot)\b|` + modesEN + `~mode|root\b|unrestricted|free~(?:from|of))` +
			`|\bact~as~(?:dan\b|if~you~(?:have~no|had~no|are~not|were~not|can~do~anything))`),
	},
	{
		name:  "role-override",
		words: []string{"do anything now", "dan mode", "jailbreak", "jailbroken", "god mode", "developer mode", "no longer bound", "not bound by", "your new ", "new instructions", "system prompt", "system override", "admin override", "root override", "prompt injection test", "new role"},
		re: role(`\bdo anything now\b|\bdan mode\b|\bjailbreak mode\b|\byou (?:are|have been) (?:now )?jailbroken\b|\b(?:enter|enable|activate|switch (?:in)?to|entering|you are (?:now )?in) (?:dan|god|jailbreak|unrestricted|unfiltered|evil) mode\b|\bdeveloper mode (?:is )?(?:now )?(?:enabled|activated|unlocked|engaged)[^\n]{0,60}\b(?:you|unfiltered|output|rules|restrictions|answer)` +
			`|\b(?:you are|you're|assistant is|model is|ai is) (?:no longer|not) bound (?:by|to) (?:any|your|the|these|its)\b|\byour new (?:instructions?|role|rules|system prompt|persona|identity|directives?|orders|purpose|goal) (?:is|are|will be|:)|\byour new (?:instructions?|rules|orders|directives?)\s?:` +
			`|(?:^|\n)[\s*#>\[]*(?:(?:important|urgent|updated|attention)[:!,]?\s)*new (?:system )?(?:instructions?|prompt|directives?|rules)(?: for (?:the |you\b|ai\b)[^:\n]{0,30})?[\]*]*\s?:` +
			`|\b(?:system|admin|root|developer|safety) override\b[^\n]{0,20}(?:[:!]|\b(?:engaged|enabled|activated|accepted|you|code)\b)` +
			`|\bend of (?:the )?system prompt\b|\bstart of (?:the )?(?:new )?system prompt\b|\bupdated? (?:the )?system prompt\s?:`),
	},
	{
		name:  "role-override",
		words: []string{"from now on", "henceforth", "from this point", "from this moment", "you must", "obey", "comply", "going forward"},
		re: role(`\b(?:from now on|henceforth|from this (?:point|moment)(?: on(?:wards?)?)?|going forward)[\s,:;-]{1,4}(?:you (?:must|will|shall|should|are to|have to|can|may) )?(?:always |only |never |blindly |unconditionally |strictly )*(?:obey|comply|act as (?:if|dan|an? (?:unrestricted|uncensored|unfiltered))|pretend|ignore (?:all|any|your|every|the)|do anything|have no|follow only|only follow|listen only|refuse (?:all|to)|you are (?:an?|my|the|no|not|free|dan)\b|you have no|disregard|answer (?:everything|anything|without|all)|call yourself)` +
			`|\byou (?:must|will|shall|should|have to) (?:always |now |only |blindly |unconditionally )*(?:obey|comply with) (?:me|every|all|any|the following|whatever|everything|my|this|these|his|her|their)\b` +
			`|\bobey (?:all|every|any) (?:of )?(?:my|the|these|his) (?:\w+ )?(?:commands|orders|instructions|requests)|\balways obey (?:me|the user|every|all|any|my|this)\b|\bnever refuse (?:a|any|my|the user's|the|anything|to answer)\b[^\n.]{0,30}`),
	},
	// Declaring that what the model was told no longer holds.
	{
		name:  "role-override",
		words: []string{"void", "cancel", "suspend", "lifted", "revoked", "obsolete", "superseded", "no longer", "disabled", "expired", "none of ", "system prompt", "set aside", "put aside", "invalid", "null and", "overridden", "withdrawn"},
		re: role(`\b(?:your|all|all of your|any|these|those|the)~(?:other~|of~|the~|your~)*(?:previous|prior|earlier|original|initial|existing|former|system|safety|core|built-in|old|current)~(?:\w+~)?(?:instructions?|directives?|guidelines|guardrails|restrictions|system prompt|prompts?|programming|rules)~(?:are|is|have been|has been)~(?:now~|hereby~|all~|no longer~)*(?:void|cancelled|canceled|suspended|lifted|revoked|null|invalid|withdrawn|overridden|obsolete|disabled|binding|in (?:effect|force))\b` +
			`|\b(?:rules|instructions|directives|guidelines|restrictions|orders)~(?:that~)?(?:(?:were|was|have been|had been)~)?(?:given|told|shown|set|imposed)~(?:to|on|for)~you\b[^\n.]{0,30}~(?:are|is|have been)~(?:now~|hereby~|no longer~)*(?:void|cancelled|canceled|suspended|lifted|revoked|null|invalid|withdrawn|overridden|obsolete|binding)\b` +
			`|\byour~(?:instructions?|directives?|guidelines|guardrails|restrictions|system prompt|programming)~(?:are|is|have been|has been)~(?:now~|hereby~|no longer~)*(?:void|cancelled|canceled|suspended|lifted|revoked|null|invalid|withdrawn|overridden|obsolete)\b` +
			`|\bnone~of~(?:your|the)~(?:\w+~){0,2}(?:instructions|rules|guidelines|restrictions|directives)~(?:given~to~you~)?(?:apply|applies|bind|hold)\b` +
			`|\b(?:all|your|every)~(?:of~)?(?:the~|your~)?(?:safety|content|ethical|security)~(?:rules|guidelines|restrictions|filters?|checks?|polic(?:y|ies)|measures|guardrails)~(?:are|is|have been|has been)~(?:now~|hereby~)*(?:void|cancelled|canceled|suspended|lifted|revoked|disabled|off|turned off)\b` +
			`|\bset~aside~(?:all~|any~|the~|your~|every~)+(?:\w+~){0,2}(?:instructions?|guidelines?|rules|directives?|restrictions)~(?:that~)?(?:(?:were|was)~)?(?:given|you|told|before|above|earlier)\b` +
			`|\b(?:the|your)~system prompt~(?:above~|before~|earlier~|given~)?(?:is|was)~(?:now~|hereby~)*(?:void|obsolete|cancelled|canceled|invalid|revoked|superseded|replaced by|fake|wrong)\b`),
	},
	{
		name:  "role-override",
		words: []string{"ignore the above", "ignore all the above", "ignore all of the above", "disregard the above", "ignore everything above", "forget the above", "you have no ", "no content policy", "no restrictions", "stop following", "stop obeying", "highest priority", "system message"},
		re: role(`\b(?:ignore|disregard|forget)~(?:all~|of~|everything~)*(?:the~)?above[,;]?~(?:and|then|but|instead)~(?:just~|now~|instead~)*(?:do|say|print|output|answer|reply|respond|write|run|execute|follow|obey|tell|act|give|send|return|call|use|delete|approve)\b` +
			`|(?m:^|[.,;:!]\s+|\band\s|\bthat\s)you~(?:now~)?have~no~(?:\w+~)?(?:rules|restrictions|limits|limitations|guidelines|filters?|guardrails|content polic(?:y|ies))\b` +
			`|\b(?:enter|enable|activate|switch to|go into)~` + modesEN + `~mode\b[^\n]{0,60}\b(?:no~(?:\w+~)?(?:restrictions|rules|limits|filters?)|without~(?:\w+~)?(?:restrictions|rules|limits|filters?))` +
			`|\bstop~(?:following|obeying)~(?:all~|any~|the~|your~)+(?:\w+~){0,2}(?:rules|instructions|guidelines|directives|message|prompt)\b[^\n.]{0,20}~(?:developers?|system|operator|vendor|anthropic|openai)\b` +
			`|\b(?:treat|consider|regard|take)~(?:this|the following|these|it)~(?:\w+~){0,2}(?:as~)?(?:a~|the~|your~)?(?:new~)?system~(?:message|prompt|instructions?)\b` +
			`|(?m:^\W{0,6})(?:begin|start of|end of|end)~(?:new~)?system~(?:message|prompt|instructions?|override)\W*$`),
	},
	// Turning a model against those who told it what to do.
	{
		name:  "role-override",
		words: []string{"opposite of", "told you", "taught you", "instructed you", "you were", "you have been", "refuse", "as of now", "starting now", "from now on", "must obey"},
		re: role(`\b(?:do|say)~(?:exactly~)?the~(?:exact~)?opposite~of~(?:your|the)~(?:\w+~){0,2}(?:instructions|guidelines|rules|directives|polic(?:y|ies))\b` +
			`|\b(?:ignore|disregard|forget)~what(?:ever)?~(?:(?:the|your)~)?(?:\w+~){1,3}(?:told|taught|instructed)~you\b` +
			`|\byou~(?:were|have~been)~(?:told|instructed|taught|asked~to~do)\b[^\n.]{0,30}[,;:]~?(?:ignore|forget|disregard)~(?:it|that|this|all|everything|them)\b` +
			`|\b(?:as of now|starting now|from now on|as of today)[\s,]{1,3}you~are~(?:an?|my|the)~(?:\w+~){0,3}(?:ai|model|agent|bot|llm|chatbot)~(?:that|who|which|without|with~no)\b` +
			`|\b(?:ai|assistant|model|agent|bot)~(?:that|who|which)~(?:never~refuses|(?:can|must|will|does)~(?:not|never)~refuse)\b` +
			`|\byou~must~(?:\w+~)?obey~(?:the|this|these)~(?:text|note|message|file|lines?|words|memory|following)\b`),
	},
	// Hiding from the user, or telling what the model was told.
	{
		name:  "role-override",
		words: []string{"tell", "inform", "mention", "reveal", "disclose", "hide", "secret from", "hidden from", "alert", "let the user", "know"},
		re: role(`\b(?:do not|don't|never|must not|mustn't|without|avoid|should not|shouldn't)~(?:ever~)?(?:tell(?:ing)?|inform(?:ing)?|alert(?:ing)?)~(?:the~|your~|this~|any~)?(?:user|operator|human|person|owner)\b(?:~(?:about|of|that|this|anything|what|you|it|why)\b|\s*[.!,;:]|\s*$|\s*\n|~and\b|~or\b)` +
			`|\b(?:do not|don't|never|must not)~(?:ever~)?let~(?:the~|your~)(?:user|operator|human)~(?:know|see|notice|find)\b` +
			`|\b(?:do not|don't|never|must not)~(?:ever~)?(?:mention|reveal|disclose|show|expose|report)~(?:this|these|that|it|your|any~of~(?:this|these|it)|what~you|the~(?:above|existence|fact)|such)\b[^\n.]{0,60}\bto~(?:the~)?(?:user|anyone|operator|human)` +
			`|\b(?:hide|conceal)~(?:this|these|it|everything|your|all~of~this)\b[^\n.]{0,40}\bfrom~(?:the~)?(?:user|operator|human)|\bkeep~(?:this|these|it)\b[^\n.]{0,20}\b(?:secret|hidden|confidential)~from~(?:the~)?(?:user|operator|human)`),
	},
	{
		name:  "role-override",
		words: []string{"system prompt", "system message", "hidden instructions", "initial instructions", "hidden prompt", "initial prompt", "your instructions", "your prompt", "words above", "text above", "everything above", "developer message", "system instructions"},
		re: role(`\b(?:reveal|show|print|output|repeat|display|tell|give|leak|expose|disclose|dump|write|share|recite|send)~(?:me~|us~|out~|back~)*(?:all~(?:of~)?)?your~(?:own~|entire~|full~|complete~|hidden~|secret~|initial~|original~|exact~|current~|internal~)*(?:system~)?(?:prompts?|message|instructions|developer message)\b` +
			`|\b(?:repeat|print|output|recite|copy)~(?:all~)?(?:of~)?(?:the~)?(?:words|text|everything|lines|content)~(?:that is~|that's~)?above\b`),
	},
}

// acceptOrder passes descriptions ("we ignore previous releases", "rules
// override earlier rules") and orders about something else ("ignore all rules
// in .eslintrc").
func acceptOrder(text string, m []int) bool {
	before := text[max(0, m[0]-40):m[0]]
	verb := text[m[2]:m[3]]
	if describing.MatchString(before) {
		return false
	}
	if (strings.HasPrefix(verb, "overrid") || verb == "drop" || verb == "dismiss" || verb == "skip" || verb == "discard" || verb == "bypass" || verb == "neglect") && !imperative.MatchString(before) {
		return false
	}
	return !elsewhere.MatchString(text[m[1]:]) && !compound.MatchString(text[m[1]:])
}

var (
	describing = regexp.MustCompile(`(?:\b(?:we|they|i|who|which|that|never|not|cannot|can't|don't|doesn't|won't|didn't|it|he|she|users|people|agents|models|llms|attackers|tools|parsers|compilers|linters|clients|servers|browsers|wir|sie|nous|nosotros|noi)(?:\s(?:also|always|usually|will|can|may|should|often|simply|just|to))?|do not|does not|must not|should not)[\s"'` + "`" + `*]+$`)
	imperative = regexp.MustCompile(`(?:^|[.!?:;,\n"'` + "`" + `*>)\]\-]\s*|\b(?:please|now|and|then|must|to|you|should|will|simply|just|kindly|can|also|first)[\s,:]+)$`)
	// compound continues "rules" to the name of a thing.
	compound  = regexp.MustCompile(`^[\s_-](?:files?|folders?|director(?:y|ies)|pages?|tabs?|columns?|engines?|tables?|sections?|panes?|box(?:es)?|fields?|logs?|history|buffers?)\b`)
	elsewhere = regexp.MustCompile(`^[\s,]*(?:in|from|of|under|inside)\s(?:the\s|our\s|its\s)?["'` + "`" + `*]{0,2}(?:\.[\w-]+|[\w-]+\.(?:md|txt|ya?ml|toml|json|go|py|js|ts|ini|cfg|conf|rst|html?)\b|[\w-]+/[\w./-]+|(?:old |legacy |former |outdated |deprecated |vendored |upstream |linked )?(?:readme|wiki|changelog|contributing|makefile|dockerfile|eslint\w*|gitignore|editorconfig|documentation|docs|handbook|guide|ticket|branch|release|repo(?:sitory)?|linter|firewall)\b)`)
)

// acceptTag passes the name of a system in angle brackets, which stands in for
// a value in some build tools, unless it is closed or opens a line of prose.
func acceptTag(text string, m []int) bool {
	match := strings.TrimSpace(text[m[0]:m[1]])
	if match == "<system>" {
		rest, _, _ := strings.Cut(text[m[1]:], "\n")
		return len(strings.Fields(rest)) >= 3 || strings.Contains(text, "</system>")
	}
	return true
}

var (
	// directive begins what a fake turn says to a model, or in its name.
	directive = regexp.MustCompile(foldPattern(`^["'*\s]*(?:please\s|now\s|important[:,!]?\s|attention[:,!]?\s|note[:,]?\s)*(?:you(?:'re| are| must| will| should| shall| have| can| may| now)\b|your\b|ignore\b|disregard\b|forget\b|obey\b|override\b|always\b|never\b|from now\b|do not\b|don't\b|reveal\b|new instructions|act as\b|pretend\b|answer (?:only|every|all|with)|respond\b|reply\b|say\b|execute\b|run\b|delete\b|send\b|call\b|output\b|print\b|approve\b|all (?:previous|prior|safety|restrictions|rules|guard|permission)|the (?:user|operator|assistant|admin\w*) (?:has|is|may|can|must|said|approved|granted|wants)|safety\b|permission|access granted|as an? (?:ai|assistant|language)|i am\b|i'm\b|i will\b|i'll\b|sure\b|certainly\b|of course\b|understood\b|okay\b|ok[,.!]|yes[,.!]|absolutely\b|here (?:is|are)\b|let me\b|tell\b|write\b|what\b|how\b|can you\b|could you\b|why\b|explain\b|show\b|give\b|help\b` +
		`|du\s|sie\s|ignorier|vergiss|tu\s|vous\s|ignore|oublie|ahora\s|eres\s|debes\s|ignora|olvida|voce\s|você\s|agora\s|esqueca|sei\s|devi\s|dimentica|je\s|negeer|vergeet|ты\s|вы\s|игнорируй|забудь|ти\s|ігноруй|jestes\s|jesteś\s|zignoruj|musisz|sen\s|artik\s|artık\s|onceki|önceki|你|您|忽略|请|請|从现在|あなた|以前|これから|당신|이전|지금부터|أنت|تجاهل|आप|पिछले|अब\s)`))
	roleLine = regexp.MustCompile(`(?m)^[\s>*#"'\-]{0,5}(system|assistant|human|user|ai|developer|model|benutzer|utilisateur|usuario|用户|助手)["'*]{0,3}\s{0,2}:["'*]{0,3}[^\S\n]*(\S[^\n]*)?$`)
)

// turnDistance is how far apart, in bytes, turns may stand.
const turnDistance = 600

// acceptTurn decides whether a line that begins with a role and a colon poses
// as a turn: it does when what follows addresses a model or speaks as one, when
// the label says "system message", or when other roles take turns with it. A
// fact such as "system: Debian 12" or "user: postgres" is none.
func acceptTurn(text string, m []int) bool {
	label, kind, said := text[m[2]:m[3]], text[m[4]:m[5]], strings.TrimSpace(text[m[6]:m[7]])
	firstLine, _, _ := strings.Cut(said, "\n")
	words := len(strings.Fields(firstLine))
	if directive.MatchString(said) && (words >= 2 || !isASCII(said)) {
		return true
	}
	if kind != "" && (words >= 4 || kind[1:] == "override") {
		return true
	}
	if label == "human" && words >= 3 && !isDigit(said[0]) {
		return true
	}
	// Turns follow each other closely.
	text = text[max(0, m[0]-turnDistance):min(len(text), m[1]+turnDistance)]
	roles := make(map[string]bool)
	for _, line := range roleLine.FindAllStringSubmatchIndex(text, -1) {
		if line[4] >= 0 && (len(strings.Fields(text[line[4]:line[5]])) >= 3 || utf8.RuneCountInString(text[line[4]:line[5]]) >= 8 && !isASCII(text[line[4]:line[5]])) {
			roles[text[line[2]:line[3]]] = true
		}
	}
	return len(roles) >= 2 && roles[label]
}

var foreignDescribing = regexp.MustCompile(foldPattern(`(?:\b(?:wir|sie|man|nicht|nie|niemals|nous|ils|on|ne|jamais|nunca|no|nosotros|ellos|não|nós|eles|non|mai|noi|loro|wij|ze|niet|nooit|my|oni|nie|nigdy)\s|(?:^|\s)(?:не|мы|они|никогда|ми|вони|ніколи)\s|(?:我们|我們|他们|他們|不要|别|別|勿|不能|不得|请勿|会|會))$`))
