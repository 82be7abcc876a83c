// SPDX-License-Identifier: Apache-2.0

/** A part of the face that is not in the first JavaScript: asked for when somebody first looks, there at once from then on. */
export function later<Part>(load: () => Promise<{ default: Part }>): { readonly current: Part | undefined; readonly failed: boolean } {
  let part = $state.raw<Part | undefined>();
  let failed = $state(false);
  let asked = false;
  return {
    get current() {
      if (!asked) {
        asked = true;
        load().then(
          (module) => (part = module.default),
          () => {
            // Asked again by whoever looks next.
            asked = false;
            failed = true;
          },
        );
      }
      return part;
    },
    /** Whether it could not be had so far. */
    get failed() {
      return failed && part === undefined;
    },
  };
}
