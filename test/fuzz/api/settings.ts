/** Of the platform that is asked: nobody is told to wait, and nobody outside this machine is asked anything. */
export const SETTINGS = {
  THROTTLE_SCALE: "1000000",
  CONCURRENT_RUNS: "1000",
  GITHUB_API: "http://127.0.0.1:9",
  GITLAB_ORIGIN: "http://127.0.0.1:9",
  LINEAR_API: "http://127.0.0.1:9",
  JIRA_API: "http://127.0.0.1:9",
  WEBHOOK_HOSTS: "hooks.acme.example",
} as const;
