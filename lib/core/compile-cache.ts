/**
 * The variable that tells Node where it keeps what it compiled, for a thread or process that is given nothing else of this one's
 * environment: without it each of them would read its TypeScript anew. Empty where nothing is kept, as in a function.
 */
export const compileCache = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  environment.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: environment.NODE_COMPILE_CACHE };
