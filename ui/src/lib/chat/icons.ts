// SPDX-License-Identifier: Apache-2.0
import type { Component } from "svelte";

/** A picture of the set. */
export type Icon = Component<{ size?: number | string; "aria-hidden"?: "true" }>;
