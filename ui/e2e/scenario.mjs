// SPDX-License-Identifier: Apache-2.0
// A test with a world of its own. After each, nothing may be left that nobody expected: no error in the console, no violation of the
// content security policy, no request to another place, no history that a provider would refuse. That is never tried twice; a body that
// fails is, once, for a machine that others share misses moments. The run says which needed it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { closeAll, World } from "./world.mjs";

after(closeAll);

/** `scenario(name, options, body)`: for the options see `World.open`; with `bare` there is no page, see `World.openBare`. */
export function scenario(name, options, body) {
  if (typeof options === "function") return scenario(name, {}, options);
  test(name, { timeout: 180_000 }, async (t) => {
    try {
      await once(name, options, body, t);
    } catch (error) {
      if (!error.inBody) throw error;
      t.diagnostic(`SECOND TRY ${name}: ${error.message.split("\n")[0]}`);
      await once(name, options, body, t);
    }
  });
}

/** One try, in a world of its own. */
async function once(name, options, body, t) {
  const world = new World();
  try {
    try {
      await (options.bare ? world.openBare(options.settings) : world.open(options));
      await body(world, t);
    } catch (error) {
      error.inBody = world.problems.length === 0;
      throw error;
    }
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
}
