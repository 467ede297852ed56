// What `codex exec --json` prints, one process a turn. Two things are inferred, since the stream
// cannot tell them: the answer is the last text with no activity after it, and what an attempt said
// is given up where the runtime says that it reconnects.

import * as run from "./run.mjs";

// Maps, not objects: an item may be called "constructor".
const ACTIVITIES = new Map([
  ["command_execution", "command"],
  ["file_change", "file_change"],
  ["mcp_tool_call", "mcp"],
  ["collab_tool_call", "subagent"],
  ["web_search", "web"],
]);
const STATES = new Map([
  ["completed", "ok"],
  ["failed", "failed"],
  ["declined", "declined"],
  ["interrupted", "cancelled"],
]);

const OTHERS = new Set(["agent_message", "reasoning", "todo_list", "error"]);

const RETRY = "Reconnecting... ";
const FALLBACK = "Falling back from WebSockets to HTTPS transport.";
const CAUSES = [ // how the runtime's own sentences begin, and the code each means (E5)
  ["stream disconnected before completion:", "provider_unavailable"],
  ["We’re currently experiencing high demand", "provider_unavailable"],
  ["Connection failed:", "provider_unavailable"],
  ["exceeded retry limit, last status: 429", "rate_limited"],
  ["rate limit exceeded:", "rate_limited"],
  ["unexpected status 401", "auth"],
  ["unexpected status 403", "auth"],
  ["unexpected status 404", "not_found"],
  ["Missing environment variable:", "auth"],
  ["Codex ran out of room in the model's context window", "context_exhausted"],
  ["Quota exceeded. Check your plan and billing details.", "quota"],
  ["You’ve hit your usage limit", "quota"],
  ["Incomplete response returned, reason: max_output_tokens", "output_truncated"],
];

/** The turn a process is at. `spoken` are its texts since the last activity, `failure` the cause of
 * its last error as long as nothing came after it, `torn` says that a line could not be read. */
export const begin = () => ({
  opened: 0, current: null, thread: null, exited: false,
  spoken: [], answering: false, retries: 0, failure: null, torn: false,
});

/** A line of the process, or one that its host wrote. `session` opens runs and names threads. */
export function frame(state, session, line) {
  if (line.code === "in") return opens(state, session);
  if (line.code !== "out") return;
  if (isObject(line.json)) printed(state, session, line.json);
  else if (line.torn || line.text?.trimStart().startsWith("{")) state.torn = true;
}

/** What the edge knows: the prompt of the command line, and the end of the process. */
export function signal(state, session, { kind }) {
  if (kind === "message") opens(state, session);
  if (kind === "exited") Object.assign(state, { exited: true, current: null, thread: null });
}

/** One process runs one turn; a new process of the same session begins another. */
function opens(state, session) {
  if (state.opened && !state.exited) return;
  const { opened, thread } = state;
  const turn = `t${opened + 1}`;
  Object.assign(state, begin(), { opened: opened + 1, thread, current: session.open(turn) });
}

function printed(state, session, value) {
  if (value.type === "thread.started") {
    state.thread = text(value.thread_id) || state.thread;
    return;
  }
  const item = isObject(value.item) ? value.item : {};
  if (!speaksOfATurn(value.type, item)) return;
  if (state.current === null && (!state.opened || state.exited)) opens(state, session);
  if (state.current === null) return; // said when the turn is over (T2)
  const now = session.now;
  const turn = session.run(state.current);
  if (!turn.awake) session.wake(turn, state.thread);
  if (turn.phase === "ended") return;
  read(state, now, turn, value, item);
}

function speaksOfATurn(type, item) {
  switch (type) {
    case "turn.started":
    case "turn.completed":
    case "turn.failed":
    case "error":
      return true;
    case "item.updated":
      return item.type === "todo_list";
    case "item.started":
    case "item.completed":
      return Boolean(text(item.id)) && (ACTIVITIES.has(item.type) || OTHERS.has(item.type));
    default:
      return false;
  }
}

function read(state, now, turn, value, item) {
  switch (value.type) {
    case "item.started":
      if (ACTIVITIES.has(item.type)) started(state, now, turn, item);
      else if (item.type === "todo_list") planned(now, turn, item);
      break;
    case "item.updated":
      planned(now, turn, item);
      break;
    case "item.completed":
      completed(state, now, turn, item);
      break;
    case "error":
      troubled(state, now, turn, text(value.message));
      break;
    case "turn.completed": // what could not be read may have been the answer
      if (!state.torn) ownsUp(state, now, turn);
      if (state.torn) run.failed(now, turn, "incomplete");
      else run.completed(now, turn, "positional");
      state.current = null;
      break;
    case "turn.failed":
      run.failed(now, turn, causeOf(text(value.error?.message)) ?? state.failure);
      state.current = null;
      break;
  }
}

function completed(state, now, turn, item) {
  switch (item.type) {
    case "agent_message":
      answers(state, now, turn);
      state.spoken = [...state.spoken.filter((one) => one !== item.id), item.id];
      run.said(now, turn, item.id, text(item.text));
      break;
    case "reasoning":
      answers(state, now, turn);
      run.thought(now, turn);
      break;
    case "todo_list":
      planned(now, turn, item);
      break;
    case "error":
      if (text(item.message).startsWith(FALLBACK)) {
        run.troubled(now, turn, { code: "provider_unavailable", lasting: true });
      }
      break;
    default:
      Object.assign(state, { answering: false, spoken: [] });
      run.toolEnded(now, turn, item.id, stateOf(item));
  }
}

function started(state, now, turn, item) {
  answers(state, now, turn);
  state.spoken = [];
  run.toolStarted(now, turn, item.id, ACTIVITIES.get(item.type), item.type);
}

/** Steps are done or not; which one is at work the stream does not tell. */
function planned(now, turn, item) {
  const steps = Array.isArray(item.items) ? item.items.filter((one) => text(one?.text)) : [];
  const items = steps.map((one) => ({
    text: one.text, state: one.completed === true ? "done" : "pending",
  }));
  run.planned(now, turn, items);
}

/** An error: a retry is trouble, and gives up what was said (O3, R8); any other is the cause, if
 * the turn ends with it. */
function troubled(state, now, turn, sentence) {
  if (!sentence.startsWith(RETRY)) {
    state.failure = causeOf(sentence) ?? "unknown";
    return;
  }
  run.abandon(turn, state.spoken);
  const attempt = state.retries + 1;
  Object.assign(state, { spoken: [], answering: false, retries: attempt, failure: null });
  const code = causeOf(sentence.slice(sentence.indexOf("(") + 1)) ?? "provider_unavailable";
  run.troubled(now, turn, { code, attempt, willRetry: true });
}

/** An item of the provider's answer: the first one begins it. */
function answers(state, now, turn) {
  ownsUp(state, now, turn);
  if (state.answering) return;
  Object.assign(state, { answering: true, retries: 0 });
  run.attemptStarted(turn);
}

/** An error that was not the end was trouble; a limit is none (O2). */
function ownsUp(state, now, turn) {
  const code = state.failure;
  state.failure = null;
  if (code !== null && !run.LIMITS.has(code)) run.troubled(now, turn, { code });
}

/** Without a status that proves success the state is unknown; an error inside is failure (T10). */
function stateOf(item) {
  const state = STATES.get(item.status) ?? "unknown";
  return state === "ok" && (isObject(item.error) || item.success === false) ? "failed" : state;
}

function causeOf(sentence) {
  const found = CAUSES.find(([head]) => sentence.startsWith(head));
  if (found) return found[1];
  const quotes = sentence.trimStart().startsWith("{");
  return quotes && sentence.includes('"invalid_request_error"') ? "bad_request" : null;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value) => (typeof value === "string" ? value : "");
