import type { Fields } from "../../event/fields.ts";
import type { Fingerprint } from "../grouping/fingerprint.ts";
import type { Exception, ParsedEvent } from "../parsing/parsed-event.ts";

/** A release as events and frames show it. */
export interface ReleaseInfo {
  readonly id: string;
  readonly hash_id: string;
  readonly team_id: number;
  readonly created_at: string;
  readonly metadata: unknown;
  readonly version: string;
  readonly project: string;
}

/** The properties that grouping rules are asked about: all that is known before there is a fingerprint. */
export const propertiesBeforeGrouping = (event: ParsedEvent): Fields => ({
  ...event.properties,
  ...derivedProperties(event),
  $exception_fingerprint: event.clientFingerprint,
  $exception_issue_id: null,
});

/** The properties of the stored event. */
export const outputProperties = (event: ParsedEvent, fingerprint: Fingerprint, issueId: string, release: ReleaseInfo | null): Fields => ({
  ...event.properties,
  ...derivedProperties(event),
  $exception_fingerprint: fingerprint.value,
  ...(fingerprint.version !== undefined && { $exception_fingerprint_version: fingerprint.version }),
  $exception_fingerprint_record: fingerprint.record,
  $exception_issue_id: issueId,
  ...(release !== null && { $exception_release: release }),
  ...(event.faults.length > 0 && { $cymbal_errors: event.faults }),
});

const derivedProperties = (event: ParsedEvent): Fields => {
  const { types, values, sources, functions, handled } = event.metadata;
  const echoed = {
    $issue_name: event.issueName ?? undefined,
    $issue_description: event.issueDescription ?? undefined,
    $issue_severity: event.issueSeverity ?? undefined,
  };
  return {
    ...echoed,
    $exception_list: event.exceptions.map(storedException),
    $exception_types: types,
    $exception_values: values,
    $exception_sources: sources,
    $exception_functions: functions,
    $exception_handled: handled,
  };
};

const storedException = ({ id, type, value, mechanism, module, threadId, frames }: Exception): Fields => ({
  id,
  type,
  value,
  ...(mechanism !== null && { mechanism }),
  ...(module !== undefined && { module }),
  ...(threadId !== undefined && { thread_id: threadId }),
  ...(frames !== null && { stacktrace: { type: "resolved", frames } }),
});

/** The properties of an event that holds no exception: as sent, with what was wrong. */
export const withErrors = (sent: Fields, errors: readonly string[]): Fields => ({ ...sent, $cymbal_errors: errors });
