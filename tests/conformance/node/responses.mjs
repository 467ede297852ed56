// What the Responses API shows of trouble beside the agent's own stream (O4): an answer that
// failed, was refused, or broke off. A request's header names the thread, and thereby the run.

import { LIMITS } from "./run.mjs";

const ERRORS = new Map([
  ["rate_limit_exceeded", "rate_limited"],
  ["rate_limit", "rate_limited"],
  ["server_error", "provider_unavailable"],
  ["server_is_overloaded", "provider_unavailable"],
  ["slow_down", "provider_unavailable"],
  ["context_length_exceeded", "context_exhausted"],
  ["insufficient_quota", "quota"],
  ["usage_limit_reached", "quota"],
  ["usage_not_included", "quota"],
  ["invalid_api_key", "auth"],
  ["model_not_found", "not_found"],
  ["invalid_prompt", "bad_request"],
  ["invalid_request_error", "bad_request"],
]);
const STATUSES = { 401: "auth", 403: "auth", 404: "not_found", 429: "rate_limited" };

/** The exchanges under way, by their number. `open` says that an answer is not complete. */
export const begin = () => ({ exchanges: {} });

const exchange = (thread) => ({ thread, status: null, open: false, named: false, failed: false });

/** A frame of the provider's track. */
export function frame(state, session, { code, exchange: number = 0, json }) {
  const value = typeof json === "object" && json !== null ? json : {};
  const known = state.exchanges[number] ?? exchange(null);
  state.exchanges[number] = known;
  switch (code) {
    case "request":
    case "open":
      state.exchanges[number] = exchange(value.headers?.["thread-id"] ?? null);
      break;
    case "response":
      if (value.status >= 400) known.status = value.status;
      break;
    case "send":
      if (value.type === "response.create") begun(known);
      break;
    case "data":
    case "receive":
      event(state, session, number, value);
      break;
    case "end":
    case "cut":
    case "close": // given up by its reader an answer shows no trouble of the provider
      if (known.open && value.by !== "client") trouble(session, known, "provider_unavailable");
      else if (!known.open && known.status) trouble(session, known, codeOfStatus(known.status));
      delete state.exchanges[number];
      break;
  }
}

export function signal() {}

function event(state, session, number, value) {
  const known = state.exchanges[number];
  switch (value.type) {
    case "response.created":
      begun(known);
      break;
    case "response.output_item.added":
    case "response.output_item.done":
      if (!known.named && ["message", "reasoning"].includes(value.item?.type)) {
        Object.assign(known, { open: true, named: true });
      }
      break;
    case "response.completed":
    case "response.incomplete":
      Object.assign(known, { open: false, named: false });
      break;
    default: {
      const error = errorOf(value);
      if (!error || known.failed) break;
      const code = ERRORS.get(error.code) ?? ERRORS.get(error.type);
      const status = value.status ?? known.status;
      trouble(session, known, code ?? (status ? codeOfStatus(status) : "unknown"));
      state.exchanges[number] = { ...exchange(known.thread), failed: true };
    }
  }
}

const begun = (known) => Object.assign(known, { open: true, named: false, failed: false });

function errorOf(value) {
  if (value.type === "response.failed") return value.response?.error ?? {};
  if (value.type === "error") return value.error ?? value;
  return value.type === undefined ? value.error : undefined;
}

function trouble(session, { thread }, code) {
  if (thread !== null && !LIMITS.has(code)) session.troubled(thread, code);
}

function codeOfStatus(status) {
  if (status >= 500) return "provider_unavailable";
  return STATUSES[status] ?? (status >= 400 ? "bad_request" : "unknown");
}
