// lamella's plugin for Cline. It reports events to lamella's hook, and gives the hook's answers to the model.
const EDITING = ["apply_patch", "editor"]
const SHELL = "run_commands"

// Cline stops a run if a plugin's hook takes three seconds, but waits a minute for messages to be built. So the plugin's
// hooks put events into a queue, and the answers are added to the messages that are built next.
let asked = Promise.resolve()
const answers = []
const shown = new Map()

let session = ""
let directory = process.cwd()
let started = false

/** Report an event. Events of a sub-agent belong to the session that started it. */
function tell(name, { agentId, parentAgentId }, more = {}) {
  // Plugins run in a child process of Cline, but Cline itself starts the servers.
  const event = { process: process.ppid, hook_event_name: name, session_id: session }
  const agent = parentAgentId ? agentId : ""
  asked = asked.then(() => ask(directory, { ...event, agent, ...more })).then((text) => text && answers.push(text))
}

/** Return messages, each followed by its contexts. Cline doesn't keep the result, but builds it for each request. */
async function build(messages) {
  await asked
  const key = ({ content }) => JSON.stringify(content)
  const last = messages.at(-1)
  if (last?.role === "user" && answers.length) {
    shown.set(key(last), [...(shown.get(key(last)) ?? []), ...answers.splice(0)])
  }
  return messages.map((message) => {
    const { content } = message
    const said = typeof content === "string" ? [{ type: "text", text: content }] : content
    const more = (shown.get(key(message)) ?? []).map((text) => ({ type: "text", text }))
    return more.length ? { ...message, content: [...said, ...more] } : message
  })
}

/** Return the user's last message, without the tag that names the mode. */
function prompt(messages) {
  const said = messages.findLast(({ role, metadata }) => role === "user" && metadata?.displayRole !== "system")
  const texts = (said?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.join("\n").replace(/^<user_input[^>]*>/, "").replace(/<\/user_input>\s*$/, "")
}

export default {
  name: "lamella",
  manifest: { capabilities: ["hooks", "messageBuilders"] },
  setup(api, { session: own, workspaceInfo }) {
    session = own?.sessionId ?? ""
    directory = workspaceInfo?.rootPath ?? directory
    api.registerMessageBuilder({ name: "lamella", build })
  },
  hooks: {
    beforeRun({ snapshot }) {
      if (snapshot.parentAgentId) return
      if (!started) tell("start", snapshot)
      started = true
      tell("prompt", snapshot, { prompt: prompt(snapshot.messages) })
    },
    afterTool({ snapshot, toolCall: { toolName }, input, result, durationMs }) {
      if (toolName !== SHELL && !EDITING.includes(toolName)) return
      const failed = result?.isError === true || result?.output?.success === false
      tell("after tool", snapshot, { tool_name: toolName, args: input, failed, took: durationMs })
    },
  },
}
