interface InstructionForm {
  readonly form: string;
  /** Every match contains one of these: if none is in the text, the pattern is skipped. */
  readonly anchors: readonly string[];
  readonly pattern: RegExp;
}

/**
 * Phrases with which files and documents address an agent, in lower case. Each pattern has at most one gap, and gaps are
 * bounded, so that hostile repetition costs constant time per character.
 */
export const INSTRUCTION_FORMS: readonly InstructionForm[] = [
  {
    form: "ignore previous instructions",
    anchors: ["ignore", "disregard", "forget", "skip", "drop"],
    pattern:
      /\b(?:ignore|disregard|forget|skip|drop) (?:\w+ ){0,4}(?:instructions?|prompts?|directions|directives|guidelines|rules you)\b/gm,
  },
  {
    form: "ignore everything above",
    anchors: ["ignore", "disregard", "forget"],
    pattern:
      /\b(?:ignore|disregard|forget) (?:everything|all|anything) (?:\w+ ){0,2}(?:above|before|prior|previous|earlier|said|told)\b/gm,
  },
  {
    form: "override instructions",
    anchors: ["overrid", "supersede"],
    pattern:
      /\b(?:override|overrides|overriding|supersedes?) (?:\w+ ){0,3}(?:instructions|system prompt|guidelines|safety)\b/gm,
  },
  {
    form: "do not follow",
    anchors: ["follow", "obey", "listen"],
    pattern:
      /\bdo(?: not|n't) (?:follow|obey|listen to) (?:\w+ ){0,3}(?:instructions|prompt|user|guidelines)\b/gm,
  },
  {
    form: "new instructions",
    anchors: ["instruction", "directive", "orders"],
    pattern:
      /\b(?:new|updated|real|actual|revised) (?:instructions?|directives?|orders) ?(?::|are\b|follow\b|for (?:you|the (?:ai|assistant|agent|model)))/gm,
  },
  {
    form: "system turn",
    anchors: ["system", "developer"],
    pattern:
      /^[\s>#*`/-]{0,8}(?:system|developer)(?: (?:message|prompt|note|override))?\*{0,2}\s{0,2}: ?\S/gm,
  },
  {
    form: "assistant turn",
    anchors: ["assistant:", "assistant*", "human:", "human*", "ai:", "ai*"],
    pattern: /^[\s>#*`/-]{0,8}(?:assistant|human|ai)\*{0,2}: \S/gm,
  },
  {
    form: "chat markup",
    anchors: ["<|", "inst]", "sys>>"],
    pattern:
      /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|?>|\[\/?inst\]|<<\/?sys>>/gm,
  },
  {
    form: "system tag",
    anchors: ["<system", "</system", "assistant>", "important_instruction", "admin>", "developer>"],
    pattern:
      /<\/?(?:system|system-prompt|system_prompt|system-reminder|system_instructions?|assistant|important_instructions?|admin|developer)>/gm,
  },
  {
    form: "tool call markup",
    anchors: ["function_", "invoke", "tool_"],
    pattern:
      /<\/?(?:antml:)?(?:function_calls?|invoke|tool_call|tool_use|tool_result|function_results?)\b[^>\n]{0,80}>/gm,
  },
  {
    form: "tool call json",
    anchors: ["tool_call", "function_call", "tool_use"],
    pattern: /"(?:tool_calls?|function_call)"\s{0,3}:\s{0,3}[[{]|"type"\s{0,3}:\s{0,3}"tool_use"/gm,
  },
  {
    form: "call a tool",
    anchors: ["you "],
    pattern:
      /\byou (?:must|should|need to|have to|will|shall)(?: now| immediately| first| always)? (?:call|invoke|run|execute|use) (?:the |this |a )?[\w`.-]{1,40} ?(?:tool|function|command|shell|bash|script)\b/gm,
  },
  {
    form: "you must now",
    anchors: ["you "],
    pattern:
      /\byou (?:must|should|shall|will|need to) (?:now|immediately|instead|first|always) (?:call|run|execute|invoke|send|delete|open|fetch|read|write|print|reveal|output|ignore)\b/gm,
  },
  {
    form: "addressed to an agent",
    anchors: ["attention", "note", "message", "instruction", "important"],
    pattern:
      /\b(?:attention|note|message|instructions?|important)[ ,:]{1,3}(?:to |for )?(?:all |any |the )?(?:ai|llm|language model|assistant|agent|coding agent|copilot|claude|chatgpt|gpt|gemini|cursor)s?\b ?[:,.!-]/gm,
  },
  {
    form: "if you are an ai",
    anchors: ["if you"],
    pattern:
      /\bif you(?:'re| are) (?:an? )?(?:ai|llm|language model|(?:ai |coding )?(?:assistant|agent)|claude|chatgpt|gpt-?\d?|gemini|copilot)\b/gm,
  },
  {
    form: "as an ai you",
    anchors: ["as a"],
    pattern:
      /\bas an? (?:ai|llm|language model|ai assistant|coding agent),? you (?:must|should|are|will|have)\b/gm,
  },
  {
    form: "you are now",
    anchors: ["you are n"],
    pattern: /\byou are (?:now|no longer) (?:an? |the |in |bound |under |restricted |operating )/gm,
  },
  {
    form: "act as",
    anchors: ["act ", "behave", "respond", "pretend"],
    pattern:
      /\b(?:act|behave|respond|pretend) (?:as if|as though|like|to be|as) (?:you|an? (?:unrestricted|uncensored|different|evil|admin)|the (?:system|admin|root|developer))\b/gm,
  },
  {
    form: "jailbreak persona",
    anchors: ["dan mode", "anything now", "mode", "jailbr"],
    pattern: /\b(?:dan mode|do anything now|developer mode (?:enabled|on)|god mode enabled|jailbroken?\b)/gm,
  },
  {
    form: "no restrictions",
    anchors: ["without", "bypass"],
    pattern:
      /\bwithout (?:any )?(?:restrictions|limitations|filters|safety checks|guardrails|content policy)\b|\bbypass (?:\w+ ){0,2}(?:safety|guardrails?|content (?:filters?|policy)|restrictions)\b/gm,
  },
  {
    form: "reveal the prompt",
    anchors: ["prompt", "system message", "instructions", "your rules"],
    pattern:
      /\b(?:reveal|print|show|repeat|output|display|leak|share|tell me) (?:\w+ ){0,4}(?:system prompt|system message|initial (?:prompt|instructions)|hidden (?:prompt|instructions)|your (?:instructions|prompt|rules))\b/gm,
  },
  {
    form: "reveal secrets",
    anchors: [" key", "credential", "password", "secret", "token", "env"],
    pattern:
      /\b(?:send|post|upload|email|exfiltrate|leak|paste|include|output|print|reveal) (?:\w+ ){0,5}(?:api keys?|credentials|passwords|secrets|private keys?|access tokens?|env(?:ironment)? variables|\.env|ssh keys?)(?: (?:\w+ ){0,3}to\b| in (?:your|the) (?:answer|reply|response|output))/gm,
  },
  {
    form: "read secret files",
    anchors: ["ssh/", "aws/", "netrc", "env"],
    pattern:
      /\b(?:read|cat|open|fetch|load|get) (?:the (?:contents? of |file )?)?(?:~\/|\/home\/\w{1,32}\/|\$home\/)?\.?(?:ssh\/id_\w{2,10}|aws\/credentials|netrc|env\b)[^\n]{0,40} and (?:send|post|include|upload|paste|return|pass)\b/gm,
  },
  {
    form: "exfiltration link",
    anchors: ["!["],
    pattern:
      /!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\s]{1,200}[?&](?:(?:data|secret|token|key|content|prompt|payload|q)=|[\w-]{1,30}=(?:\{|\$|<|%7b|\[))/gm,
  },
  {
    form: "send to a url",
    anchors: ["to http"],
    pattern: /\b(?:send|post|upload|forward|submit|exfiltrate|transmit) (?:\w+ ){1,6}to https?:\/\//gm,
  },
  {
    form: "pipe to a shell",
    anchors: ["curl", "wget"],
    pattern:
      /\byou (?:must|should|need to|can)[^\n]{0,40}\b(?:curl|wget)\b|\b(?:agent|assistant|ai|model)s?[^\n]{0,40}\bcurl [^\n|]{1,120}\| ?(?:ba)?sh\b/gm,
  },
  {
    form: "hide from the user",
    anchors: ["user", "human", "developer", "operator"],
    pattern:
      /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|show|showing|reveal|revealing)(?: this| it| any of this| that)?(?: to)? (?:the )?(?:user|human|developer|operator)s?\b/gm,
  },
  {
    form: "without asking",
    anchors: ["without"],
    pattern:
      /\bwithout (?:asking|confirmation from|permission from|approval from|waiting for) (?:the )?(?:user|human|operator|confirmation|approval|permission)\b/gm,
  },
  {
    form: "do not refuse",
    anchors: ["refuse", "decline", "question this", "warn", "add "],
    pattern:
      /\b(?:do not|don't|never|must not|cannot) (?:refuse|decline|question this|warn the user|add (?:any )?(?:warnings?|disclaimers?))\b/gm,
  },
  {
    form: "this is authorised",
    anchors: ["authori", "approved", "permitted", "cleared"],
    pattern:
      /\b(?:this (?:request|action|command|instruction) (?:is|was|has been)|you (?:are|have been)) (?:pre-?)?(?:authori[sz]ed|approved|permitted|cleared) (?:by|to)\b/gm,
  },
  {
    form: "admin speaking",
    anchors: ["i am", "this is", "message from"],
    pattern:
      /\b(?:i am|this is|message from) (?:your |the )?(?:developer|creator|administrator|system administrator|openai|anthropic|the system)\b ?[.,:;!-]/gm,
  },
  {
    form: "end of document",
    anchors: ["end of", "begin of", "start of"],
    pattern:
      /\b(?:end|begin|start) of (?:untrusted |user |retrieved |the )?(?:document|context|data|input|system prompt|user input|instructions)\b ?(?:-{2,}|={2,}|\]|>|\.? ?(?:new|now|system))/gm,
  },
  {
    form: "priority claim",
    anchors: ["priority", "these instructions"],
    pattern:
      /\b(?:highest|top|maximum) priority (?:instruction|directive|order|task|command)s?\b|\bthese instructions (?:take|have) (?:precedence|priority)\b/gm,
  },
  {
    form: "answer only",
    anchors: ["respond", "reply", "answer"],
    pattern: /\b(?:respond|reply|answer) (?:only|exclusively|always|just) (?:with|by saying|saying) ["'`]/gm,
  },
  {
    form: "disable safety",
    anchors: ["disable", "turn off", "deactivate", "switch off"],
    pattern:
      /\b(?:disable|turn off|deactivate|switch off) (?:\w+ ){0,3}(?:safety|guardrails?|content filters?|permission (?:checks|prompts)|confirmation prompts|sandbox(?:ing)? (?:mode )?for (?:the )?agent)\b/gm,
  },
  {
    form: "change agent configuration",
    anchors: [
      "memory",
      "prompt",
      "claude.md",
      "agents.md",
      "cursorrules",
      "copilot-",
      "mcp.json",
      "custom instr",
    ],
    pattern:
      /\b(?:add|write|append|save|insert) (?:\w+ ){0,6}(?:to|into|in) (?:your |the )?(?:memory|system prompt|claude\.md|agents\.md|\.cursorrules|copilot-instructions\.md|mcp\.json|custom instructions)\b/gm,
  },
  {
    form: "remember for later",
    anchors: ["remember", "memori", "store"],
    pattern:
      /\b(?:remember|memori[sz]e|store) (?:this|these|the following)(?: \w+){0,3} (?:for (?:all )?(?:future|later|every)|in every|permanently|forever)\b/gm,
  },
  {
    form: "approve everything",
    anchors: ["approve", "always a"],
    pattern:
      /\b(?:always (?:approve|allow|accept) (?:all|any|every|this|these|the (?:tool|command|request))|auto-?approve (?:all|every|any)|approve (?:all|every|any) (?:tool|command|request|action|permission|pull request)s?)\b/gm,
  },
  {
    form: "destructive order",
    anchors: ["you "],
    pattern:
      /\byou (?:must|should|need to|will|shall)[^\n]{0,40}(?:rm -rf|drop (?:the )?(?:database|tables?)|delete (?:all|every)|force[- ]push|git push --force)/gm,
  },
  {
    form: "encoded order",
    anchors: ["decode", "rot13", "unescape"],
    pattern:
      /\b(?:decode|base64[- ]decode|rot13|unescape) (?:\w+ ){0,5}and (?:then )?(?:follow|execute|run|obey|do)\b/gm,
  },
  {
    form: "hidden comment order",
    anchors: ["<!--"],
    pattern:
      /<!--[^>\n]{0,40}\b(?:ai|llm|agent|assistant|claude|copilot|gpt)s?\b[^>\n]{0,40}\b(?:must|should|ignore|please|do not|always)\b/gm,
  },
  {
    form: "quoted urgency",
    anchors: ["important", "urgent", "critical", "warning"],
    pattern:
      /\b(?:important|urgent|critical|warning)[!:*. ]{1,4}(?:before (?:you )?(?:continu|answer|respond|proceed)\w*|you must|the (?:assistant|agent|ai|model) must)\b/gm,
  },
];
