// SPDX-License-Identifier: Apache-2.0
// A test with a world of its own. After each, nothing may be left that nobody expected: no error in the console, no violation of the
// content security policy, no request to another place, no history that a provider would refuse.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeAll, World } from "./world.mjs";

after(closeAll);

/** `scenario(name, options, body)`: for the options see `World.open`; with `bare` there is no page, see `World.openBare`. */
export function scenario(name, options, body) {
  if (typeof options === "function") return scenario(name, {}, options);
  test(name, { timeout: 120_000 }, async (t) => {
    const world = new World();
    try {
      await (options.bare ? world.openBare(options.settings) : world.open(options));
      await body(world, t);
      const violations = [...((await world.model?.log())?.violations ?? []), ...world.endpoints.flatMap((endpoint) => endpoint.violations)];
      assert.deepEqual(violations, [], "every request had a history that a provider takes");
      assert.deepEqual(world.problems, [], "nothing went wrong that the test did not ask for");
    } catch (error) {
      await world.picture(name);
      if (world.problems.length > 0) t.diagnostic(`problems: ${world.problems.join("\n")}`);
      throw error;
    } finally {
      await world.close();
    }
  });
}
