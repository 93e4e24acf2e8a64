/** The parameter of Systems Manager with the keys of a stage's tokens. The first `admin apply` that needs it makes it; no stack has it. */
export const tokenKeysParameter = (stack: string): string => `/${stack}/token-keys`;
