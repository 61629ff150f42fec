// lamella's plugin for opencode. It reports events to lamella's hook, and gives the hook's answers to the model.
const EDITING = ["apply_patch", "edit", "write"]

export const Lamella = async ({ directory }) => {
  const started = new Set()
  const compacted = new Set()
  const parents = new Map()
  const warnings = new Map()

  /** Report an event in a session. Events of a sub-agent belong to the session that started it. */
  const tell = (name, id, more = {}) => {
    let session = id
    while (parents.has(session)) session = parents.get(session)
    return ask(directory, { hook_event_name: name, session_id: session, agent: session === id ? "" : id, ...more })
  }

  return {
    event: async ({ event: { type, properties } }) => {
      const id = properties?.sessionID
      if (type === "session.created" && properties.info?.parentID) parents.set(id, properties.info.parentID)
      if (type === "session.compacted" && !parents.has(id)) {
        started.delete(id)
        compacted.add(id)
        await tell(type, id)
      }
      if (type === "session.idle" && !parents.has(id)) await tell(type, id)
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const last = parts.at(-1)
      if (!last || parents.has(sessionID)) return
      const prompt = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n")
      const contexts = []
      if (!started.has(sessionID)) {
        started.add(sessionID)
        contexts.push(await tell("session.start", sessionID, { compacted: compacted.delete(sessionID) }))
      }
      contexts.push(await tell("chat.message", sessionID, { prompt }))
      contexts.forEach((text, number) => {
        if (text) parts.push({ id: last.id + number, sessionID, messageID: message.id, type: "text", text, synthetic: true })
      })
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (!EDITING.includes(tool)) return
      const warning = await tell("tool.execute.before", sessionID, { tool_name: tool, args })
      if (warning) warnings.set(callID, warning)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, result) => {
      if (tool !== "bash" && !EDITING.includes(tool)) return
      const { diff, exists, files } = result.metadata ?? {}
      await tell("tool.execute.after", sessionID, { tool_name: tool, args, metadata: { diff, exists, files } })
      if (warnings.has(callID)) result.output += `\n\n${warnings.get(callID)}`
      warnings.delete(callID)
    },
    dispose: async () => {
      await Promise.all([...started].map((id) => tell("dispose", id)))
    },
  }
}
