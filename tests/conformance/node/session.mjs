// One session: which dialect each track speaks, which runs there are, and what was seen before.

import * as codexExec from "./codex-exec.mjs";
import * as responses from "./responses.mjs";
import * as run from "./run.mjs";

const DIALECTS = new Map([["codex-exec", codexExec], ["openai-responses", responses]]);
const WAITING = 64; // troubles that may wait for a run to have their thread

/** The state of a session, as plain data. */
export function begin({ session, agent, tracks, terms = {} }) {
  const spoken = tracks.filter(({ dialect }) => DIALECTS.has(dialect));
  const track = ({ id, dialect }) => ({ id, dialect, state: DIALECTS.get(dialect).begin() });
  return {
    session, agent, terms, seen: -1, runs: [], threads: new Map(), waiting: [],
    tracks: spoken.map(track),
  };
}

/** Take a frame or a signal into the session; the events that it caused. What has a number that was
 * seen before changes nothing (R2). */
export function step(state, kind, arrival) {
  if (arrival.number <= state.seen) return [];
  state.seen = arrival.number;
  const session = new Step(state, arrival);
  for (const track of state.tracks) {
    if (kind === "signal" || track.id === arrival.track) {
      session.dialect = track.dialect;
      DIALECTS.get(track.dialect)[kind](track.state, session, arrival);
    }
  }
  if (kind === "signal") session.signal(arrival);
  return session.now.events;
}

/** What a dialect may do to its session while one arrival is taken in. */
class Step {
  constructor(state, { track, number, at_us: atUs }) {
    this.state = state;
    this.now = { atUs, cause: { track, index: number }, events: [] };
  }

  run(place) {
    return this.state.runs[place];
  }

  /** A run for a native turn; its place. */
  open(turn) {
    const { session, agent, terms, runs } = this.state;
    const id = `${session}.${runs.length + 1}`;
    const { dialect } = this;
    runs.push(run.begin(this.now, { turn, id, thread: `${session}/0`, agent, dialect, terms }));
    return runs.length - 1;
  }

  /** The agent's first frame of a turn, and the thread that its provider will name. */
  wake(turn, thread) {
    turn.awake = true;
    if (thread === null) return;
    turn.names.push(thread);
    this.state.threads.set(thread, this.state.runs.indexOf(turn));
    const claimed = this.state.waiting.filter((one) => one.thread === thread);
    this.state.waiting = this.state.waiting.filter((one) => one.thread !== thread);
    for (const { code } of claimed) this.troubled(thread, code);
  }

  /** Trouble of the provider's: that of the run whose thread it names, of no other (O4). */
  troubled(thread, code) {
    const found = this.run(this.state.threads.get(thread));
    if (!found) this.state.waiting = [...this.state.waiting, { thread, code }].slice(-WAITING);
    else if (found.phase !== "ended" && !found.cancelling) run.troubled(this.now, found, { code });
  }

  /** A signal concerns every open run, or the one it names; an exit also the last one (T6). */
  signal(signal) {
    if (signal.kind === "receipt") return this.receipt(signal);
    const last = this.state.runs.at(-1);
    for (const one of this.state.runs) {
      const isNamed = !signal.turn || [one.turn, ...one.names].includes(signal.turn);
      const isConcerned = one.phase !== "ended" || (signal.kind === "exited" && one === last);
      if (isNamed && isConcerned) run.signalled(this.now, one, signal);
    }
  }

  /** A receipt names its run by id, thread and native turn, or is none (O5). */
  receipt(signal) {
    const named = this.state.runs.find(({ id }) => id === signal.run_id);
    if (named?.thread !== signal.thread_id) return;
    if ([named.turn, ...named.names].includes(signal.native_turn)) {
      run.signalled(this.now, named, signal);
    }
  }
}
