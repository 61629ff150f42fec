// lamella's plugin for Amp. It reports events to the hook as opencode's plugin does, and gives the answers to the model.
// It never allows or rejects a tool call, because Amp would treat a plugin's decision as the user's permission.
const TOOLS = {
  Bash: ({ cmd, command }) => ["bash", { command: cmd ?? command }],
  apply_patch: () => ["bash", { command: "apply_patch" }],
  create_file: ({ path, content }) => ["write", { filePath: path, content }],
  edit_file: ({ path, old_str, new_str, replace_all }) => [
    "edit",
    { filePath: path, oldString: old_str, newString: new_str, replaceAll: replace_all },
  ],
}

export default (amp) => {
  const started = new Set()
  const tell = (name, { thread }, more = {}) =>
    ask(process.cwd(), { hook_event_name: name, session_id: thread.id, ...more })

  amp.on("agent.start", async (event) => {
    const contexts = started.has(event.thread.id) ? [] : [await tell("session.start", event)]
    started.add(event.thread.id)
    contexts.push(await tell("chat.message", event, { prompt: event.message }))
    const content = contexts.filter(Boolean).join("\n\n")
    if (content) return { message: { content } }
  })
  amp.on("tool.result", async (event) => {
    if (!Object.hasOwn(TOOLS, event.tool) || (event.status !== "done" && event.tool !== "Bash")) return
    const [tool_name, args] = TOOLS[event.tool](event.input)
    const warning = await tell("tool.execute.after", event, { tool_name, args })
    if (warning && typeof event.output === "string") return { status: event.status, output: `${event.output}\n\n${warning}` }
  })
  amp.on("agent.end", async (event) => {
    await tell("session.idle", event)
  })
}
