/** How what a business writes about money reaches somebody: by mail, by text, or both. */
export const paperWays = { email: 'E-mail', text: 'Text', both: 'E-mail and text' } as const
export type PaperWay = keyof typeof paperWays
export const paperWayNames = ['email', 'text', 'both'] as const
