// SPDX-License-Identifier: Apache-2.0
// Reads how many tests passed and failed from what test runners print.

const COLOURS = /\x1b\[[0-9;]*m/g;

const sum = (text, pattern) => [...text.matchAll(pattern)].reduce((total, found) => total + Number(found[1]), 0);

const READERS = {
  cargo: (text) => ({ passed: sum(text, /^test result: .*?(\d+) passed/gm), failed: sum(text, /^test result: .*?(\d+) failed/gm) }),
  vitest: (text) => ({ passed: sum(text, /^\s*Tests\s.*?(\d+) passed/gm), failed: sum(text, /^\s*Tests\s.*?(\d+) failed/gm) }),
  node: (text) => ({ passed: sum(text, /^(?:#|ℹ) pass (\d+)/gm), failed: sum(text, /^(?:#|ℹ) fail (\d+)/gm) }),
  plain: (text) => ({ passed: sum(text, /^(\d+) passed, \d+ failed/gm), failed: sum(text, /^\d+ passed, (\d+) failed/gm) }),
};

/**
 * The tests that a step ran. `reader` names the runner; without one the step is itself one check.
 * A step that failed has at least one failure, and a runner that ran nothing has failed.
 */
export function countTests(reader, text, code) {
  if (!reader) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const { passed, failed } = READERS[reader](text.replace(COLOURS, ""));
  if (failed === 0 && (code !== 0 || passed === 0)) return { passed, failed: 1 };
  return { passed, failed };
}

/** Pads the cells of rows so that the columns line up. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd()).join("\n");
}
