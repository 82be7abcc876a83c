// SPDX-License-Identifier: Apache-2.0
// Which surviving mutants are explained.

/** A mutant without the line and the column, which move. */
export const named = (mutant) => mutant.replace(/^([^:]+):\d+:\d+: /, "$1: ");

/** What is wrong: survivors (lines of cargo-mutants) without a reason, and reasons whose mutant was not seen when all were looked for. */
export function judge(survivors, explained, all) {
  const names = new Set(survivors.map(named));
  const reason = (name) => typeof explained[name] === "string" && explained[name].trim() !== "";
  return {
    unexplained: survivors.filter((mutant) => !reason(named(mutant))),
    stale: all ? Object.keys(explained).filter((name) => !names.has(name)) : [],
  };
}
