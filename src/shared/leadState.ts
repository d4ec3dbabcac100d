/**
 * What a visitor who left name, e-mail and phone carries from page to page. The public pages are documents of their own, so it travels in the
 * tab's session storage; it is gone when the tab is closed, and never stands in an address.
 */
export type LeadState = { name: string; email: string; phone: string }

const key = 'swath.lead'

/** Keeps it for the next pages of this tab. Without storage (a private window) the next form is simply empty. */
export const saveLeadState = (lead: LeadState): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify({ name: lead.name, email: lead.email, phone: lead.phone }))
  } catch {
    // nothing to do: it only spares typing
  }
}

/** What the visitor left before in this tab, or null. */
export const readLeadState = (): LeadState | null => {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<LeadState> | null
    return value && [value.name, value.email, value.phone].every((part) => typeof part === 'string')
      ? (value as LeadState)
      : null
  } catch {
    return null
  }
}
