// lamella's plugin for Pi. It reports events to the hook as opencode's plugin does, and gives the answers to the model.
import { existsSync } from "node:fs"
import { resolve as absolute } from "node:path"

const TOOLS = {
  bash: ({ command }) => ({ command }),
  edit: ({ path, edits, oldText, newText }) => ({
    filePath: path,
    edits: (edits ?? [{ oldText, newText }]).map((each) => ({ oldString: each.oldText, newString: each.newText })),
  }),
  write: ({ path, content }) => ({ filePath: path, content }),
}

export default (pi) => {
  const calls = new Map()
  let [started, compacted] = [false, false]

  const tell = (name, ctx, more = {}) =>
    ask(ctx.cwd, { hook_event_name: name, session_id: ctx.sessionManager.getSessionId(), ...more })

  pi.on("before_agent_start", async ({ prompt, messageType }, ctx) => {
    if (messageType === "custom") return
    const contexts = started ? [] : [await tell("session.start", ctx, { compacted })]
    ;[started, compacted] = [true, false]
    contexts.push(await tell("chat.message", ctx, { prompt }))
    const content = contexts.filter(Boolean).join("\n\n")
    if (content) return { message: { customType: "lamella", content, display: false } }
  })
  pi.on("tool_call", async ({ toolName, toolCallId, input }, ctx) => {
    if (!Object.hasOwn(TOOLS, toolName)) return
    const told = { tool_name: toolName, args: TOOLS[toolName](input) }
    const exists = toolName === "write" && existsSync(absolute(ctx.cwd, input.path))
    const warning = toolName === "bash" ? undefined : await tell("tool.execute.before", ctx, told)
    calls.set(toolCallId, { told, exists, warning })
  })
  pi.on("tool_result", async ({ toolName, toolCallId, content, details, isError }, ctx) => {
    const call = calls.get(toolCallId)
    if (!calls.delete(toolCallId)) return
    const metadata = { diff: details?.patch, exists: call.exists }
    if (!isError || toolName === "bash") await tell("tool.execute.after", ctx, { ...call.told, metadata })
    if (call.warning) return { content: [...content, { type: "text", text: call.warning }] }
  })
  pi.on("session_compact", async (_, ctx) => {
    ;[started, compacted] = [false, true]
    await tell("session.compacted", ctx)
  })
  pi.on("agent_settled", (_, ctx) => tell("session.idle", ctx))
  pi.on("session_shutdown", (_, ctx) => started && tell("dispose", ctx))
}
