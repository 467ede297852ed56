// The same adapter with one defect, named on the command line: what the gate must find, and say.
//
//   turnreel conform --command 'node broken.mjs second-terminal' --dialect codex-exec …

import { serve } from "./lockstep.mjs";
import { begin, step } from "./session.mjs";

const isEnd = (event) => event.terminal;
const change = (events, isMeant, fields) =>
  events.map((event) => (isMeant(event) ? { ...event, ...fields(event) } : event));

/** By the defect's name: what becomes of the events that one arrival caused. `memory` is the
 * session's own; `arrival` is what came. */
const DEFECTS = {
  "gapped-numbers": (events) =>
    change(events, () => true, ({ run_id, seq }) => ({ id: `${run_id}:${2 * seq}`, seq: 2 * seq })),

  "second-terminal": (events) =>
    events.flatMap((event) => (isEnd(event) ? [event, next(event)] : event)),

  "late-revival": (events, memory, { number, json }) => {
    const isNew = number > (memory.number ?? -1);
    if (isNew) memory.number = number;
    memory.end = events.find(isEnd) ?? memory.end;
    const isLate = isNew && events.length === 0 && memory.end;
    if (!isLate || json?.item?.type !== "agent_message") return events;
    memory.end = next(memory.end);
    const { v, id, run_id, seq, at_ms, evidence } = memory.end;
    const envelope = { v, id, run_id, seq, at_ms, evidence, terminal: false };
    const said = { message_id: `${run_id}/late${seq}`, text: json.item.text, done: true };
    return [{ type: "commentary", ...envelope, ...said }];
  },

  "unstable-ids": (events) =>
    change(events, (event) => event.message_id, (event) => ({
      message_id: `${event.message_id}-${process.hrtime.bigint()}`,
    })),

  "ids-of-no-session": (events) =>
    change(events, () => true, (event) => ({ run_id: "run1", id: `run1:${event.seq}` })),

  "exit-as-success": (events, memory, { kind, code }) => {
    if (kind === "exited") memory.exit = code;
    const isCut = (event) => event.type === "failed" && event.code === "incomplete";
    return memory.exit === 0 ? change(events, isCut, () => answer("Done.")) : events;
  },

  "error-as-answer": (events, memory, { json }) => {
    for (const event of events) if (event.type === "health") memory.health = event.state;
    const isCaused = (event) => event.type === "failed" && json?.type === "turn.failed";
    const health = memory.health ?? "healthy";
    return change(events, isCaused, () => ({ ...answer(json.error.message), health }));
  },

  "commentary-in-final": (events, memory) => {
    memory.said ??= [];
    for (const event of events) if (event.type === "commentary") memory.said.push(event.text);
    const isFinal = (event) => event.type === "final";
    const whole = (text) => [...memory.said, text].join("\n\n").trim();
    return change(events, isFinal, ({ text }) => ({ text: whole(text) }));
  },

  "trouble-forgotten": (events) =>
    change(events, isEnd, ({ type, health }) => ({
      health: type === "final" && health === "recovered" ? "healthy" : health,
    })),

  "cancel-as-failure": (events) =>
    change(events, (event) => event.type === "cancelled", () => ({
      type: "failed", outcome: "failed", code: "unknown", retryable: false, health: "degraded",
    })),
};

const answer = (text) => ({
  type: "final", outcome: "completed", health: "healthy", code: null, retryable: null, text,
});
const next = (event) => ({ ...event, seq: event.seq + 1, id: `${event.run_id}:${event.seq + 1}` });

const defect = DEFECTS[process.argv[2]];
if (!defect) {
  console.error(`no such defect; one of: ${Object.keys(DEFECTS).join(", ")}`);
  process.exit(2);
}
await serve({
  begin: (request) => ({ ...begin(request), memory: {} }),
  step: (state, kind, arrival) => defect(step(state, kind, arrival), state.memory, arrival),
});
