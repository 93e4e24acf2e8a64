import type { Ref } from "preact";
import type { EditorHandle } from "../../parts/editor/editor.tsx";
import type { Fault } from "../../parts/editor/suggestion.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What is asked, as a form shows and changes it. */
export interface QuestionProps {
  readonly text: string;
  change(text: string): void;
  readonly variables: Readonly<Record<string, string>>;
  changeVariables(variables: Readonly<Record<string, string>>): void;
  readonly vocabulary: Vocabulary;
  readonly faults: readonly Fault[];
  run(): void;
  /** Ends what runs; true where something did. */
  cancel(): boolean;
  readonly editor: Ref<EditorHandle>;
}
