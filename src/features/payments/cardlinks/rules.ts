/** So long a link to leave a card is good. */
export const linkDays = 14

export const cardLinkPath = (token: string): string => `/card/${token}`
