/** The pattern that finds a person's words anywhere in a text: what LIKE would read as a wildcard is taken as itself. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
