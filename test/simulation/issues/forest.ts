import { Violation } from "./violation.ts";

/**
 * The model of merging: each fingerprint belongs to the issue that it would have if nothing had been merged, and a merged issue to the one
 * that it was merged into. Whatever hangs below a live issue is its own.
 */
export class Forest {
  readonly #parents = new Map<string, string | null>();
  readonly #originals = new Map<string, string>();

  has(id: string): boolean {
    return this.#parents.has(id);
  }

  isLive(id: string): boolean {
    return this.#parents.get(id) === null;
  }

  get live(): readonly string[] {
    return [...this.#parents].flatMap(([id, parent]) => (parent === null ? id : []));
  }

  get ids(): readonly string[] {
    return [...this.#parents.keys()];
  }

  /** A new issue, with the fingerprint that it was made for. */
  plant(id: string, fingerprint: string): void {
    this.#parents.set(id, null);
    this.#originals.set(fingerprint, id);
  }

  merge(id: string, into: string): void {
    if (!this.isLive(id) || !this.isLive(into) || id === into) throw new Violation(`issue ${id} cannot be merged into ${into}`);
    this.#parents.set(id, into);
  }

  takeOut(id: string): void {
    this.#parents.set(id, null);
  }

  /** The live issue that an id belongs to; undefined of one that never was. */
  root(id: string): string | undefined {
    let at = id;
    for (;;) {
      const parent = this.#parents.get(at);
      if (parent === undefined) return undefined;
      if (parent === null) return at;
      at = parent;
    }
  }

  /** The live issue that a fingerprint belongs to. */
  rootOf(fingerprint: string): string | undefined {
    const original = this.#originals.get(fingerprint);
    return original === undefined ? undefined : this.root(original);
  }

  get fingerprints(): readonly string[] {
    return [...this.#originals.keys()];
  }
}
