import type { RuleKind } from "../../../lib/error-tracking/rules.ts";
import type { FieldBook } from "../../../lib/http/openapi.ts";

const CREATED_AT = "When it was made, ISO 8601 in UTC.";
const UPDATED_AT = "When it was changed last, ISO 8601 in UTC.";

const ASSIGNEE = {
  type: "Whether a person or a role looks after it.",
  id: "Number of the user, or the UUID of the role.",
};

const ASSIGNEE_SENT = {
  assignee: "Who shall look after it; null for nobody.",
  "assignee.type": ASSIGNEE.type,
  "assignee.id": ASSIGNEE.id,
};

const RULE = {
  id: "Id of the rule, a UUID.",
  filters: "What the rule matches: a group of conditions and groups, as it was sent.",
  order_key: "Place in the order in which rules are asked: the least first, and the first match wins.",
  disabled_data: "Why the rule is out of force: that it is switched off, or what it failed on of which event; null while it is in force.",
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
};

const PIECE_TYPE = "What the piece is: a fingerprint sent by the client, a rule, an exception or a frame of its stack.";

const ENABLED = "False switches the rule off and keeps it; true switches it on and puts it back in force where it failed.";

const UPLOAD = {
  chunk_id: "Id of the chunk, as it stands in the built code; or the release's `$release_id` followed by the path of the file.",
  release_id: "Id of the release that it belongs to.",
  content_hash: "The client's own digest of the file: where it is that of the file that is there, nothing is uploaded.",
  content_length: "Bytes of the file, at most 100 MiB.",
};

const UPLOADS = {
  symbol_sets: "What is to be uploaded, at most 1,000.",
  chunk_ids: "Ids of chunks to upload, as older command line tools send them.",
  release_id: "Id of the release of all `chunk_ids`.",
  force: "Whether a file with other content is put in place of the one that is there.",
  skip_on_conflict: "Whether a chunk that has other content already is passed over, and not refused.",
};

const FILTERS = "What the rule shall match: `{type: AND | OR, values: [conditions and groups]}`.";
const SEVERITY = "How severe an issue is that the rule decides about.";

/** Fields of each kind of rules. */
const RULES: Readonly<Record<RuleKind, FieldBook["schemas"]>> = {
  severity: {
    ErrorTrackingSeverityRule: { ...RULE, severity: SEVERITY },
    ErrorTrackingSeverityRuleList: { results: "All rules, in the order in which they are asked." },
    ErrorTrackingSeverityRuleWrite: {
      filters: FILTERS,
      severity: SEVERITY,
      order_key: "Place in the order in which rules are asked: the least first; 0 when left out.",
      enabled: ENABLED,
    },
    updateErrorTrackingSeverityRule: { filters: FILTERS, severity: SEVERITY, enabled: ENABLED },
    replaceErrorTrackingSeverityRule: { filters: FILTERS, severity: SEVERITY, enabled: ENABLED },
  },
  grouping: {
    ErrorTrackingGroupingRule: {
      ...RULE,
      assignee: "Who looks after the rule's issue when it is made; null for nobody.",
      description: "What its author says the rule is for; null when nothing.",
      issue: "The issue that its exceptions became; null until there is one.",
      "issue.id": "Id of that issue, a UUID.",
      "issue.name": "Name of that issue; null when it has none.",
    },
    ErrorTrackingGroupingRuleList: { results: "All rules, in the order in which they are asked." },
    ErrorTrackingGroupingRuleWrite: {
      filters: FILTERS,
      ...ASSIGNEE_SENT,
      assignee: "Who shall look after the rule's issue when it is made; null for nobody.",
      description: "What the rule is for, at most 1,000 characters.",
      enabled: ENABLED,
    },
    updateErrorTrackingGroupingRule: { filters: `${FILTERS} Null or left out keeps what it matches.`, enabled: ENABLED },
  },
  assignment: {
    ErrorTrackingAssignmentRule: {
      ...RULE,
      assignee: "Who looks after the issues that the rule decides about.",
      enabled: "Whether the rule is switched on.",
      disabled_data: "Why the rule is out of force though it is switched on, and on what of an event it failed; null while it did not.",
    },
    ErrorTrackingAssignmentRuleList: { results: "All rules, in the order in which they are asked." },
    ErrorTrackingAssignmentRuleWrite: {
      ...ASSIGNEE_SENT,
      filters: FILTERS,
      assignee: "Who shall look after the issues that the rule decides about.",
      order_key: "Place in the order in which rules are asked: the least first; 0 when left out.",
      enabled: ENABLED,
    },
    updateErrorTrackingAssignmentRule: {
      ...ASSIGNEE_SENT,
      filters: FILTERS,
      assignee: "Who shall look after the issues that the rule decides about.",
      enabled: ENABLED,
    },
  },
};

const CHANNEL = {
  type: "How the alert is sent: as a letter, as a signed event, or as a message in Slack's form.",
  user_id: "Number of the member whom the letter goes to; the member has to see the project.",
  url: "Where it is posted to, on a host that the platform's operator allows.",
};

const THRESHOLD = {
  count: "Exceptions of one issue from which on it is told.",
  minutes: "Minutes within which they come, from 5 to 60, counted in buckets of five minutes by the clock.",
};

const ALERT_RULE = {
  name: "What the rule is called in what it sends.",
  trigger: "What is told: a new issue, one that was closed and is back, a spike, or that an issue has come to the threshold.",
  threshold: "How many exceptions within which time are told, with the trigger `threshold`; null with all others.",
  filters:
    "What an exception has to fulfil for its issue to be told: `{type: AND | OR, values: [conditions and groups]}`; null where everything is. With the triggers `issue_spiking` and `threshold` they ask about the issue alone.",
  channels: "Where it is sent, one to five of them.",
  cooldown_minutes:
    "How long the rule is silent after it told something: of the same issue, and of all new ones with the trigger `issue_created`.",
  enabled: "Whether the rule tells anything.",
};

const SHOWN_ALERT_RULE = {
  ...ALERT_RULE,
  id: "Id of the rule, a UUID.",
  last_triggered_at: "When it last had something to tell, ISO 8601 in UTC; null when nothing yet.",
  last_error: "Why its filters cannot be asked, or what went wrong last with one of its channels; null while all goes well.",
  created_at: CREATED_AT,
  updated_at: UPDATED_AT,
};

const RATE_LIMITS = {
  project_rate_limit_value: "Exceptions that the project may store within its minutes; null for no limit.",
  per_issue_rate_limit_value: "Exceptions that each issue may store within its minutes; null for no limit.",
  project_rate_limit_bucket_size_minutes: "The minutes within which the project's number holds; null for no limit.",
  per_issue_rate_limit_bucket_size_minutes: "The minutes within which the number of each issue holds; null for no limit.",
};

const ISSUE_CHANGES = {
  status: "What becomes of it: `resolved` comes back with the next exception, those of a `suppressed` one are dropped.",
  severity: "How severe it is; null for not decided.",
  name: "Its name, usually the type of the exception; null for none.",
  description: "What it is about, usually the exception's message; null for none.",
};

const RELEASE = {
  hash_id: "The id by which events name the release in `$release_id`, unique in the project; its own id when left out.",
  version: "Version of what was released, such as `1.4.2`.",
  project: "What was released, as its makers call it; not a project of this platform.",
  metadata: "Whatever is worth knowing of the release; `git` holds repository, branch and commit.",
};

const SPIKES = {
  snooze_duration_minutes: "How many minutes an issue stays quiet after a spike of it was told; 10 unless set.",
  multiplier: "How many times its baseline an issue must exceed; 10 unless set.",
  threshold: "Exceptions in five minutes below which nothing is a spike; 500 unless set.",
};

const INTEGRATION_ID = "Number of the project's integration with the provider.";
const ISSUE_HERE = "Id of the issue here, a UUID.";

/** Fields of error tracking. */
const ISSUE = {
  ...ISSUE_CHANGES,
  id: "Id of the issue, a UUID that never changes.",
  status: "Where the issue stands; `archived` and `pending_release` are read of older data and cannot be set.",
  first_seen: "Time of its earliest exception, ISO 8601 in UTC.",
  assignee: "Who looks after it; null for nobody.",
  external_issues: "The issues at providers that belong to it.",
  cohort: "The cohort that it is tied to; null for none.",
  "cohort.id": "Number of the cohort.",
  "cohort.name": "Name of the cohort.",
};

export const ERROR_TRACKING_FIELDS: FieldBook["schemas"] = {
  ErrorTrackingRuleTrialRequest: { filters: FILTERS },
  ErrorTrackingRuleTrial: {
    matched: "How many of the exceptions that were looked at the filters match.",
    looked_at: "How many exceptions were looked at: the newest of the last 7 days, at most 1,000 and 3 MB of properties.",
    unasked: "How many of them no such rule decides about: they bring a fingerprint or a severity of their own, or could not be read.",
    complete: "Whether these are all exceptions of the last 7 days.",
    examples: "The newest that the filters match, at most five.",
    "examples.uuid": "Id of the event, a UUID.",
    "examples.timestamp": "When it happened, ISO 8601.",
    "examples.distinct_id": "Who it happened to.",
    "examples.issue_id": "The issue that it belongs to; null where it has none.",
    "examples.type": "Type of its first exception.",
    "examples.value": "Message of its first exception.",
  },
  ErrorTrackingAssignee: ASSIGNEE,
  ErrorTrackingIssue: ISSUE,
  ErrorTrackingListedIssue: {
    ...ISSUE,
    aggregations: "What its exceptions say, where that was asked for; only what was asked for is there.",
  },
  ErrorTrackingIssueAggregations: {
    occurrences: "Number of its exceptions in the time that was asked for.",
    users: "Number of persons among them.",
    sessions: "Number of sessions among them.",
    last_seen: "Time of the latest one, ISO 8601 in UTC; null where there is none.",
    sparkline: "Numbers of exceptions in equal steps of the time, at most 48, the first one first.",
    "sparkline.start": "When the step begins, ISO 8601 in UTC.",
    "sparkline.count": "Number of exceptions in the step.",
  },
  ErrorTrackingIssueChanges: ISSUE_CHANGES,
  ErrorTrackingIssueElsewhere: { issue_id: "Id of the issue that the fingerprint belongs to: ask for that one." },
  ErrorTrackingIssueActivity: {
    id: "Id of the entry, a UUID; that of the issue where it was created.",
    issue_id: "Id of the issue that it was done with, a UUID.",
    activity: "What was done with the issue: it was created, changed, merged and so on.",
    detail:
      "More of it: `from` and `to` of a changed status, severity or assignee, the same below `name` and `description` of a renamed issue, `ids` of the issues that were merged, unmerged or split off, and `from` of a reopened one.",
    user: "Who did it; null where an exception did, and for users who are gone.",
    "user.id": "Number of the user.",
    "user.first_name": "Given name; may be empty.",
    "user.email": "Address with which the user was invited.",
    created_at: "When it was done, ISO 8601 in UTC.",
  },
  ErrorTrackingSuccess: { success: "Whether anything was done; false where nothing was left to do." },
  mergeErrorTrackingIssue: { ids: "Ids of the issues that shall become part of this one; those that are not there are passed over." },
  unmergeErrorTrackingIssue: { ids: "Ids of issues that were merged into this one; others are passed over." },
  ErrorTrackingMerging: {
    success: "Whether anything was done; false where nothing was left to do.",
    finished: "False where moving fingerprints goes on in the background: they lead to the right issue already. Left out otherwise.",
  },
  ErrorTrackingMergedIssue: {
    id: "Id of the issue that was merged. It leads to this one.",
    name: "Its name, as it was.",
    description: "Its description, as it was.",
    status: "Its status, as it was.",
    first_seen: "When its first exception had happened.",
    merged_at: "When it was merged.",
    merged_by: "Number of the user who merged it; null where nobody is known.",
    fingerprints: "How many fingerprints go back to it when it is taken out again.",
  },
  splitErrorTrackingIssue: {
    fingerprints: "The fingerprints that shall have issues of their own; those of other issues are passed over.",
    "fingerprints.fingerprint": "The fingerprint itself, as events carry it.",
    "fingerprints.name": "Name of the new issue; one is chosen when it is left out.",
    "fingerprints.description": "Description of the new issue; none when it is left out.",
    success: "Always true: what could not be split has an error status.",
    new_issue_ids: "Ids of the issues that were made, one for each fingerprint.",
  },
  assignErrorTrackingIssue: ASSIGNEE_SENT,
  assignCohortToErrorTrackingIssue: { cohortId: "Number of the cohort; no cohort exists here, so every number is unknown." },
  changeErrorTrackingIssues: {
    action: "What to change of all issues: their status or their assignee.",
    ids: "Ids of the issues, at most 1,000; those that are not there are passed over.",
    status: "The status to set; needed with `set_status`.",
    ...ASSIGNEE_SENT,
    assignee: "Who shall look after them, null for nobody; needed with `assign`.",
  },
  listErrorTrackingIssueValues: {
    results: "The values that were found, each once.",
    "results.name": "One name or description that an issue has.",
    refreshing: "Always false: the values are read when they are asked for.",
  },
  checkErrorTrackingIssuesExist: { exists: "Whether there is at least one issue." },
  getErrorTrackingIssueGrouping: {
    issue_id: "Id of the issue that is explained.",
    fingerprints: "The issue's fingerprints, at most 100.",
    "fingerprints.fingerprint": "The fingerprint itself, as events carry it.",
    "fingerprints.how": "Where it comes from: the client's own, a grouping rule's, or made of the exception.",
    "fingerprints.moved": "Whether it led to another issue before a merge or a split.",
    "fingerprints.rule": "The grouping rule that gave the fingerprint; null when none did.",
    "fingerprints.rule.id": "Id of the rule, a UUID.",
    "fingerprints.rule.description": "What its author says the rule is for; null when nothing, or when it is deleted.",
    "fingerprints.record": "What the fingerprint was made of, piece by piece; null when that was not kept.",
    "fingerprints.record.type": PIECE_TYPE,
    "fingerprints.record.id": "Id of the exception within its event; only with `exception`.",
    "fingerprints.record.raw_id": "Raw id of the stack frame, which `frames` holds; only with `frame`.",
    "fingerprints.record.rule_id": "Id of the grouping rule; only with `custom`.",
    "fingerprints.record.pieces": "Which parts of the exception or frame were used, such as `Module name`.",
    frames: "The stack frames that fingerprints were made of, at most 100.",
  },
  explainErrorTrackingFingerprint: {
    fingerprint: "The fingerprint itself, as events carry it.",
    issue_id: "Id of the issue that it leads to.",
    version: "The oldest version of the algorithm that makes it: `v1` or `v2`; null where a client or a rule gave it.",
    how: "Where it comes from: the client's own, a grouping rule's, or made of the exception.",
    rule: "The grouping rule that gave the fingerprint; null when none did.",
    "rule.id": "Id of the rule, a UUID.",
    "rule.description": "What its author says the rule is for; null when nothing, or when it is deleted.",
    pieces: "What the fingerprint was made of, piece by piece; empty when that was not kept.",
    "pieces.type": PIECE_TYPE,
    "pieces.id": "Id of the exception within its event; only with `exception`.",
    "pieces.raw_id": "Raw id of the stack frame; only with `frame`.",
    "pieces.rule_id": "Id of the grouping rule; only with `custom`.",
    "pieces.pieces": "Which parts of the exception or frame were used, such as `Module name`.",
    "pieces.frame": "The stack frame as it is stored; only with `frame`, null when it is not kept.",
  },
  ErrorTrackingExternalIssue: {
    id: "Id of the external reference, a UUID.",
    integration: "The integration through which the provider is reached.",
    "integration.id": INTEGRATION_ID,
    "integration.kind": "Which provider it is: `github`, `gitlab`, `linear` or `jira`.",
    "integration.display_name": "Name of the organization, group or workspace at the provider.",
    external_url: "Address of the issue at the provider.",
    external_id: "Number or key of the issue at the provider, as text.",
    title: "Title of the issue at the provider, as it was when it was tied.",
  },
  ErrorTrackingExternalIssues: {
    issues: "The provider's issues that fit the search.",
    "issues.id": "Number or key of the issue at the provider, as text.",
    "issues.title": "Title of the issue at the provider.",
    "issues.url": "Address of the issue at the provider.",
    "issues.external_context": "What `link_issue` wants as `external_context` to tie this one.",
  },
  ErrorTrackingExternalReferenceWrite: {
    integration_id: INTEGRATION_ID,
    config:
      "What the provider makes the issue of. GitHub: `repository`, `title`, `body`; GitLab: `title`, `body`; Linear: `team_id`, `title`, `description`; Jira: `project_key`, `title`, `description`.",
    issue: ISSUE_HERE,
  },
  ErrorTrackingExternalLink: {
    integration_id: INTEGRATION_ID,
    issue: ISSUE_HERE,
    external_context:
      "Which issue at the provider. GitHub: `repository`, `number`; GitLab: `issue_id`; Linear: `id`; Jira: `key`; and a `title` to show.",
  },
  ErrorTrackingExternalReferenceChanges: { deleted: "Whether the reference is hidden; false brings it back." },
  ErrorTrackingFileLink: {
    found: "Whether the line was found in the repository.",
    url: "Address of the file at the commit that was found; only when it was found.",
    error: "What is missing in the request; only then.",
  },
  ErrorTrackingFingerprint: {
    id: "Id of the fingerprint's entry, a UUID.",
    fingerprint: "The fingerprint itself, as events carry it in `$exception_fingerprint`.",
    issue_id: "Id of the issue to which its exceptions belong.",
    created_at: CREATED_AT,
    first_seen: "Time of its earliest exception, ISO 8601 in UTC; null when that is not known.",
  },
  updateErrorTrackingFingerprint: { deleted: "Whether the fingerprint is hidden; false brings it back." },
  ErrorTrackingStackFrame: {
    id: "Id of the stored frame, a UUID.",
    raw_id: "A digest of the frame as it was sent, a slash and a number: equal frames are stored once.",
    created_at: "When the frame was first seen, ISO 8601 in UTC.",
    contents: "The frame itself: function, file, module, line, language and whether it belongs to the application.",
    resolved: "Whether it names what stands in the source and not in built code.",
    context: "The lines of source around it: `before`, `line` and `after`; null when none were sent.",
    symbol_set_ref: "The uploaded source map that resolved it; null when none did.",
    release: "The release that it belongs to; null when none is known.",
  },
  ErrorTrackingSymbolSet: {
    id: "Id of the symbol set, a UUID.",
    ref: "What frames find it by: the id of its chunk, or the release and path of its file.",
    team_id: "Number of the project that it belongs to.",
    created_at: CREATED_AT,
    last_used: "When its file was uploaded last, ISO 8601 in UTC; null while there is none.",
    failure_reason: "Always null: a frame says by itself why its source map resolves nothing.",
    has_uploaded_file: "Whether its file was uploaded.",
    size: "Size of its file, bytes; 0 until it was uploaded.",
    release: "The release that it was uploaded for; null where none was named.",
  },
  ErrorTrackingSymbolSetUpload: UPLOAD,
  bulkCheckUploadErrorTrackingSymbolSets: { ...UPLOADS, chunk_ids_to_upload: "Ids of the chunks whose files have to be uploaded." },
  bulkStartUploadErrorTrackingSymbolSets: { ...UPLOADS, id_map: "Where to put the file of each chunk, by the chunk's id." },
  ErrorTrackingSymbolSetAddress: {
    presigned_url: "A form to post the file with.",
    presigned_put_url: "An address to put the file to; only where `content_length` was sent, and for exactly that many bytes.",
    symbol_set_id: "Id of the symbol set, a UUID.",
  },
  PresignedForm: {
    url: "Address to post the form to.",
    fields: "Fields of the form; the file follows them in a field called `file`.",
  },
  bulkFinishUploadErrorTrackingSymbolSets: {
    content_hashes: "Digest of the file of each symbol set that was uploaded, by the set's id.",
    success: "Always true: what goes wrong is an error.",
  },
  finishUploadErrorTrackingSymbolSet: { content_hash: UPLOAD.content_hash, success: "Always true: what goes wrong is an error." },
  getErrorTrackingSymbolSetDownload: { url: "Address of the file, good for an hour." },
  batchGetErrorTrackingStackFrames: {
    raw_ids: "Raw ids of the frames, at most 1,000; those that are unknown find nothing.",
    symbol_set: "Id of a symbol set: only frames that it resolved.",
    results: "The frames that were found; without raw ids the newest first.",
  },
  ErrorTrackingRelease: {
    ...RELEASE,
    id: "Id of the release, a UUID.",
    hash_id: "The id by which events name the release in `$release_id`, unique in the project.",
    team_id: "Number of the project that the release belongs to.",
    created_at: CREATED_AT,
    metadata: "Whatever is worth knowing of the release; null when nothing was sent.",
  },
  ErrorTrackingReleaseCreate: RELEASE,
  ErrorTrackingReleaseWrite: RELEASE,
  ErrorTrackingAlertChannel: CHANNEL,
  ErrorTrackingAlertChannelWrite: CHANNEL,
  ErrorTrackingAlertThreshold: THRESHOLD,
  ErrorTrackingAlertThresholdWrite: THRESHOLD,
  ErrorTrackingAlertRule: SHOWN_ALERT_RULE,
  NewErrorTrackingAlertRule: {
    ...SHOWN_ALERT_RULE,
    secret: "What the rule's webhooks are signed with. Shown in this answer and in no later one.",
  },
  ErrorTrackingAlertRuleList: { results: "All alert rules, the oldest first." },
  ErrorTrackingAlertRuleWrite: ALERT_RULE,
  ErrorTrackingAlertRuleChanges: ALERT_RULE,
  ErrorTrackingAlertTest: {
    success: "Whether it arrived at every channel.",
    error: "What went wrong, channel by channel; missing where nothing did.",
  },
  ErrorTrackingSettings: RATE_LIMITS,
  ErrorTrackingSettingsChanges: RATE_LIMITS,
  ErrorTrackingRuleOrders: { orders: "The new order key of each rule, by the rule's id; rules that are not named keep theirs." },
  ...Object.fromEntries(Object.values(RULES).flatMap((fields) => Object.entries(fields))),
  SpikeDetectionConfig: SPIKES,
  SpikeDetectionConfigChanges: SPIKES,
  ErrorTrackingSpikeEvent: {
    id: "Id of the spike, a UUID.",
    issue: "The issue whose exceptions burst.",
    "issue.id": "Id of that issue, a UUID.",
    "issue.name": "Name of that issue; null when it has none.",
    "issue.description": "Description of that issue; null when it has none.",
    detected_at: "When the spike was noticed, ISO 8601 in UTC with microseconds.",
    computed_baseline: "Exceptions in five minutes that were usual before, as a mean.",
    current_bucket_value: "Exceptions in the five minutes in which it was noticed.",
  },
};
