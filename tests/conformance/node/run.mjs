// One run: what is open in it, what readers have seen of it, and the one terminal that ends it.
//
// Nothing here knows Codex. A run is plain data; `now` is the step at hand: where it comes from
// (`cause`), when (`atUs`), and the events told in it. Clause ids are those of the turn contract.

import { createHash } from "node:crypto";

export const LIMITS = new Set([
  "max_turns", "budget", "quota", "context_exhausted", "output_truncated", "policy", "refused",
  "hook_stopped",
]);
const RETRYABLE = new Set(["provider_unavailable", "rate_limited", "incomplete"]);
const OUTCOMES = {
  final: "completed", needs_input: "blocked", cancelled: "interrupted", failed: "failed",
};
const SENTENCES = { // never a vendor's words (T8)
  startup: "The agent did not start the turn.",
  incomplete: "The agent's stream ended before the turn did.",
  missing_final: "The agent reported success without an answer.",
  provider_unavailable: "The model provider could not be reached or failed.",
  rate_limited: "The model provider limited the rate of requests.",
  auth: "The model provider refused the credentials.",
  bad_request: "The model provider rejected the request.",
  not_found: "The model or endpoint was not found.",
  context_exhausted: "The conversation no longer fits the model's context.",
  output_truncated: "The answer was cut off by the output limit.",
  quota: "The account's quota or credit is used up.",
  budget: "The budget set for this turn is used up.",
  max_turns: "The limit of steps for this turn was reached.",
  policy: "A policy stopped the turn.",
  refused: "The model refused to answer.",
  hook_stopped: "A hook stopped the turn.",
  tool_protocol: "The agent and a tool disagreed on the protocol.",
  abandoned: "The run's owner is gone and nothing completed it.",
  unknown: "The turn failed without saying why.",
};
const CANCELLED = "The turn was cancelled.";
const WAITING = "The agent waits.";

/** A run begins: its first event is run.started (Y). */
export function begin(now, { turn, id, thread, agent, dialect, terms }) {
  const run = {
    turn, id, thread, terms, names: [], beganUs: now.atUs, seq: 0, numbered: 0,
    phase: "open", ending: null, awake: false, cancelling: false,
    attempt: 0, messages: [], activities: [], artifacts: [],
    health: { state: "healthy", code: null, attempt: null, lasting: false },
  };
  emit(now, run, "run.started", { thread_id: thread, agent, dialect });
  return run;
}

/** The only place that numbers events (E1, E2). */
function emit(now, run, type, fields) {
  run.seq += 1;
  now.events.push({
    v: 1, type, id: `${run.id}:${run.seq}`, run_id: run.id, seq: run.seq, terminal: false,
    at_ms: Math.max(0, Math.floor((now.atUs - run.beganUs) / 1000)), evidence: [now.cause],
    ...fields,
  });
}

const idOf = (run, letter, number) => `${run.id}/${letter}${number}`;
const numbered = (run) => (run.numbered += 1);

// --- Messages: which text is commentary, and which may become the answer (C1, C2, C7) ---

/** The provider began to answer: what the attempt before gave up may now be said again. */
export function attemptStarted(run) {
  run.attempt += 1;
}

/** A whole text. It replaces the candidate before it, which thereby is commentary (C1). */
export function said(now, run, item, text) {
  advanced(now, run);
  const known = run.messages.find((one) => one.item === item);
  if (known ? known.text === text && !known.abandoned : !text.trim()) return; // told before (R2)
  if (known) correct(now, run, known, item, text);
  else if (saidAgain(now, run, item, text)) return;
  else run.messages.push(message(item, text));
  for (const one of run.messages) if (one.item !== item) tell(now, run, one);
}

const message = (item, text) => ({
  item, text, phase: "pending", number: 0, revision: 0, abandoned: false,
});

/** A hidden thought shows that the model is at work again, and nothing else (C4). */
export function thought(now, run) {
  advanced(now, run);
}

/** The attempt that said these items was given up: the next one may say them again (R8). */
export function abandon(run, items) {
  for (const one of run.messages) {
    if (items.includes(one.item)) Object.assign(one, { abandoned: true, resay: run.attempt + 1 });
  }
}

/** A retry that repeats a text continues that message: nobody sees it twice (C7). */
function saidAgain(now, run, item, text) {
  const again = run.messages.find(
    (one) => mayBeSaidAgain(run, one) && one.text.trim() === text.trim(),
  );
  if (again) correct(now, run, again, item, text);
  return again !== undefined;
}

function correct(now, run, message, item, text) {
  const differs = message.text.trim() !== text.trim();
  const abandoned = message.abandoned && !mayBeSaidAgain(run, message);
  Object.assign(message, { item, text, abandoned });
  if (message.phase === "told" && differs) publish(now, run, message);
}

const mayBeSaidAgain = (run, { abandoned, resay }) => abandoned && resay === run.attempt;

/** The message is commentary: readers see it, once. */
function tell(now, run, message) {
  if (message.phase !== "pending") return;
  message.phase = "told";
  publish(now, run, message);
}

/** What readers now have of a message. One without text is none: what they had is taken back. */
function publish(now, run, message) {
  const text = message.text.trim();
  if (!text) run.messages = run.messages.filter((one) => one !== message);
  if (!text && !message.number) return;
  message.number ||= numbered(run);
  message.revision += 1;
  const { number, revision } = message;
  const retracted = !text;
  emit(now, run, "commentary", {
    message_id: idOf(run, "m", number), revision, offset: 0, text, done: true, retracted,
  });
}

// --- Activities and the plan (T9, T10, Y) ---

/** A tool starts: every text before it is commentary (C1). */
export function toolStarted(now, run, item, kind, name) {
  advanced(now, run);
  if (run.activities.some((one) => one.item === item)) return;
  for (const one of run.messages) tell(now, run, one);
  const activity = { item, kind, name, number: numbered(run), state: "started" };
  run.activities.push(activity);
  show(now, run, activity);
}

/** A tool closes; what closed as unknown may be settled later, once. An orphan is none (T10). */
export function toolEnded(now, run, item, state) {
  const activity = run.activities.find((one) => one.item === item);
  const isSettled = activity?.state === "unknown" && state !== "unknown";
  if (activity?.state !== "started" && !isSettled) return;
  const refused = state === "failed" || state === "declined";
  activity.state = refused && run.cancelling ? "cancelled" : state; // T9
  show(now, run, activity);
}

function show(now, run, { number, kind, name, state }) {
  emit(now, run, "activity", { activity_id: idOf(run, "a", number), kind, name, state });
}

export function planned(now, run, items) {
  emit(now, run, "plan", { items });
}

/** The host saw the run produce something; a retry does not produce it twice (R1). */
export function produced(now, run, { artifact, name, media_type = null, origin = null }) {
  if (run.artifacts.includes(artifact)) return;
  run.artifacts.push(artifact);
  const artifact_id = idOf(run, "f", run.artifacts.length);
  emit(now, run, "artifact", { artifact_id, name, media_type, origin });
}

// --- Health: the second axis, which decides no outcome (O2, O3) ---

/** Trouble, told once for each attempt. What is `lasting` no later success overcomes. */
export function troubled(now, run, { code, attempt = null, willRetry = null, lasting = false }) {
  const { health } = run;
  const known = health.state === "degraded" && (attempt === null || attempt === health.attempt);
  run.health = {
    state: "degraded", code, attempt: attempt ?? health.attempt, lasting: lasting || health.lasting,
  };
  if (!known) emit(now, run, "health", { state: "degraded", code, attempt, will_retry: willRetry });
}

/** The model goes on: what troubled it is overcome. */
function advanced(now, run) {
  const { health } = run;
  if (health.state !== "degraded" || health.lasting) return;
  run.health = { ...health, state: "recovered", attempt: null };
  emit(now, run, "health", { state: "recovered", code: health.code });
}

function degrade(now, run, code) {
  if (run.health.state === "degraded") return;
  run.health = { ...run.health, state: "degraded", code };
  emit(now, run, "health", { state: "degraded", code });
}

// --- The end: one terminal, latched (T1-T9) ---

/** The agent says that the turn is complete: the candidate that is left is the answer (C2). */
export function completed(now, run, confidence) {
  const answer = run.messages.findLast((one) => one.phase === "pending" && one.text.trim());
  answered(now, run, answer?.text.trim() ?? "", answer, confidence);
}

function answered(now, run, text, answer, confidence) {
  const { marker, empty_finals: mayBeEmpty } = run.terms;
  if (marker && text.startsWith(marker)) {
    const asked = text.slice(marker.length).trim() || WAITING;
    conclude(now, run, "needs_input", { text: asked, answer, confidence: "marker" }); // T5
  } else if (text || run.artifacts.length || mayBeEmpty) {
    conclude(now, run, "final", { text, answer, confidence });
  } else {
    conclude(now, run, "failed", { code: "missing_final" }); // C5
  }
}

/** The agent says that the turn failed; `code` is null where it does not say of what. After a
 * cancel request that is a cancel as well (T7). */
export function failed(now, run, code) {
  if (!run.cancelling) return conclude(now, run, "failed", { code: code ?? "unknown" });
  if (code !== null && !LIMITS.has(code)) degrade(now, run, code);
  conclude(now, run, "cancelled", {});
}

/** No receipt will come for a stream that ended without a terminal: T4 decides. */
function unreconciled(now, run) {
  if (run.phase !== "settling") return;
  if (run.cancelling) conclude(now, run, "cancelled", {});
  else conclude(now, run, "failed", { code: run.awake ? "incomplete" : "startup" });
}

/** What is open is closed first (T9); then comes the terminal, and after it nothing of the turn. */
function conclude(now, run, type, { text = "", code = null, answer, confidence = null }) {
  const left = type === "cancelled" ? "cancelled" : "unknown";
  for (const one of run.activities.filter((activity) => activity.state === "started")) {
    one.state = left;
    show(now, run, one);
  }
  if (type === "final") advanced(now, run);
  if (type === "failed" && !LIMITS.has(code)) run.health = { ...run.health, state: "degraded" };
  Object.assign(run, { phase: "ended", ending: type });
  emit(now, run, type, {
    terminal: true, confidence, code, health: run.health.state,
    message_id: idOf(run, "m", answer?.number || numbered(run)),
    text: { failed: SENTENCES[code], cancelled: CANCELLED }[type] ?? text,
    outcome: code === "abandoned" ? "abandoned" : OUTCOMES[type],
    retryable: type === "failed" ? RETRYABLE.has(code) : null,
  });
}

// --- Signals: what only the edge knows ---

const isBad = ({ code, killed_by: killed }) => Boolean(killed) || Boolean(code);

/** A signal for this run. Once it has ended, a bad exit alone still says something (T6). */
export function signalled(now, run, signal) {
  if (run.phase === "ended") {
    if (signal.kind === "exited" && run.ending === "final" && isBad(signal)) {
      degrade(now, run, "unknown");
    }
    return;
  }
  switch (signal.kind) {
    case "closed":
    case "exited": // an end of stream decides nothing by itself, and neither does an exit (T3)
      run.phase = "settling";
      break;
    case "reopened":
      run.phase = "open";
      break;
    case "cancel_requested":
      run.cancelling = true;
      break;
    case "artifact":
      produced(now, run, signal);
      break;
    case "receipt":
      receipt(now, run, signal);
      break;
    case "unreconciled":
      unreconciled(now, run);
      break;
    case "orphaned":
      conclude(now, run, "failed", { code: "abandoned" });
      break;
  }
}

/** A receipt settles a run once, if it agrees with what the stream had shown (O5). */
function receipt(now, run, told) {
  if (run.phase !== "settling") return;
  if (told.outcome !== "completed") {
    const codes = { interrupted: "incomplete", abandoned: "abandoned" };
    if (run.cancelling) conclude(now, run, "cancelled", {});
    else conclude(now, run, "failed", { code: codes[told.outcome] ?? told.code ?? "unknown" });
    return;
  }
  const answer = run.messages.findLast((one) => one.phase === "pending");
  const shown = answer?.text.trim() ?? "";
  const text = (told.text ?? shown).trim();
  const digest = createHash("sha256").update(text).digest("hex");
  if (digest !== told.text_digest || !(text.includes(shown) || shown.includes(text))) return;
  troubled(now, run, { code: "incomplete", lasting: true });
  answered(now, run, text.length < shown.length ? shown : text, answer, null);
}
