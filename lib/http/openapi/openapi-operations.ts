/** An operation that no `route()` declares, told for the API's description in the description's own terms. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: "get" | "post";
  /** An OpenAPI operation object; its schemas stand in it as they are. */
  readonly operation: Readonly<Record<string, unknown>> & { readonly summary: string; readonly operationId: string };
}
