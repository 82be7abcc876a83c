// SPDX-License-Identifier: Apache-2.0

/** A short message at the bottom of the page. */
export interface Toast {
  id: number;
  text: string;
  kind: "plain" | "error";
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 8000;
let count = 0;
let shown = $state.raw<readonly Toast[]>([]);

/** The toasts on show, oldest first. */
export const toasts = {
  get shown(): readonly Toast[] {
    return shown;
  },
  /** Shows one for eight seconds. */
  show(text: string, options: Partial<Pick<Toast, "kind" | "action">> = {}): void {
    const id = ++count;
    shown = [...shown.slice(-2), { id, text, kind: "plain", ...options }];
    setTimeout(() => toasts.drop(id), SHOWN_MS);
  },
  /** Takes one away. */
  drop(id: number): void {
    shown = shown.filter((toast) => toast.id !== id);
  },
};
