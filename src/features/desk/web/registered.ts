/** Whose account was opened just now; the links below it are for them. */
export type Registered = { userId: string; name: string; email: string }
